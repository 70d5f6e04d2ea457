"""A test whose drive is iterated: identification, then pass after pass, each a complete run in a folder of its own."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rig.command_line.result import Result
from rig.commands.running.drive_iteration import DRIVE, DriveIterationReport, EndedEarly, make_result
from rig.config import Setup
from rig.config.checks.control import command_bounds, doubts, identification_noise
from rig.config.effective import as_run
from rig.config.kinds import kind_of
from rig.config.transport import to_json
from rig.control import iteration
from rig.control.drive_file import Config
from rig.control.iteration import Pass
from rig.control.passes import Lines, Row, Target
from rig.control.response import identify
from rig.errors import RigError
from rig.host.interruption import hung_up
from rig.recorder.folders import new_run
from rig.recorder.reading import read_run
from rig.trajectory import create as create_trajectory
from rig.trajectory import drive
from rig.trajectory.naming import TrajectorySettings

Floats = NDArray[np.float64]
RunOnce = Callable[[Setup, Path], Result]
WENT_ON = ("done", "verdict_failed")  # how a pass may end that the next one builds upon
DOUBTFUL_COHERENCE = 0.8
LEAST_STEP = 0.05  # share of a correction below which the limits of the command leave no room for it


def run_iterated(setup: Setup, run_dir: Path, run_once: RunOnce) -> Result:
    """All of it in `run_dir`: passes in sub-folders, summary.json, iteration.png, iteration.h5 and the best drive, drive.npy."""
    channel = setup.bench.loader_channel(setup.experiment.command.mode)
    control = setup.experiment.control
    assert isinstance(control, Config)
    story = DriveIterationReport(control, channel, warnings=[*setup.warnings, *doubts(setup.experiment)])
    work = Iteration(setup, run_dir, run_once, story)
    try:
        work.identify()
        work.iterate()
        return make_result(setup, run_dir, story, "done" if story.verdict == "reached" else "verdict_failed", story.reason)
    except EndedEarly as early:
        ended, why = early.result.outcome, f"a pass ended early: {early}"
    except KeyboardInterrupt:
        ended, why = "stopped", "terminal closed" if hung_up() else "Ctrl-C between two passes"
    except RigError as error:
        ended, why = "failed", str(error)
    story.verdict, story.reason = "ended_early", why
    return make_result(setup, run_dir, story, ended, why)


class Iteration:
    """The passes of one test."""

    def __init__(self, setup: Setup, run_dir: Path, run_once: RunOnce, story: DriveIterationReport) -> None:
        self.setup, self.run_dir, self._run_once, self.story = setup, run_dir, run_once, story
        self.config, self.band = story.config, story.band
        allowed = command_bounds(setup.experiment, setup.bench)
        self._allowed = (allowed.low, allowed.high, allowed.rate)

    # -- identification ------------------------------------------------------------------------------------------------------------

    def identify(self) -> None:
        """Find response and rate. Raises EndedEarly."""
        story = self.story
        folder = new_run(self.run_dir, "identification")
        self._run(folder, identification_noise(self.setup.experiment), "identification")
        record = read_run(folder)
        counted = np.nan_to_num(record.channel("command", "cycle"), nan=-1.0) >= 0.0
        command, measured = record.channel("command", "value")[counted], record.channel("measured", story.channel)[counted]
        try:
            found = identify(command, measured, record.rate, self.config.identification.segment, self.band.widened[1])
        except ValueError as error:
            raise RigError(f"{folder.name}: {error}") from error
        story.response, story.identified_in = found, folder.name
        story.target = Target.from_trajectory(create_trajectory(self.setup.experiment.trajectory), record.rate)
        lines = self.band.holds(found.frequency)
        poorest = float(found.coherence[lines].min())
        if poorest < DOUBTFUL_COHERENCE:
            story.warnings.append(f"identification: coherence in the band falls to {poorest:.2f}; little is learned where it is low")
        expected = iteration.line_contraction(found.value[lines], found, found.frequency[lines], self.config.gain)
        story.expected = float(np.max(expected))
        _say(f"identification: coherence in the band at least {poorest:.4f}, contraction expected {story.expected:.3f}")

    # -- passes --------------------------------------------------------------------------------------------------------------------

    def iterate(self) -> None:
        """Pass by pass until the aim, the last iteration, or a sign that it gets worse. Raises EndedEarly."""
        story, target = self.story, self.story.target
        assert story.response is not None and target is not None and story.expected is not None
        if story.expected >= 1.0:
            self._diverging(f"with a gain of {self.config.gain:g} the error would grow {story.expected:.3f}-fold a pass; none was run")
            return
        value, before, predicted, step = target.value.copy(), None, None, 1.0
        for number in range(self.config.iterations + 1):
            folder, measured, now = self._pass(number, value)
            self._note(number, folder, measured, now, value, predicted, step)
            if self._finished():
                return
            following, step = self._next(value, target.value - measured)
            if step < LEAST_STEP:
                self._limited(number)
                return
            lines = iteration.line_contraction(iteration.estimate(now, before), story.response, now.frequency, self.config.gain * step)
            predicted, before = iteration.contraction(lines, now.error), now
            story.lines.append(Lines(now.frequency, np.abs(now.error), lines))
            if predicted >= 1.0:
                self._diverging(f"by the response that pass {number} shows the error would grow {predicted:.3f}-fold; no further was run")
                return
            value = following
        of = self.config.tolerance_of.replace("_", " ")
        story.reason = f"tolerance of {self.config.tolerance:.2%} ({of}) not reached in {self.config.iterations} iterations{self._floor()}"

    def _floor(self) -> str:
        """What stays over the full band whatever is commanded."""
        if not doubts(self.setup.experiment):
            return ""
        return f"; outside the band {self.story.rows[-1].errors.outside:.1%} remain: the gap itself, which no drive takes away"

    def _pass(self, number: int, value: Floats) -> tuple[str, Floats, Pass]:
        target = self.story.target
        assert target is not None
        table = np.column_stack([value, target.table[:, 1:]])
        folder = new_run(self.run_dir, f"pass-{number}")
        np.save(folder / DRIVE, table)
        self._run(folder, drive.Config(str((folder / DRIVE).resolve()), target.rate), f"pass {number}")
        record = read_run(folder)
        if abs(record.rate - target.rate) > 1e-9 * target.rate:
            raise RigError(f"{folder.name}: the device runs at {record.rate:.9g} Hz, in the identification it did at {target.rate:.9g} Hz")
        cycle = np.nan_to_num(record.channel("command", "cycle"), nan=-1.0)
        begin = int(np.argmax(cycle >= 0.0)) - int(np.argmax(target.counted))
        played, measured = (record.channel(*of, begin, len(value)) for of in (("command", "value"), ("measured", self.story.channel)))
        if len(measured) < len(value) or not (np.all(np.isfinite(measured)) and np.all(np.isfinite(played))):
            raise RigError(f"{folder.name}: samples are missing in its record; nothing can be learned from it")
        c = target.counted
        return folder.name, measured, iteration.spectra(target.value[c], played[c], measured[c], self.band, target.rate)

    def _note(self, number: int, folder: str, measured: Floats, now: Pass, value: Floats, predicted: float | None, step: float) -> None:
        story, target = self.story, self.story.target
        assert target is not None
        c = target.counted
        row = Row(number, folder, iteration.errors(target.value[c], measured[c], self.band, target.rate), float(np.abs(value).max()))
        row.predicted, row.step = predicted, step
        if story.rows:
            row.measured = row.errors.in_band / story.rows[-1].errors.in_band
            story.lines[-1].measured = np.abs(now.error) / np.maximum(story.lines[-1].error, 1e-300)
        story.rows.append(row)
        story.first = measured if story.first is None else story.first
        if story.best_row is row:
            story.best = measured
            np.save(self.run_dir / DRIVE, np.column_stack([value, target.table[:, 1:]]))
        _say(f"pass {number}: error {row.errors.full:.2%} full band, {row.errors.in_band:.2%} in band")

    def _finished(self) -> bool:
        story, now = self.story, self.story.rows[-1].errors
        error = now.full if self.config.tolerance_of == "full_band" else now.in_band
        if error <= self.config.tolerance:
            story.verdict = "reached"
            of = self.config.tolerance_of.replace("_", " ")
            story.reason = f"error {error:.2%} ({of}) is within {self.config.tolerance:.2%}{self._floor()}"
            return True
        if why := iteration.diverging([row.errors.in_band for row in story.rows]):
            self._diverging(why)
            return True
        return False

    def _next(self, value: Floats, error: Floats) -> tuple[Floats, float]:
        """The next drive, and the share of the step that the limits left."""
        story, target = self.story, self.story.target
        assert target is not None and story.response is not None
        step = self.config.gain * iteration.correction(error, target.window, story.response, self.band, target.rate)
        share = iteration.within(value, step, self._allowed, target.rate)
        if share < 1.0:
            story.warnings.append(f"pass {len(story.rows)}: {share:.0%} of the correction made, more would pass a limit of the command")
        return value + share * step, share

    def _diverging(self, why: str) -> None:
        best = self.story.best_row
        kept = f"; the drive of pass {best.iteration} is kept" if best else ""
        self.story.verdict, self.story.reason = "diverging", f"diverging: {why}{kept}"

    def _limited(self, number: int) -> None:
        """The limits leave no room for what would have to be commanded."""
        self.story.verdict = "limited"
        low, high, rate = self._allowed
        self.story.reason = (
            f"unreachable: the drive of pass {number} is at a limit of the command ({low:.6g}..{high:.6g}, {rate:.6g} a second, SI); "
            f"the correction that {self.story.rows[-1].errors.in_band:.2%} of error in the band ask for would pass it"
        )

    def _run(self, folder: Path, trajectory: TrajectorySettings, what: str) -> None:
        """One complete run. Raises EndedEarly when it did not come to its end."""
        experiment = replace(self.setup.experiment, trajectory=trajectory, control=None)
        text = _text(self.setup.experiment_text, trajectory, f"Iteration of a drive, {what}: [trajectory] is not the file's own.")
        result = self._run_once(replace(self.setup, experiment=experiment, experiment_text=text, warnings=()), folder)
        self.story.last = result
        if hung_up():  # it may have come when nothing moved any more
            raise KeyboardInterrupt
        if result.outcome not in WENT_ON:
            raise EndedEarly(result)


def _text(text: str, trajectory: TrajectorySettings, remark: str) -> str:
    """The experiment's text with the trajectory that really runs, and without [control]."""
    tree = tomllib.loads(text)
    tree.pop("control")
    values = {key: value for key, value in to_json(trajectory).items() if value not in (None, "", [])}
    return as_run(text, {**tree, "trajectory": {"kind": kind_of(trajectory), **values}}, [remark])


def _say(text: str) -> None:
    print(text, file=sys.stderr)
