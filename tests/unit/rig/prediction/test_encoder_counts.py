"""What the counts of an encoder leave in a model that follows it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from rig.config import load
from rig.prediction.encoder_counts import in_lines, unsteadiness
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


def test_of_a_shaft_in_the_model_it_is_the_torque_of_its_twist() -> None:
    """5000 lines, 20 kS/s, 100 Hz, 20 kN m/rad."""
    setup = load(EXPERIMENTS / "six_bar_rig.toml")
    (line,) = in_lines(setup.experiment, setup.bench)
    by_hand = 20e3 * (2.0 * math.pi / 20000) * math.sqrt(100.0 / (6.0 * 20e3))
    assert f"put up to about {by_hand:.2g} N m (rms)" in line and "hub_angle" in line and "0.314 mrad" in line
    coarser = load(EXPERIMENTS / "six_bar_rig.toml", ["bench.channels.crank_angle.counter.pulses=500"])
    assert f"put up to about {by_hand * 10.0:.2g} N m (rms)" in next(in_lines(coarser.experiment, coarser.bench))


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
