"""Whether this machine can hold real time now: shared ones stand still for seconds, or run at a tenth of their speed for minutes.

What a test finds then is the machine's, not the program's: one that failed on a machine that did is made again, and says so; one at real
pace waits for a machine that works first. A program that is too slow fails on a machine that works, every time. docs/decisions/0019
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest
from _pytest.runner import runtestprotocol

SPIN = 200_000  # additions
SLOW = 0.040  # s for them: half the speed at which this project's tests in real time had all passed
LATE = 0.150  # s by which who sleeps may wake late, with every core at work
SHORT = 0.030  # s by which who comes before all others wakes late only where the machine stood still
SPAN = 0.5  # s within which short ones count together
NAP = 0.02  # s between two looks at the clock
PATIENCE = 180.0  # s in all that tests wait for the machine
TRIES = 5
AGAIN = "made again"


def spun() -> float:
    """Time (s) of a thread for SPIN additions."""
    begun = time.perf_counter()
    total = 0
    for n in range(SPIN):
        total += n
    return time.perf_counter() - begun


class Stalls:
    """When the machine, or one of its processors, stood still.

    Told by a process for each processor, which only naps there: no lock of the tests' can hold it up, nor what they have to do, where the
    system lets it come before all that. There short ones count as well: several of them one after the other keep a program from its
    work as one long one does. Elsewhere a nap that ends a little late means no more than that the processors are busy.
    """

    PROGRAM = """
import os, sys, time
file, (parent, nap, late, short, processor) = sys.argv[1], map(float, sys.argv[2:])
if processor >= 0:
    os.sched_setaffinity(0, {int(processor)})
try:
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(3))
    late = min(late, short)
except (AttributeError, OSError):
    pass
with open(file, "a", buffering=1) as file:
    while os.getppid() == parent:
        begun = time.monotonic()
        time.sleep(nap)
        if (over := time.monotonic() - begun - nap) > late:
            file.write(f"{processor:.0f} {begun + nap + over!r} {over!r}\\n")
"""

    def __init__(self, late: float = LATE) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="rig-stalls-"))
        self._file = self._folder / "stalls"
        self._file.touch()
        own = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        words = (str(self._file), str(os.getpid()), str(NAP), str(late), str(SHORT))
        self.processes = [
            subprocess.Popen([sys.executable, "-S", "-E", "-c", self.PROGRAM, *words, str(processor)])
            for processor in (own if 0 < len(own) <= 8 else [-1])
        ]

    def since(self, begun: float) -> float:
        """The longest (s) that one processor stood still within SPAN, of what ended after `begun` (time.monotonic()); 0 when none did."""
        lines = [line.split() for line in self._file.read_text().splitlines(keepends=True) if line.endswith("\n")]
        told = [(cpu, float(end), float(over)) for cpu, end, over in lines if float(end) > begun]
        return max((sum(over for on, at, over in told if on == cpu and end - SPAN < at <= end) for cpu, end, _ in told), default=0.0)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()
        shutil.rmtree(self._folder)


class Attempt:
    """What is seen of the machine while a test goes on: whether it stands still."""

    def __init__(self, stalls: Stalls) -> None:
        self._stalls = stalls

    def __enter__(self) -> Self:
        self._begun = time.monotonic()
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    @property
    def stood(self) -> float:
        """Longest within SPAN, s."""
        return self._stalls.since(self._begun)

    @property
    def failed(self) -> bool:
        """The machine stood still for too long."""
        return self.stood > LATE

    @property
    def told(self) -> str:
        """For who reads the report."""
        return f"stood still for up to {self.stood * 1e3:.0f} ms in {SPAN:g} s" if self.stood else "never stood still"


class AtRealPace(Attempt):
    """It begins when the machine works; how long a thread needs for its additions is looked at as well."""

    def __init__(self, stalls: Stalls, waiting: Waiting, every: float = 0.25, spin: Callable[[], float] = spun) -> None:
        super().__init__(stalls)
        self._waiting, self._every, self._spin = waiting, every, spin
        self._end = threading.Event()
        self.longest: list[float] = []
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._waited = self._waiting.wait()
        self._thread.start()
        return super().__enter__()

    def __exit__(self, *exc: object) -> None:
        self._end.set()
        self._thread.join()

    @property
    def failed(self) -> bool:
        """The machine stood still, or was slow for a tenth of the time."""
        times = sorted(self.longest)
        return super().failed or (bool(times) and times[int(0.9 * (len(times) - 1))] > 2.0 * SLOW)

    @property
    def told(self) -> str:
        times = sorted(self.longest) or [0.0]
        took = f"{SPIN} additions took {times[0] * 1e3:.0f} to {times[-1] * 1e3:.0f} ms"
        return f"waited for {self._waited:.0f} s; {super().told}, {took}"

    def _look(self) -> None:
        while not self._end.wait(self._every):
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


def at_real_pace(item: pytest.Item) -> bool:
    """A system test whose bench's clock waits for nobody."""
    if Path(__file__).parent not in item.path.parents:
        return False
    callspec = getattr(item, "callspec", None)
    return (callspec is not None and callspec.params.get("pace") == "real") or item.get_closest_marker("real_pace") is not None


def protocol(item: pytest.Item, nextitem: pytest.Item | None, attempt: Callable[[], Attempt]) -> bool:
    """One test; while it fails and the machine did as well, it is made again, TRIES times in all.

    What became of the attempts before the last stands in the report's properties, for `summary`: none passes in silence.
    """
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    before: list[tuple[str, object]] = []
    for left in reversed(range(TRIES)):
        with attempt() as machine:
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
        bad = next((report for report in reports if report.failed), None)
        if bad is None or not left or not machine.failed:
            break
        before.append((AGAIN, f"{machine.told}; {first_line(bad)}"))
        item._initrequest()  # type: ignore[attr-defined]
    reports[0].user_properties = [*reports[0].user_properties, *before]
    for report in reports:
        if report.failed:
            report.sections.append(("machine", f"{machine.told}; {TRIES - left} of {TRIES} tries"))
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def first_line(report: pytest.TestReport) -> str:
    """Of what went wrong."""
    crash = getattr(report.longrepr, "reprcrash", None)
    return (crash.message if crash else report.longreprtext).partition("\n")[0][:200]


def summary(reporter: pytest.TerminalReporter) -> None:
    """A line for each attempt that was made again."""
    lines = [
        f"{report.nodeid}: {text}"
        for reports in reporter.stats.values() for report in reports
        for name, text in getattr(report, "user_properties", ()) if name == AGAIN
    ]  # fmt: skip
    if lines:
        reporter.section(f"made again after the machine had failed: {len(lines)}")
        for line in lines:
            reporter.write_line(line)
