"""The one pole of AC coupling, beside the same difference equation worked out by another program."""

from __future__ import annotations

import math

import numpy as np
from scipy.signal import lfilter

from drivers.simulated.daqmx.subsystems.analog.coupling import HighPass
from tests.each_row import each_row

ROWS = ((204_800.0, 0.5, 9000), (51_200.0, 10.0, 700), (1000.0, 4.0, 2500), (100.0, 10.0, 60), (1000.0, 250.0, 40), (1000.0, 495.0, 40))
"""S/s, Hz (a quarter of the rate: no pole at all; above: a negative one), samples of a block."""


def by_the_equation(volts: np.ndarray, corner: float, rate: float) -> np.ndarray:
    """The bilinear transform of s / (s + 2 pi corner), whose capacitor has the first voltage."""
    warped = math.tan(math.pi * min(corner, 0.49 * rate) / rate)
    gain, pole = 1.0 / (1.0 + warped), (1.0 - warped) / (1.0 + warped)
    return lfilter([gain, -gain], [1.0, -pole], volts - volts[0], axis=0)


@each_row(("rate", "corner", "count"), ROWS)
def test_blocks_go_on_where_the_one_before_ended(rate: float, corner: float, count: int) -> None:
    volts = 5.0 + np.random.default_rng(1).normal(scale=3.0, size=(3 * count, 2))
    coupling, out = HighPass([corner, 0.0], rate), volts.copy()
    for block in np.array_split(out, [1, count, 2 * count]):
        coupling.apply(block)
    expected = by_the_equation(volts[:, :1], corner, rate)
    assert np.abs(out[:, :1] - expected).max() < 1e-11, "a code of 24 bits in 20 V is 1e-6 V"
    assert np.array_equal(out[:, 1], volts[:, 1]), "a direct coupling changes nothing"
    assert np.abs(out[:, 0] - volts[:, 0]).max() > 1.0


def test_without_corners_there_is_nothing_to_do() -> None:
    assert not HighPass([0.0, 0.0], 1000.0)
    assert HighPass([0.0, 0.5], 1000.0)
