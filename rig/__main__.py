"""`python -m rig` is `rig`."""

import sys

from drivers.interpreter import leave_folder_of_start
from rig.entry import main

leave_folder_of_start()
sys.exit(main())
