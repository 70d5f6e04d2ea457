"""Limits on channels, and those that force mode needs."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.bench import Bench, InputChannel
from rig.config.experiment import MODE_UNITS, Experiment
from rig.config.pairing import meant
from rig.config.tree import Problem

ARMED = ("stop", "interlock")


def problems(experiment: Experiment, bench: Bench, channels: dict[str, InputChannel]) -> Iterator[Problem]:
    units = {"command": MODE_UNITS[experiment.command.mode], **{channel.name: channel.unit for channel in bench.channels}}
    units |= {one.name: one.unit for one in bench.instruments}
    for i, limit in enumerate(experiment.limits):
        if limit.channel not in units:
            known = ", ".join((*channels, *(one.name for one in bench.instruments)))
            yield Problem(
                ("limits", i, "channel"),
                f"the bench has no channel {limit.channel!r}; it has {known} (or command){meant(limit.channel, units)}",
            )
            continue  # its bounds have no unit
        if limit.minimum is None and limit.maximum is None and limit.rate is None:
            yield Problem(("limits", i), f"{limit.channel}: nothing is limited; expected minimum, maximum or rate")
        if limit.minimum is not None and limit.maximum is not None and limit.minimum >= limit.maximum:
            unit = units[limit.channel]
            text = f"{limit.channel}: minimum {limit.minimum:g} {unit} is not below maximum {limit.maximum:g} {unit}"
            yield Problem(("limits", i), text)


def armed(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """In force mode the loop is open inside the play: stroke and its speed are what tells that the actuator runs away."""
    stroke = bench.loader_channel("stroke")
    if experiment.command.mode != "force" or not stroke:
        return
    armed = [limit for limit in experiment.limits if limit.channel == stroke and limit.action in ARMED]
    missing = [word for word in ("minimum", "maximum", "rate") if all(getattr(limit, word) is None for limit in armed)]
    if missing:
        yield Problem(("limits",), f"force mode needs armed limits (action stop or interlock) on {stroke}; missing: {', '.join(missing)}")
