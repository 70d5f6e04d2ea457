"""Signals that are locked to a shaft whose speed varies are lines in the order, with their amplitudes, and smeared over frequencies."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison.orders.spectra import OrderSpectra, order_spectra

RATE, SECONDS, SPEED = 20e3, 12.0, 5.0  # Hz, s, turns a second
WAVERS = 0.3
"""Of the speed, up and down."""
SPLINE = 1e-3
"""Budget of an amplitude: splines are right to 2e-4 up to a fifth of the rate, straight lines between the angles to less."""
SCALLOPING = 0.849
"""Of a Hann window half a line away (Harris, Proc. IEEE 66 (1978) 51: 1.42 dB)."""
T = np.arange(round(SECONDS * RATE)) / RATE
ALL = np.ones(len(T), dtype=np.bool_)


def shaft(wavers: float = WAVERS, start: float = 0.3) -> np.ndarray:
    """Angle (n,) rad; its speed goes up and down once in 3 s."""
    slow = 2.0 * np.pi / 3.0
    return start + 2.0 * np.pi * SPEED * (T + wavers / slow * np.sin(slow * T))


def found(measured: np.ndarray, predicted: np.ndarray | None = None, angle: np.ndarray | None = None, counts=ALL) -> OrderSpectra:
    one = order_spectra(measured, np.zeros(len(T)) if predicted is None else predicted, shaft() if angle is None else angle, counts)
    assert one is not None
    return one


def at(one: OrderSpectra, order: float) -> int:
    return int(np.argmin(np.abs(one.order - order)))


@pytest.mark.parametrize("order", [1, 7, 60, 600])  # of the last one the fastest turn has 5 samples a period
def test_what_is_locked_to_the_shaft_is_one_line_with_its_amplitude(order: int) -> None:
    one = found(3.0 * np.cos(order * shaft() + 0.4))
    k = at(one, order)
    assert one.order[k] == order and one.measured[k] == pytest.approx(3.0, rel=SPLINE)
    beside = np.abs(np.arange(len(one.order)) - k) > 1  # a Hann window has a line and its two neighbours
    assert np.max(one.measured[beside]) < 3.0 * SPLINE


def test_the_same_is_smeared_over_frequencies() -> None:
    """The control: the main line of its spectrum, with its neighbours, has but a small part of its power."""
    power = np.square(np.abs(np.fft.rfft(np.cos(60 * shaft()) * np.hanning(len(T)))))
    k = int(np.argmax(power))
    assert np.sum(power[k - 1 : k + 2]) < 0.1 * np.sum(power)
    one = found(np.cos(60 * shaft()))
    power, k = np.square(one.measured), at(one, 60)
    assert np.sum(power[k - 1 : k + 2]) > 0.999 * np.sum(power)


def test_a_tone_of_fixed_frequency_is_smeared_over_orders() -> None:
    one = found(np.cos(2.0 * np.pi * 50.0 * T))  # mains hum, about the tenth order
    assert np.max(one.measured) < 0.5 and np.count_nonzero(one.measured > 0.05) > 20
    steady = found(np.cos(2.0 * np.pi * 50.0 * T), angle=shaft(0.0))
    assert steady.measured[at(steady, 10)] == pytest.approx(1.0, rel=SPLINE)


def test_one_between_two_lines_is_lower_by_the_windows_scalloping_at_the_most() -> None:
    one = found(np.cos((20.0 + 0.5 / 8.0) * shaft()))
    assert one.turns == 8 and np.max(one.measured) == pytest.approx(SCALLOPING, rel=2e-3)


def test_measured_predicted_and_their_difference_are_told_apart() -> None:
    angle = shaft()
    one = found(2.0 * np.cos(3 * angle) + np.cos(9 * angle), 2.5 * np.cos(3 * angle))
    for order, (measured, predicted, difference) in {3: (2.0, 2.5, 0.5), 9: (1.0, 0.0, 1.0)}.items():
        k = at(one, order)
        told = (one.measured[k], one.predicted[k], one.difference[k])
        assert told == pytest.approx((measured, predicted, difference), rel=SPLINE, abs=SPLINE)
    assert [one.order[k] for k in one.largest(2)] == [3.0, 9.0]


def test_a_shaft_that_turns_backwards_is_the_same() -> None:
    forward, back = found(np.cos(5 * shaft())), found(np.cos(5 * shaft()), angle=-shaft())
    assert back.measured == pytest.approx(forward.measured, abs=1e-9)


def test_segments_with_missing_samples_or_a_stand_are_left_out() -> None:
    x, angle = np.cos(5 * shaft()), shaft()
    x[100_000:100_100] = np.nan
    one = found(x)
    assert one.measured[at(one, 5)] == pytest.approx(1.0, rel=SPLINE) and one.segments < found(np.cos(5 * shaft())).segments
    held = np.concatenate((angle[:80_000], np.full(40_000, angle[80_000]), angle[80_000 : len(T) - 40_000]))
    one = found(np.cos(5 * held), angle=held)
    assert one.measured[at(one, 5)] == pytest.approx(1.0, rel=SPLINE)


def test_too_little_tells_nothing() -> None:
    assert order_spectra(T, T, np.zeros(len(T)), ALL) is None  # stands still
    assert order_spectra(T, T, shaft(), T < 0.5) is None  # two turns
    assert order_spectra(T * np.nan, T, shaft(), ALL) is None
