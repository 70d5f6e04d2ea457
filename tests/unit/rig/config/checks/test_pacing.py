"""Null pacing that cannot be is refused before the test, in words."""

from __future__ import annotations

import pytest

from rig import config
from rig.errors import ConfigError
from tests.unit.rig.workers.bench.bench_worker import CONFIGS

SLOWER = "pacing.action=slower"
WRONG = [
    ("linkage_instron", (SLOWER,), "can neither slow it nor repeat a cycle"),
    ("four_bar_rig", (SLOWER,), "has no peaks that a loader could miss"),
    ("pseudo_dynamic", (SLOWER,), "waits for each of its steps already"),
    ("random", (SLOWER,), "no cycles that are alike"),
    ("linkage", (SLOWER, "pacing.channel=stroke"), "in N; stroke is in m"),
    ("linkage", (SLOWER, "pacing.channel=strok"), "no channel 'strok'"),
    ("linkage", ("pacing.action=faster",), "slower"),
]


@pytest.mark.parametrize(("name", "sets", "why"), WRONG)
def test_what_cannot_be(name: str, sets: tuple[str, ...], why: str) -> None:
    with pytest.raises(ConfigError, match="pacing") as refused:
        config.load(CONFIGS / f"{name}.toml", list(sets))
    assert why in str(refused.value)


@pytest.mark.parametrize("action", ["none", "slower", "wait", "hold"])
def test_what_can(action: str) -> None:
    assert (
        config.load(CONFIGS / "linkage.toml", [f"pacing.action={action}", "pacing.channel=actuator_force"]).experiment.pacing.action
        == action
    )


def test_none_is_asked_of_no_rig() -> None:
    assert not config.load(CONFIGS / "four_bar_rig.toml", []).experiment.pacing.on
