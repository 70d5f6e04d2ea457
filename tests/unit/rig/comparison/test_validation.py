"""Validation uncertainty after ASME V&V 20: parts add in squares, sensors are carried to each figure, unknown parts are named."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from rig.comparison import ChannelAgreement
from rig.comparison.result import CycleAgreement, CycleLevel
from rig.comparison.uncertainty.interval import Interval
from rig.comparison.validation import SensorUncertainty, area_between, of_band, validation

A = ChannelAgreement(
    unit="N", rms_difference=20.0, nrms=0.02, max_measured=1500.0, amplitude=1400.0, impact_peak_measured=700.0, period_s=0.25,
    intervals={"max": Interval(0.03, 0.004), "nrms": Interval(0.02, 0.001, above=0.012)},
)  # fmt: skip
SENSOR = SensorUncertainty(gain=0.005, zero=3.0, late=1e-4)


def test_parts_add_in_squares() -> None:
    one = validation("x", "max", 0.03, A, SENSOR, 0.006, 0.002)
    sensor = math.hypot(0.005, 3.0 / 1500.0)
    assert (one.random, one.sensor, one.input, one.numerical, one.unknown) == (0.004, pytest.approx(sensor), 0.006, 0.002, ())
    assert one.uncertainty == pytest.approx(math.sqrt(0.004**2 + sensor**2 + 0.006**2 + 0.002**2))
    assert one.beyond is True
    assert validation("x", "max", 0.01, A, SENSOR, 0.006, 0.002).beyond is False


def test_what_is_open_is_as_likely_anywhere_between() -> None:
    assert validation("x", "nrms", 0.02, A, SENSOR, None, None).random == pytest.approx(math.hypot(0.001, 0.012 / math.sqrt(12.0)))


@pytest.mark.parametrize(
    ("metric", "u"),
    [
        ("fundamental", 0.005),
        ("impact_peak", math.hypot(0.005 * 700.0, 3.0) / 1400.0),
        ("overshoot", math.hypot(0.005 * 1400.0, 3.0) / 1400.0),
        ("nrms", math.hypot(0.005, 3.0 / 1000.0)),
        ("delay", 1e-4),
        ("first_impact", 1e-4 / 0.25),
        ("phase", 360.0 * 1e-4 / 0.25),
        ("within_5_percent", None),
    ],
)
def test_a_sensor_is_carried_to_each_figure(metric: str, u: float | None) -> None:
    assert validation("x", metric, 0.1, A, SENSOR, None, None).sensor == (None if u is None else pytest.approx(u))


def test_what_a_gain_of_the_sensor_does_to_a_figure_is_what_was_said() -> None:
    """By finite differences of the figures' own definitions."""
    wave = 1500.0 * np.sin(2.0 * np.pi * np.arange(1000) / 1000.0)
    read = wave * 1.005
    assert abs(np.max(wave) / np.max(read) - 1.0) == pytest.approx(0.005, rel=0.01)
    assert np.sqrt(np.mean((read - wave) ** 2) / np.mean(read**2)) == pytest.approx(0.005, rel=0.01)


def test_unknown_parts_are_named_and_nothing_is_said_where_all_are() -> None:
    bare = ChannelAgreement(unit="N", max_measured=1.0)
    one = validation("x", "max", 0.5, bare, SensorUncertainty(), None, None)
    assert (one.uncertainty, one.beyond) == (None, None) and one.unknown == ("random", "sensor", "input", "numerical")
    assert one.to_json()["expanded"] is None


def test_a_band_of_members_is_the_spread_of_the_peak_and_of_the_whole() -> None:
    predicted = 1500.0 * np.sin(2.0 * np.pi * np.arange(1000) / 1000.0)
    spread = np.full(1000, 10.0)
    spread[250] = 30.0
    assert of_band("max", A, spread, predicted) == pytest.approx(30.0 / 1500.0)
    assert of_band("nrms", A, spread, predicted) == pytest.approx(np.sqrt(np.mean(spread**2)) / 1000.0)
    assert of_band("delay", A, spread, predicted) is None
    assert of_band("max", A, np.full(1000, np.nan), predicted) is None


def test_the_area_between_is_the_wasserstein_distance() -> None:
    rng = np.random.default_rng(1)
    one, other = rng.normal(10.0, 2.0, 40), rng.normal(11.0, 3.0, 40)
    assert area_between(list(one), list(other)) == pytest.approx(scipy.stats.wasserstein_distance(one, other))
    assert area_between([1.0, 2.0, 3.0], [3.0, 1.0, 2.0]) == 0.0
    with pytest.raises(ValueError, match="as many values"):
        area_between([1.0], [1.0, 2.0])


def test_the_area_is_in_the_unit_of_the_cycles_figure() -> None:
    cycles = tuple(CycleAgreement(k, 1000.0 + k, 1010.0 + k, None) for k in range(5))
    levels = tuple(CycleLevel(k, 1.0, 1.5) for k in range(5))
    a = ChannelAgreement(unit="N", max_measured=1004.0, cycles=cycles, band_cycles=levels)
    one, other = (validation("x", metric, 0.0, a, SENSOR, None, None) for metric in ("max", "band_level"))
    assert (one.area, one.area_unit) == (pytest.approx(10.0), "N") and other.area == pytest.approx(0.5)
    assert validation("x", "nrms", 0.0, a, SENSOR, None, None).area is None
