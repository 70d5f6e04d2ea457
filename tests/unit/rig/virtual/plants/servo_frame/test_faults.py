"""Two pressures, and what may be wrong with a frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rig.virtual.plants.linkage_frame import Config
from rig.virtual.plants.servo_frame.settings import Faults, Hydraulics, Sensors

CONFIG = Config(perturb=False, monitor_noise=0.0, sensors=Sensors(stroke_noise=0.0), step=2e-6)
NEWTON, METRE = 25e3, 5e-3  # a volt


def moved(client, faults=None, mode_stroke=True, volts=0.04, duration=2.0, **hydraulics):
    """Monitors (m, 7) while `volts` are commanded from the start."""
    frame = client(replace(CONFIG, faults=faults or Faults(), hydraulics=Hydraulics(**hydraulics))).ready(mode_stroke)
    frame.set(program_run=True)
    return frame, frame.run(duration, lambda t: volts * np.minimum(t / 0.2, 1.0))


@pytest.mark.parametrize("faults", [Faults(span=0.5), Faults(sign=-1), Faults(span=1.5, sign=-1)])
def test_span_and_sign_of_the_command(client, faults):
    _, out = moved(client, faults)
    assert out[-1, 2] == pytest.approx(0.04 * faults.span * faults.sign, rel=0.02)


def test_force_span_is_seen_in_force_mode_only(client):
    _, stroke = moved(client, Faults(force_span=0.5))
    _, force = moved(client, Faults(force_span=0.5), mode_stroke=False, volts=0.4)
    assert stroke[-1, 2] == pytest.approx(0.04, rel=0.02)
    assert force[-1, 0] == pytest.approx(0.2, rel=0.02)


def test_swapped_monitors(client):
    _, right = moved(client)
    _, wrong = moved(client, Faults(swapped=True))
    assert np.array_equal(wrong[:, 0], right[:, 2]) and np.array_equal(wrong[:, 2], right[:, 0])


def test_a_stuck_valve_moves_nothing(client):
    _, out = moved(client, Faults(valve_stuck=True))
    assert np.max(np.abs(out[:, 2])) * METRE < 1e-9


def test_slack_is_play_beyond_the_clearance(client):
    _, gripped = moved(client, volts=0.4)
    _, loose = moved(client, Faults(slack=0.020), volts=0.4)
    assert gripped[-1, 0] * NEWTON > 1e3
    assert np.max(np.abs(loose[:, 0])) * NEWTON < 1.0


def test_a_specimen_breaks_at_its_force_and_carries_nothing_any_more(client):
    frame, out = moved(client, Faults(specimen_breaks_at=8e3), mode_stroke=False, volts=0.4, duration=0.5)
    force = out[:, 0] * NEWTON
    assert 7.5e3 < force.max() < 9e3
    assert np.max(np.abs(force[-2000:])) < 1e3
    assert frame.plant.state[0]["broken"] == 1


def test_low_pressure_is_slower_and_said(client):
    config, gone = replace(CONFIG, hydraulics=Hydraulics(low_pressure=0.25), faults=Faults(slack=0.1)), {}
    for high in (False, True):
        frame = client(config).ready(True)
        frame.texts()
        frame.set(hydraulics_high=high)
        assert frame.texts() == (["high pressure"] if high else [])
        assert frame.plant.state[0]["pressure"] == (1.0 if high else 0.25)
        frame.set(program_run=True)
        gone[high] = frame.run(0.05, 8.0)[-1, 2]  # a step that opens the valve wide
    assert gone[False] == pytest.approx(0.5 * gone[True], rel=0.05)


def test_a_station_with_one_pressure_knows_no_other(client):
    frame, _ = moved(client, duration=0.01)
    frame.texts()
    before = float(frame.plant.state[0]["pressure"])
    frame.set(hydraulics_high=True)
    assert before == frame.plant.state[0]["pressure"] == 1.0
    assert frame.texts() == []


def later(client, faults, **given):
    """Monitors with faults that come after 1.5 s of the frame's clock, and without any."""
    _, right = moved(client, mode_stroke=False, volts=0.4, **given)
    frame, wrong = moved(client, replace(faults, begin=1.5), mode_stroke=False, volts=0.4, **given)
    return frame, right, wrong


@pytest.mark.parametrize("faults", [Faults(span=3.0), Faults(sign=-1), Faults(supply=0.01), Faults(dead_cell=True), Faults(swapped=True)])
def test_a_fault_may_come_later(client, faults):
    frame, right, wrong = later(client, faults)
    same = np.all(right == wrong, axis=1)
    first = int(np.argmin(same))
    assert not same.all() and same[:first].all() and frame.plant._faults.present


def test_the_loop_goes_on_against_a_load_cell_that_is_dead(client):
    _, right, wrong = later(client, Faults(dead_cell=True))
    assert np.all(wrong[-100:, 0] == 0.0) and right[-1, 0] * NEWTON == pytest.approx(10e3, rel=0.03)
    assert wrong[-1, 1] > 5.0 * right[-1, 1], "the piston pushes on"


def test_a_supply_that_is_lost_leaves_no_force(client):
    _, _, wrong = later(client, Faults(supply=0.01), duration=3.0)
    assert np.max(np.abs(wrong[-100:, 1])) * NEWTON < 0.5 * 10e3
