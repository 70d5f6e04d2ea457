"""Whether every processor of the host works: shared machines take one of them away for a tenth of a second to half of one, and leave the
others, or all of them for some milliseconds again and again; a simulated device would go on while the program in front of it cannot.

A process of its own naps on each processor and writes down when it was through, and how much too late that was; it runs before everything
else, where it may, so that a processor which only has much to do is not taken for one that is away. Linux only, and on no more than MOST
processors.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator

from drivers import host_clock
from drivers.interpreter import environment, python
from drivers.simulated.clock import BenchClock

MOST = 8
"""Processors; on a machine with more there are others for a program whose own is away."""
NAP = 0.004  # s
TOLERANCE = 0.001  # s by which a nap may last longer where nothing is wrong
SILENT = 0.012
"""Time (s) after the last nap from which a processor counts as being away."""
GONE = 2.0
"""Time (s) after which the process that naps counts as being away itself, and device time goes on without it."""
BEFORE_ALL = 3  # real-time priority: one more than that of the virtual bench (rig/streaming/processes.py)
_NAPS = struct.Struct("dd")  # of each processor: host_clock.now() of the last one's end; by how much they were too long in all


class HostPulse:
    """Made, it naps until `close`; without a limit it ends with its parent."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - nameless, closed by `close`
        self._file.truncate(_NAPS.size * len(processors()))
        self._shared = mmap.mmap(self._file.fileno(), 0)
        self._process = subprocess.Popen(
            python("-m", __name__, str(self._file.fileno()), str(os.getpid())), env=environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(self._file.fileno(),),
        )  # fmt: skip

    @property
    def pid(self) -> int:
        """Of the process that naps."""
        return self._process.pid

    @property
    def last(self) -> float:
        """When the last of them was through with a nap (host_clock.now(), s); 0 before each has been."""
        return float(min(ended for ended, _ in _NAPS.iter_unpack(self._shared)))

    def late(self) -> float:
        """By how much (s) naps have been too long, in all; of each what `works_until` does not tell."""
        return float(sum(late for _, late in _NAPS.iter_unpack(self._shared)))

    def works_until(self, wall: float) -> float:
        """The time (host_clock.now(), s) up to `wall` until which every processor worked, as far as it is known."""
        last = self.last
        if last == 0.0 or wall - last > GONE:
            return wall
        return min(wall, last + SILENT)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        self._shared.close()
        self._file.close()


@contextlib.contextmanager
def with_the_host(clock: BenchClock) -> Iterator[None]:
    """While it lasts a clock with pace `real` goes on only while the host's processors all work, where that can be seen."""
    if clock.lockstep or not processors():
        yield
        return
    pulse = HostPulse()
    clock.go_with(pulse.works_until, pulse.late)
    try:
        yield
    finally:
        clock.go_with(None, None)
        pulse.close()


def processors() -> list[int]:
    """The processors to nap on; none where that cannot be done."""
    if sys.platform != "linux":
        return []
    mine = sorted(os.sched_getaffinity(0))
    return mine if len(mine) <= MOST else []


def _nap(shared: mmap.mmap, row: int, processor: int) -> None:
    """Again and again, in a thread that keeps to one processor."""
    os.sched_setaffinity(0, {processor})
    late, at = 0.0, slice(row * _NAPS.size, (row + 1) * _NAPS.size)
    while True:
        begun = host_clock.now()
        time.sleep(NAP)
        ended = host_clock.now()
        if (longer := ended - begun - NAP) > TOLERANCE:
            late += min(longer, SILENT)
        shared[at] = _NAPS.pack(ended, late)  # pack_into would show zeros meanwhile


def _pulse(descriptor: int, parent: int) -> None:
    """Until the parent is gone."""
    shared = mmap.mmap(descriptor, 0)
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(BEFORE_ALL))  # of the threads, too, that begin from here on
    for row, processor in enumerate(processors()):
        threading.Thread(target=_nap, args=(shared, row, processor), daemon=True).start()
    while os.getppid() == parent:
        time.sleep(0.1)


if __name__ == "__main__":
    _pulse(int(sys.argv[1]), int(sys.argv[2]))
