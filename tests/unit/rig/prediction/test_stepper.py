"""The prediction of a run: what it keeps."""

from pathlib import Path

import numpy as np

from rig import config
from rig.prediction import stepper

EXPERIMENT = str(Path(__file__).parents[4] / "configs/experiments/linkage.toml")


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
