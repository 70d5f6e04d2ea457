"""`python -m rig` is `rig`."""

import sys

from rig.entry import main

sys.exit(main())
