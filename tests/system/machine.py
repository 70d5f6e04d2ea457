"""Whether this machine works now: shared ones stand still for a tenth of a second to seconds.

What a test finds then is the machine's, not the program's, so one that failed while it did is made again, once, and says so. A program
that is too slow fails on a machine that works, each time. docs/decisions/0019
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest
from _pytest.runner import runtestprotocol

AWAY = 0.150  # s within SPAN for which a processor must have been away
LATE = 0.030  # s by which a nap may end late
SPAN = 0.5  # s within which short ones count together
NAP = 0.02  # s between two looks at the clock
PRIORITY = 50  # real-time priority of who naps: nothing of the program has one above 3
TRIES = 2
AGAIN, TOOK = "made again", "took at real pace"
AT_MOST = 90.0  # s of `make test` at real pace
STOOD_STILL: list[tuple[float, float]] = []
"""Of tests at real pace in this process: the share for which device time stood still, and the most that was allowed."""


class Stalls:
    """When the machine, or one of its processors, was away.

    Told by a process for each processor, which only naps there, before everything that the program does: the program cannot slow it down.
    Where the system grants no such priority nobody knows, so no test is made again.
    """

    PROGRAM = """
import os, sys, time
file, (parent, nap, late, priority, processor) = sys.argv[1], map(float, sys.argv[2:])
try:
    os.sched_setaffinity(0, {int(processor)})
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(int(priority)))
except (AttributeError, OSError):
    sys.exit(1)
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
        words = (str(self._file), str(os.getpid()), str(NAP), str(late), str(PRIORITY))
        self.processes = [subprocess.Popen([sys.executable, "-S", "-E", "-c", self.PROGRAM, *words, str(cpu)]) for cpu in own]

    def since(self, begun: float) -> float:
        """The longest (s) that one processor was away within SPAN, of what ended after `begun` (time.monotonic()); 0 when none was."""
        lines = [line.split() for line in self._file.read_text().splitlines(keepends=True) if line.endswith("\n")]
        told = [(cpu, float(end), float(over)) for cpu, end, over in lines if float(end) > begun]
        return max((sum(over for on, at, over in told if on == cpu and end - SPAN < at <= end) for cpu, end, _ in told), default=0.0)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()
        shutil.rmtree(self._folder)


class Attempt:
    """What is seen of the machine while a test goes on."""

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
        return self.stood > AWAY

    @property
    def told(self) -> str:
        """For who reads the report."""
        return f"stood still for up to {self.stood * 1e3:.0f} ms in {SPAN:g} s" if self.stood else "never stood still"


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
    took = [(TOOK, sum(report.duration for report in reports))] if at_real_pace(item) else []
    reports[0].user_properties = [*reports[0].user_properties, *before, *took]
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
    """How long tests at real pace took, and a line for each attempt that was made again."""
    told = [
        (report.nodeid, name, value)
        for reports in reporter.stats.values() for report in reports
        for name, value in getattr(report, "user_properties", ())
    ]  # fmt: skip
    if took := [seconds for _, name, seconds in told if name == TOOK]:
        reporter.write_line(f"at real pace: {len(took)} tests, {sum(took):.0f} s; `make test` is to have {AT_MOST:g} s of it at most")
    if STOOD_STILL:
        share, most = max(STOOD_STILL)
        reporter.write_line(f"device time stood still for at most {share:.1%} of a test at real pace; {most:.0%} allowed")
    if lines := [f"{node}: {text}" for node, name, text in told if name == AGAIN]:
        reporter.section(f"made again after the machine had failed: {len(lines)}")
        for line in lines:
            reporter.write_line(line)
