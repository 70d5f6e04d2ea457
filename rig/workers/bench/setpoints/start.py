"""With what a test begins: its trajectory from the beginning, or, where it was broken off before, so that the next cycle is the one to go
on with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from model.paths.course import Timed
from rig.config.checks.axes import AXES_MODES
from rig.config.plan import Plan
from rig.config.resumption import Resumption
from rig.trajectory import Trajectory, create
from rig.trajectory.following.boundaries import begin_of_cycle, first_of_block
from rig.trajectory.following.changes import changed
from rig.trajectory.following.skip import Skip, smooth, soft_start
from rig.trajectory.naming import TrajectorySettings

STEEPEST = 0.5 * math.pi
"""Largest rate of a fade by half a cosine, times its length over its height."""
SHARE = 0.5  # of the trajectory's own largest rate, at which the command fades in
TURN = 2.0 * math.pi
NOTHING = Skip(math.inf, math.inf)


@dataclass(frozen=True)
class Start:
    """trajectory: with what an operator had changed, whose table is `settings`; `pace`: at which it begins, or goes on.

    Either it begins at `begin` (s) of the trajectory, by the soft start of the whole or of a block, and leaves out what `skip` says; or,
    where that is not smooth, it begins at `time` (s) of the trajectory from a stand, whose value is `shift` more than that of what moves.
    fade: s that the way from the feedback there takes at least.
    """

    trajectory: Trajectory | None
    settings: TrajectorySettings | Timed | None
    resumes: bool = False
    skip: Skip = NOTHING
    time: float | None = None
    pace: float = 1.0
    shift: float = 0.0
    fade: float = 0.0
    correction: tuple[float, float, float] | None = None
    repeated: int = 0
    """Cycles that were put in, in the sessions before, to run another one once more: the command counts them."""
    begin: float = 0.0
    changes: Mapping[str, float] = field(default_factory=dict)
    """Keys of the table that an operator had changed, and their values (SI)."""
    goes_on: float | None = None
    """Time (s) of the trajectory at which the first cycle that is left begins."""

    @classmethod
    def of(cls, plan: Plan, trajectory: Trajectory | None, rate: float, feedback: float) -> Start:
        """Of a session whose device runs at `rate` (Hz) and whose command begins at `feedback`; trajectory: as `setpoint.read`."""
        settings, resumption = plan.experiment.trajectory, plan.resumption
        if resumption is None or resumption.cycle is None or trajectory is None:
            return cls(trajectory, settings)
        settings = changed(settings, resumption.changes)
        if resumption.changes:
            trajectory = create(settings)
        first = first_of_block(settings, trajectory, resumption.cycle)
        whole, block, end = (begin_of_cycle(settings, trajectory, cycle, rate) for cycle in (0, first, resumption.cycle))
        turns = plan.experiment.command.mode in AXES_MODES
        for soft, first_counted in (((0.0, whole), 0), (soft_start(trajectory, block), first)):
            if soft is None:
                continue
            skip = NOTHING if resumption.cycle == first_counted else smooth(trajectory, soft[1], end, rate, turns)
            if skip is not None:
                known = resumption.pace, 0.0, 0.0, resumption.correction, resumption.repeated, soft[0], resumption.changes, end
                return cls(trajectory, settings, True, skip, None, *known)
        return cls._standing(trajectory, settings, resumption, end, feedback, turns)

    @classmethod
    def _standing(
        cls,
        trajectory: Trajectory,
        settings: TrajectorySettings | Timed | None,
        resumption: Resumption,
        time: float,
        feedback: float,
        turns: bool,
    ) -> Start:
        value = float(trajectory.evaluate(np.array([time]))[0][0])
        shift = TURN * math.floor((value - feedback) / TURN) if turns else 0.0  # what turns does not turn back
        fastest = trajectory.bounds()[2]
        fade = STEEPEST * abs(feedback + shift - value) / (SHARE * fastest) if fastest > 0.0 else 0.0
        known = resumption.pace, shift, fade, resumption.correction, resumption.repeated, 0.0, resumption.changes, time
        return cls(trajectory, settings, True, NOTHING, time, *known)

    def ahead(self, marks: Iterator[tuple[float, str]]) -> Iterator[tuple[float, str]]:
        """Of the begins (s) of blocks and their texts those that are still to come; the one that goes on comes first."""
        if self.goes_on is None:
            yield from marks
            return
        newest: tuple[float, str] | None = None
        for at, text in marks:
            if at <= self.goes_on:
                newest = self.goes_on, text
                continue
            if newest is not None:
                yield newest
                newest = None
            yield at, text
        if newest is not None:
            yield newest
