"""The line through the points of a calibration, and what it leaves over."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.sensors.calibration import Point, Reference, fit

EXACT = Reference(0.0, 0.0, "typed")


def points(references: list[float], shown: list[float]) -> list[Point]:
    """`shown`: V."""
    return [Point(reference, volts, 0.0) for reference, volts in zip(references, shown, strict=True)]


@given(st.floats(1e2, 1e5), st.floats(-1e3, 1e3), st.booleans())
def test_a_straight_sensor_is_found_again(gain: float, offset: float, reverse: bool) -> None:
    sensitivity = -gain if reverse else gain
    references = [0.0, 2e4, 5e4, 1e5, 5e4, 0.0]
    line = fit(points(references, [(r - offset) / sensitivity for r in references]), EXACT)
    assert line.sensitivity == pytest.approx(sensitivity, rel=1e-9)
    assert line.offset == pytest.approx(offset, abs=1e-6)
    assert line.rising == (True, True, True, True, False, False)
    assert max(map(abs, line.residuals)) < 1e-6
    assert line.zero_uncertainty == pytest.approx(0.0, abs=1e-4)


def test_hysteresis_and_linearity_are_told_apart() -> None:
    """An arch of 10 N and a loop of 8 N, with points on the way back at other places than on the way up."""
    up, down = np.arange(0.0, 101.0, 10.0), np.arange(95.0, 4.0, -10.0)

    def shows(r: np.ndarray, way: float) -> np.ndarray:
        return r * 1e3 + 10.0 * (1.0 - (r / 50.0 - 1.0) ** 2) + way * 4.0 * (1.0 - (r / 50.0 - 1.0) ** 2)

    references = np.concatenate([up, down]) * 1e3
    volts = np.concatenate([shows(up, -1.0), shows(down, 1.0)]) / 25e3
    line = fit(points(references.tolist(), volts.tolist()), EXACT)
    assert line.hysteresis == pytest.approx(8.0, abs=0.2)
    arch = 10.0 * (1.0 - (np.linspace(0.0, 2.0, 21) - 1.0) ** 2)
    best = np.abs(arch - arch.mean()).max()
    assert line.nonlinearity == pytest.approx(best, rel=0.15)
    assert line.rising == (True,) * 11 + (False,) * 10


def test_what_is_called_k_2_covers_as_often_as_k_2_does() -> None:
    """One more value of the same sensor, within the points, is off the line by at most U in 95 of 100 calibrations or more."""
    random, references = np.random.default_rng(2), np.linspace(0.0, 1e5, 5)
    held = []
    for _ in range(2000):
        volts = (references + random.normal(0.0, 50.0, 5)) / 25e3
        line = fit(points(references.tolist(), volts.tolist()), EXACT)
        true = random.uniform(0.0, 1e5)
        shown = line.sensitivity * (true + random.normal(0.0, 50.0)) / 25e3 + line.offset
        held.append(abs(shown - true) <= (line.zero_uncertainty or 0.0))
    assert 0.945 <= np.mean(held) <= 0.99


def test_the_reference_is_part_of_the_uncertainty() -> None:
    given_points = points([0.0, 5e4, 1e5], [0.0, 2.0, 4.0])
    line = fit(given_points, Reference(0.001, 20.0, "proving ring"))
    assert (line.uncertainty, line.zero_uncertainty) == (0.001, pytest.approx(20.0, abs=1e-3))


def test_two_points_tell_no_uncertainty() -> None:
    line = fit(points([0.0, 1e5], [0.0, 4.0]), Reference(0.001, 20.0, "typed"))
    assert (line.uncertainty, line.zero_uncertainty, line.hysteresis) == (None, None, None)


@pytest.mark.parametrize(
    ("references", "shown", "words"),
    [
        ([1e3, 1e3], [0.1, 0.2], "two points with different references"),
        ([1e3], [0.1], "two points"),
        ([0.0, 1e3], [0.1, 0.1], "the same at every point"),
        ([0.0, 1e3, 2e3, 3e3], [0.0, 1.0, 0.1, 0.9], "does not follow the reference"),
    ],
)
def test_no_line(references: list[float], shown: list[float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        fit(points(references, shown), EXACT)
