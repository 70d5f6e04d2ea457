"""The level in a band: what it tells, what it does not depend on, what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rig import config
from rig.comparison.channels import Commanded, Compared, agreements
from rig.comparison.filtering import Bandpassed
from rig.comparison.preparation import Settings
from rig.comparison.verdicts import verdict
from rig.config.experiment import Comparison, Criterion
from rig.errors import ConfigError

RATE, COUNT = 10e3, 40_000
BAND = (100.0, 300.0)
TIME = np.arange(COUNT) / RATE


def noise(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=COUNT)


def found(measured, predicted, band=BAND, length=1 << 20):
    command = Commanded(np.zeros(COUNT), np.zeros(COUNT))
    settings = Settings(lowpass=50.0, discard_cycles=0, band=band)
    return agreements({"a": Compared(measured, predicted)}, command, RATE, settings, length)["a"]


@pytest.mark.parametrize("ratio", [0.0, 0.5, 1.0, 1.7])
def test_the_level_is_that_of_the_band_however_the_signals_run(ratio):
    slow = 5.0 * np.sin(2.0 * np.pi * 2.0 * TIME)
    agreed = found(slow + noise(1), slow + ratio * noise(2))
    assert agreed.band_level_error == pytest.approx(ratio - 1.0, abs=0.08)
    assert agreed.nrms is not None and agreed.nrms < 0.1


def test_a_sine_in_the_band_has_its_own_level():
    agreed = found(3.0 * np.sin(2.0 * np.pi * 170.0 * TIME), np.zeros(COUNT))
    assert agreed.band_level_measured == pytest.approx(3.0 / np.sqrt(2.0), rel=0.02)
    assert agreed.band_level_predicted == 0.0
    assert agreed.band_level_error == -1.0


def test_it_does_not_depend_on_the_pieces_nor_on_what_is_missing():
    measured, predicted = noise(3), noise(4)
    whole = found(measured, predicted)
    cut = found(measured, predicted, length=777)
    assert cut.band_level_error == pytest.approx(whole.band_level_error, rel=1e-12)
    measured[20_000:20_100] = np.nan
    holed = found(measured, predicted)
    assert holed.band_level_measured == pytest.approx(whole.band_level_measured, rel=0.05)


def test_each_cycle_has_a_level_of_its_own_and_all_of_them_are_the_whole():
    """A tone in the band of 1, 2, 3 ... in one cycle after the other; what is not counted has none. Squares add up to that of the whole."""
    cycle = np.floor(TIME / 0.5) - 1.0
    tone = np.sin(2.0 * np.pi * 170.0 * TIME)
    measured, predicted = (cycle + 1.0) * tone, 2.0 * tone
    command = Commanded(np.zeros(COUNT), cycle)
    settings = Settings(lowpass=50.0, discard_cycles=1, band=BAND)
    for length in (1 << 20, 777):
        agreed = agreements({"a": Compared(measured, predicted)}, command, RATE, settings, length)["a"]
        assert [one.cycle for one in agreed.band_cycles] == [1, 2, 3, 4, 5, 6]
        assert [one.measured for one in agreed.band_cycles] == pytest.approx(np.arange(2.0, 8.0) / np.sqrt(2.0), rel=0.03)
        assert [one.predicted for one in agreed.band_cycles] == pytest.approx([2.0 / np.sqrt(2.0)] * 6, rel=0.03)
        assert np.mean([one.measured**2 for one in agreed.band_cycles]) == pytest.approx(agreed.band_level_measured**2, rel=1e-9)
        assert agreed.to_json()["band_cycles"][0]["cycle"] == 1
    assert found(measured, predicted, band=None).band_cycles == ()


def knocks(strength: float) -> np.ndarray:
    """Ten a second that ring at 170 Hz, over a slow motion."""
    since = np.mod(TIME, 0.1)
    return 0.05 * np.sin(2.0 * np.pi * 2.0 * TIME) + strength * np.exp(-since / 0.005) * np.sin(2.0 * np.pi * 170.0 * since)


@pytest.mark.parametrize(("model", "result"), [(1.0, "cannot_be_judged"), (0.4, "cannot_be_judged"), (0.1, "fail")])
def test_knocks_that_are_cut_tell_no_model_that_is_as_strong_as_what_is_left(model, result):
    """By an input that ends at a fifth of their height. Uncut, 0.4 of their strength fails."""
    whole, criteria = knocks(1.0), [Criterion("a", "band_level", 0.3)]
    assert verdict({"a": found(whole, knocks(model))}, criteria).result == ("pass" if model == 1.0 else "fail")
    seen = found(np.clip(whole, -0.15, 0.15), knocks(model))
    assert seen.clipped
    asked = verdict({"a": seen}, criteria)
    assert asked.result == result, asked.reason
    assert ("measured does not show it" in asked.reason) == (result == "cannot_be_judged")


def test_what_was_before_is_forgotten():
    """A slice from anywhere is what it is in the whole."""
    x = noise(5)
    x[:100] += 1e6
    for band in (BAND, (100.0, 110.0)):
        part = slice(30_000, 30_100)
        assert Bandpassed(x, RATE, band)[part] == pytest.approx(Bandpassed(x, RATE, band)[:][part], abs=1e-9)


def test_without_a_band_nothing_is_told_and_a_criterion_on_it_fails():
    agreed = found(noise(1), noise(2), band=None)
    assert (agreed.band_level_measured, agreed.band_level_error) == (None, None)
    assert verdict({"a": agreed}, [Criterion("a", "band_level", 0.5)]).result == "fail"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"band_low": 100.0}, "band_high: missing"),
        ({"band_high": 100.0}, "band_low: missing"),
        ({"band_low": 200.0, "band_high": 100.0}, "band_high: expected more than band_low, 200 Hz, got 100 Hz"),
        ({"criteria": (Criterion("a", "band_level", 0.5),)}, "band_low: missing"),
    ],
)
def test_half_a_band_is_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        Comparison(**settings)


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["comparison.band_high=30 kHz"], r"expected less than half the rate, 25000 Hz; got 30000 Hz"),
        (["comparison.band_low=1e-6 Hz"], r"expected at least [0-9.]+ Hz, 20 periods of it in the test.* got 1e-06"),
        (["comparison.band_low=299.99 Hz"], r"expected at least [0-9.]+ Hz above band_low, 20 periods of it"),
    ],
)
def test_a_band_that_cannot_be_told_is_refused_before_the_test(overrides, said):
    with pytest.raises(ConfigError, match=said):
        config.load(Path(__file__).parents[4] / "configs/experiments/slider_crank_rig.toml", overrides)
