"""Does a running estimate have numbers to estimate, and cycles to estimate them from?"""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.experiment import Experiment
from rig.config.kinds import kind_of
from rig.config.tree import Problem


def problems(experiment: Experiment) -> Iterator[Problem]:
    """What keeps a test from being estimated; whether its file fits it is seen where that is read."""
    if experiment.estimate is None:
        return
    if not experiment.identify.free:
        yield Problem(("estimate",), "nothing is free; expected [[identify.free]] with the numbers that its file estimates")
    if not hasattr(experiment.trajectory, "cycles"):
        text = f"numbers are estimated from cycle to cycle, and trajectory.kind = {kind_of(experiment.trajectory)!r} has none; leave it out"
        yield Problem(("estimate",), text)
