"""A test that is held and resumed at random moments, and what must be true of its record."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench_run import Running
from held_cycles import at_full_pace, errors, slowest_steps
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from rig.config.plan import Plan
from rig.recorder.reading import read_run
from rig.report.alternative import predicted_by
from rig.report.signals import signals
from rig.supervision.operation_client import NotRunning, Refused, ask
from rig.trajectory import create
from rig.trajectory.following.progress import acceleration

Floats = NDArray[np.float64]
LOOK = 0.01  # s
SAME = 1e-9  # of the largest value: the prediction in step, and along the record
WORSE = 1.5
"""Times the largest error of a cycle without a hold that an unheld cycle of a held test may have: errors scatter from cycle to cycle by a
third of themselves, and a held test has fewer or more of them."""


@dataclass(frozen=True)
class Held:
    """What a run came to, and the moments (s) at which it was asked to hold."""

    folder: Path
    result: dict[str, Any]
    moments: tuple[float, ...]


def run_held(out: Path, experiment: Path, overrides: Sequence[str], holds: int, seed: int, apart: tuple[float, float]) -> Held:
    """A test in lockstep, held so many times, `apart` (least, most) s between a resume and the next hold."""
    chance, moments = random.Random(seed), list[float]()
    running = Running(out, "bench.pace=lockstep", *overrides, experiment=experiment)
    running.wait_for_samples()
    with contextlib.suppress(NotRunning, Refused):  # its program has come to its end
        at = 0.0
        for _ in range(holds):
            at = _until(running.folder, ("running",), at + chance.uniform(*apart))
            ask(running.folder, "hold", operator="test", reason="a random moment")
            moments.append(at)
            stood = _until(running.folder, ("hold",), 0.0)
            _until(running.folder, ("hold",), stood + chance.uniform(0.02, 0.3))
            ask(running.folder, "resume", operator="test")
            at = _until(running.folder, ("running",), 0.0)
    code, result, _ = running.end(timeout=600.0)
    return Held(running.folder, {**result, "exit_code": code}, tuple(moments))


def _until(folder: Path, states: Sequence[str], after: float) -> float:
    """Time of the test (s) when it is in one of the states, at `after` s or later. Raises NotRunning once it has ended."""
    while True:
        status: Any = ask(folder, "status")["status"]
        if status["state"] in ("stopping", "stopped", "tripped"):
            raise NotRunning(str(status["state"]))
        if status["state"] in states and (status["time_s"] or 0.0) >= after:
            return float(status["time_s"])
        time.sleep(LOOK)


def assert_command_keeps_its_bounds(held: Held) -> None:
    """Value, rate and acceleration of the recorded command, from where the trajectory has begun to where it ends."""
    plan, run = Plan.read(held.folder), read_run(held.folder / "run.h5")
    trajectory = create(plan.experiment.trajectory)
    low, high, rate = trajectory.bounds()
    t = np.arange(round(trajectory.duration * run.rate)) / run.rate
    sharpest = float(np.max(np.abs(np.diff(trajectory.evaluate(t)[0], 2)))) * run.rate**2
    cycle = run.channel("command", "cycle")
    counted_part = slice(int(np.flatnonzero(cycle >= 0.0)[0]), int(np.flatnonzero(cycle >= 0.0)[-1]) + 1)
    value = run.channel("command", "value")[counted_part]
    rounding = 8.0 * np.finfo(np.float64).eps * max(abs(low), abs(high))
    assert low - rounding <= value.min() and value.max() <= high + rounding
    assert np.max(np.abs(np.diff(value))) * run.rate <= rate * (1.0 + 1e-9) + 2.0 * rounding * run.rate
    allowed = acceleration(rate, sharpest, 1.0, 0.0, plan.experiment.hold_time)
    assert np.max(np.abs(np.diff(value, 2))) * run.rate**2 <= allowed * (1.0 + 1e-3) + 4.0 * rounding * run.rate**2


def assert_prediction_is_that_along_the_record(held: Held) -> None:
    """What was predicted in step, as its sensors show it, against a simulation along what the predictor was fed with."""
    plan, run = Plan.read(held.folder), read_run(held.folder / "run.h5")
    for name, again in predicted_by(plan.experiment.mechanism, plan, signals(run, plan), held.folder).items():
        live = run.channel("predicted_as_measured", name)
        along = again[0 : len(live)]
        assert np.max(np.abs(live[: len(along)] - along)) <= SAME * max(float(np.max(np.abs(live))), 1e-300), name


def cycle_errors(held: Held, channel: str, late: float = 0.0) -> dict[int, float]:
    """Cycle -> rms of predicted - measured over rms of measured, both behind the low-pass of the comparison.

    late: shares of a cycle by which the prediction is made to come too late, as a control.
    """
    plan, run = Plan.read(held.folder), read_run(held.folder / "run.h5")
    cycle, phase = run.channel("command", "cycle"), run.channel("command", "phase")
    measured, predicted = run.channel("measured", channel), run.channel("predicted_as_measured", channel)
    predicted = np.roll(predicted, round(late * 2.0 * np.pi / np.max(np.diff(phase[cycle >= 0.0]))))
    if (lowpass := plan.experiment.comparison.lowpass) is not None:
        sections = butter(2, lowpass, fs=run.rate, output="sos")
        measured, predicted = sosfilt(sections, measured), sosfilt(sections, predicted)
    return errors(cycle, measured, predicted)


def steps_of(held: Held) -> dict[int, float]:
    """Cycle -> smallest step of its phase (rad) in a run's record."""
    run = read_run(held.folder / "run.h5")
    return slowest_steps(run.channel("command", "cycle"), run.channel("command", "phase"))


def assert_agreement_is_that_of_a_test_without_a_hold(held: Held, plain: Held, channel: str, late: float = 0.0) -> None:
    """From the second cycle after each resume on. late: as for `cycle_errors`; of the held test."""
    discarded = Plan.read(held.folder).experiment.comparison.discard_cycles
    usual = max(error for number, error in cycle_errors(plain, channel).items() if number >= discarded)
    found, steps = cycle_errors(held, channel, late), steps_of(held)
    whole = at_full_pace(steps, steps_of(plain))
    assert len(whole) < len(steps)
    far = {number: found[number] for number in sorted(whole) if number >= discarded}
    assert far and max(far.values()) <= WORSE * usual, (far, usual)
