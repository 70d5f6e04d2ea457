"""Where a hold comes to its stand: `hold.at`."""

from __future__ import annotations

import numpy as np

from rig.config.checks.axes import AXES_MODES
from rig.config.experiment import Experiment
from rig.trajectory import Trajectory
from rig.trajectory.contract import Floats
from rig.trajectory.drives import Drives
from rig.trajectory.following.passages import passage, turn

ZERO, PEAK = "zero", "peak"


def pushes(experiment: Experiment) -> tuple[int, ...]:
    """Drives, counted as the mechanism has them, that push with a force: what they push moves on where they stand still."""
    if experiment.command.mode not in AXES_MODES:
        return ()
    units = Drives(experiment.mechanism, experiment.trajectory).units
    return tuple(k for k, unit in enumerate(units) if unit == "N")


def place(experiment: Experiment, trajectory: Trajectory, mean: float, begin: float, rate: float, pace: float) -> float | None:
    """Time (s) of the trajectory at which it is to stand, the first after `begin`; None where there is none within hold.wait.

    `zero` is that of the value; of what turns the begin of a cycle, and where a drive pushes, that of its force. rate: Hz.
    """
    at, until = experiment.hold.at, min(begin + experiment.hold.wait * pace, trajectory.duration)
    if at == PEAK:
        return turn(trajectory, begin, until, rate)
    if experiment.command.mode not in AXES_MODES:
        level = 0.0 if at == ZERO else mean
        return passage(lambda t: trajectory.evaluate(t)[0] - level, begin, until, rate)
    if not (forces := pushes(experiment)):
        return passage(lambda t: np.asarray(np.sin(0.5 * trajectory.evaluate(t)[1])), begin, until, rate)
    drives = Drives(experiment.mechanism, experiment.trajectory)

    def force(t: Floats) -> Floats:
        return np.asarray(drives.evaluate(trajectory.evaluate(t)[0])[0][:, forces[0]])

    return passage(force, begin, until, rate)
