"""The setpoint of a pseudo-dynamic test in a loop of its own: filled ahead, read in blocks, on a specimen that is a spring."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from rig.config.checks.control import CommandBounds
from rig.control.amplitude import Note
from rig.hybrid.ground import Ground
from rig.hybrid.history import doubts, in_words
from rig.trajectory.pseudo_dynamic import Config
from rig.workers.bench.setpoints.pseudo_dynamic import Stepwise
from rig.workers.bench.setpoints.setpoint import Timing

RATE, BLOCK, AHEAD = 1000.0, 10, 20
TIMING = Timing(lead_in=270, fade=200)
BOUNDS = CommandBounds(-3e-3, 3e-3, 0.5)
MASS, STIFFNESS = 120e3, 19.6e6
OMEGA = math.sqrt(STIFFNESS / MASS)
TEST = Config(
    mass=MASS, stiffness=STIFFNESS, step=0.02, steps=60, initial_displacement=1e-3, ramp=0.02, hold=0.06, settle=0.02, average=0.005,
    soft_start=0.2, soft_stop=0.1,
)  # fmt: skip
Answer = Callable[[float, float], tuple[float, float]]


def spring(stiffness: float = STIFFNESS, lag: float = 0.0) -> Answer:
    """(command, stroke before) -> (stroke, force), per sample; lag: share of the way that is missing after a sample."""

    def answer(command: float, before: float) -> tuple[float, float]:
        stroke = command + lag * (before - command)
        return stroke, stiffness * stroke

    return answer


def run(setpoint: Stepwise, answer: Answer, blocks: int | None = None, ahead: int = AHEAD) -> tuple[np.ndarray, list[Note]]:
    """(rows of the command stream, notes) of a whole test, or of so many blocks; it is stopped as the bench would stop it."""
    pending, notes, out, stroke, n = setpoint.next(ahead), list[Note](), [], 0.0, 0
    while n < setpoint.end + AHEAD if blocks is None else n < blocks * BLOCK:
        command, pending = pending[:BLOCK], pending[BLOCK:]
        measured = np.empty((BLOCK, 2))
        for i, value in enumerate(command[:, 0]):
            stroke, force = answer(float(value), stroke)
            measured[i] = stroke, force
        new = setpoint.learn(n, command, measured)
        if any(note.stop for note in new):
            setpoint.stop(stroke, 0.1)
        notes += new
        pending = np.concatenate([pending, setpoint.next(BLOCK)])
        out.append(command)
        n += BLOCK
    return np.concatenate(out), notes


def made(config: Config = TEST, bounds: CommandBounds = BOUNDS, feedback: float = 0.0) -> Stepwise:
    return Stepwise(config, RATE, feedback, TIMING, bounds)


def test_on_the_expected_specimen_it_is_the_expected_trajectory() -> None:
    rows, notes = run(made(feedback=2e-5), spring())
    expected = TEST.create().evaluate(np.arange(len(rows) - TIMING.lead_in) / RATE)
    assert notes == []
    assert rows[0, 0] == 2e-5
    assert np.allclose(rows[TIMING.lead_in :, 0], expected[0], rtol=0.0, atol=1e-15)
    assert np.array_equal(rows[TIMING.lead_in :, 2], expected[2])
    assert set(rows[:, 2]) == {-1.0, *map(float, range(61))}


def test_free_vibration_is_the_closed_form_on_a_specimen_that_is_not_the_expected_one() -> None:
    setpoint = made()
    run(setpoint, spring(0.95 * STIFFNESS, lag=0.8))
    steps = setpoint.figures()["steps"]
    exact = 1e-3 * np.cos(math.sqrt(0.95) * OMEGA * np.array([row["time_s"] for row in steps]))
    assert np.max(np.abs([row["displacement"] for row in steps] - exact)) < 0.01 * 1e-3


def test_a_loader_that_falls_short_is_told_and_what_it_puts_in_is_bounded_by_the_correction() -> None:
    short = spring(STIFFNESS, lag=0.95)  # a loop of 50 1/s
    plain, corrected = made(replace(TEST, correct=False, undershoot=0.0)), made()
    for setpoint in (plain, corrected):
        run(setpoint, short)
    figures, better = plain.figures(), corrected.figures()
    assert 0.1 < figures["undershoot_measured"] < math.exp(-0.05 * 22.5)  # of a step; a ramp has begun to arrive before it ends
    assert figures["energy"]["largest_error_share"] > 0.1
    assert better["energy"]["largest_error_share"] < figures["energy"]["largest_error_share"]
    grown = max(row["displacement"] for row in figures["steps"][30:]) / 1e-3
    assert grown > 1.05
    assert max(row["displacement"] for row in better["steps"][30:]) / 1e-3 == pytest.approx(1.0, abs=5e-3)
    assert "corrected: no" in in_words(figures)


def test_the_stream_carries_the_model_from_the_sample_on_at_which_a_step_is_known() -> None:
    rows, _ = run(made(), spring())
    time, displacement, force = rows[:, 3], rows[:, 4], rows[:, 6]
    assert np.all(np.diff(time) >= 0.0)
    assert time[-1] == pytest.approx(60 * 0.02)
    assert force == pytest.approx(STIFFNESS * displacement, rel=1e-9, abs=1e-6)
    first = int(np.argmax(displacement != 0.0))
    assert TIMING.lead_in + 0.2 * RATE < first < TIMING.lead_in + 0.26 * RATE
    ramps = np.flatnonzero(np.diff(rows[:, 2]) == 1.0)[1:]
    assert np.all(time[ramps] >= 0.02 * rows[ramps, 2])  # known before the ramp that follows from it


def test_nothing_steps_and_no_ramp_passes_its_rate() -> None:
    rows, _ = run(made(feedback=1e-4), spring())
    fastest = TEST.create().bounds()[2]
    assert np.max(np.abs(np.diff(rows[:, 0]))) * RATE <= 1.05 * fastest


BROKEN: list[tuple[str, Config, CommandBounds, Answer, int, str]] = [
    ("value", TEST, CommandBounds(-0.5e-3, 3e-3, 0.5), spring(), AHEAD, "next displacement is"),
    ("rate", TEST, CommandBounds(-3e-3, 3e-3, 1e-3), spring(), AHEAD, "lengthen trajectory.ramp"),
    ("tolerance", replace(TEST, tolerance=1e-5), BOUNDS, spring(lag=0.97), AHEAD, "step 0: the loader stands"),
    ("late", TEST, BOUNDS, spring(), 60, "lengthen trajectory.hold"),
    ("no number", TEST, BOUNDS, lambda command, before: (command, math.nan), AHEAD, "is no measurement"),
]


@pytest.mark.parametrize(("config", "bounds", "answer", "ahead", "word"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_what_cannot_go_on_is_stopped_with_a_word_and_without_a_step(
    config: Config, bounds: CommandBounds, answer: Any, ahead: int, word: str
) -> None:
    rows, notes = run(made(config, bounds), answer, ahead=ahead)
    assert len(notes) == 1
    assert notes[0].stop
    assert word in notes[0].text
    assert rows[-1, 2] == -1.0
    assert np.max(np.abs(np.diff(rows[:, 0]))) * RATE <= 1.2 * config.create().bounds()[2]
    assert np.all(np.abs(rows[:, 0]) <= 1.01e-3)


def test_a_stop_ramps_from_where_it_is() -> None:
    setpoint = made()
    before, _ = run(setpoint, spring(), blocks=80)
    setpoint.stop(0.0, 0.1)
    after = setpoint.next(120)
    assert after[-1, 0] == 0.0
    assert after.shape[1] == before.shape[1] == 7
    assert np.all(after[:, 2] == -1.0)


def test_a_test_that_measured_nothing_says_so() -> None:
    setpoint = made()
    run(setpoint, spring(), blocks=5)
    assert setpoint.figures()["energy"] is None
    assert "no step was measured" in in_words(setpoint.figures())


def test_a_quake_is_that_of_scipy(tmp_path: Path) -> None:
    """5 % damping under a ground that swings below the structure's own frequency, on a specimen that hardens."""
    damping, third, step = 0.1 * MASS * OMEGA, 4e12, 0.01
    shaken = 0.5 * np.sin(0.6 * OMEGA * step * np.arange(201))
    file = tmp_path / "quake.csv"
    rows = "".join(f"{n * step:.4f},{value:.12g}\n" for n, value in enumerate(shaken))
    file.write_text(f"time[s],ground[m/s^2]\n{rows}")
    ground = Ground(str(file), "ground")
    setpoint = made(replace(TEST, damping=damping, step=step, steps=150, initial_displacement=0.0, ground=ground))
    run(setpoint, lambda command, before: (command, STIFFNESS * command + third * command**3))
    solved = solve_ivp(
        lambda t, y: [y[1], -0.5 * math.sin(0.6 * OMEGA * t) - (STIFFNESS * y[0] + third * y[0] ** 3 + damping * y[1]) / MASS],
        (0.0, 1.5), [0.0, 0.0], t_eval=step * np.arange(151), rtol=1e-9, atol=1e-13,
    )  # fmt: skip
    figures = setpoint.figures()
    displacement = np.array([row["displacement"] for row in figures["steps"]])
    assert np.max(np.abs(displacement - solved.y[0])) < 0.01 * np.max(np.abs(solved.y[0]))
    energy = figures["energy"]
    assert energy["input_J"] > 0.0
    assert abs(energy["residual_J"]) < 0.01 * energy["supplied_J"]


def test_a_specimen_stiffer_than_stated_is_told_at_the_initial_displacement() -> None:
    """The largest stable step is reckoned with it: 1 N/m in place of 19.6 MN/m said 'stable below 791 s', and the test ran."""
    for stated, told in ((STIFFNESS / 1.15, True), (STIFFNESS / 1.05, False), (2.0 * STIFFNESS, False)):
        setpoint = made(replace(TEST, stiffness=stated))
        _, notes = run(setpoint, spring())
        assert bool(notes) == told
        if told:
            (note,) = notes
            assert note.stop and "step 0: the specimen has 1.96e+07 N/m at 1 mm, expected at most" in note.text
            assert "set trajectory.stiffness" in note.text


def test_what_a_test_was_reckoned_with_and_was_not_so_is_a_warning() -> None:
    setpoint = made()
    run(setpoint, spring())
    figures = setpoint.figures()
    assert figures["stiffness_measured"] == pytest.approx(STIFFNESS, rel=1e-6)
    assert doubts(figures) == [] and "specimen 1.96e+07 N/m (stated: 1.96e+07)" in in_words(figures)
    softer = made(replace(TEST, stiffness=1.3 * STIFFNESS))
    run(softer, spring())
    (doubt,) = doubts(softer.figures())
    assert "the specimen has 1.96e+07 N/m over the test, expected 2.548e+07 within 10%" in doubt
    short = made(replace(TEST, undershoot=0.0))
    run(short, lambda command, before: (0.98 * command, STIFFNESS * 0.98 * command))
    assert any("of an increment, stated was 0.00% (trajectory.undershoot)" in one for one in doubts(short.figures()))
