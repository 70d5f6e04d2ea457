"""Null pacing on an actuator whose flow cannot follow at the full frequency: dy/dt = K (command - y), within a largest speed.

Its command is filled ahead, and every block is judged when it has been read, as by the bench worker.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from rig.config.experiment import Pacing
from rig.trajectory import create
from rig.trajectory.program import Config as Program
from rig.trajectory.sine import Config as Sine
from rig.trajectory.square import Config as Square
from rig.trajectory.triangle import Config as Triangle
from rig.workers.bench.pacing import Note, NullPacing
from rig.workers.bench.setpoints.setpoint import Setpoint, Timing
from tests.each_row import each_row
from tests.thorough import times
from tests.tiers import quick

RATE, BLOCK, AHEAD = 1000.0, 10, 60
LAG = 2.0 * math.pi * 20.0  # 1/s
SINE = Sine(amplitude=3.0, frequency=2.0, cycles=30, mean=0.5, soft_start=0.5, soft_stop=0.5)
SLOWER = Pacing(action="slower", share=0.05, recover=1000)
LIMIT = 20.0
"""Of the actuator's speed; a sine of 3 at 2 Hz moves at 37.7."""


@dataclass
class Ran:
    """What went out and came back, and what was told."""

    rows: Any
    measured: Any
    pacing: NullPacing
    notes: list[Note] = field(default_factory=list)

    def reached(self, cycle: int, share: float) -> bool:
        at = self.rows[:, 2] == cycle
        asked, got = self.rows[at, 0], self.measured[at]
        half = 0.5 * np.ptp(asked)
        return bool(got.max() >= asked.max() - share * half and got.min() <= asked.min() + share * half)


def run(trajectory: Any, settings: Pacing, speed: float = LIMIT, stuck_from: float = math.inf, longest: int = 400_000) -> Ran:
    """A whole test; a hold that is asked for ends it there."""
    setpoint = Setpoint(create(trajectory), RATE, 0.0, Timing(lead_in=300, fade=200), paced=True)
    pacing = NullPacing(settings, setpoint, RATE, "mm", 0.5)
    pending, rows, measured, notes = deque(setpoint.next(AHEAD)), [], [], list[Note]()
    y, n = 0.0, 0
    while len(pending) and n < longest:
        block = np.array([pending.popleft() for _ in range(min(BLOCK, len(pending)))])
        came = []
        for value in block[:, 0]:
            most = 0.0 if n + len(came) >= stuck_from * RATE else speed
            y += min(max(LAG * (value - y), -most), most) / RATE
            came.append(y)
        rows.append(block)
        measured.append(np.array(came))
        notes += pacing.take(n, (block[:, 0], block[:, 2], block[:, 0]), measured[-1], True)
        n += len(block)
        if any(note.hold for note in notes):
            break
        if not setpoint.finished:
            pending.extend(setpoint.next(BLOCK))
    return Ran(np.concatenate(rows), np.concatenate(measured), pacing, notes)


@pytest.mark.long
def test_without_pacing_the_peaks_are_not_reached() -> None:
    """The control."""
    ran = run(SINE, replace(SLOWER, missed=1000))
    figures = ran.pacing.figures()
    assert figures["reached"] == 0 and figures["pace"] == 1.0
    assert not any(ran.reached(cycle, SLOWER.share) for cycle in range(30))


@each_row("wave", [SINE, Triangle(amplitude=3.0, frequency=2.0, cycles=30), Square(amplitude=3.0, frequency=2.0, cycles=30, rate=200.0)])
@pytest.mark.parametrize("speed", quick([10.0, 17.0, 22.0], [17.0]))
def test_slower_until_the_peaks_are_reached_and_as_many_cycles_as_asked(wave: Any, speed: float) -> None:
    ran = run(wave, SLOWER, speed)
    figures = ran.pacing.figures()
    assert figures["reached"] == 30 and figures["run"] == 30 + figures["missed"] and figures["repeated"] == figures["missed"] > 0
    assert 0.1 < figures["pace"] < 1.0 and not any(note.hold for note in ran.notes)
    assert all(ran.reached(cycle, SLOWER.share) for cycle in range(figures["missed"], figures["run"]))
    assert_whole(ran, wave)


def assert_whole(ran: Ran, wave: Any) -> None:
    """Cycles and phase go on without a gap; value and rate keep the bounds of the trajectory; the columns say what was done."""
    cycle, phase, value = ran.rows[:, 2], ran.rows[:, 1], ran.rows[:, 0]
    counted = cycle >= 0.0
    assert np.all(np.isin(np.diff(cycle[counted]), (0.0, 1.0))) and cycle.max() == ran.pacing.figures()["run"] - 1
    turned = np.diff(phase[counted])
    assert turned.min() >= -1e-9 and turned.max() <= 2.0 * math.pi * 2.0 / RATE + 1e-9
    assert np.abs(np.diff(value[counted])).max() * RATE <= create(wave).bounds()[2] * (1.0 + 1e-9)
    assert ran.rows[-1, 4] == ran.pacing.figures()["repeated"] and ran.rows[counted, 3].max() <= 1.0 + 1e-9


@each_row("seed", range(times(8, thorough=20)))
def test_at_any_speed_and_frequency_every_cycle_that_counts_has_reached_its_peaks(seed: int) -> None:
    random = np.random.default_rng(seed)
    frequency, share = float(random.uniform(0.5, 5.0)), float(random.uniform(0.02, 0.3))
    wave = replace(SINE, frequency=frequency, cycles=12, mean=float(random.uniform(-2.0, 2.0)))
    speed = float(random.uniform(0.2, 1.2)) * 2.0 * math.pi * frequency * 3.0
    ran = run(wave, replace(SLOWER, share=share), speed)
    figures = ran.pacing.figures()
    last = sum("not run again" in note.text for note in ran.notes)
    assert figures["reached"] + last == 12 and figures["run"] == figures["reached"] + figures["missed"] == 12 + figures["repeated"]
    assert sum(ran.reached(cycle, share) for cycle in range(figures["run"])) == figures["reached"]


def test_a_program_paces_each_of_its_blocks_and_counts_all() -> None:
    easy = Sine(amplitude=1.0, frequency=1.0, cycles=5, soft_start=0.5, soft_stop=0.5)
    ran = run(Program(segments=(easy, SINE), repeats=2), SLOWER)
    figures = ran.pacing.figures()
    assert figures["reached"] == 70 and figures["run"] == 70 + figures["repeated"] and figures["repeated"] == figures["missed"] > 0
    assert ran.rows[:, 2].max() == figures["run"] - 1


def test_it_goes_faster_again_and_tries_ever_more_seldom() -> None:
    ran = run(replace(SINE, cycles=120), replace(SLOWER, recover=10))
    told = [note.text for note in ran.notes if "cycles reached" in note.text]
    counts = [int(text.split()[0]) for text in told]
    assert counts[:3] == [10, 20, 40] and ran.pacing.figures()["reached"] == 120


def test_one_that_would_never_arrive_is_held_with_a_message() -> None:
    ran = run(SINE, replace(SLOWER, slowest=0.5), speed=2.0)
    assert ran.notes[-1].hold and "not slower (pacing.slowest)" in ran.notes[-1].text
    assert ran.pacing.figures()["pace"] == 0.5


def test_held_at_the_first_cycle_that_is_missed() -> None:
    ran = run(SINE, Pacing(action="hold"))
    assert len(ran.notes) == 1 and ran.notes[0].hold and ran.notes[0].text.startswith("cycle 0: reached")
    again = run(SINE, Pacing(action="hold", missed=4))
    assert [note.hold for note in again.notes] == [False, False, False, True]


def test_standing_at_each_peak_until_it_is_reached() -> None:
    ran = run(SINE, Pacing(action="wait", recover=1000))
    figures = ran.pacing.figures()
    assert figures["reached"] == 30 and figures["repeated"] == figures["missed"] > 0 and figures["pace"] == 1.0
    assert figures["waits"] >= 50 and 0.0 < figures["longest_wait_s"] < 1.0 and not any(note.hold for note in ran.notes)
    assert_whole(ran, SINE)
    assert np.ptp(np.diff(ran.rows[:, 1])) > 0.0, "it stood"


def test_a_peak_that_does_not_come_ends_the_wait_in_a_hold() -> None:
    ran = run(SINE, Pacing(action="wait", patience=2.0), stuck_from=6.0)
    assert ran.notes[-1].hold and "after 2 s (pacing.patience)" in ran.notes[-1].text
    assert len(ran.rows) / RATE < 6.0 + 2.0 + 1.5


def test_an_actuator_that_follows_is_left_alone() -> None:
    for action in ("slower", "wait", "hold"):
        ran = run(SINE, Pacing(action=action), speed=100.0)
        assert ran.notes == [] and ran.pacing.figures()["reached"] == 30 and ran.pacing.figures()["repeated"] == 0


def test_a_reading_that_is_no_number_has_reached_nothing() -> None:
    setpoint = Setpoint(create(SINE), RATE, 0.0, Timing(300, 200), paced=True)
    pacing = NullPacing(SLOWER, setpoint, RATE, "mm", 0.5)
    rows = setpoint.next(1600)
    assert pacing.take(0, (rows[:, 0], rows[:, 2], rows[:, 0]), np.full(1600, np.nan), True)[0].text.startswith("cycle 0")
