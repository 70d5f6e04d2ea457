"""The watch over the machine that tests at real pace rest upon."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import machine
import psutil
import pytest
from waiting import until


class Told:
    """Stalls that are put in."""

    def __init__(self, longest: float = 0.0) -> None:
        self.longest = longest

    def since(self, begun: float) -> float:
        return self.longest


@pytest.mark.parametrize(("longest", "failed"), [(0.3, True), (0.1, False)])
def test_one_that_stood_still_has_failed_but_for_a_moment(longest: float, failed: bool) -> None:
    stalls: Any = Told(longest)
    with machine.Attempt(stalls) as attempt:
        pass
    assert attempt.failed is failed and attempt.told == f"stood still for up to {1e3 * longest:.0f} ms in 0.5 s"


def test_stalls_are_told_with_their_time() -> None:
    stalls = machine.Stalls(late=0.1)
    try:
        for process in stalls.processes:
            until(lambda pid=process.pid: os.sched_getscheduler(pid) == os.SCHED_RR)  # type: ignore[misc]
            before = psutil.Process(process.pid).num_ctx_switches().voluntary
            until(lambda pid=process.pid, n=before: psutil.Process(pid).num_ctx_switches().voluntary > n + 5, "naps")  # type: ignore[misc]
        begun = time.monotonic()
        for process in stalls.processes:
            os.kill(process.pid, signal.SIGSTOP)
        time.sleep(0.4)
        for process in stalls.processes:
            os.kill(process.pid, signal.SIGCONT)
        until(lambda: stalls.since(begun) > 0.2)
        assert stalls.since(time.monotonic() + 60.0) == 0.0
    finally:
        stalls.close()


def test_who_gets_no_priority_tells_nothing(tmp_path: Path) -> None:
    """It could be slowed down by the program."""
    words = [sys.executable, "-S", "-E", "-c", machine.Stalls.PROGRAM, str(tmp_path / "stalls"), str(os.getpid()), "0.02", "0.03"]
    refused = subprocess.run([*words, "1000000", "0"], check=False)  # no system has such a priority
    assert refused.returncode == 1 and not (tmp_path / "stalls").exists()


def test_short_ones_count_together_on_their_processor_only() -> None:
    stalls = machine.Stalls()
    try:
        for process in stalls.processes:
            process.kill()
            process.wait()
        seen = Path(stalls._file)
        soon = time.monotonic() + 1000.0  # what this machine does meanwhile comes before
        lines = [(0, 0.10, 0.06), (0, 0.30, 0.07), (1, 0.40, 0.05), (0, 0.55, 0.04), (0, 1.40, 0.09)]
        seen.write_text("".join(f"{processor} {soon + end!r} {over!r}\n" for processor, end, over in lines) + "0 17.0")
        assert stalls.since(soon) == pytest.approx(0.06 + 0.07 + 0.04)
        assert stalls.since(soon + 0.2) == pytest.approx(0.07 + 0.04)
        assert stalls.since(soon + 1.0) == pytest.approx(0.09)
        assert stalls.since(soon + 2.0) == 0.0
    finally:
        stalls.close()


@pytest.mark.parametrize("workers", [[], ["-p", "xdist.plugin", "-n", "1"]])
@pytest.mark.parametrize(("fails", "stalls", "tries", "code"), [(1, True, 2, 0), (9, True, machine.TRIES, 1), (1, False, 1, 1)])
def test_a_test_is_made_again_where_the_machine_failed_and_told_of(
    tmp_path: Path, workers: list[str], fails: int, stalls: bool, tries: int, code: int
) -> None:
    """In a project of its own: a test that fails so often, on a machine that stands still each time or never does."""
    (tmp_path / "conftest.py").write_text(
        "import machine, pytest\n"
        "class Told:\n"
        f"    def since(self, begun): return {0.3 if stalls else 0.0}\n"
        "@pytest.hookimpl(tryfirst=True)\n"
        "def pytest_runtest_protocol(item, nextitem):\n"
        "    return machine.protocol(item, nextitem, lambda: machine.Attempt(Told()))\n"
        "def pytest_terminal_summary(terminalreporter): machine.summary(terminalreporter)\n"
    )
    (tmp_path / "test_it.py").write_text(
        f"from pathlib import Path\ndef test_it():\n    file = Path({str(tmp_path / 'tries')!r})\n"
        "    file.write_text((file.read_text() if file.exists() else '') + '.')\n"
        f"    assert len(file.read_text()) > {fails}, 'the fault'\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", "--rootdir", str(tmp_path), str(tmp_path), *workers]
    place = {**os.environ, "PYTHONPATH": str(Path(machine.__file__).parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=place, check=False)
    assert (done.returncode, len((tmp_path / "tries").read_text())) == (code, tries), done.stdout
    told = [line for line in done.stdout.splitlines() if line.startswith("test_it.py::test_it: stood still for up to 300 ms in 0.5 s; ")]
    assert len(told) == tries - 1 and all("the fault" in line for line in told), done.stdout
    assert ("1 passed" if code == 0 else "1 failed") in done.stdout
    assert code == 0 or f"{tries} of {machine.TRIES} tries" in done.stdout
