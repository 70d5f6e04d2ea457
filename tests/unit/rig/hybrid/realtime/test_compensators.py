"""Compensators: what they must do to signals whose answer is known, and what they must not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from rig.hybrid.realtime import control_plant
from rig.hybrid.realtime.compensators import feedforward_feedback, taps
from rig.hybrid.realtime.compensators.contract import Compensator
from rig.hybrid.realtime.compensators.named import COMPENSATORS, compensator
from rig.hybrid.realtime.tracking import frequency_evaluation
from rig.hybrid.realtime.transfer_system import TransferSystem

Floats = NDArray[np.float64]
RATE = 4096.0
ADAPTIVE = ("time_series", "gradient", "kalman")


def alone(made: Compensator, targets: Floats) -> Floats:
    """Commands, with nothing measured."""
    state = made.state()
    return np.array([made.step(state, made.parameters, x, 0.0) for x in targets.tolist()])


def followed(made: Compensator, system: TransferSystem, target: Callable[[float], float], seconds: float) -> tuple[Floats, Floats]:
    """(targets, displacements) of the actuator, without noise."""
    plant, state = control_plant.linear(system, RATE), made.state()
    actuator, output = plant.state(), np.zeros(3)
    targets = np.array([target(k / RATE) for k in range(round(seconds * RATE))])
    came = np.zeros_like(targets)
    for k, x in enumerate(targets.tolist()):
        came[k] = output[0]
        plant.advance(actuator, plant.parameters, made.step(state, made.parameters, x, float(output[0])), output)
    return targets, came


def swing(t: float) -> float:
    """m: two frequencies, softly begun; whole periods in four seconds."""
    return float(3e-3 * min(t, 1.0) ** 3 * (np.sin(2.0 * np.pi * 3.5 * t) + 0.1 * np.sin(2.0 * np.pi * 9.0 * t)))


def late(name: str, system: TransferSystem) -> tuple[float, float]:
    """(amplitude, delay in s) over the last four of eight seconds."""
    targets, came = followed(compensator(name, TransferSystem(), RATE), system, swing, 8.0)
    half = len(targets) // 2
    return frequency_evaluation(targets[half:], came[half:], RATE)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_extrapolation_is_exact_for_a_polynomial_of_its_order_and_for_no_higher_one(order: int) -> None:
    t = np.arange(600) / RATE
    made = taps.extrapolation(20.0 / RATE, RATE, order)
    for power, exact in ((order, True), (order + 1, False)):
        ahead = (t + 20.0 / RATE) ** power
        off = np.abs(alone(made, t**power) - ahead)[100:].max() / ahead.max()
        assert bool(off < 1e-9) is exact


def test_horiuchi_s_weights_of_third_order() -> None:
    """4, -6, 4, -1: Horiuchi et al. 1999."""
    assert taps.extrapolation(0.01, RATE, 3).parameters[1::2] == pytest.approx([4.0, -6.0, 4.0, -1.0])


def test_the_inverse_of_known_coefficients() -> None:
    """x + 0.02 x' + 1e-4 x'' of a straight line and a parabola: backward differences of these are exact but for half a step."""
    t = np.arange(100) / RATE
    made = taps.inverse(np.array([1.0, 0.02, 1e-4]), RATE)
    assert alone(made, 2.0 * t)[50] == pytest.approx(2.0 * t[50] + 0.04)
    assert alone(made, t**2)[50] == pytest.approx(t[50] ** 2 + 0.02 * (2.0 * t[50] - 1.0 / RATE) + 2e-4)


def test_the_sample_of_the_benchmark_has_its_transfer_function() -> None:
    """Eq 24 then eq 23, at frequencies where Tustin's rule bends nothing: below 20 Hz by less than 1 in 1000."""
    hertz, n = 8.0, 8192
    t = np.arange(n) / RATE
    targets = np.sin(2.0 * np.pi * hertz * t)
    made = feedforward_feedback.phase_lead(RATE)
    commands = alone(made, targets)[n // 2 :]
    t = t[n // 2 :]
    basis = np.column_stack([np.sin(2.0 * np.pi * hertz * t), np.cos(2.0 * np.pi * hertz * t), np.ones_like(t)])
    sine, cosine, _ = np.linalg.lstsq(basis, commands, rcond=None)[0]
    s = 2j * np.pi * hertz
    exact = 50.8 * (s + 168.6) / (s + 8570.0) * (2.0 + 95.0 / s)
    assert complex(sine, cosine) == pytest.approx(exact, rel=2e-3)


@pytest.mark.parametrize("name", [name for name in COMPENSATORS if name not in ("none", "phase_lead", "extrapolation")])
def test_the_actuator_is_no_longer_late(name: str) -> None:
    amplitude, delay = late(name, TransferSystem())
    assert amplitude == pytest.approx(1.0, abs=0.01)
    assert abs(delay) < 0.6e-3


def test_without_a_compensator_it_is_late_by_the_plant_s_own_delay() -> None:
    amplitude, delay = late("none", TransferSystem())
    w = 2.0 * np.pi * 3.5
    response = 1.0 / np.polyval(TransferSystem().denominator()[::-1], 1j * w)
    assert delay == pytest.approx(-np.angle(response) / w, rel=0.02)  # held commands: half a sample more
    assert amplitude == pytest.approx(abs(response), rel=0.01)


def test_those_that_learn_follow_a_plant_that_was_not_expected_and_the_others_do_not() -> None:
    """A gain that is a tenth too small, and no second of it known beforehand."""
    weak = TransferSystem(gain=0.9 * TransferSystem().gain)
    for name in ADAPTIVE:
        assert late(name, weak)[0] == pytest.approx(1.0, abs=0.02), name
    assert late("inverse_3", weak)[0] == pytest.approx(0.9, abs=0.02)


def test_feedback_takes_some_of_what_feed_forward_leaves() -> None:
    weak = TransferSystem(gain=0.9 * TransferSystem().gain)
    strong = feedforward_feedback.feedforward_feedback(TransferSystem(), RATE, 16e-6, 1e-3, 1e-2)
    off = []
    for made in (compensator("inverse_3", TransferSystem(), RATE), strong):
        targets, came = followed(made, weak, swing, 4.0)
        off.append(float(np.sqrt(np.mean((came - targets)[8192:] ** 2))))
    assert off[1] < 0.6 * off[0]
