"""What is told at the end of a test that went on: a prediction that could not keep up, channels that are not to be believed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rig.commands.running.run import doubtful, late


def plan(pace: str) -> Any:
    predictor = SimpleNamespace(max_lag=0.2)
    return SimpleNamespace(run_dir=Path(), experiment=SimpleNamespace(predictor=predictor), bench=SimpleNamespace(pace=pace))


@pytest.mark.parametrize("figures", [{}, {"late_s": 0.0, "lag_s": {"max": 0.19}}])
def test_one_that_keeps_up_is_not_worth_a_word(figures: dict[str, Any]) -> None:
    assert late(plan("real"), figures) == []


def test_how_long_and_how_late_is_told() -> None:
    (said,) = late(plan("real"), {"late_s": 9.5, "lag_s": {"max": 4.19}})
    assert said.startswith("predictor: 9.5 s of the test were predicted late, by up to 4.19 s, allowed 0.2 s")


def test_where_the_bench_waits_nobody_is_late() -> None:
    assert late(plan("lockstep"), {"late_s": 9.5, "lag_s": {"max": 4.19}}) == []


def test_channels_that_are_not_to_be_believed_are_told_at_the_end() -> None:
    """A force sensor at the end of its range all through the test was an event in the record, and the test passed without a word."""
    events = [
        {"kind": "overload", "text": "DAQ: channel friction is stuck at the end of its range; action: indicate"},
        {"kind": "missing_pulse", "text": "DAQ: channel pickup: 1 of 3 pulses missing; action: indicate"},
        {"kind": "overload", "text": "DAQ: channel x is stuck; action: stop"},
        {"kind": "state", "text": "running"},
    ]
    assert doubtful(events) == ["DAQ: channel friction is stuck at the end of its range", "DAQ: channel pickup: 1 of 3 pulses missing"]
