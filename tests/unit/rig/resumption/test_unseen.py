"""What may have been run behind the last recorded sample: by the rings that a kill leaves, by the state, by what a bench does alone."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rig.config import load
from rig.config.plan import Plan
from rig.resumption.state_file import boot_id
from rig.resumption.unseen import CUT, KEPT, UNSEEN, LeftRings, blind, most_cycles, runs_on
from rig.resumption.whole_cycles import Place
from rig.streaming import streams
from rig.streaming.ring import RingWriter
from tests.unit.rig.resumption.test_differences import LINKAGE, plan_of
from tests.unit.rig.resumption.test_state_file import STATE
from tests.unit.rig.resumption.test_whole_cycles import LEAD_IN, LENGTH, RATE, command, end_of

KILLED = replace(STATE, boot=boot_id(), outcome="", cycle=None)
PERIOD = LENGTH / RATE


def plan(name: str, *overrides: str) -> Plan:
    return plan_of(load(LINKAGE.with_name(f"{name}.toml"), overrides))


def left_by_a_kill(folder: Path, count: int, measured: int) -> Plan:
    """A plan with rings into which so many samples of command and measured were put."""
    rings = folder / "rings"
    rings.mkdir()
    made = replace(plan("linkage"), rings=rings)
    cycle, phase = command(count)
    for name, columns, block in (
        ("command", ("value", "phase", "cycle"), np.column_stack([np.zeros(count), phase, cycle])),
        ("measured", ("force",), np.zeros((measured, 1))),
    ):
        RingWriter.create(made.streams[name], columns, ("1",) * len(columns), count, RATE).append(block)
    return made


@pytest.mark.parametrize("seed", range(20))
def test_what_was_read_is_told_by_the_rings_to_the_sample(tmp_path: Path, seed: int) -> None:
    count = int(np.random.default_rng(seed).integers(LEAD_IN + 3, 4000))
    made = left_by_a_kill(tmp_path, count + 20, count)
    rings = LeftRings(made, KILLED)
    streams.remove_folder(made.rings)  # as the next test does
    read = rings.place(end_of)
    assert read is not None and read.sample == count - 1 and read.whole == math.floor((count - LEAD_IN) / LENGTH)
    rings.close()


def test_rings_of_another_start_of_the_computer_tell_nothing(tmp_path: Path) -> None:
    made = left_by_a_kill(tmp_path, 1000, 1000)
    assert LeftRings(made, replace(KILLED, boot="another")).place(end_of) is None
    assert LeftRings(made, None).place(end_of) is None
    assert LeftRings(plan("linkage"), KILLED).place(end_of) is None, "they are gone"


def test_a_record_that_was_far_behind_hides_no_cycle() -> None:
    """A disk that stood still for 3 s before the kill: what was read meanwhile is counted as what may have been run."""
    made = plan("linkage")
    recorded, read = Place(5000, 30, 0.5, RATE), Place(8000, 51, 0.65, RATE)
    most, unseen = most_cycles(made, KILLED, (recorded, read), PERIOD, end_of)
    assert 51 <= most <= 51 + math.ceil(runs_on(made) / PERIOD) and unseen == pytest.approx(3.0 + runs_on(made))


def test_a_cycle_longer_than_a_bench_goes_on_alone_is_0_or_1() -> None:
    """Wherever in its cycle the test was killed."""
    for made in (plan("linkage"), plan("parallel_3rrpar_rig"), plan("slider_crank_rig"), plan("linkage", "bench.pace=lockstep")):
        period = 1.001 * max(runs_on(made), made.experiment.acquisition.block)
        for left in np.linspace(0.0, 1.0, 41):
            read = Place(4000, 7, float(left), RATE)
            most, _ = most_cycles(made, KILLED, (read, read), period, end_of)
            assert most - read.whole in (0, 1)


def test_what_state_and_record_both_allow_is_less_than_what_one_does() -> None:
    """After a power cut: the record lost 2 s, the state was written within the last one."""
    made, cut = plan("linkage"), replace(KILLED, boot="before")
    recorded = Place(5000, 30, 0.5, RATE)
    alone, _ = most_cycles(made, cut, (recorded, None), PERIOD, end_of)
    assert alone == 30 + math.floor((CUT + runs_on(made)) / PERIOD - 0.5) + 1
    kept = replace(cut, cycle=32, sample=5300, repeated=0, phase=end_of(32) - 0.25 * 2.0 * math.pi)
    most, _ = most_cycles(made, kept, (recorded, None), PERIOD, end_of)
    assert most == 32 + math.floor((KEPT + runs_on(made)) / PERIOD - 0.25) + 1 < alone
    old, _ = most_cycles(made, kept, (recorded, None), PERIOD, end_of, age=60.0)
    assert old == alone, "a state that could not be written for a minute bounds nothing"


def test_what_a_bench_does_alone() -> None:
    made = plan("linkage")
    block, guard = made.experiment.acquisition.block, made.bench.daq.watchdog
    assert guard is not None and runs_on(made) == block + min(made.experiment.command.ahead, guard)
    assert runs_on(plan("linkage", 'command.ahead="1 s"')) == block + guard, "the lines of the watchdog fall before"
    crank = plan("slider_crank_rig")
    assert runs_on(crank) == crank.experiment.acquisition.block + (crank.bench.daq.watchdog or 0.0), "a reference keeps its last value"
    axes = plan("parallel_3rrpar_rig")
    assert runs_on(axes) == axes.experiment.acquisition.block, "positions do not go on by themselves"
    instron = plan("linkage_instron")
    assert instron.bench.serial_loader is not None
    chunk = instron.bench.serial_loader.create("force").stops_within
    assert runs_on(instron) == instron.experiment.acquisition.block + chunk


def test_how_long_nothing_was_recorded() -> None:
    made = plan("linkage")
    assert blind(made, KILLED) == UNSEEN + runs_on(made)
    assert blind(made, None) == blind(made, replace(KILLED, boot="before")) == CUT + runs_on(made)
    assert blind(made, replace(KILLED, boot="")) == CUT + runs_on(made), "a system that does not tell when it was started"
    assert blind(made, replace(KILLED, outcome="stopped")) == 0.0
    assert blind(plan("linkage", "bench.pace=lockstep"), KILLED) == made.experiment.acquisition.block
