"""On which benches and in which experiments a real-time hybrid test may stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig import config
from rig.errors import ConfigError

EXPERIMENT = Path(__file__).parents[5] / "configs/experiments/real_time_hybrid.toml"


def test_the_one_that_is_shipped_may() -> None:
    assert config.load(EXPERIMENT).experiment.acquisition.block * 1024.0 == 1.0


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["bench.pace=real"], "a virtual one with bench.pace = 'lockstep'"),
        (["acquisition.block=0.001953125"], "expected one sample, 0.0009765625 s"),
        (["command.mode=force"], "expected 'stroke'"),
        (["pacing.action=wait", "pacing.channel=stroke"], "no cycles that could wait"),
        (["trajectory.case=7"], "expected one of 1, 2, 3, 4"),
        (["trajectory.stiffness='1 MN/mm'"], "enlarge scale"),
        (["trajectory.compensator=magic"], "magic"),
    ],
)
def test_others_are_refused_in_words(overrides: list[str], said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        config.load(EXPERIMENT, overrides)
    assert said in str(raised.value)
