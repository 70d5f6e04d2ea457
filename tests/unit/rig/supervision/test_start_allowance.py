"""A virtual bench is waited for as long as it works; what is said when it did not come up tells what it was at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rig.errors import ConfigError, WorkerDied
from rig.supervision.start_allowance import IDLE, LONGEST, ComingUp


class Bench:
    """A process as the wait sees it; `pace` is the processor time that it gets of each second on the clock."""

    def __init__(self, pace: float) -> None:
        self.pace, self.now, self.silent, self.exit = pace, 100.0, False, None
        self.report: dict[str, Any] = {}
        self.ports: dict[str, str] = {}
        self.usage = {"cpu_s": 0.0}

    def measure(self) -> None:
        self.usage["cpu_s"] = (self.now - 100.0) * self.pace


def waited(bench: Bench, until: float, lines: tuple[str, ...] = ()) -> tuple[ComingUp, float]:
    """(the wait, s that it lasted), in steps of 0.5 s, `until` s at the most."""
    coming = ComingUp(bench, lines, lambda: bench.now)  # type: ignore[arg-type]
    while coming.goes_on() and coming.address is None and bench.now < 100.0 + until:
        bench.now += 0.5
    return coming, bench.now - 100.0


def test_one_that_works_is_waited_for_on_a_busy_machine() -> None:
    """It gets 1 % of a processor: 30 s of waiting would be 0.3 s of its time."""
    bench = Bench(pace=0.01)
    coming, lasted = waited(bench, 120.0)
    assert lasted == 120.0 > 3 * IDLE
    bench.report["listening"] = "127.0.0.1:7"
    assert coming.address == "127.0.0.1:7"


def test_one_that_does_nothing_is_not_waited_for_long_and_it_is_said_what_was_missing(tmp_path: Path) -> None:
    log = tmp_path / "virtual_bench.log"
    log.touch()
    coming, lasted = waited(Bench(pace=0.0), 1000.0)
    assert lasted == pytest.approx(IDLE, abs=1.0)
    text = str(coming.failed(log))
    assert "waited 30 s, in which it computed for 0.0 s" in text
    assert "its devices did not come; start the test again" in text
    assert str(log) in text


def test_serial_lines_are_waited_for_as_well(tmp_path: Path) -> None:
    bench = Bench(pace=0.0)
    bench.report["listening"] = "127.0.0.1:7"
    coming, _ = waited(bench, 1000.0, ("drive",))
    (tmp_path / "log").touch()
    assert "its serial lines did not come" in str(coming.failed(tmp_path / "log"))
    bench.ports["drive"] = "socket://127.0.0.1:8"
    assert coming.address == "127.0.0.1:7"


def test_one_that_works_for_ever_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    coming, lasted = waited(Bench(pace=1.0), 10_000.0)
    assert lasted == pytest.approx(LONGEST, abs=1.0)
    assert "still was at it; end other programs" in str(coming.failed(tmp_path / "log"))


def test_what_it_said_is_told_and_bad_input_is_bad_input(tmp_path: Path) -> None:
    log = tmp_path / "log"
    bench = Bench(pace=0.0)
    bench.silent, bench.exit = True, 3
    coming, lasted = waited(bench, 1000.0)
    assert lasted == 0.0
    log.touch()
    assert "it ended by itself without a word (exit 3) after 0 s" in str(coming.failed(log))
    log.write_text("warning\nno plant of this kind\n", encoding="utf-8")
    error = coming.failed(log)
    assert isinstance(error, WorkerDied) and "no plant of this kind" in str(error)
    bench.exit = 2
    assert isinstance(coming.failed(log), ConfigError)
