"""Whether there is memory for what comes next, asked before it is needed.

A library in C that gets no memory in the middle of its work may end the process without a word (HDF5 does); asked beforehand, the process
ends in words, with whole files. It tells of a limit on address space and of a system that promises no more than it has; where more is
promised, the system ends a process when a page is missing, and nothing in it can tell.
"""

from __future__ import annotations

import mmap


def need_room(size: int) -> None:
    """Raises MemoryError where the process would not get so many bytes. No page of them is touched."""
    try:
        mmap.mmap(-1, size).close()
    except OSError as error:
        raise MemoryError(f"no room for {size} bytes more") from error
