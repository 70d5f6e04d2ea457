"""Which channels of a bench tell of a load frame, and how a cause is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rig import config
from rig.comparison.causes import Cause
from rig.comparison.evidence import Evidence
from rig.comparison.load_frame import ORDERLY, FrameChannels
from rig.report.causes import cause_in, frame_channels, in_words, pick_up

CONFIGS = Path(__file__).resolve().parents[4] / "configs/experiments"
FRAME = FrameChannels("transmitted_force", "actuator_force", "stroke", ("acceleration_1", "acceleration_2", "acceleration_3"))


@pytest.mark.parametrize(("experiment", "found"), [("linkage", FRAME), ("four_bar_rig", None)])
def test_a_bench_that_measures_what_a_load_frame_has(experiment: str, found: FrameChannels | None) -> None:
    assert frame_channels(config.load(CONFIGS / f"{experiment}.toml").bench) == found


def test_a_channel_that_nothing_predicts_has_no_cause() -> None:
    x = np.sin(np.linspace(0.0, 20.0, 500))
    shown = Evidence(1e3, 0.0, x, np.zeros(500), 0.0, {"force": x}, {})
    assert cause_in(shown, "force") is None


def test_where_a_frame_lacks_a_channel_the_difference_alone_tells() -> None:
    """The control: the same difference in a frame that shows all would be put beside what the others say."""
    t = np.arange(4000) / 1e3
    x, cycle = np.sin(2.0 * np.pi * 3.0 * t), np.floor(3.0 * t)
    shown = Evidence(1e3, 0.0, x, cycle, 0.0, {"transmitted_force": 1.02 * x}, {"transmitted_force": x})
    found = cause_in(shown, "transmitted_force", FRAME, in_force=True)
    assert found is not None and found.words == "a wrong gain"


def test_in_words() -> None:
    assert in_words(Cause("a wrong gain", 0.983)).endswith("goes, by 98 % of its power, as a wrong gain")
    assert "goes, by 64 % of its power, as a wrong gain; what is left may be the specimen" in in_words(Cause("a wrong gain", 0.64))
    assert in_words(Cause("a valve", 1.0, None, "2 mm/s")).endswith("goes as a valve (2 mm/s)")
    assert in_words(Cause(ORDERLY, 0.0)).endswith(f"is none of these: {ORDERLY}")


def in_a_band(added: np.ndarray, more: float = 1.0) -> Evidence:
    """Rattle of a specimen and of a model, which have nothing in common but their level; `more`: how much more the model has."""
    t = np.arange(6000) / 2e3
    rattle, modelled = np.random.default_rng(4).standard_normal((2, len(t)))
    return Evidence(2e3, 0.0, t, np.floor(10.0 * t), 0.0, {"ay": rattle + added}, {"ay": more * modelled})


def test_hum_that_raises_the_level_of_a_band_is_named() -> None:
    t = np.arange(6000) / 2e3
    found = pick_up(in_a_band(3.0 * np.sin(2.0 * np.pi * 150.0 * t)), "ay")
    assert found is not None and found.words == "mains hum of 50 Hz"


def test_a_model_that_rattles_more_is_no_wrong_gain() -> None:
    """The control is that the difference itself looks like one."""
    shown = in_a_band(np.zeros(6000), more=3.0)
    alone = cause_in(shown, "ay")
    assert alone is not None and "gain" in alone.words
    assert pick_up(shown, "ay") is None
