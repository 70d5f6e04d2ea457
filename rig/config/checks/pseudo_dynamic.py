"""Does a pseudo-dynamic test fit the experiment that it is in: a loader in stroke mode, and time enough in each hold."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.config.tree import Problem
from rig.trajectory import pseudo_dynamic

KIND = "pseudo_dynamic"


def of_mode(kind: object, mode: str) -> Iterator[Problem]:
    """A mode that a pseudo-dynamic test has not; units of setpoints are wrong with it as well, of which nothing need be said then."""
    if kind == KIND and mode != "stroke":
        yield Problem(("command", "mode"), f"a pseudo-dynamic test commands displacements; expected 'stroke', got {mode!r}")


def problems(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """What a pseudo-dynamic test cannot work with; nothing for another trajectory."""
    trajectory, command, block = experiment.trajectory, experiment.command, experiment.acquisition.block
    if not isinstance(trajectory, pseudo_dynamic.Config):
        return
    yield from of_mode(KIND, command.mode)
    if experiment.control is not None:
        yield Problem(("control",), "a pseudo-dynamic test is an outer loop itself; leave [control] out")
    least = trajectory.settle + trajectory.average + max(command.ahead, 2.0 * block) + block
    if trajectory.hold < least * (1.0 - 1e-9):
        parts = f"settle, average, what is filled ahead (command.ahead, {command.ahead:g} s) and a block"
        yield Problem(("trajectory", "hold"), f"expected at least {least:.6g} s: {parts}; got {trajectory.hold:g} s")
