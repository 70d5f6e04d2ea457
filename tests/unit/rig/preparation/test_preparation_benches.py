"""Good benches pass, bad ones are refused by name before there is any force to speak of: by the plant's own truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plant_bench import BLOCK, FULL_SCALE, LateDaq, prepare

from rig.plants.frame_parameters import Faults, Hydraulics, Sensors
from rig.plants.linkage_frame import Config

GOOD = Config(hydraulics=Hydraulics(low_pressure=0.25), step=2e-6)
MOST = 0.05 * FULL_SCALE
NEAR = 15e-6  # m
FAULTS = {
    "span 50 %": (Faults(span=0.5), "span"),
    "span 200 %": (Faults(span=2.0), "span"),
    "span 105 %": (Faults(span=1.05), "span"),
    "span in force mode only": (Faults(force_span=0.5), "span"),
    "double span in force mode only": (Faults(force_span=2.0), "span"),
    "inverted": (Faults(sign=-1), "sign"),
    "swapped": (Faults(swapped=True), "swapped channels"),
    "slack": (Faults(slack=0.020), "slack"),
    "valve stuck": (Faults(valve_stuck=True), "valve stuck"),
    "breaks while it is seated": (Faults(specimen_breaks_at=3e3), "specimen"),
    "breaks while the force is tried": (Faults(specimen_breaks_at=7e3), "specimen"),
}


@pytest.mark.parametrize("seed", range(1, 21))
def test_a_good_bench_passes(seed: int) -> None:
    done = prepare(GOOD, seed)
    assert not done.name, done.text
    assert done.largest < MOST
    assert abs(float(done.daq.plant.state[0]["x3"])) < NEAR, "back to where the stroke was"
    assert abs(done.session.feedback) < 0.004 * FULL_SCALE
    assert done.events[-3:] == ["program off", "force mode", "high pressure"]


@pytest.mark.parametrize("takes", [128, 256])
def test_a_computer_that_is_late_comes_up_with_its_device(takes: int) -> None:
    """A quarter and a half of a block for each call, of which a turn has four and more."""
    done = prepare(GOOD, takes=takes)
    assert not done.name, done.text
    assert done.session.done and done.largest < MOST
    assert isinstance(done.daq, LateDaq) and done.daq.most < 6 * BLOCK, "nothing piles up"


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_bench_is_refused_by_name_below_five_percent(fault: str, seed: int) -> None:
    faults, name = FAULTS[fault]
    done = prepare(replace(GOOD, faults=faults), seed)
    assert done.name == name, done.text
    assert done.largest < MOST, f"{done.largest:.0f} N"
    assert "interlock: the client's line fell; valve shut, pressure off" in done.events
    assert np.max(np.abs(done.rows[:, 3])) < MOST


@pytest.mark.parametrize("fault", ["span 50 %", "inverted", "swapped", "valve stuck", "double span in force mode only"])
def test_a_specimen_without_play_is_not_hurt_either(fault: str) -> None:
    faults, _ = FAULTS[fault]
    done = prepare(replace(GOOD, clearance=0.0, faults=faults))
    assert done.name
    assert done.largest < MOST, f"{done.largest:.0f} N, {done.name}: {done.text}"


def test_a_specimen_without_play_passes() -> None:
    for seed in (1, 2, 3):
        done = prepare(replace(GOOD, clearance=0.0), seed)
        assert not done.name, done.text
        assert done.largest < MOST


def test_in_compression_as_well() -> None:
    done = prepare(GOOD, preload=-0.02)
    assert not done.name, done.text
    assert done.rows[:, 3].min() < -0.02 * FULL_SCALE


def test_the_controllers_zero_matters_because_a_wrong_span_would_jump() -> None:
    far = prepare(replace(GOOD, sensors=Sensors(force_zero=3e3)))
    assert far.name == "force at rest"
    assert far.largest < MOST


def test_the_first_command_of_every_mode_is_the_feedback() -> None:
    rows = prepare(GOOD).rows
    stage, force_command, stroke_command, force, stroke = rows.T
    for command, measured, bump in ((force_command, force, 0.003 * FULL_SCALE), (stroke_command, stroke, 10e-6)):
        there = ~np.isnan(command)
        starts = np.flatnonzero(there[1:] & ~there[:-1]) + 1
        assert len(starts)
        for n in starts:
            assert abs(command[n] - np.mean(measured[n - 64 : n])) < bump
    assert {*stage} == {-1.0, 0.0, 1.0, 2.0, 3.0}


@pytest.mark.parametrize("blocks", [2, 20, 90, 120, 150, 165, 180, 200])
def test_called_off_at_any_moment_the_specimen_is_unloaded(blocks: int) -> None:
    done = prepare(GOOD, call_off_after=blocks)
    assert not done.name, done.text
    assert done.session.done
    assert abs(float(done.daq.plant.state[0]["f_tr"])) < 0.004 * FULL_SCALE
    assert done.largest < MOST
    assert not [event for event in done.events if event == "high pressure"] or blocks > 195


def test_a_test_in_stroke_mode_is_handed_over_in_stroke_mode() -> None:
    done = prepare(GOOD, mode="stroke")
    assert not done.name, done.text
    assert done.events[-2:] == ["program off", "high pressure"]
    assert abs(done.session.feedback) < 50e-6  # the stroke loop still discharges its integral
