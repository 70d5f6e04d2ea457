"""Does a real-time hybrid test fit the experiment that it is in, and its bench: only a virtual one in lockstep waits for it."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.config.tree import Problem
from rig.trajectory import hybrid

KIND = "hybrid"


def of_mode(kind: object, mode: str) -> Iterator[Problem]:
    """A mode that a hybrid test has not; units of setpoints are wrong with it as well, of which nothing need be said then."""
    if kind == KIND and mode != "stroke":
        yield Problem(("command", "mode"), f"a real-time hybrid test commands displacements; expected 'stroke', got {mode!r}")


def problems(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """What a real-time hybrid test cannot work with; nothing for another trajectory."""
    trajectory, acquisition = experiment.trajectory, experiment.acquisition
    if not isinstance(trajectory, hybrid.Config):
        return
    yield from of_mode(KIND, experiment.command.mode)
    if bench.plant is None or bench.pace != "lockstep":
        found = "this bench is real" if bench.plant is None else f"bench.pace is {bench.pace!r}"
        text = "a loop that closes at every sample needs a bench that waits for it: a virtual one with bench.pace = 'lockstep'"
        yield Problem(("trajectory", "kind"), f"{text}; {found}, and `rig latency` says what it can; take kind = 'pseudo_dynamic' there")
    if round(acquisition.block * acquisition.rate) != 1:
        text = f"expected one sample, {1.0 / acquisition.rate:.10g} s: the loop closes at every one; got {acquisition.block:g} s"
        yield Problem(("acquisition", "block"), text)
    if experiment.control is not None:
        yield Problem(("control",), "a real-time hybrid test is an outer loop itself; leave [control] out")
    if experiment.pacing.on:
        yield Problem(("pacing", "action"), "a real-time hybrid test has no cycles that could wait; leave [pacing] out")
