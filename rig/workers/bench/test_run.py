"""The test proper, sample by sample: what goes out, what came back last, where it stands, and how it comes to rest.

It decides nothing: the bench worker tells it to stop, to unload, to take the command back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivers.daq.contract import Daq
from rig.config.checks.holds import NOW
from rig.config.experiment import MODE_UNITS
from rig.config.plan import Plan
from rig.control.amplitude import Note
from rig.host import clock
from rig.trajectory import Trajectory, program
from rig.trajectory.blocks import begins, soft_stop
from rig.trajectory.following.changes import PACED, changed
from rig.trajectory.following.program_blocks import LATE, key_of, made, running
from rig.trajectory.naming import TrajectorySettings
from rig.workers.bench import pacing
from rig.workers.bench.actuation.interface import Actuation
from rig.workers.bench.output import Ahead, Block, Output
from rig.workers.bench.sample_times import SampleTimes
from rig.workers.bench.setpoints import choice
from rig.workers.bench.setpoints.setpoint import NOT_COUNTED, REQUESTED, ControlFigures, Timing, is_corrected
from rig.workers.bench.setpoints.stand import place, pushes
from rig.workers.bench.setpoints.start import Start
from rig.workers.bench.unloading import Unloading
from rig.workers.messages import Place

LEAD_IN_BLOCKS = 5  # beyond what is filled ahead: time to switch the program on while the command stands still
FADE = 0.2  # s in which the command then goes from the feedback to where the trajectory begins
PUSHES = 'a drive pushes with the force of where it stands, and would push on: set hold.at = "zero", and hold without --now'
SETTLE = 0.1  # s recorded after the last commanded sample


@dataclass(frozen=True)
class Grid:
    """Samples in a block and in what is filled ahead, at the rate (Hz) that the device runs at."""

    block: int
    ahead: int
    rate: float


class TestRun:
    """`n` samples have been read, the last of them are `last` (k, channels) and belong to `cycle`; nothing moves before `begin`.

    trajectory: as `setpoint.read`.
    """

    def __init__(self, plan: Plan, trajectory: Trajectory | None, daq: Daq, actuation: Actuation, grid: Grid, begin: float) -> None:
        experiment, names = plan.experiment, [channel.name for channel in plan.bench.channels]
        self._plan, self._daq, self._actuation, self._grid = plan, daq, actuation, grid
        start = Start.of(plan, trajectory, grid.rate, begin)
        fade = max(1, round(max(FADE, start.fade) * grid.rate))
        lead_in = grid.ahead + LEAD_IN_BLOCKS * grid.block + fade
        self._setpoint = choice.create(experiment, start.trajectory, plan.bench, grid.rate, begin, Timing(lead_in, fade))
        if start.resumes:
            self._setpoint.take_up(start, experiment.hold_time)
        roles = [names.index(plan.bench.loader_channel(role)) for role in self._setpoint.learns_from]
        self._answer: list[int] | int | None = roles or actuation.controlled
        self._settings, self._asked, self._changes = start.settings, experiment.trajectory, dict(start.changes)
        self._pacing, self._paced = self._null_pacing(), names.index(experiment.pacing.channel) if experiment.pacing.channel else None
        self._output = Output(daq, actuation, self._setpoint, grid.block)
        self._begun: list[tuple[int, str]] = []
        self._marks = start.ahead(begins(start.settings, start.trajectory) if start.trajectory else iter(()))
        self._mark = next(self._marks, None)
        self._unloading: Unloading | None = None
        self._ramp_start = 0
        self.phase = 0.0
        self.n, self.cycle, self.last = 0, NOT_COUNTED, np.full((1, len(names)), begin)
        self.lowered = self.unloaded = False

    def begin(self) -> None:
        """Fill ahead and start: sample 0."""
        self._output.write(self._grid.ahead)
        self._daq.start()
        self._actuation.stream(0, clock.now(), self._output.ahead())

    def awaited(self, behind: int) -> int:
        """Sample that one who reads along must have come to before the next block, if it may be `behind` so many blocks."""
        return self.n - behind * self._grid.block

    @property
    def end(self) -> int:
        """Sample at which it is over, as it looks now."""
        return self._setpoint.end + round(SETTLE * self._grid.rate)

    @property
    def ending(self) -> bool:
        """The soft stop has begun, or where there is none, the end has been reached."""
        return self.n > self._setpoint.sample_of(self._setpoint.duration - soft_stop(self._asked)) + 1

    @property
    def over(self) -> bool:
        """The last sample of the command has been out there for a while."""
        return self.n >= self._setpoint.end + SETTLE * self._grid.rate

    # -- one block -----------------------------------------------------------------------------------------------------------------

    def command(self) -> Block:
        """What was out there during the block that has just been read: (k, columns)."""
        return self._output.take()

    def refill(self, times: SampleTimes, more: bool = False) -> None:
        """The next block goes out; `more`: together with the one after it, which is due at once. `times`: of the samples."""
        self._output.refill(more)
        first = self.n + self._grid.block
        at = times.instant(first)
        self._actuation.stream(first, clock.now() if at is None else at, self._output.ahead())

    def learn(self, command: Block, measured: Block, doubt: str) -> list[Note]:
        """What came back corrects what goes out next; `doubt`: why it teaches nothing. Returns what is to be told."""
        columns = self._answer
        return [] if columns is None else self._setpoint.learn(self.n, command, measured[:, columns], doubt)

    def pace(self, command: Block, measured: Block, running: bool) -> list[pacing.Note]:
        """What came back says whether its cycles reach their peaks; running: not held, nor about to be. Returns what is to be told."""
        column = self._actuation.controlled if self._paced is None else self._paced
        if self._pacing is None or column is None:
            return []
        asked = command[:, REQUESTED] if is_corrected(self._plan.experiment) else command[:, 0]
        return self._pacing.take(self.n, (asked, command[:, 2], command[:, 0]), measured[:, column], running)

    def passed(self, command: Block, measured: Block) -> None:
        """This block is dealt with."""
        self.n += self._grid.block
        self.phase, self.cycle = float(command[-1, 1]), float(command[-1, 2])
        self.last = measured

    def begun_blocks(self) -> Iterator[tuple[int, str]]:
        """(sample, words) of the blocks of a program that have begun since this was asked last."""
        while self._begun and self._begun[0][0] < self.n:
            yield self._begun.pop(0)
        while self._mark is not None and (sample := self._setpoint.sample_of(self._mark[0])) < self.n:
            yield sample, self._mark[1]
            self._mark = next(self._marks, None)

    # -- hold, resume, change ------------------------------------------------------------------------------------------------------

    @property
    def settled(self) -> bool:
        """Whether the last hold, resume or change is out there."""
        return self.n >= self._setpoint.settled

    @property
    def steady_from(self) -> int:
        """Sample from which on the last hold, resume or change is out there."""
        return self._setpoint.settled

    def hold(self, at_once: bool) -> str:
        """Come to a stand on the trajectory: at once, or where `hold.at` says. Returns in words what is to be told besides.

        Raises ValueError where it cannot.
        """
        experiment = self._plan.experiment
        if self._pacing:
            self._pacing.interrupt()
        how, seconds = experiment.hold, self._hold_time
        if pushes(experiment) and (at_once or how.at == NOW):
            raise ValueError(PUSHES)
        if at_once or how.at == NOW or self._setpoint.stands or not self._setpoint.stands_anywhere:
            self._setpoint.hold(seconds)
            self._actuation.stands_from(self._setpoint.settled)
            return ""
        begin = self._setpoint.time + 0.5 * self._setpoint.pace * seconds
        mean = float(getattr(self._settings, "mean", 0.0))
        found = place(experiment, self._setpoint.trajectory, mean, begin, self._grid.rate, self._setpoint.pace)
        if found is None and pushes(experiment):
            raise ValueError(f"no {how.at} within {how.wait:g} s (hold.wait), and a force that stands would push on")
        if found is not None and seconds == 0.0:  # it stands at a sample, not between two
            found = round(found * self._grid.rate) / self._grid.rate
        self._setpoint.hold(seconds, found)
        self._actuation.stands_from(self._setpoint.settled)
        return "" if found is not None else f"no {how.at} within {how.wait:g} s (hold.wait): held at once"

    def resume(self) -> None:
        """Go on where it stands."""
        if self._pacing:
            self._pacing.interrupt()
        self._actuation.goes_on_from(self._setpoint.position)
        self._setpoint.resume(self._hold_time)

    @property
    def _hold_time(self) -> float:
        """s to a stand, and back."""
        fixed = self._actuation.hold_time
        return self._plan.experiment.hold_time if fixed is None else fixed

    @property
    def running(self) -> str:
        """The block of a program of which the next sample goes out, as `following.program_blocks.key_of`; empty for another trajectory."""
        return key_of(running(self._setpoint.trajectory, self._setpoint.time)) if isinstance(self._asked, program.Config) else ""

    def change(self, key: str, value: float) -> None:
        """Another amplitude, mean, frequency or speed (SI), that has been found to be within all bounds; of a program, of one block.

        Raises ValueError where that cannot be now; nothing has changed then.
        """
        seconds, name = self._plan.experiment.change.time, key.rpartition(".")[2]
        if name in PACED and key == name:
            pace = value / getattr(self._asked, key)
            self._setpoint.change_pace(pace * self._pacing.pace if self._pacing else pace, seconds)
            if self._pacing:
                self._pacing.ask(pace)
            return
        settings = changed(self._settings, {key: value})
        assert isinstance(settings, TrajectorySettings) and isinstance(self._settings, TrajectorySettings)
        trajectory = made(settings, self._settings, self._setpoint.trajectory)
        if name in PACED:
            self._retime(settings, trajectory, seconds)
        else:
            self._setpoint.exchange(trajectory, seconds)
        self._settings, self._changes = settings, {**self._changes, key: value}

    def _retime(self, settings: TrajectorySettings, trajectory: Trajectory, seconds: float) -> None:
        """Blocks that have begun, and are not told yet, have their sample; the others begin at other times."""
        late = self._setpoint.time + LATE
        while self._mark is not None and self._mark[0] <= late:
            self._begun.append((self._setpoint.sample_of(self._mark[0]), self._mark[1]))
            self._mark = next(self._marks, None)
        self._setpoint.retime(trajectory, seconds)
        self._marks = begins(settings, trajectory, self._setpoint.time + LATE)
        self._mark = next(self._marks, None)

    def place(self) -> Place:
        """What of a test is to be known by whoever lets it go on after it was broken off."""
        return {"pace": self._setpoint.pace, "changes": self._changes, "correction": self._setpoint.correction_offset}

    # -- coming to rest ------------------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Ramp to where it is safe, behind what is filled ahead."""
        self._actuation.rest(self._setpoint, self.last, self._plan.experiment.command.stop_ramp)

    def abort(self) -> None:
        """Take back what is filled ahead; `lower` then brings down what is really out there."""
        self._output.abort(self._plan.experiment.command.stop_ramp)
        self._ramp_start = self.n
        self.lowered = False

    def lower(self) -> None:
        """After `abort`: one value a block, on demand."""
        elapsed = (self.n - self._ramp_start) / self._grid.rate
        self._output.lower(elapsed)
        self.lowered = elapsed >= self._plan.experiment.command.stop_ramp + SETTLE

    @property
    def unloading(self) -> bool:
        """Whether `begin_unloading` has been called."""
        return self._unloading is not None

    def begin_unloading(self, force: NDArray[np.float64], stroke: NDArray[np.float64]) -> None:
        """From the last force and stroke (k,); `unloaded` at once when there is no force to get rid of."""
        loader = self._plan.bench.analog_loader
        assert loader is not None
        self._unloading = Unloading(loader, self._output, self._grid.block, self._grid.rate, force, stroke)
        self.unloaded = not self._unloading.needed

    def unload(self, force: NDArray[np.float64], stroke: NDArray[np.float64]) -> str:
        """One block of it; in words what was done, when the force is gone with this one. Raises BenchRefused."""
        assert self._unloading is not None
        if self.unloaded or not self._unloading.take(force, stroke):
            return ""
        self.unloaded = True
        return self._unloading.figures()

    # -- figures -------------------------------------------------------------------------------------------------------------------

    def output_figures(self) -> Ahead:
        """How far the output was ahead, s."""
        return self._output.figures(self._grid.rate)

    def out_of_reach(self) -> str:
        """In words that the setpoint of an outer loop cannot be reached; empty while nothing says so."""
        return self._setpoint.out_of_reach()

    def control_figures(self) -> ControlFigures | None:
        """Of an outer loop; None where there is none."""
        return self._setpoint.figures()

    def pacing_figures(self) -> pacing.Figures | None:
        """Cycles run, reached and missed; None without `[pacing]`."""
        return self._pacing.figures() if self._pacing else None

    @property
    def repeated(self) -> int:
        """Cycles that have been put in so far to run another one once more."""
        return self._setpoint.repeated

    def _null_pacing(self) -> pacing.NullPacing | None:
        experiment = self._plan.experiment
        if not experiment.pacing.on:
            return None
        return pacing.NullPacing(
            experiment.pacing, self._setpoint, self._grid.rate, MODE_UNITS[experiment.command.mode], experiment.change.time
        )
