"""Whether every processor of the host works: shared machines take one of them away for a tenth of a second to half of one, and leave the
others, so that a simulated device would go on while the program in front of it cannot.

A process of its own naps on each processor in turn and writes down when it was through; it runs before everything else, where it may, so
that a processor which only has much to do is not taken for one that is away. Linux only, and on no more than MOST processors.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from drivers.simulated.clock import BenchClock

MOST = 8
"""Processors; on a machine with more there are others for a program whose own is away, and going round would take too long."""
ROUND = 0.008  # s of naps for a round
SILENT = 0.03
"""Time (s) after the last round from which a processor counts as being away."""
GONE = 2.0
"""Time (s) after which the process that naps counts as being away itself, and device time goes on without it."""
BEFORE_ALL = 3  # real-time priority: one more than that of the virtual bench (rig/processes.py)
_TIME = struct.Struct("d")


class HostPulse:
    """Made, it naps until `close`; without a limit it ends with its parent."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - nameless, closed by `close`
        self._file.truncate(_TIME.size)
        self._shared = mmap.mmap(self._file.fileno(), _TIME.size)
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(self._file.fileno()), str(os.getpid())],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(self._file.fileno(),),
        )  # fmt: skip

    @property
    def pid(self) -> int:
        """Of the process that naps."""
        return self._process.pid

    @property
    def last(self) -> float:
        """When it was through with a round (time.monotonic(), s); 0 before the first."""
        return float(_TIME.unpack_from(self._shared)[0])

    def works_until(self, wall: float) -> float:
        """The time (time.monotonic(), s) up to `wall` until which every processor worked, as far as it is known."""
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
    clock.works_until = pulse.works_until
    try:
        yield
    finally:
        clock.works_until = None
        pulse.close()


def processors() -> list[int]:
    """The processors to go round; none where that cannot be done."""
    if sys.platform != "linux":
        return []
    mine = sorted(os.sched_getaffinity(0))
    return mine if len(mine) <= MOST else []


def _go_round(descriptor: int, parent: int) -> None:
    """Until the parent is gone."""
    shared, mine = mmap.mmap(descriptor, _TIME.size), processors()
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(BEFORE_ALL))
    while os.getppid() == parent:
        for processor in mine:
            os.sched_setaffinity(0, {processor})
            time.sleep(ROUND / len(mine))
        _TIME.pack_into(shared, 0, time.monotonic())


if __name__ == "__main__":
    _go_round(int(sys.argv[1]), int(sys.argv[2]))
