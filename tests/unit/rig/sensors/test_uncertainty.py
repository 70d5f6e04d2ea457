from __future__ import annotations

import datetime
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.config.bench import InputChannel, Sensor
from rig.sensors.uncertainty import covered_from, expanded, figures


@given(st.floats(-250e3, 250e3), st.floats(0.0, 0.02), st.floats(0.0, 500.0))
def test_reading_and_zero_add_as_variances(value: float, share: float, zero: float) -> None:
    found = expanded(Sensor(25e3, uncertainty=share, zero_uncertainty=zero), value)
    assert found == pytest.approx(math.sqrt((share * value) ** 2 + zero**2))
    assert found == expanded(Sensor(25e3, uncertainty=share, zero_uncertainty=zero), -value)


def test_a_class_is_twice_the_standard_deviation_of_an_even_spread_within_its_bound() -> None:
    bound = 0.005 * 100e3
    spread = np.random.default_rng(1).uniform(-bound, bound, 400_000)
    assert expanded(Sensor(25e3, accuracy_class="0.5", capacity=250e3), 100e3) == pytest.approx(2.0 * spread.std(), rel=5e-3)


def test_what_the_certificate_does_not_cover_has_none() -> None:
    assert expanded(Sensor(25e3), 100e3) is None
    assert expanded(Sensor(25e3, accuracy_class="00"), 100e3) is None
    covered = Sensor(25e3, accuracy_class="1", lowest=5e3)
    assert expanded(covered, -4.9e3) is None
    assert expanded(covered, -5.1e3) is not None


def test_an_uncertainty_does_not_vanish_with_the_reading() -> None:
    bare = Sensor(25e3, capacity=250e3, accuracy_class="0.5")
    assert covered_from(bare) == 2.5e3
    assert [expanded(bare, value) for value in (0.0, 2.4e3)] == [None, None]
    assert expanded(bare, -2.6e3) == pytest.approx(2.6e3 * 0.01 / math.sqrt(3.0))
    assert (covered_from(Sensor(25e3, accuracy_class="0.5")), expanded(Sensor(25e3, accuracy_class="0.5"), 100e3)) == (None, None)
    with_zero = Sensor(25e3, capacity=250e3, accuracy_class="0.5", zero_uncertainty=50.0)
    assert (covered_from(with_zero), expanded(with_zero, 0.0)) == (0.0, 50.0)
    assert covered_from(Sensor(25e3, capacity=250e3)) is None


def test_the_certificate_comes_before_the_class() -> None:
    assert expanded(Sensor(25e3, accuracy_class="1", uncertainty=0.002, lowest=500.0), 1e3) == pytest.approx(2.0)


def test_figures_of_a_run_are_gross_where_uncertainty_is_meant() -> None:
    sensor = Sensor(25e3, uncertainty=0.01, lowest=1e3, tare=2e3, expires="2026-01-01", serial="LC-1")
    (found,) = figures([InputChannel("f", "N", "Dev1/ai0", sensor)], {"f": {"max_measured": 8e3}}, datetime.date(2026, 1, 2)).values()
    assert (found["expired"], found["tare"], found["serial"]) == (True, 2e3, "LC-1")
    assert found["uncertainty_at_max"] == pytest.approx(100.0)
