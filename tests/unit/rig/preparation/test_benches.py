"""Good benches pass, bad ones are refused by name before there is any force to speak of: by the plant's own truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from rig.virtual.plants.linkage_frame import Config
from rig.virtual.plants.servo_frame.settings import Faults, Hydraulics, Sensors
from tests.each_row import each_row
from tests.thorough import times
from tests.tiers import quick
from tests.unit.rig.preparation.plant_bench import BLOCK, FULL_SCALE, LOOK, RATE, LateDaq, StallingDaq, prepare

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


@pytest.mark.parametrize("seed", quick(range(1, 1 + times(5, thorough=20)), 2))
def test_a_good_bench_passes(seed: int) -> None:
    done = prepare(GOOD, seed)
    assert not done.name, done.text
    assert done.largest < MOST
    assert abs(float(done.daq.plant.state[0]["x3"])) < NEAR, "back to where the stroke was"
    assert abs(done.session.feedback) < 0.004 * FULL_SCALE
    assert done.events[-3:] == ["program off", "force mode", "high pressure"]


@pytest.mark.parametrize("takes", quick([128, 256], 1))
def test_a_computer_that_is_late_comes_up_with_its_device(takes: int) -> None:
    """A quarter and a half of a block for each call, of which a turn has four and more."""
    daq = LateDaq(GOOD, 1, takes)
    done = prepare(GOOD, daq=daq)
    assert not done.name, done.text
    assert done.session.done and done.largest < MOST
    assert daq.most < 6 * BLOCK, "nothing piles up"


@pytest.mark.parametrize("seed", quick(range(1, 1 + times(2, thorough=8)), 1))
@pytest.mark.parametrize("longest", [1500, 5000])
def test_a_computer_that_stands_still_is_not_taken_for_a_bad_bench(seed: int, longest: int) -> None:
    """For 10 to 30, or to 100 ms, once or twice in each motion."""
    done = prepare(GOOD, seed, daq=StallingDaq(GOOD, seed, longest))
    assert done.name in ("", "interrupted"), done.text
    assert not done.name or longest == 5000, done.text
    assert done.largest < MOST


@pytest.mark.parametrize("fault", quick(FAULTS, 2))
def test_a_bad_bench_is_refused_by_a_computer_that_stands_still(fault: str) -> None:
    faults, name = FAULTS[fault]
    config = replace(GOOD, faults=faults)
    done = prepare(config, daq=StallingDaq(config, 1, 1500))
    assert done.name in (name, "interrupted")
    assert name in done.name + done.text
    assert done.largest < MOST, f"{done.largest:.0f} N"


class SlowChange(LateDaq):
    """Stands still for 0.3 s, `times` times, after `mode_stroke` fell or before `program` rises: the controller lets the force go."""

    def __init__(self, line: str, times: int) -> None:
        super().__init__(GOOD, 1, LOOK)
        self._line, self._times, self._force_mode = line, times, False

    def write_lines(self, states: Mapping[str, bool]) -> None:
        if self._line == "program" and self._force_mode and states.get("program"):
            self._stand_still()
        super().write_lines(states)
        if "mode_stroke" in states:
            self._force_mode = not states["mode_stroke"]
            if self._line == "mode_stroke" and self._force_mode:
                self._stand_still()

    def _stand_still(self) -> None:
        if self._times:
            self._times -= 1
            self._go_on(round(0.3 * RATE))


def test_a_force_that_has_gone_while_the_computer_stood_still_is_taken_up_again() -> None:
    done = prepare(GOOD, daq=SlowChange("mode_stroke", 1))
    assert not done.name, done.text
    assert [note.split(":")[0] for note in done.notes] == ["stroke probe", "seating", "force probe", "seating", "force probe", "unloading"]
    assert "seated again" in done.notes[2]
    stage = done.rows[:, 0]
    assert [*stage[np.flatnonzero(np.diff(stage, prepend=-1.0))]] == [0, 1, 2, 3, -1]
    assert done.largest < MOST


def test_a_force_that_goes_after_it_was_looked_at_is_taken_up_by_the_loop() -> None:
    done = prepare(GOOD, daq=SlowChange("program", 1))
    assert not done.name, done.text
    assert done.largest < MOST


def test_a_force_that_goes_each_time_is_refused() -> None:
    done = prepare(GOOD, daq=SlowChange("mode_stroke", 9))
    assert done.name == "specimen", done.text
    assert sum("seated again" in note for note in done.notes) == 2
    assert done.largest < MOST


@pytest.mark.parametrize("seed", quick([1, 2], 1))
@each_row("fault", FAULTS)
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


@pytest.mark.parametrize("blocks", quick([2, 20, 90, 120, 150, 165, 180, 200], 4))
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
