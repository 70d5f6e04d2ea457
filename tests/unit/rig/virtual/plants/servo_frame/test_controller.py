"""The controller: who may move the frame, and what makes it stop."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drivers.simulated.plant.plant import Plant
from rig.virtual.plants.linkage_frame import Config
from rig.virtual.plants.servo_frame.settings import Panel, Sensors

CONFIG = Config(perturb=False, monitor_noise=0.0, sensors=Sensors(stroke_noise=0.0))
KILONEWTON = 0.04  # V


def running(client, config=CONFIG, mode_stroke=False):
    frame = client(config).ready(mode_stroke)
    frame.set(program_run=True)
    return frame


def test_is_a_plant():
    plant: Plant = CONFIG.create(1)
    out = plant.advance(np.array([0.001, 0.002]), np.zeros((2, 1)), np.zeros(len(plant.digital_inputs), dtype=np.bool_))
    assert out.shape == (2, len(plant.analogue_outputs))
    assert len(plant.read_lines()) == len(plant.digital_outputs)


def test_after_power_up_nothing_moves_until_the_interlock_is_reset(client):
    frame = client(CONFIG)
    frame.set(hydraulics=True, program_run=True)
    out = frame.run(0.1, 5.0)
    assert not frame.get("interlock_ok") and not frame.get("hydraulics_on") and frame.get("estop_ok")
    assert not out[:, :3].any()
    assert "program refused: interlocked" in frame.texts()


def test_holds_zero_force_with_nothing_commanded(client):
    frame = client(CONFIG).ready()
    assert frame.get("hydraulics_on")
    out = frame.run(1.0, 3.0)  # volts on the input, but the program is off
    assert np.abs(out[:, :2]).max() * 25e3 < 1.0


def test_follows_the_command_and_comes_back_to_zero_by_a_ramp(client):
    frame = running(client)
    out = frame.run(1.0, lambda t: 10 * KILONEWTON * np.minimum(t / 0.5, 1.0))
    assert out[-1, 0] * 25e3 == pytest.approx(10e3, rel=0.01)
    frame.set(program_run=False)
    halfway = frame.run(CONFIG.loop.release_ramp / 2)
    assert halfway[-1, 0] * 25e3 == pytest.approx(5e3, rel=0.15)
    assert abs(frame.run(0.6)[-1, 0]) * 25e3 < 200.0
    assert frame.get("interlock_ok") and frame.get("hydraulics_on")


def test_stroke_mode_follows_and_holds_where_it_is(client):
    frame = running(client, mode_stroke=True)
    out = frame.run(1.0, lambda t: 0.06 * np.minimum(t / 0.5, 1.0))  # 0.3 mm, within the play
    assert out[-1, 2] * 5e-3 == pytest.approx(0.3e-3, abs=10e-6)
    frame.set(program_run=False)
    assert frame.run(0.5)[-1, 2] == pytest.approx(out[-1, 2], rel=0.01)


def test_stroke_loop_is_stable_under_load(client):
    """0.6 mm presses both joints shut and the frame with tens of kN; a step settles and stays."""
    frame = running(client, mode_stroke=True)
    out = frame.run(1.5, 0.12)
    late = out[-5000:, 2] * 5e-3
    assert np.ptp(late) < 0.2e-6
    assert late.mean() == pytest.approx(0.6e-3, rel=0.03)
    assert out[-1, 0] * 25e3 > 5e3


def test_a_lost_heartbeat_interlocks_after_its_time_out(client):
    frame = running(client)
    frame.run(0.3, 10 * KILONEWTON)
    last = frame.time - 512 / frame.rate  # the last edge is at the start of the last block
    frame.texts()
    frame.beats = False
    frame.run(0.2, 10 * KILONEWTON)
    assert frame.get("interlock_ok")
    out = frame.run(1.0, 10 * KILONEWTON)
    assert not frame.get("interlock_ok") and not frame.get("hydraulics_on")
    ((time, source, text),) = frame.events
    assert source == "controller" and f"last edge at {last:.6f} s, time-out 0.25 s" in text
    assert time == pytest.approx(last + 0.25, abs=2e-6)
    decayed = np.abs(out[-1, 0]) * 25e3
    assert decayed < 2e3  # bled off through the leakage, with the command still there


def test_the_heartbeat_counts_only_while_the_program_runs(client):
    frame = client(CONFIG).ready()
    frame.beats = False
    frame.run(1.0)
    frame.set(program_run=True)
    frame.run(0.2)
    assert frame.get("interlock_ok")
    frame.run(0.06)
    assert not frame.get("interlock_ok")
    assert "last edge never" in frame.texts()[-1]


def test_the_clients_interlock_line(client):
    frame = running(client)
    frame.run(0.2, 10 * KILONEWTON)
    frame.texts()
    frame.set(interlock=False, program_run=False)
    assert not frame.get("interlock_ok") and not frame.get("hydraulics_on")
    assert frame.texts() == ["interlock: the client's line fell; valve shut, pressure off"]
    assert np.abs(frame.run(1.0, 10 * KILONEWTON)[-1, 0]) * 25e3 < 2e3


def test_latched_until_the_interlock_is_cycled_with_the_program_off(client):
    frame = running(client)
    frame.set(interlock=False)
    frame.set(interlock=True)
    assert not frame.get("interlock_ok")
    assert frame.texts()[-1] == "reset refused: program_run is high"
    frame.set(program_run=False)
    assert not frame.get("interlock_ok")
    frame.set(interlock=False)
    frame.set(interlock=True)
    assert frame.get("interlock_ok") and frame.get("hydraulics_on")
    frame.set(program_run=True)
    assert frame.run(0.3, 4 * KILONEWTON)[-1, 0] * 25e3 == pytest.approx(4e3, rel=0.1)


@pytest.mark.parametrize(
    ("panel", "mode_stroke", "volts", "what"),
    [
        (Panel(force_limit=20e3), False, 30 * KILONEWTON, "force"),
        (Panel(stroke_limit=1e-3), True, 0.3, "stroke"),
    ],
)
def test_the_controllers_own_limits(client, panel, mode_stroke, volts, what):
    frame = running(client, replace(CONFIG, panel=panel), mode_stroke)
    frame.texts()
    frame.run(0.5, lambda t: volts * np.minimum(t / 0.3, 1.0))
    assert not frame.get("interlock_ok")
    (text,) = frame.texts()
    assert text.startswith(f"interlock: {what} ") and "beyond the controller's limit" in text


def test_pressure_off_and_on_again_is_bumpless(client):
    frame = running(client)
    frame.run(0.3, 10 * KILONEWTON)
    frame.set(program_run=False, hydraulics=False)
    assert not frame.get("hydraulics_on") and frame.get("interlock_ok")
    before = frame.run(0.05)[-1, 0]
    frame.set(hydraulics=True)
    after = frame.run(0.02)[:, 0]
    assert np.abs(np.diff(after)).max() < 0.02 * abs(before)


def test_mode_changes_wait_for_the_program_to_be_off(client):
    frame = running(client)
    frame.set(mode_stroke=True)
    assert frame.run(0.3, 4 * KILONEWTON)[-1, 0] * 25e3 == pytest.approx(4e3, rel=0.1)
    frame.set(program_run=False)
    assert frame.texts()[-1] == "stroke mode"


def test_a_frame_that_its_own_clearance_would_swallow():
    with pytest.raises(ValueError, match=r"^clearance: 20 mm swallows the pin of 15 mm radius"):
        Config(clearance=0.020)
