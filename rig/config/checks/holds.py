"""Is there the phase that a hold is to end in."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.checks.axes import AXES_MODES
from rig.config.experiment import Experiment
from rig.config.kinds import kind_of
from rig.config.tree import Problem
from rig.trajectory import pseudo_dynamic

NOW = "now"


def problems(experiment: Experiment) -> Iterator[Problem]:
    """A phase that the trajectory does not have, or what moves the specimen cannot be held in."""
    at, trajectory = experiment.hold.at, experiment.trajectory
    if at == NOW:
        return
    where = ("hold", "at")
    if isinstance(trajectory, pseudo_dynamic.Config):
        yield Problem(where, f"a pseudo-dynamic test is held between two steps, once a force has been read; got {at!r}, leave it out")
    elif experiment.command.mode in AXES_MODES and at != "zero":
        yield Problem(where, f"what turns, or goes along a path, has no {at}; expected 'zero' (where a cycle begins) or 'now'")
    elif at == "mean" and not hasattr(trajectory, "mean"):
        yield Problem(where, f"a trajectory of the kind {kind_of(trajectory)} states no mean; expected 'zero', 'peak' or 'now'")
