"""Whether this machine can hold real time now: shared ones stand still for seconds, or run at a tenth of their speed for minutes.

What a test at real pace finds then is the machine's, not the program's: such a test waits for a machine that works, and is made again
where it failed on one that did not. A program that is too slow fails on a machine that works, every time.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

SPIN = 200_000  # additions
SLOW = 0.040  # s for them: half the speed at which this project's tests in real time had all passed
LATE = 0.150  # s by which a thread that sleeps may wake late, with every core at work
NAP = 0.02  # s between two looks at the clock
PATIENCE = 180.0  # s in all that tests wait for the machine
TRIES = 5


def spun() -> float:
    """Time (s) of a thread for SPIN additions."""
    begun = time.perf_counter()
    total = 0
    for n in range(SPIN):
        total += n
    return time.perf_counter() - begun


class Watch:
    """How late a thread wakes, and how long it needs for its additions, while a test goes on; `told` is that in words.

    It sleeps for `NAP`: of a stall that comes while it sleeps, what is left of the sleep is not seen.
    """

    def __init__(self, every: float = 0.25, spin: Callable[[], float] = spun) -> None:
        self._naps, self._spin = max(1, round(every / NAP)), spin
        self._end = threading.Event()
        self.latest = 0.0
        self.longest: list[float] = []
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._end.set()
        self._thread.join()

    @property
    def failed(self) -> bool:
        """The machine stood still, or was slow for a tenth of the time."""
        times = sorted(self.longest)
        return self.latest > LATE or (bool(times) and times[int(0.9 * (len(times) - 1))] > 2.0 * SLOW)

    @property
    def told(self) -> str:
        """For who reads the report."""
        times = sorted(self.longest) or [0.0]
        return f"stood still for up to {self.latest * 1e3:.0f} ms, {SPIN} additions took {times[0] * 1e3:.0f} to {times[-1] * 1e3:.0f} ms"

    def _look(self) -> None:
        while not self._end.is_set():
            for _ in range(self._naps):
                due = time.perf_counter() + NAP
                if self._end.wait(NAP):
                    break
                self.latest = max(self.latest, time.perf_counter() - due)
            self.longest.append(self._spin())


class Waiting:
    """Waits for a machine that works, PATIENCE in all."""

    def __init__(self, spin: Callable[[], float] = spun, patience: float = PATIENCE, sleep: Callable[[float], object] = time.sleep) -> None:
        self._spin, self.left, self._sleep = spin, patience, sleep

    def wait(self) -> float:
        """Until it works for half a second, or there is no patience left; returns the time (s) that it took."""
        begun = time.perf_counter()
        while not self._works() and time.perf_counter() - begun < self.left:
            time.sleep(0.5)
        waited = time.perf_counter() - begun
        self.left = max(0.0, self.left - waited)
        return waited

    def _works(self) -> bool:
        """The middle one of five spins is quick enough, and no nap in half a second half as late as a test at real pace could bear."""
        spins, latest = [], 0.0
        for _ in range(5):
            spins.append(self._spin())
            for _ in range(5):
                begun = time.perf_counter()
                self._sleep(NAP)
                latest = max(latest, time.perf_counter() - begun - NAP)
        return sorted(spins)[2] <= SLOW and latest < 0.5 * LATE


class Stalls:
    """When the machine stood still, told by a process of its own that does nothing but nap: no lock of the tests' can hold it up."""

    PROGRAM = """
import os, sys, time
parent, nap, late = os.getppid(), float(sys.argv[2]), float(sys.argv[3])
with open(sys.argv[1], "a", buffering=1) as file:
    while os.getppid() == parent:
        begun = time.monotonic()
        time.sleep(nap)
        if (over := time.monotonic() - begun - nap) > late:
            file.write(f"{begun!r} {over!r}\\n")
"""

    def __init__(self, file: Path, late: float = LATE) -> None:
        self.file = file
        file.touch()
        self._process = subprocess.Popen([sys.executable, "-S", "-E", "-c", self.PROGRAM, str(file), str(NAP), str(late)])

    def since(self, begun: float) -> float:
        """The longest (s) that ended after `begun` (time.monotonic()); 0 when there was none."""
        lines = [[float(word) for word in line.split()] for line in self.file.read_text().splitlines() if line.count(" ") == 1]
        return max((over for at, over in lines if at + over > begun), default=0.0)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
