"""What of a test is shown: chosen from its configuration, before any stream exists."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rig.config.bench import Bench, InputChannel
from rig.config.experiment import MODE_UNITS, Experiment, Limit
from rig.display.source import DIFFERENCE, Trace

PREDICTED = "predicted_as_measured"
NOISE = 20.0  # rms of a channel's noise in the least height of its axis: at rest it fills less than half


@dataclass(frozen=True)
class ShownChannel:
    """A measured channel: unit (SI), limits, and about the largest value that is to be expected (SI)."""

    name: str
    unit: str
    minimum: float | None = None
    maximum: float | None = None
    scale: float | None = None
    limits: str = ""  # in words
    noise: float | None = None  # rms at rest, SI


@dataclass(frozen=True)
class Subject:
    """Names, units (SI) and scales of one test."""

    run: str
    title: str
    force: str  # the channel that is shown first, and in the loop
    stroke: str | None
    stroke_predicted: bool
    command_unit: str
    command_scale: float  # SI; about the largest command
    channels: tuple[ShownChannel, ...]
    cycles: int | None
    late: float  # s of predictor lag
    measured_delay: float  # s
    rate: float  # Hz, as asked for
    lowpass: float | None = None  # Hz, behind which measured and predicted are compared

    def channel(self, name: str) -> ShownChannel:
        """The channel of this name; the force for a name that is not there."""
        there = {channel.name: channel for channel in self.channels}
        return there.get(name) or there[self.force]

    def scale(self, name: str) -> float:
        """About the largest value that this channel will have, SI."""
        channel = self.channel(name)
        return self.command_scale if channel.unit == self.command_unit else channel.scale or 1.0

    def least(self, name: str, share: float) -> float:
        """Least height of an axis for this channel, SI: `share` of its scale, or less where its noise is known, which is not blown up."""
        noise, most = self.channel(name).noise, share * self.scale(name)
        return min(NOISE * noise, most) if noise else most

    def traces(self, name: str) -> tuple[Trace, ...]:
        """Everything that the panels ask for while channel `name` is shown."""
        shown = [Trace("measured", name), Trace(PREDICTED, name), Trace(DIFFERENCE, name)]
        shown += [Trace("command", part) for part in ("value", "phase", "cycle")]
        shown += [Trace("measured", self.force), Trace(PREDICTED, self.force)]
        if self.stroke is not None:
            shown += [Trace("measured", self.stroke), Trace(PREDICTED, self.stroke)]
        return tuple(dict.fromkeys(shown))


def subject(experiment: Experiment, bench: Bench, run: str) -> Subject:
    """The force that the verdict is about, or the bench's first force; the first stroke beside it."""
    units = {channel.name: channel.unit for channel in bench.channels}
    judged = [criterion.channel for criterion in experiment.comparison.criteria]
    force = next((name for name in [*judged, *units] if units.get(name) == "N"), bench.channels[0].name)
    return Subject(
        run=run,
        title=experiment.title,
        force=force,
        stroke=next((name for name, unit in units.items() if unit == "m" and name != force), None),
        stroke_predicted=experiment.predictor.source != "stroke",
        command_unit=MODE_UNITS[experiment.command.mode],
        command_scale=getattr(experiment.trajectory, "amplitude", experiment.command.value_limit) or 1.0,
        channels=tuple(_shown(channel, experiment.limits) for channel in bench.channels),
        cycles=getattr(experiment.trajectory, "cycles", None),
        late=experiment.predictor.max_lag,
        measured_delay=experiment.comparison.remove_delay,
        rate=experiment.acquisition.rate,
        lowpass=experiment.comparison.lowpass,
    )


def _shown(channel: InputChannel, limits: tuple[Limit, ...]) -> ShownChannel:
    """The channel with the narrowest of its limits."""
    mine = [limit for limit in limits if limit.channel == channel.name]
    return ShownChannel(
        name=channel.name,
        unit=channel.unit,
        minimum=max((limit.minimum for limit in mine if limit.minimum is not None), default=None),
        maximum=min((limit.maximum for limit in mine if limit.maximum is not None), default=None),
        scale=channel.sensor.capacity or _full_scale(channel),
        limits="; ".join(_words(limit, channel.unit) for limit in mine),
        noise=channel.sensor.noise,
    )


def _full_scale(channel: InputChannel) -> float:
    """Of a counter, which has none: a turn, or one pulse."""
    scale = {"encoder": 2.0 * math.pi, "pickup": 1.0}.get(channel.kind)
    return scale or abs(channel.sensor.sensitivity) * channel.range


def _words(limit: Limit, unit: str) -> str:
    bounds = {"at least": limit.minimum, "at most": limit.maximum}
    parts = [f"{name} {value:g} {unit}" for name, value in bounds.items() if value is not None]
    parts += [f"rate at most {limit.rate:g} {unit}/s"] if limit.rate is not None else []
    return f"{', '.join(parts)}: {limit.action}"
