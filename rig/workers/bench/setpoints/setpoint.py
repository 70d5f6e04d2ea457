"""The command stream, block by block: lead-in at the present feedback, the trajectory, corrected where that is asked for, a ramped stop."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.config.experiment import Experiment
from rig.control import amplitude, corrector
from rig.control.corrector import Corrector
from rig.control.wave import Offset, Wave
from rig.hybrid import history
from rig.hybrid.realtime import figures as realtime_figures
from rig.trajectory import Trajectory, hybrid, pseudo_dynamic
from rig.trajectory import create as create_trajectory
from rig.trajectory.following.changes import Exchange
from rig.trajectory.following.program_blocks import same_place
from rig.trajectory.following.progress import Progress
from rig.trajectory.following.repeats import NEAR as SAME
from rig.trajectory.following.repeats import Repeats, steady_part
from rig.trajectory.following.skip import Skip
from rig.trajectory.stop import StopRamp
from rig.workers.bench.setpoints.start import Start

Column = NDArray[np.float64]
COLUMNS = ("value", "phase", "cycle")
MODEL_COLUMNS = (("model_time", "s"), ("model_displacement", "m"), ("model_velocity", "m/s"), ("restoring_force", "N"))
"""Of a pseudo-dynamic or hybrid test: the model at the end of the last step, or sample, that has been measured."""
PACING_COLUMNS = ("pace", "repeated")
"""With `[pacing]`: samples of the trajectory a sample, and cycles that have been run once more so far."""
ControlFigures = amplitude.Figures | history.Figures | realtime_figures.Figures
NOT_COUNTED = -1.0
REQUESTED = len(COLUMNS)
"""Column of what the trajectory asks for, where it is corrected."""
NEAR = 1e-6  # of a sample
NOTHING_SKIPPED = Skip(math.inf, math.inf)
RUN_ON = 0.2  # share of half its range that the trajectory runs on when it is stopped at its fastest; a sine stays within its amplitude


@dataclass(frozen=True)
class Timing:
    """Lengths in samples: the wait before the trajectory, and the part at its end in which the command goes from the feedback to where
    the trajectory begins. So the trajectory goes out as it is, however short its soft start.
    """

    lead_in: int
    fade: int


class Setpoint:
    """Values of the command in the order in which they go out; the first equals the present feedback (bumpless)."""

    learns_from: tuple[str, ...] = ()
    """Roles of the loader's channels ("stroke", "force") whose samples `learn` takes, (k, roles); none: the controlled one's, (k,)."""

    def __init__(
        self, trajectory: Trajectory, rate: float, feedback: float, timing: Timing, correction: Corrector | None = None, paced: bool = False
    ) -> None:
        """paced: the rows have `PACING_COLUMNS`, too."""
        self._trajectory, self._rate, self._timing, self._correction = trajectory, rate, timing, correction
        self._progress, self._exchange = Progress(), Exchange(trajectory)
        self._repeats, self._paced, self._repeated_before = Repeats(), paced, 0
        self._feedback, self._shift, self._skip = feedback, 0.0, NOTHING_SKIPPED
        self._offset = feedback - float(trajectory.evaluate(np.zeros(1))[0][0])
        self._ramp: tuple[int, StopRamp] | None = None
        self._last, self._last_rate = (feedback, 0.0), 0.0
        self._carry = _run_on(trajectory)
        self.position = 0
        self._stopped_at: int | None = None

    def take_up(self, start: Start, seconds: float) -> None:
        """Before anything has gone out: begin where a test that was broken off goes on, from a stand within `seconds`, where not by a soft
        start of the trajectory."""
        self._skip, self._repeated_before = start.skip, start.repeated
        self._progress = Progress(None if start.time is None else start.time * self._rate, start.pace, start.begin * self._rate)
        self._offset = self._feedback - float(self._trajectory.evaluate(np.array([start.begin]))[0][0])
        if start.time is not None:
            self._progress.go_on(0, seconds * self._rate)
            self._shift = start.shift
            self._offset = self._feedback + start.shift - float(self._trajectory.evaluate(np.array([start.time]))[0][0])
        if self._correction is not None and start.pace != 1.0:
            self._retarget(self._trajectory, start.pace, 0.0)
        if self._correction is not None and start.correction is not None:
            mean, real, imaginary = start.correction
            self._correction.take_up(Offset(mean, complex(real, imaginary)))

    @property
    def end(self) -> int:
        """Sample at which nothing more comes; while the trajectory stands, as if it went on now."""
        if self._stopped_at is not None:
            return self._stopped_at
        return self._timing.lead_in + math.ceil(self._reached(self._trajectory.duration))

    def sample_of(self, t: float) -> int:
        """Sample that goes out when the trajectory has come to its time t (s), as it looks now: see `end`."""
        return self._timing.lead_in + math.ceil(self._reached(t) - NEAR)

    def _reached(self, t: float) -> float:
        way = self._repeats.way(self._skip.back(t * self._rate))
        reached = self._progress.reaches(way)
        if math.isinf(reached):
            reached = self._since + (way - self._way) / self._progress.pace
        return reached

    @property
    def _way(self) -> float:
        """Of the next sample: see `Repeats`."""
        return float(self._progress.at(np.array([self._since]))[0])

    @property
    def _since(self) -> int:
        """The next sample, counted from where the trajectory begins."""
        return max(self.position - self._timing.lead_in, 0)

    @property
    def finished(self) -> bool:
        """Every sample of the trajectory, or of the ramp that ends it, has been given out."""
        return self.position >= self.end

    def next(self, count: int) -> Column:
        """The next `count` samples: (count, 3) value, phase, cycle; where the setpoint is corrected the columns of that as well."""
        n = np.arange(self.position, self.position + count)
        block = self._ramped(n) if self._ramp else self._followed(n)
        self.position += count
        before = float(block[-2, 0]) if count > 1 else self._last[0]
        self._last_rate = (float(block[-1, 0]) - before) * self._rate
        self._last = (float(block[-1, 0]), float(block[-1, 1]))
        return block

    def stop(self, target: float, duration: float) -> None:
        """From the next sample on ramp to `target` in `duration` s; the phase is held."""
        if self._ramp is None:
            carry = None if self._carry is None else self._carry / max(self._progress.pace, 1.0)
            self._ramp = (self.position, StopRamp(self._last[0], target, duration, self._last_rate, carry))
            self._stopped_at = self.position + int(np.ceil(duration * self._rate))

    def halt(self, target: float, duration: float) -> None:
        """As `stop`, for what stands still at once where it is before it goes to `target`."""
        self._last_rate = 0.0
        self.stop(target, duration)

    def stand(self, duration: float) -> None:
        """As `halt`, for what stays where it stands."""
        self.halt(self._last[0], duration)

    def brake(self, duration: float) -> None:
        """As `stop`, to wherever the present rate leads while it dies out evenly in `duration` s."""
        self._carry = duration * max(self._progress.pace, 1.0)
        self.stop(self._last[0] + 0.5 * self._last_rate * duration, duration)

    # -- hold, resume, change --------------------------------------------------------------------------------------------------------

    @property
    def settled(self) -> int:
        """Sample from which on the last hold, resume or change is done."""
        return self._timing.lead_in + math.ceil(max(self._progress.settled, self._exchange.settled))

    @property
    def stands(self) -> bool:
        """It stands already, as at a peak that is waited for."""
        return self._progress.stands and self._since >= self._progress.settled

    stands_anywhere = True
    """Whether it can stand at any phase."""

    @property
    def trajectory(self) -> Trajectory:
        """Which it follows, or goes over to."""
        return self._trajectory

    @property
    def duration(self) -> float:
        """Of the whole trajectory, s of its own time."""
        return self._trajectory.duration

    @property
    def pace(self) -> float:
        """How many times as fast as the trajectory says it goes, or will after a hold."""
        return self._progress.pace

    @property
    def time(self) -> float:
        """s that the trajectory has come to with the next sample."""
        return float(self._skip.there(self._repeats.come(np.array([self._way]))[0])[0]) / self._rate

    def hold(self, duration: float, at: float | None = None) -> None:
        """From the next sample on come to a stand on the trajectory within `duration` s; with `at`, at exactly that time of it (s).

        Phase and cycle stand with it. Raises ValueError where `at` is too near, or the trajectory ends before it would stand.
        """
        left = self.duration - self.time
        if at is None and 0.5 * self.pace * duration > left + NEAR / self._rate:
            text = f"the test ends by itself in {max(left, 0.0) / self.pace:.3g} s, before the command would stand"
            raise ValueError(f"{text} (it takes {duration:g} s); nothing is left to be held")
        self._progress.hold(self._since, duration * self._rate, None if at is None else self._repeats.way(self._skip.back(at * self._rate)))

    def resume(self, duration: float) -> None:
        """Go on where it stands, at full pace within `duration` s."""
        self._progress.go_on(self._since, duration * self._rate)

    def change_pace(self, pace: float, duration: float) -> None:
        """Go on `pace` times as fast as the trajectory says, within `duration` s. Raises ValueError for what a correction cannot follow."""
        self._retarget(self._trajectory, pace, duration)
        self._progress.change_pace(self._since, pace, duration * self._rate)

    @property
    def repeated(self) -> int:
        """Cycles that have been put in so far to run another one once more, in the sessions before as well."""
        return self._repeated_before + self._repeats.count

    def repeat(self) -> bool:
        """From the next sample on go back by one cycle; the command's cycle and phase go on. False where there is none of the same wave."""
        part = steady_part(self._trajectory, self.time)
        if part is None or self.time - 1.0 / part.frequency < part.begin - SAME / part.frequency:
            return False
        self._repeats.insert(self._way, self._rate / part.frequency)
        return True

    def exchange(self, trajectory: Trajectory, duration: float) -> None:
        """Go over to another trajectory of the same times, phases and cycles within `duration` s. Raises ValueError as `change_pace`."""
        self._retarget(trajectory, self._progress.pace, duration)
        self._exchange.begin(trajectory, self._since, duration * self._rate)
        self._trajectory, self._carry = trajectory, _run_on(trajectory)

    def retime(self, trajectory: Trajectory, duration: float) -> None:
        """Go on at the same place of a program in which a block has another frequency; where it is in that block, at that within
        `duration` s.

        Raises ValueError where that cannot be now; nothing has changed then.
        """
        here = float(self._repeats.come(np.array([self._way]))[0][0])
        if here < self._skip.begin < math.inf:
            raise ValueError("it has not come to the cycle yet that it goes on with")
        place = same_place(self._trajectory, trajectory, self.time)
        needed = 0.5 * (place.stretch + 1.0) * self.pace * duration
        if place.stretch != 1.0 and needed > place.whole:
            lasts = place.whole / (place.stretch * self.pace)
            text = f"the counted cycles of the block that runs last {lasts:.3g} s, less than the change takes to come in"
            raise ValueError(
                f"{text} (change.time is {duration:g} s); ask while another block runs, or make change.time shorter in the file"
            )
        if place.stretch != 1.0 and needed > place.left:
            left = place.left / (place.stretch * self.pace)
            text = f"the counted cycles of the block that runs end in {left:.3g} s, before the change would have come in"
            raise ValueError(f"{text} (change.time is {duration:g} s); ask earlier in the block, or while another one runs")
        self._progress.rebase(self._since, place.time * self._rate, place.stretch, duration * self._rate)
        self._repeated_before, self._repeats, self._skip = self.repeated, Repeats(), NOTHING_SKIPPED
        self._trajectory, self._carry, self._exchange = trajectory, _run_on(trajectory), Exchange(trajectory)

    def _retarget(self, trajectory: Trajectory, pace: float, duration: float) -> None:
        if self._correction is not None:
            wave = Wave.from_trajectory(trajectory).at_pace(pace)
            self._correction.retarget(wave, self._since, duration * self._rate, self._timing.lead_in, pace)

    # -- correction ------------------------------------------------------------------------------------------------------------------

    def learn(self, first: int, command: Column, measured: Column, doubt: str = "") -> list[amplitude.Note]:
        """Samples first .. as they went out, command (k, columns), and came back, measured (k,) of the controlled channel.

        doubt: why nothing may be learned from them. Returns what is to be told; nothing where the setpoint is not corrected.
        """
        if self._correction is None:
            return []
        return self._correction.learn(self.position - self._timing.lead_in, first, command, measured, doubt)

    @property
    def correction_offset(self) -> list[float] | None:
        """Mean, real and imaginary part of the fundamental that the newest correction adds; None where nothing is corrected."""
        if self._correction is None:
            return None
        offset = self._correction.control.offset
        return [offset.mean, offset.fundamental.real, offset.fundamental.imag]

    def out_of_reach(self) -> str:
        """In words that what is asked cannot be reached, as far as it shows; see `Control.out_of_reach`."""
        return self._correction.control.out_of_reach() if self._correction else ""

    def standing(self, value: Column, phase: float) -> Column:
        """Rows as `next` gives them for values (k,) that follow no trajectory; nothing is corrected in them."""
        rows = [value, np.full(len(value), phase), np.full(len(value), NOT_COUNTED)]
        if self._correction is not None:
            rows += [value, np.zeros((len(value), 3))]
        if self._paced:
            rows += [np.zeros(len(value)), np.full(len(value), float(self.repeated))]
        return np.column_stack(rows)

    def figures(self) -> ControlFigures | None:
        """History of the correction; None where the setpoint is not corrected."""
        return self._correction.control.figures() if self._correction else None

    def _followed(self, n: NDArray[np.int64]) -> Column:
        since = n - self._timing.lead_in
        way = self._progress.at(np.maximum(since, 0))
        shorter, repeated = self._repeats.come(way)
        come = self._skip.there(shorter)
        value, phase, cycle = self._exchange.evaluate(np.maximum(since, 0), come / self._rate)
        fading = np.clip(1.0 + since / self._timing.fade, 0.0, 1.0)
        value = self._skip.value(value, shorter) - self._shift + self._offset * 0.5 * (1.0 + np.cos(np.pi * fading))
        repeated = repeated + self._repeated_before
        if self.repeated:
            phase, cycle = phase + 2.0 * np.pi * repeated, np.where(cycle < 0.0, cycle, cycle + repeated)
        columns = [value, phase, np.where(since < 0, NOT_COUNTED, cycle)]
        if self._correction is not None:
            corrected = self._correction.apply(since, value, phase, np.where(since < 0, since, come))
            columns = [corrected[:, 0], *columns[1:], corrected[:, 1:]]
        if self._paced:
            columns += [np.diff(way, prepend=self._before(since[0])), repeated]
        return np.column_stack(columns)

    def _before(self, since: np.int64) -> float:
        """Way of the sample before."""
        return float(self._progress.at(np.array([max(since - 1, 0)]))[0])

    def _ramped(self, n: NDArray[np.int64]) -> Column:
        assert self._ramp is not None
        first, ramp = self._ramp
        value = ramp.evaluate((n - first + 1) / self._rate)
        return self.standing(value, self._last[1])


def _run_on(trajectory: Trajectory) -> float | None:
    """s in which the rate of a trajectory that is stopped dies out; None for one that stands."""
    low, high, fastest = trajectory.bounds()
    return RUN_ON * 0.5 * (high - low) / (4.0 / 27.0 * fastest) if fastest > 0.0 else None


def columns(experiment: Experiment, unit: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(names, units) of the command stream, whose value is in `unit`."""
    names: tuple[str, ...] = COLUMNS
    units: tuple[str, ...] = (unit, "rad", "1")
    if is_stepwise(experiment):
        return (*names, *(name for name, _ in MODEL_COLUMNS)), (*units, *(of for _, of in MODEL_COLUMNS))
    if is_corrected(experiment):
        names, units = (*names, *corrector.COLUMNS), (*units, *corrector.units(unit))
    if experiment.pacing.on:
        names, units = (*names, *PACING_COLUMNS), (*units, "1", "1")
    return names, units


def is_corrected(experiment: Experiment) -> bool:
    """Whether the setpoint is corrected while the test runs."""
    return isinstance(experiment.control, amplitude.Config)


def is_stepwise(experiment: Experiment) -> bool:
    """Whether what is commanded next depends on what was measured last."""
    return isinstance(experiment.trajectory, (pseudo_dynamic.Config, hybrid.Config))


def read(experiment: Experiment) -> Trajectory | None:
    """The trajectory of an experiment, with all that has to be read for it: long files take seconds. None where each step is computed."""
    if isinstance(experiment.trajectory, hybrid.Config):
        import rig.hybrid.realtime.compensators.named  # noqa: F401 - compiled code, which takes a second to load: here, where there is time
    if is_stepwise(experiment):
        return None
    trajectory = create_trajectory(experiment.trajectory)
    trajectory.bounds()
    return trajectory
