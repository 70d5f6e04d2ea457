"""What counts as a signal that stands still at its end while another goes on."""

import numpy as np
import pytest

from rig.comparison.saturation import saturates

WAVE = np.sin(2.0 * np.pi * np.arange(40_000) / 4000.0)


@pytest.mark.parametrize(("level", "expected"), [(0.3, True), (0.9, True), (0.94, True), (0.97, False), (1.0, False)])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_clipped_sine_by_how_much_is_missing(level: float, expected: bool, side: float) -> None:
    """Below 0.96 the sine goes on by more than 2 % of its range while the other stands still."""
    assert saturates(side * np.minimum(WAVE, level), side * WAVE) is expected
    assert saturates(side * np.minimum(WAVE, level) * 7.0 + 3.0, side * WAVE) is expected


def test_one_that_stands_still_because_the_other_does_is_sound() -> None:
    """A program that rests at its largest value."""
    held = np.minimum(WAVE, 0.5)
    assert not saturates(held, 2.0 * held)


@pytest.mark.parametrize(("share", "expected"), [(0.01, False), (0.03, True)])
def test_a_short_stop_is_none(share: float, expected: bool) -> None:
    """Of the samples less than 2 %: a stretch at the end of a ramp."""
    ramp = np.linspace(0.0, 1.0, 10_000)
    stopped = np.minimum(ramp, 1.0 - share)
    assert saturates(stopped, ramp) is expected


def test_stretches_are_added() -> None:
    """Each of four is short, all together are not; what lies between them, and does not stand still, is not among them."""
    x, y = np.zeros(10_000), np.zeros(10_000)
    for begin in range(1000, 9000, 2000):
        x[begin : begin + 80], y[begin : begin + 80] = 1.0, np.linspace(0.5, 1.0, 80)
    assert saturates(x, y)
    x[5000:], y[5000:] = 0.0, 0.0
    assert not saturates(np.where(x > 0.5, 1.0, np.linspace(0.0, 0.5, 10_000)), y)
