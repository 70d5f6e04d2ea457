"""Can a cycle of this test be run again, slower, or be waited for at its peaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rig.config.bench import Bench, InputChannel
from rig.config.checks.axes import AXES_MODES
from rig.config.experiment import MODE_UNITS, Experiment
from rig.config.kinds import kind_of
from rig.config.tree import Problem
from rig.trajectory import create, pseudo_dynamic
from rig.trajectory.envelope import Enveloped


def problems(experiment: Experiment, bench: Bench, channels: Mapping[str, InputChannel]) -> Iterator[Problem]:
    """What moves the specimen cannot do it, or the trajectory has no peaks, or there is no such channel."""
    pacing, mode = experiment.pacing, experiment.command.mode
    if not pacing.on:
        return
    where = ("pacing", "action")
    if bench.serial_loader is not None:
        text = (
            "the loader's controller runs the waveform by itself: the program can neither slow it nor repeat a cycle of it; leave [pacing]"
        )
        yield Problem(where, f"{text} out, and use the controller's own peak control")
    elif mode in AXES_MODES:
        yield Problem(where, "what turns, or goes along a path, has no peaks that a loader could miss; leave [pacing] out")
    elif isinstance(experiment.trajectory, pseudo_dynamic.Config):
        yield Problem(where, "a pseudo-dynamic test waits for each of its steps already; leave [pacing] out")
    elif not _has_wave(create(experiment.trajectory)):
        text = f"a trajectory of the kind {kind_of(experiment.trajectory)} has no cycles that are alike; expected a sine, triangle, square"
        yield Problem(where, f"{text} or haversine, or a program with such blocks")
    else:
        yield from _channel(pacing.channel, MODE_UNITS[mode], channels)


def _has_wave(trajectory: object) -> bool:
    if isinstance(trajectory, Enveloped):
        return trajectory.frequency is not None
    return any(_has_wave(one) for one in getattr(trajectory, "segments", ()))


def _channel(name: str, unit: str, channels: Mapping[str, InputChannel]) -> Iterator[Problem]:
    if not name:
        return
    if name not in channels:
        yield Problem(("pacing", "channel"), f"no channel {name!r} is measured; expected one of {', '.join(channels)}")
    elif channels[name].unit != unit:
        text = f"its peaks are compared with those of the command, in {unit}; {name} is in {channels[name].unit}"
        yield Problem(("pacing", "channel"), text)
