"""`python -m rig` is `rig`."""

import sys

from rig.commands import main

sys.exit(main())
