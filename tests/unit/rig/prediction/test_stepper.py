"""The prediction of a run: what it keeps."""

from pathlib import Path

import numpy as np
import pytest

from model.floats import Floats
from rig import config
from rig.prediction import stepper
from rig.prediction.following_way import FollowingWay

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
    """The six-bar's crank stands at 90 deg. At 0 its shaft would be wound up by a quarter turn."""
    experiment = config.load(EXPERIMENTS / "six_bar_rig.toml", ["mechanism.equations=tables"]).experiment  # no compilation
    begun = []
    start = FollowingWay.start

    def noted(self: FollowingWay, samples: Floats) -> None:
        begun.append(samples.copy())
        start(self, samples)

    monkeypatch.setattr(FollowingWay, "start", noted)
    stepper.rehearse(experiment)
    assert len(begun) == 1 and begun[0] == pytest.approx(np.full(len(begun[0]), np.pi / 2))
