"""What the counts of an encoder leave in a model that follows it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import scipy.signal

from rig.config import load
from rig.prediction.encoder_counts import DAMPED, in_lines, shaken_torque, unsteadiness
from rig.signals.smoothing import Smoothing

EXPERIMENTS = Path(__file__).parents[4] / "configs" / "experiments"


@pytest.mark.parametrize("bandwidth", [60.0, 150.0])
def test_it_is_what_is_left_of_counts_behind_the_smoothing(bandwidth: float) -> None:
    """Of an angle whose speed changes much, so that counts and samples do not beat. The window's slope lies about its corner, by which
    the acceleration, at its upper end, is more than behind a wall."""
    rate, count = 20e3, 2.0 * math.pi / 4096
    time = np.arange(int(4.0 * rate)) / rate
    angle = 300.0 * time + 20.0 * np.sin(2.0 * math.pi * 1.3 * time)
    smoothing = Smoothing(bandwidth, rate)
    off = (np.floor(angle / count) + 0.5) * count - angle
    smoothing.take(off[: smoothing.lookahead])
    left = smoothing.take(off[smoothing.lookahead :])[2 * smoothing.lookahead :]
    bent = np.gradient(np.gradient(left, 1.0 / rate), 1.0 / rate)
    expected = unsteadiness(count, bandwidth, rate)
    assert float(np.std(left)) == pytest.approx(expected[0], rel=0.25)
    assert 0.7 * expected[1] < float(np.std(bent)) < 2.0 * expected[1]


def swung(stiffness: float, inertia: float, angle: np.ndarray, rate: float) -> np.ndarray:
    """Torque in the shaft of a load whose other end goes as `angle` does, by SciPy's simulation of the load."""
    damping = 2.0 * DAMPED * math.sqrt(stiffness * inertia)
    load = scipy.signal.cont2discrete(([damping, stiffness], [inertia, damping, stiffness]), 1.0 / rate, method="bilinear")
    behind = scipy.signal.lfilter(np.ravel(load[0]), load[1], angle)
    return inertia * np.gradient(np.gradient(behind, 1.0 / rate), 1.0 / rate)


@pytest.mark.parametrize("mode", [30.0, 90.0, 120.0, 217.0, 900.0])
def test_of_a_shaft_in_the_model_it_is_the_torque_by_which_it_turns_what_hangs_on_it(mode: float) -> None:
    """Of errors that are even over a count and others in each sample, behind the smoothing that a predictor has."""
    rate, bandwidth, stiffness, count = 20e3, 100.0, 20e3, 1.5e-3
    inertia = stiffness / (2.0 * math.pi * mode) ** 2
    off = Smoothing(bandwidth, rate).take(np.random.default_rng(1).uniform(-0.5 * count, 0.5 * count, size=1 << 20))
    found = float(np.std(swung(stiffness, inertia, off, rate)[20000:]))
    assert shaken_torque(stiffness, inertia, count, bandwidth, rate) == pytest.approx(found, rel=0.1)


def test_a_stiff_shaft_shakes_as_a_rigid_one_does() -> None:
    """But for the slope of the window, which lets pass more than a wall at its corner (as above)."""
    count, bandwidth, rate = 1e-3, 100.0, 20e3
    wall = 0.3 * unsteadiness(count, bandwidth, rate)[1]
    assert 0.8 * wall < shaken_torque(1e9, 0.3, count, bandwidth, rate) < 1.5 * wall


def test_a_line_says_it_of_the_shaft_of_the_six_bar() -> None:
    """5000 lines, 20 kS/s, 100 Hz, 20 kN m/rad; it goes with the count."""
    torques = []
    for changed in ((), ("bench.channels.crank_angle.counter.pulses=500",)):
        setup = load(EXPERIMENTS / "six_bar_rig.toml", changed)
        (line,) = in_lines(setup.experiment, setup.bench)
        assert "hub_angle" in line and ("0.314 mrad" in line or changed)
        torques.append(float(line.partition("about ")[2].partition(" N m")[0]))
    by_hand = 20e3 * (2.0 * math.pi / 20000) * math.sqrt(100.0 / (6.0 * 20e3))  # were the load held
    assert torques[1] / torques[0] == pytest.approx(10.0, rel=0.05)
    assert 0.02 * by_hand < torques[0] < by_hand, (torques, by_hand)


def test_of_a_rigid_shaft_it_is_what_turns_that_is_shaken() -> None:
    """An acceleration: it goes with the bandwidth to the power of two and a half, and with the count."""
    torques = []
    for changed in ((), ("predictor.measured_bandwidth=200 Hz",), ("bench.channels.crank_angle.counter.pulses=512",)):
        setup = load(EXPERIMENTS / "slider_crank_rig.toml", changed)
        (line,) = in_lines(setup.experiment, setup.bench)
        torques.append(float(line.partition("about ")[2].partition(" N m")[0]))
    assert [one / torques[0] for one in torques[1:]] == [pytest.approx(2.0**2.5, rel=0.05), pytest.approx(2.0, rel=0.05)]


@pytest.mark.parametrize("name", ["parallel_3rrpar_rig.toml", "linkage.toml", "slider_bar_rig.toml"])
def test_who_follows_no_encoder_has_none(name: str) -> None:
    setup = load(EXPERIMENTS / name)
    assert not [*in_lines(setup.experiment, setup.bench)]
