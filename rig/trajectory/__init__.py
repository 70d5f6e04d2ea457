"""Setpoints as functions of time, bounded in value and rate by construction; pure functions of arrays.

A trajectory file holds a frozen `Config` that derives from `rig.trajectory.naming.TrajectorySettings`. All values are in the unit of the
command's mode: N or m of a loader, rad of what turns, s along a path.

Imports the paths of the model, hybrid and playback.
Imported by configuration, control, prediction, workers and reports.
"""

from __future__ import annotations

from model.paths.course import Timed
from rig.trajectory import along_path
from rig.trajectory.contract import Trajectory as Trajectory
from rig.trajectory.naming import TrajectorySettings

REVERSED = 1e-9  # share of the largest value that counts as one of the other sign


def create(config: TrajectorySettings | Timed | None) -> Trajectory:
    """The trajectory of any kind's `Config`; a path's is the way along it. config: of an experiment that has one."""
    assert config is not None, "a test without a trajectory has been refused"
    if isinstance(config, Timed):
        return along_path.create(config.create())
    return config.create()


def reverses(trajectory: Trajectory) -> bool:
    """Whether the setpoint passes through 0, so that a specimen with play is unloaded and loaded the other way round."""
    low, high, _ = trajectory.bounds()
    nothing = REVERSED * max(-low, high)
    return low < -nothing and high > nothing
