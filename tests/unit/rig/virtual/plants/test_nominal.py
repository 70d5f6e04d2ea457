"""The frame as drawn against an independent simulation of the same loop (semi-implicit Euler 1e-6 s, reference values of the loop)."""

from __future__ import annotations

import numpy as np
import pytest

from rig.virtual.plants.linkage_frame import Config
from rig.virtual.plants.servo_frame.settings import Sensors

CYCLES, DISCARDED = 13, 2
NEWTON_PER_VOLT = 25e3
# The reference knows no monitor: a fast one stands in for the load cell itself.
UNFILTERED = Sensors(monitor_bandwidth=40e3)

# clearance mm, A kN, f Hz: fundamental error %, phase deg, max N, overshoot N, impact peak N, first impact ms
REFERENCE = {
    (0.0, 10.0, 3.0): (0.03, -2.5, 10005, -5, 2845, 7.64),
    (0.0, 30.0, 7.0): (0.04, -5.86, 30074, -111, 15377, 4.61),
    (0.2, 30.0, 5.0): (-0.66, -7.5, 30219, 483, 19642, 15.58),
    (0.4, 10.0, 3.0): (-4.3, -13.52, 10367, 1344, 9443, 44.87),
    (0.4, 20.0, 4.0): (-2.65, -10.92, 20385, 1432, 16456, 28.2),
    (0.4, 30.0, 7.0): (-4.48, -14.75, 30540, 1644, 27866, 18.31),
}


@pytest.mark.parametrize("case", REFERENCE, ids=lambda c: f"{c[0]:g}mm-{c[1]:g}kN-{c[2]:g}Hz")
def test_the_drawing_behaves_as_the_reference_loop(client, case):
    clearance, amplitude, frequency = case[0] * 1e-3, case[1] * 1e3, case[2]
    frame = client(Config(clearance=clearance, perturb=False, monitor_noise=0.0, sensors=UNFILTERED)).ready()
    frame.set(program_run=True)
    wave = lambda t: amplitude * np.sin(2 * np.pi * frequency * t)  # noqa: E731
    force = frame.run(CYCLES / frequency, lambda t: wave(t) / NEWTON_PER_VOLT)[:, 0] * NEWTON_PER_VOLT
    assert frame.get("interlock_ok")
    times = np.arange(1, len(force) + 1) / frame.rate
    error, phase, largest, overshoot, peak, first = REFERENCE[case]
    assert fundamental(times, force, amplitude, frequency) == pytest.approx((error, phase), abs=0.05)
    steady = times > DISCARDED / frequency
    assert np.abs(force[steady]).max() == pytest.approx(largest, rel=2e-3)
    got = impacts(times, force, wave(times), amplitude, frequency)
    assert got[0] == pytest.approx(overshoot, abs=5e-3 * amplitude)
    assert got[1] == pytest.approx(peak, rel=5e-3)
    assert got[2] * 1e3 == pytest.approx(first, abs=0.1)


def fundamental(times, force, amplitude, frequency):
    """Error of the fundamental in % and its phase in degrees, over the whole cycles kept."""
    steady = times > DISCARDED / frequency
    share = 2 * np.mean(force[steady] * np.exp(-2j * np.pi * frequency * times[steady])) / (-1j * amplitude)
    return 100 * (abs(share) - 1), np.degrees(np.angle(share))


def impacts(times, force, command, amplitude, frequency):
    """Means over half cycles: overshoot in T/4 (N), peak in the 10 ms behind the first impact (N), time of it (s)."""
    period, rows = 1 / frequency, []
    for half in range(2 * DISCARDED, 2 * CYCLES - 1):
        sign, since = (-1) ** half, times - half * period / 2
        overshoot = (sign * (force - command))[(since >= 0) & (since < period / 4)].max()
        first = np.flatnonzero((since >= 0) & (since < 3 * period / 8) & (sign * force > 0.1 * amplitude))[0]
        peak = (sign * force)[(since >= since[first]) & (since < since[first] + 0.010)].max()
        rows.append((overshoot, peak, since[first]))
    return np.mean(rows, axis=0)


def test_halving_the_step_halves_the_error(client):
    """First order in the step, and small at the step in use: traces over three half cycles with impacts."""
    traces = {}
    for step in (1e-6, 5e-7, 2.5e-7):
        frame = client(Config(perturb=False, monitor_noise=0.0, step=step)).ready()
        frame.set(program_run=True)
        traces[step] = frame.run(0.5, lambda t: 0.4 * np.sin(6 * np.pi * t))[:, 0] * NEWTON_PER_VOLT
    coarse = np.abs(traces[1e-6] - traces[5e-7]).max()
    fine = np.abs(traces[5e-7] - traces[2.5e-7]).max()
    assert coarse < 1e-3 * 10e3
    assert 1.6 < coarse / fine < 2.6
