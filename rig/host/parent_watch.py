"""The end of a child process whose parent dies while it is still being set up.

It imports and compiles for a second or more then, on a busy machine much longer, and listens to nobody. Little is imported here.
"""

from __future__ import annotations

import os
import sys
import threading

EVERY = 0.1  # s
ORPHANED = 3  # exit code, which nobody is there to read

_settled = threading.Event()


def follow(parent: int) -> None:
    """From now until `settled`, end this process when `parent` (its process id) is not its parent any more.

    Not on Windows, where the python.exe of an environment starts another one, which has that for its parent as long as it lives.
    """
    if sys.platform == "win32":
        return

    def look() -> None:
        while not _settled.wait(EVERY):
            if os.getppid() != parent:
                os._exit(ORPHANED)

    threading.Thread(target=look, daemon=True, name="parent watch").start()


def settled() -> None:
    """The program looks after its parent's death by itself from now on."""
    _settled.set()
