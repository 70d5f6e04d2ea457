"""All checks of a configuration, in the order in which they are made: each is a file beside this one, a file a subject.

What one table contradicts by itself is refused by its own dataclass (`__post_init__`), before any of these is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from model.errors import ModelError
from rig.config import spreads, virtual_ports
from rig.config.bench import Bench
from rig.config.checks import (
    axes,
    calculated,
    calibration,
    comparison,
    control,
    counter,
    elastic_shafts,
    estimate,
    gravity,
    holds,
    hybrid,
    limits,
    model_input,
    names,
    pacing,
    preparation,
    pseudo_dynamic,
    recording,
    setpoints,
    timing,
    waveform,
)
from rig.config.checks import channels as of_channels
from rig.config.experiment import Experiment
from rig.config.kinds import kind_of
from rig.config.pairing import unpaired
from rig.config.tree import Problem
from rig.trajectory import create


def of_experiment(experiment: Experiment, bench: Bench) -> list[Problem]:
    """Problems of the experiment on this bench."""
    channels = {channel.name: channel for channel in bench.channels}
    if wrong := [*axes.commands(experiment, bench), *setpoints.lasting(experiment)]:
        return wrong
    return [
        *timing.problems(experiment),
        *comparison.band(experiment),
        *model_input.problems(experiment, channels),
        *calculated.problems(experiment, bench),
        *limits.problems(experiment, bench, channels),
        *comparison.criteria(experiment, channels),
        *setpoints.problems(experiment, bench, channels),
        *limits.armed(experiment, bench),
        *comparison.other_law(experiment),
        *control.problems(experiment, bench),
        *pseudo_dynamic.problems(experiment, bench),
        *hybrid.problems(experiment, bench),
        *estimate.problems(experiment),
        *spreads.problems(experiment),
        *spreads.of_budget(experiment),
        *spreads.of_identification(experiment, bench),
        *preparation.problems(experiment, bench),
        *waveform.problems(experiment, bench),
        *holds.problems(experiment),
        *pacing.problems(experiment, bench, channels),
        *recording.problems(experiment, channels),
        *_starts(experiment),
    ]


def _starts(experiment: Experiment) -> Iterator[Problem]:
    """Why the mechanism cannot begin as it is drawn."""
    try:
        experiment.mechanism.start_remarks  # noqa: B018 - it is put together for them
    except ModelError as error:
        yield Problem(("mechanism",), str(error))


def of_computed(experiment: Experiment) -> list[Problem]:
    """Problems of an experiment that is only computed: what drives the mechanism."""
    sources, mechanism = model_input.sources(experiment), experiment.mechanism
    by_itself = mechanism.loader_sources and mechanism.course_unit  # a drive of its own stands for the loader
    if sources and not by_itself and experiment.trajectory is None:
        fed = f"{kind_of(mechanism)} is driven by its {' or '.join(sources)}"
        return [Problem(("trajectory",), f"missing; expected a table ([trajectory]): {fed}")]
    return [*model_input.follows(experiment), *spreads.problems(experiment)]


def doubts(experiment: Experiment, bench: Bench) -> list[str]:
    """A line for what can be run, and will not answer what it is run for."""
    cycles, discarded = create(experiment.trajectory).cycles, experiment.comparison.discard_cycles
    lines = []
    if cycles <= discarded:
        lines.append(f"comparison.discard_cycles = {discarded} leaves nothing to compare: the trajectory has {cycles} counted cycles")
    if experiment.mechanism.play == 0.0 and any(c.metric == "contact_loss" for c in experiment.comparison.criteria):
        lines.append("mechanism.clearance is 0: the model loses no contact, so the criterion contact_loss cannot hold")
    lines += [*comparison.unfiltered(experiment), *comparison.shares(experiment)]
    lines += setpoints.doubts(experiment, bench)
    lines += elastic_shafts.doubts(experiment, bench)
    lines += experiment.mechanism.start_remarks
    return [*lines, *counter.begins_elsewhere(experiment, bench), *counter.other_lines(bench), *unpaired(experiment, bench).doubts()]


def of_bench(bench: Bench) -> list[Problem]:
    """Problems that the bench has by itself."""
    return [
        *of_channels.wiring(bench),
        *names.problems(bench),
        *of_channels.problems(bench),
        *axes.of_bench(bench),
        *of_channels.instruments(bench),
        *virtual_ports.problems(bench),
        *waveform.of_bench(bench),
        *counter.problems(bench.channels),
        *calibration.problems(bench),
    ]


def of_bench_under(experiment: Experiment, bench: Bench) -> list[Problem]:
    """Problems that the bench has under this experiment."""
    return [*gravity.of_bench(bench, experiment), *of_channels.of_experiment(experiment, bench)]
