"""The scheme on loops whose response is known, so that every error is known beforehand."""

from __future__ import annotations

import cmath
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.control.amplitude import Bounds, Config, Control, Note, in_words
from rig.control.corrector import Corrector, Schedule
from rig.control.wave import Offset, Wave
from rig.trajectory import create, sine
from rig.workers.bench.setpoints.setpoint import Setpoint, Timing

RATE, FREQUENCY, A, MEAN = 4000.0, 5.0, 30e3, 5e3
PERIOD = round(RATE / FREQUENCY)
WAVE = Wave(MEAN, A + 0j, FREQUENCY)
WIDE = Config(step=0.5, phase_step=0.5, cap=0.5, phase_cap=1.0)
PHASE = 2.0 * np.pi * np.arange(PERIOD) / PERIOD


def control(config: Config = WIDE, bounds: Bounds | None = None) -> Control:
    return Control(config, WAVE, RATE, bounds or Bounds(), soft_stop=0.5)


def rows(value: np.ndarray, phase: np.ndarray, cycle: np.ndarray, *correction: float) -> np.ndarray:
    """Of the command, as they go out: one correction in all of them."""
    return np.column_stack([value, phase, cycle, value, np.tile(correction or (0.0, 0.0, 0.0), (len(value), 1))])


def run_cycle(of: Control, number: int, response: complex, shift: float = 0.0, **how: Any) -> list[Note]:
    """One cycle under the correction as it is, and the sample behind it."""
    z, m = WAVE.fundamental + of.offset.fundamental, WAVE.mean + of.offset.mean
    phase = np.append(PHASE, 0.0)
    value, ratio = m + np.imag(z * np.exp(1j * phase)), z / WAVE.fundamental
    command = rows(value, phase, np.append(np.full(PERIOD, number), -1.0), abs(ratio) - 1.0, cmath.phase(ratio), of.offset.mean)
    measured = m + shift + np.imag(response * z * np.exp(1j * phase))
    spoil = how.pop("spoil", None)
    if spoil is not None:
        measured[PERIOD // 3] = spoil
    return of.learn(number * (PERIOD + 1) + how.pop("late", 0), command, measured, **how)


@pytest.mark.parametrize("gain", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("response", [0.9 * cmath.exp(-0.25j), 1.1 * cmath.exp(0.1j)])
def test_errors_shrink_as_the_gain_says(gain: float, response: complex) -> None:
    of = control(Config(gain=gain, step=0.5, phase_step=0.5, cap=0.5, phase_cap=1.0))
    for number in range(6):
        run_cycle(of, number, response, shift=200.0)
    for before, after in pairwise(of.history):
        for key, factor in (("amplitude_error", 1 - gain * abs(response)), ("phase_error_deg", 1 - gain), ("mean_error", 1 - gain)):
            assert after[key] == pytest.approx(factor * before[key], abs=1e-9), key


def test_ten_cycles_bring_a_lagging_loop_within_a_hundredth_of_a_percent_of_where_gain_and_steps_let_it() -> None:
    of = control(Config())
    for number in range(12):
        run_cycle(of, number, 0.956 * cmath.exp(-1j * math.radians(14.7)), shift=-300.0)
    last = of.history[-1]
    assert abs(last["amplitude_error"]) < 0.044 * 0.53**10
    assert abs(last["mean_error"]) < 0.01 * 0.5**10 + 1e-9
    assert abs(last["phase_error_deg"]) < 14.7 * 0.5**9
    assert of.figures()["reached"]


def test_a_step_is_bounded_and_so_is_the_sum_of_them() -> None:
    config = Config(step=0.02, cap=0.05, phase_step=math.radians(3.0), phase_cap=math.radians(7.0))
    of, before = control(config), Offset()
    for number in range(12):
        run_cycle(of, number, 0.6 * cmath.exp(-0.4j), shift=5e3)
        ratio, last = 1 + of.offset.fundamental / A, 1 + before.fundamental / A
        assert abs(abs(ratio) - abs(last)) <= 0.02 + 1e-12
        assert abs(cmath.phase(ratio / last)) <= math.radians(3.0) + 1e-12
        assert abs(of.offset.mean - before.mean) <= 0.02 * A * (1 + 1e-12)
        before = of.offset
    assert abs(1 + of.offset.fundamental / A) == pytest.approx(1.05)
    assert cmath.phase(1 + of.offset.fundamental / A) == pytest.approx(math.radians(7.0))
    assert of.offset.mean == pytest.approx(-0.05 * A)


@pytest.mark.parametrize("action", ["indicate", "stop"])
def test_an_amplitude_that_cannot_be_reached_is_named_once(action: str) -> None:
    of = control(Config(unreachable=action))
    notes = [note for number in range(15) for note in run_cycle(of, number, 0.7)]
    assert len(notes) == 1
    assert "unreachable amplitude: 30000 about 5000 N asked, 24150 about 5000 N reached; " in notes[0].text
    assert "cap, +15%" in notes[0].text
    assert notes[0].stop == (action == "stop")
    assert not of.figures()["reached"]


BAD = {
    "limit": ({"doubt": "stroke 6 m exceeds maximum 5 m"}, "exceeds"),
    "not a number": ({"spoil": np.nan}, "missing"),
    "gap": ({"late": 3}, "missing"),
    "saturated": ({"spoil": 125e3}, "saturated"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_cycle_teaches_nothing_and_says_why(case: str) -> None:
    how, word = BAD[case]
    of = control(bounds=Bounds(measured=(-125e3, 125e3)))
    run_cycle(of, 0, 0.9 + 0j)
    before = of.offset
    [note] = run_cycle(of, 1, 0.5 + 0j, **how)
    assert of.offset == before
    assert word in note.text
    assert not of.history[-1]["learned"]
    assert of.ignored == 1


@pytest.mark.parametrize("response", [0.05, 3.0, cmath.exp(2.0j)])
def test_an_implausible_fundamental_teaches_nothing(response: complex) -> None:
    of = control()
    [note] = run_cycle(of, 0, response)
    assert of.offset == Offset()
    assert "implausible fundamental" in note.text
    assert not any("implausible" in note.text for note in run_cycle(of, 1, response))  # said once


@pytest.mark.parametrize("action", ["indicate", "stop"])
@pytest.mark.parametrize(("response", "reached"), [(0.05, 1500), (3.0, 90000)])
def test_an_amplitude_beyond_what_is_plausible_is_named_as_unreachable(response: float, reached: int, action: str) -> None:
    of = control(Config(unreachable=action))
    said = [[note for note in run_cycle(of, number, response) if "unreachable" in note.text] for number in range(5)]
    assert [len(notes) for notes in said] == [0, 1, 0, 0, 0]
    assert f"unreachable amplitude: 30000 about 5000 N asked, {reached} about" in said[1][0].text
    assert "cap of the correction 15%" in said[1][0].text
    assert said[1][0].stop == (action == "stop")


def test_what_is_out_of_reach_can_be_asked_after_one_cycle() -> None:
    of = control(Config())
    assert of.out_of_reach() == ""
    run_cycle(of, 0, 0.7)
    assert "30000 about 5000 N asked, 21000 about 5000 N reached in cycle 0; cap of the correction 15%" in of.out_of_reach()


@pytest.mark.parametrize("response", [0.995, 0.9, 1.1, cmath.exp(2.0j)])
def test_what_can_be_corrected_is_not_out_of_reach(response: complex) -> None:
    of = control(Config())
    for number in range(8):
        run_cycle(of, number, response)
        assert of.out_of_reach() == ""


def test_a_cycle_in_doubt_says_nothing_about_what_is_in_reach() -> None:
    of = control(Config())
    for number in range(4):
        run_cycle(of, number, 0.1, doubt="samples are missing")
    assert of.out_of_reach() == ""


def test_a_line_says_where_it_ended() -> None:
    of = control()
    assert "no whole cycle" in in_words(of.figures())
    for number in range(3):
        run_cycle(of, number, 0.9 + 0j)
    run_cycle(of, 3, 3.0 + 0j)
    assert "30000 N about 5000 N asked; cycle 3 is off by" in in_words(of.figures())
    assert "nothing learned from 1 of 4 cycles" in in_words(of.figures())


def test_a_cycle_that_is_too_short_teaches_nothing() -> None:
    of = control()
    half = PERIOD // 2
    command = rows(WAVE.mean + A * np.sin(PHASE), PHASE, np.where(np.arange(PERIOD) < half, 0.0, -1.0))
    [note] = of.learn(0, command, 0.9 * command[:, 0])
    assert f"{half} samples" in note.text
    assert of.offset == Offset()


def test_what_was_doubted_before_the_first_cycle_does_not_count_against_it() -> None:
    of = control()
    rest = rows(np.zeros(10), np.zeros(10), np.full(10, -1.0))
    of.learn(-10, rest, np.zeros(10), doubt="a limit in the soft start")
    assert run_cycle(of, 0, 0.9 + 0j) == []
    assert of.history[0]["learned"]


@given(gain=st.floats(0.3, 1.6), phase=st.floats(-0.8, 0.8), shift=st.floats(-8e3, 8e3), room=st.floats(1.0, 1.3))
def test_the_corrected_command_keeps_its_limits(gain: float, phase: float, shift: float, room: float) -> None:
    value, rate = room * (A + MEAN), room * WAVE.fastest(Offset(), 0.5)
    of = control(Config(), Bounds(-value, value, rate))
    notes = [note for number in range(12) for note in run_cycle(of, number, cmath.rect(gain, phase), shift)]
    assert max(map(abs, WAVE.extent(of.offset))) <= value * (1 + 1e-9)
    assert WAVE.fastest(of.offset, 0.5) <= rate * (1 + 1e-9)
    if gain < 0.7 and room < 1.01:
        assert any("value_limit or rate_limit" in note.text for note in notes)


def corrected(response: complex, ahead: int, cycles: int = 12, config: Config | None = None) -> tuple[np.ndarray, Control]:
    """A setpoint that is filled ahead, with a loop without memory behind it: (command (N, 7), its control)."""
    config = config or Config()
    trajectory = create(sine.Config(amplitude=A, frequency=FREQUENCY, cycles=cycles, mean=MEAN, soft_start=0.4, soft_stop=0.4))
    learning = Control(config, WAVE, RATE, Bounds(-50e3, 50e3, 2e6), soft_stop=0.4)
    schedule = Schedule(round(config.blend * PERIOD), (trajectory.duration - 0.4) * RATE, 0.4 * RATE)
    setpoint = Setpoint(trajectory, RATE, 0.0, Timing(200, 100), Corrector(learning, WAVE, schedule))
    block, given_out, n = 40, [setpoint.next(ahead)], 0
    while n < setpoint.end:
        command = np.concatenate(given_out)[n : n + block]
        phase = command[:, 1]
        z, mean = WAVE.fundamental * (1 + command[:, 4]) * np.exp(1j * command[:, 5]), MEAN + command[:, 6]
        measured = mean + np.imag(response * z * np.exp(1j * phase))
        setpoint.learn(n, command, measured)
        given_out.append(setpoint.next(block))
        n += block
    return np.concatenate(given_out)[: setpoint.end], learning


def test_what_a_cycle_teaches_acts_before_the_end_of_the_next_one() -> None:
    command, _ = corrected(0.9 + 0j, ahead=400)
    number = command[:, 2]
    assert np.all(command[number == 0.0, 4] == 0.0)
    assert command[np.flatnonzero(number == 1.0)[-1], 4] == pytest.approx(0.05)
    assert np.all(command[number == 2.0, 4][:10] == pytest.approx(0.05))


@pytest.mark.parametrize("ahead", [80, 400, 580])
def test_a_cycle_in_which_a_correction_came_in_teaches_nothing_and_is_told_as_the_record_has_it(ahead: int) -> None:
    command, learning = corrected(0.9 * cmath.exp(-0.2j), ahead)
    changed = 0
    for row in learning.history:
        of = command[command[:, 2] == row["cycle"], 4:7]
        moved = bool(np.any(np.ptp(of, axis=0) > 1e-4 * np.array([1.0, 1.0, A])))
        changed += moved
        assert row["learned"] == (not moved)
        assert (row["why_not"] == "a correction came in") == moved
        told = [row["amplitude_correction"], math.radians(row["phase_correction_deg"]), row["mean_correction"]]
        assert told == pytest.approx(of[-1].tolist(), abs=1e-12)
    assert changed >= 3
    assert learning.ignored == 0
    assert learning.figures()["last"]["learned"]


@pytest.mark.parametrize("ahead", [80, 400, 580])
def test_what_is_filled_ahead_is_not_corrected_twice(ahead: int) -> None:
    response = 0.95 * cmath.exp(-0.2j)
    _, learning = corrected(response, ahead, cycles=24)
    errors = [row["amplitude_error"] for row in learning.history]
    assert max(errors) < 0.002  # never overshoots
    assert abs(errors[-1]) < 1e-3
    assert abs(learning.history[-1]["phase_error_deg"]) < 0.1


def test_a_corrected_command_has_no_step_and_ends_at_rest() -> None:
    command, learning = corrected(0.85 * cmath.exp(-0.3j), ahead=400)
    assert abs(learning.offset.fundamental) > 0.1 * A
    assert np.max(np.abs(np.diff(command[:, 0]))) * RATE <= 2e6
    plain = 2 * np.pi * FREQUENCY * A * 1.15
    change = 0.5 * np.pi * (0.05 + 0.175) * A * FREQUENCY / 0.2  # a step of amplitude and one of phase, blended
    assert np.max(np.abs(np.diff(command[:, 0]))) * RATE <= plain + change
    assert abs(command[-1, 0]) < 1e-3 * A
    stop = np.flatnonzero(command[:, 2] >= 0.0)[-1] + 1
    assert np.max(np.abs(command[stop:, 0] - command[stop:, 3])) > 0.05 * A  # corrected to the end, and less and less
    lead = command[:, 2] == 0.0
    assert np.array_equal(command[lead, 0], command[lead, 3])
