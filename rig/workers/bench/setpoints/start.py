"""With what a test begins: its trajectory from the beginning, or, where it was broken off before, from the begin of a cycle."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from model.paths.course import Timed
from rig.config.checks.axes import AXES_MODES
from rig.config.plan import Plan
from rig.config.resumption import Resumption
from rig.trajectory import Trajectory, create
from rig.trajectory.boundaries import begin_of_cycle
from rig.trajectory.changes import changed
from rig.trajectory.naming import TrajectorySettings

STEEPEST = 0.5 * math.pi
"""Largest rate of a fade by half a cosine, times its length over its height."""
SHARE = 0.5  # of the trajectory's own largest rate, at which the command fades in
TURN = 2.0 * math.pi


@dataclass(frozen=True)
class Start:
    """trajectory: with what an operator had changed, whose table is `settings`. time (s) of it, pace, shift and correction: see
    `Setpoint.take_up`; time is None for the beginning. fade: s that the way from the feedback there takes at least."""

    trajectory: Trajectory | None
    settings: TrajectorySettings | Timed | None
    time: float | None = None
    pace: float = 1.0
    shift: float = 0.0
    fade: float = 0.0
    correction: tuple[float, float, float] | None = None

    @classmethod
    def of(cls, plan: Plan, trajectory: Trajectory | None, rate: float, feedback: float) -> Start:
        """Of a session whose device runs at `rate` (Hz) and whose command begins at `feedback`; trajectory: as `setpoint.read`."""
        settings, resumption = plan.experiment.trajectory, plan.resumption
        if resumption is None or resumption.cycle is None or trajectory is None:
            return cls(trajectory, settings)
        for key, value in resumption.changes.items():
            settings = changed(settings, key, value)
        trajectory = create(settings)
        time = begin_of_cycle(settings, trajectory, resumption.cycle, rate)
        return cls._at(time, trajectory, settings, resumption, _shift(plan, trajectory, time, rate, feedback), feedback)

    @classmethod
    def _at(
        cls,
        time: float,
        trajectory: Trajectory,
        settings: TrajectorySettings | Timed | None,
        resumption: Resumption,
        shift: float,
        feedback: float,
    ) -> Start:
        away = abs(feedback + shift - _value(trajectory, time))
        fastest = trajectory.bounds()[2]
        fade = STEEPEST * away / (SHARE * fastest) if fastest > 0.0 else 0.0
        return cls(trajectory, settings, time, resumption.pace, shift, fade, resumption.correction)

    def ahead(self, marks: Iterator[tuple[float, str]]) -> Iterator[tuple[float, str]]:
        """Of the begins (s) of blocks and their texts those that are still to come; the one that goes on comes first."""
        if self.time is None:
            yield from marks
            return
        newest: tuple[float, str] | None = None
        for at, text in marks:
            if at > self.time:
                if newest is not None:
                    yield newest
                    newest = None
                yield at, text
            else:
                newest = self.time, text
        if newest is not None:
            yield newest


def _shift(plan: Plan, trajectory: Trajectory, time: float, rate: float, feedback: float) -> float:
    """What turns or goes along a path is at its beginning again, whole turns or courses before where the trajectory is."""
    mode = plan.experiment.command.mode
    if mode not in AXES_MODES:
        return 0.0
    value = _value(trajectory, time)
    if mode == "path":
        return value - _value(trajectory, begin_of_cycle(plan.experiment.trajectory, trajectory, 0, rate))
    return TURN * round((value - feedback) / TURN)


def _value(trajectory: Trajectory, time: float) -> float:
    return float(trajectory.evaluate(np.array([time]))[0][0])
