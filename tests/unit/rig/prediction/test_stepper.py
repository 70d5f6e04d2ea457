"""The prediction of a run: what it keeps."""

from pathlib import Path

import numpy as np
import pytest

from model.errors import InconsistentStart
from model.mechanisms.planar import led
from rig import config
from rig.prediction import stepper

EXPERIMENTS = Path(__file__).parents[4] / "configs/experiments"
EXPERIMENT = str(EXPERIMENTS / "linkage.toml")


def test_a_run_in_step_keeps_no_events() -> None:
    experiment = config.load(EXPERIMENT).experiment
    one, other = (stepper.stepper(experiment, 10e3) for _ in range(2))
    command = 10e3 * np.sin(2 * np.pi * 3.0 / 10e3 * np.arange(5000 + one.lookahead))
    for made in (one, other):
        made.start(command[: made.lookahead])
    kept = one.advance(command[one.lookahead :])
    assert len(one.events) > 10
    assert np.array_equal(stepper.advance(other, command[other.lookahead :]), kept)
    assert not other.events


def test_it_is_rehearsed_where_the_test_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The six-bar's crank stands at 90 deg. At 0 its shaft would be wound up by a quarter turn, and nothing would find a rest."""
    experiment = config.load(EXPERIMENTS / "six_bar_rig.toml").experiment
    monkeypatch.setattr(led, "STEPS", 10_000)
    stepper.rehearse(experiment)
    made = stepper.stepper(experiment, experiment.acquisition.rate)
    with pytest.raises(InconsistentStart, match="finds no rest"):
        made.start(np.zeros(made.lookahead))
