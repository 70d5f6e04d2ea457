"""Does a pseudo-dynamic test fit the experiment that it is in: a loader in stroke mode, and time enough in each hold."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.config.tree import Problem
from rig.trajectory import pseudo_dynamic


def problems(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """What a pseudo-dynamic test cannot work with; nothing for another trajectory."""
    trajectory, command, block = experiment.trajectory, experiment.command, experiment.acquisition.block
    if not isinstance(trajectory, pseudo_dynamic.Config):
        return
    if command.mode != "stroke":
        yield Problem(("command", "mode"), f"a pseudo-dynamic test commands displacements; expected 'stroke', got {command.mode!r}")
    if experiment.control is not None:
        yield Problem(("control",), "a pseudo-dynamic test is an outer loop itself; leave [control] out")
    least = trajectory.settle + trajectory.average + max(command.ahead, 2.0 * block) + block
    if trajectory.hold < least * (1.0 - 1e-9):
        parts = f"settle, average, what is filled ahead (command.ahead, {command.ahead:g} s) and a block"
        yield Problem(("trajectory", "hold"), f"expected at least {least:.6g} s: {parts}; got {trajectory.hold:g} s")
