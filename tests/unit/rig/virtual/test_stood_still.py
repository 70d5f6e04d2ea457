"""A simulated bench that could not keep up with the wall's clock is told of: figures in real time were not in real time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rig.commands.running.run import stood_still
from rig.virtual.bench_log import stood_still as read


@pytest.mark.parametrize(
    ("bench", "stood"),
    [({}, None), ({"rate": None, "samples": 0}, 1.0), ({"rate": 1e4, "samples": 100_000}, None), ({"rate": 1e4, "samples": 100_000}, 0.15)],
)
def test_what_keeps_up_is_not_told_of(bench: dict[str, Any], stood: float | None) -> None:
    assert stood_still(bench, stood) == []


def test_what_does_not_is() -> None:
    (warning,) = stood_still({"rate": 1e4, "samples": 100_000}, 3.26)
    assert warning.startswith(
        "virtual bench: the test took 3.3 s longer than the 10.0 s that it recorded: its computer had too little time"
    )


def test_a_short_one_is_told_in_figures_that_say_something() -> None:
    (warning,) = stood_still({"rate": 1e4, "samples": 11_000}, 0.0321)
    assert warning.startswith("virtual bench: the test took 0.032 s longer than the 1.1 s that it recorded")
    (warning,) = stood_still({"rate": 1e4, "samples": 400}, 0.012)
    assert warning.startswith("virtual bench: the test took 0.012 s longer than the 0.04 s that it recorded")


def test_it_is_what_the_log_says_since_the_test_began(tmp_path: Path) -> None:
    log = tmp_path / "virtual_bench.log"
    assert read(log, 0.0) is None, "hardware, or a bench that somebody else started"
    lines = [{"wall": 10.0 + k, "bench": float(k), "source": "clock", "text": "slipped", "slipped": 0.01 * (k + 1)} for k in range(5)]
    other = [json.dumps({"wall": 9.0, "bench": 0.0, "source": "virtual bench", "text": "listening"}), "not a line of the log", "3"]
    log.write_text("\n".join([*other, *map(json.dumps, lines)]) + "\n")
    assert read(log, 0.0) == pytest.approx(0.05)
    assert read(log, 12.5) == pytest.approx(0.02)
    assert read(log, 99.0) == 0.0
