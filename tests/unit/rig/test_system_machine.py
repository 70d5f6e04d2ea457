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
import pytest


def rest(seconds: float) -> None:
    """A nap that is never late, as it does not sleep."""


def test_a_machine_that_works_is_not_waited_for() -> None:
    waiting = machine.Waiting(spin=lambda: 0.01, sleep=rest)
    assert waiting.wait() < 0.2 and waiting.left > 0.9 * machine.PATIENCE


def test_one_that_stands_still_is_waited_for() -> None:
    late = iter([*[0.01] * 7, 0.3])
    begun = time.perf_counter()
    waiting = machine.Waiting(spin=lambda: 0.01, patience=20.0, sleep=lambda nap: time.sleep(next(late, 0.0)))
    assert waiting.wait() > 0.5 and time.perf_counter() - begun < 10.0


def test_one_that_comes_back_is_waited_for_and_no_longer() -> None:
    begun = time.perf_counter()
    waiting = machine.Waiting(spin=lambda: 0.5 if time.perf_counter() - begun < 0.7 else 0.01, patience=20.0, sleep=rest)
    assert 0.7 <= waiting.wait() < 5.0


def test_patience_ends_in_all() -> None:
    waiting = machine.Waiting(spin=lambda: 0.5, patience=0.6, sleep=rest)
    assert waiting.wait() < 3.0
    assert waiting.left == 0.0 and waiting.wait() < 1.0


class Told:
    """Stalls that are put in."""

    def __init__(self, longest: float = 0.0) -> None:
        self.longest = longest

    def since(self, begun: float) -> float:
        return self.longest


@pytest.mark.parametrize(("spin", "failed"), [(0.01, False), (0.5, True)])
def test_a_slow_machine_has_failed(spin: float, failed: bool) -> None:
    stalls: Any = Told()
    with machine.AtRealPace(stalls, machine.Waiting(spin=lambda: 0.01, sleep=rest), every=0.02, spin=lambda: spin) as attempt:
        deadline = time.monotonic() + 30.0
        while len(attempt.longest) < 5 and time.monotonic() < deadline:
            time.sleep(0.02)
    assert attempt.failed is failed and "additions took" in attempt.told


def test_one_that_stood_still_has_failed() -> None:
    stalls: Any = Told(0.3)
    with machine.Attempt(stalls) as attempt:
        pass
    assert attempt.failed and attempt.told == "stood still for up to 300 ms in 0.5 s"


def test_one_that_stood_still_for_a_moment_has_not() -> None:
    stalls: Any = Told(0.1)
    with machine.Attempt(stalls) as attempt:
        pass
    assert not attempt.failed and attempt.told == "stood still for up to 100 ms in 0.5 s"


def test_stalls_are_told_with_their_time() -> None:
    stalls = machine.Stalls(late=0.1)
    try:
        begun = time.monotonic()
        deadline = begun + 30.0
        time.sleep(0.5)  # it naps by now
        for process in stalls.processes:
            os.kill(process.pid, signal.SIGSTOP)
        time.sleep(0.4)
        for process in stalls.processes:
            os.kill(process.pid, signal.SIGCONT)
        while not stalls.since(begun) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert stalls.since(begun) > 0.2
        assert stalls.since(time.monotonic() + 60.0) == 0.0
    finally:
        stalls.close()


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


@pytest.mark.parametrize("workers", [[], ["-n", "1"]])
@pytest.mark.parametrize(("fails", "stalls", "tries", "code"), [(2, True, 3, 0), (9, True, machine.TRIES, 1), (2, False, 1, 1)])
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
    place = {**os.environ, "PYTHONPATH": str(Path(machine.__file__).parent)}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=place, check=False)
    assert (done.returncode, len((tmp_path / "tries").read_text())) == (code, tries), done.stdout
    told = [line for line in done.stdout.splitlines() if line.startswith("test_it.py::test_it: stood still for up to 300 ms in 0.5 s; ")]
    assert len(told) == tries - 1 and all("the fault" in line for line in told), done.stdout
    assert ("1 passed" if code == 0 else "1 failed") in done.stdout
    assert code == 0 or f"{tries} of {machine.TRIES} tries" in done.stdout
