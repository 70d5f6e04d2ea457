"""What the monitor outputs add to the physics: delay, noise, AC coupling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rig.virtual.plants.linkage_frame import Config
from rig.virtual.plants.servo_frame.settings import STANDARD_GRAVITY, Sensors

CONFIG = Config()
QUIET = Sensors(stroke_noise=0.0, acceleration_noise=0.0)


def driven(client, config, duration=0.4, seed=3):
    frame = client(config, seed).ready()
    frame.set(program_run=True)
    return frame.run(duration, lambda t: 0.4 * np.sin(2 * np.pi * 5 * t))


@pytest.mark.parametrize("samples", [1, 37, 1000])
def test_a_delay_of_whole_samples_shifts_the_force_monitor_and_nothing_else(client, samples):
    plain = driven(client, CONFIG)
    late = driven(client, replace(CONFIG, force_delay=samples / 51200.0))
    assert np.allclose(late[samples:, 0], plain[:-samples, 0], rtol=0, atol=1e-9)
    assert np.array_equal(late[:, 1:], plain[:, 1:])


def test_a_delay_between_samples(client):
    """Against linear interpolation of a smooth stretch of the undelayed trace."""
    quiet = replace(CONFIG, monitor_noise=0.0)
    plain, late = driven(client, quiet)[:, 0], driven(client, replace(quiet, force_delay=10.25 / 51200.0))[:, 0]
    n = np.arange(4000, 5000)
    between = 0.75 * plain[n - 10] + 0.25 * plain[n - 11]
    assert np.abs(late[n] - between).max() < 0.05 * np.abs(late[n] - plain[n - 10]).min()


def test_noise_is_white_normal_of_the_stated_rms_and_independent_by_signal(client):
    noisy = client(CONFIG, seed=5).run(1.0)  # at rest, interlocked: all that comes out is noise
    force, actuator, stroke, *accelerations, command = noisy.T
    assert not command.any()
    assert force.std() * 25e3 == pytest.approx(25.0, rel=0.02)
    assert actuator.std() * 25e3 == pytest.approx(25.0, rel=0.02)
    assert stroke.std() * 5e-3 == pytest.approx(CONFIG.sensors.stroke_noise, rel=0.02)
    for volts in accelerations:
        assert volts.std() * STANDARD_GRAVITY / 0.010 == pytest.approx(CONFIG.sensors.acceleration_noise, rel=0.02)
    normal = noisy[:, :6] / noisy[:, :6].std(axis=0)
    assert np.all(np.abs(normal.mean(axis=0)) < 0.02)
    assert np.all(np.abs((normal**4).mean(axis=0) - 3.0) < 0.15)
    assert np.all(np.abs(np.corrcoef(normal.T) - np.eye(6)) < 0.02)
    assert np.all(np.abs((normal[1:] * normal[:-1]).mean(axis=0)) < 0.02)


def test_noise_differs_by_seed_and_repeats_with_it(client):
    one, again, other = (client(CONFIG, seed).run(0.05)[:, 0] for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.1


def test_accelerometers_are_the_second_derivative_of_the_motion(client):
    """Accelerometer 3 twice integrated is the stroke, in a motion slow against its bandwidth and fast against its coupling."""
    config = replace(CONFIG, monitor_noise=0.0, sensors=QUIET, clearance=0.0)
    frame = client(config).ready(mode_stroke=True)
    frame.set(program_run=True)
    out = frame.run(1.0, lambda t: 0.004 * np.sin(2 * np.pi * 20 * t))
    tone = np.exp(-2j * np.pi * 20 * np.arange(len(out)) / frame.rate)[-51200 // 2 :]
    stroke = np.mean(out[-51200 // 2 :, 2] * tone) * 5e-3
    acceleration = np.mean(out[-51200 // 2 :, 5] * tone) * STANDARD_GRAVITY / 0.010
    coupling = 1 / (1 + CONFIG.sensors.acceleration_coupling / 20 / 1j)
    assert acceleration / coupling == pytest.approx(-((2 * np.pi * 20) ** 2) * stroke, rel=0.01)


def test_force_and_stroke_monitors_have_two_poles(client):
    """Butterworth: 1/(1 - (f/f0)^2 + j sqrt(2) f/f0) at 20 Hz and a corner of 40 Hz, beside a corner that is far away."""
    tones = []
    for corner in (40.0, 10e3):
        sensors = replace(QUIET, monitor_bandwidth=corner)
        frame = client(replace(CONFIG, monitor_noise=0.0, sensors=sensors, clearance=0.0)).ready(mode_stroke=True)
        frame.set(program_run=True)
        out = frame.run(1.0, lambda t: 0.004 * np.sin(2 * np.pi * 20 * t))
        tones.append(np.exp(-2j * np.pi * 20 * np.arange(len(out)) / frame.rate)[-51200 // 2 :] @ out[-51200 // 2 :, :3])
    for found in tones[0] / tones[1]:
        assert found == pytest.approx(1.0 / (1.0 - 0.25 + 1j * 2.0**0.5 * 0.5), rel=0.01)
