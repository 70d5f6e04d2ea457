"""Begin of a child process: `python -m rig.host.begin PARENT MODULE ARGUMENTS...` runs MODULE as a program.

Until that is set up, `rig.host.parent_watch` ends it when its parent dies.
"""

from __future__ import annotations

import runpy
import sys

from rig.host import parent_watch

if __name__ == "__main__":
    parent_watch.follow(int(sys.argv[1]))
    sys.argv = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
