"""What of a test is shown: chosen from its configuration, before any stream exists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from rig.comparison.filtering import passable
from rig.comparison.whole_cycles import LeftOut
from rig.config import counter
from rig.config.bench import Bench, InputChannel
from rig.config.checks.axes import AXES_MODES
from rig.config.experiment import MODE_UNITS, Comparison, Experiment, Limit
from rig.display.quantities import Shown, shown
from rig.display.sources.source import DIFFERENCE, Trace
from rig.streaming.interruptions import Interruption
from rig.trajectory.blocks import stated

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


class JudgedLevel(NamedTuple):
    """Band (Hz) in which the levels of measured and predicted may differ by a share `tolerance`."""

    low: float
    high: float
    tolerance: float


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
    calculated: tuple[ShownChannel, ...] = ()
    instruments: tuple[ShownChannel, ...] = ()  # beside the DAQ device: a number each, no curve
    preparation_guard: float | None = None  # N; force that ends what goes before the test
    angle: str | None = None  # of a motor rig: the channel over which a turn is drawn; empty: the phase of its path; None: a loader
    levels: Mapping[str, JudgedLevel] = field(default_factory=dict)  # by channel
    interruptions: tuple[Interruption, ...] = ()  # of a record: where it was held, or broken off and resumed
    left_out: LeftOut | None = None  # of a record: what is not compared
    folder: Path | None = None  # of the run, where its plan tells how the mechanism moves
    coverage: float = 0.0  # of the band beside the prediction; 0: there is none
    quantities: Mapping[str, str] = field(default_factory=dict)  # channel of the bench by the quantity that it shows

    def band(self, name: str) -> tuple[Trace, ...]:
        """Low and high of an ensemble for the quantity that this channel shows; none where there is no ensemble."""
        shows = next((quantity for quantity, channel in self.quantities.items() if channel == name), None)
        return () if shows is None or not self.coverage else tuple(Trace("predicted_band", f"{shows}_{end}") for end in ("low", "high"))

    def channel(self, name: str) -> ShownChannel:
        """The channel of this name; the force for a name that is not there."""
        there = {channel.name: channel for channel in (*self.calculated, *self.channels)}
        return there.get(name) or there[self.force]

    def shown(self, name: str) -> Shown:
        """The unit of this channel, on paper."""
        channel = self.channel(name)
        return shown(channel.unit, self.scale(name))

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
        traces = [Trace("measured", name), Trace(PREDICTED, name), Trace(DIFFERENCE, name)]
        traces += [Trace("command", part) for part in ("value", "phase", "cycle")]
        traces += self.band(name)
        traces += [Trace("measured", self.force), Trace(PREDICTED, self.force)]
        if self.stroke is not None:
            traces += [Trace("measured", self.stroke), Trace(PREDICTED, self.stroke)]
        if self.angle:
            traces.append(Trace("measured", self.angle))
        return tuple(dict.fromkeys(traces))


def subject(experiment: Experiment, bench: Bench, run: str) -> Subject:
    """The force that the verdict is about, or the bench's first force; the first stroke beside it.

    Of a motor rig the first channel that the verdict is about, and the angle over which a turn is drawn.
    """
    units = {channel.name: channel.unit for channel in bench.channels}
    judged = [criterion.channel for criterion in experiment.comparison.criteria]
    motors = experiment.command.mode in AXES_MODES
    wanted = (name for name in [*judged, *units] if name in units and (motors or units[name] == "N"))
    force = next(wanted, bench.channels[0].name)
    amplitude, cycles = stated(experiment.trajectory)
    return Subject(
        run=run,
        title=experiment.title,
        force=force,
        stroke=next((name for name, unit in units.items() if unit == "m" and name != force and not motors), None),
        stroke_predicted=experiment.predictor.source != "stroke",
        command_unit=MODE_UNITS[experiment.command.mode],
        command_scale=(experiment.command.value_limit if amplitude is None else amplitude) or 1.0,
        channels=tuple(
            limited(one.name, one.unit, experiment.limits, one.sensor.capacity or _full_scale(one), one.sensor.noise)
            for one in bench.channels
        ),
        cycles=cycles,
        late=experiment.predictor.max_lag,
        measured_delay=experiment.comparison.remove_delay,
        rate=experiment.acquisition.rate,
        lowpass=passable(experiment.comparison.lowpass, experiment.acquisition.rate),
        calculated=tuple(limited(one.name, one.unit, experiment.limits, None) for one in experiment.calculated),
        instruments=tuple(limited(one.name, one.unit, experiment.limits, one.device.capacity) for one in bench.instruments),
        preparation_guard=_guard(bench),
        angle=_angle(experiment, bench) if motors else None,
        levels=judged_levels(experiment.comparison),
        coverage=0.0 if experiment.predictor.ensemble is None else experiment.predictor.ensemble.coverage,
        quantities={channel.quantity: channel.name for channel in bench.channels},
    )


def judged_levels(comparison: Comparison) -> dict[str, JudgedLevel]:
    """By channel, where a criterion judges one."""
    if comparison.band is None:
        return {}
    return {one.channel: JudgedLevel(*comparison.band, one.tolerance) for one in comparison.criteria if one.metric == "band_level"}


def _guard(bench: Bench) -> float | None:
    """Force (N) that the preparation of a loader may not pass; None where there is none."""
    return None if bench.preparation is None else bench.preparation.force_guard * bench.loader_full_scale("force")


def _angle(experiment: Experiment, bench: Bench) -> str:
    """The encoder that the model follows, or else the first one; a path is gone along, whatever turns."""
    if experiment.command.mode == "path":
        return ""
    encoders = [channel for channel in bench.channels if channel.kind == "encoder"]
    followed = (channel.name for channel in encoders if channel.quantity == experiment.predictor.source)
    return next(followed, encoders[0].name if encoders else "")


def limited(name: str, unit: str, limits: tuple[Limit, ...], scale: float | None, noise: float | None = None) -> ShownChannel:
    """The channel with the narrowest of its limits."""
    mine = [limit for limit in limits if limit.channel == name]
    return ShownChannel(
        name=name,
        unit=unit,
        minimum=max((limit.minimum for limit in mine if limit.minimum is not None), default=None),
        maximum=min((limit.maximum for limit in mine if limit.maximum is not None), default=None),
        scale=scale,
        limits="; ".join(_words(limit, unit) for limit in mine),
        noise=noise,
    )


def _full_scale(channel: InputChannel) -> float | None:
    """A counter goes on and on, and has none."""
    return None if channel.kind in counter.KINDS else abs(channel.sensor.sensitivity) * channel.range


def _words(limit: Limit, unit: str) -> str:
    bounds = {"at least": limit.minimum, "at most": limit.maximum}
    parts = [f"{name} {value:g} {unit}" for name, value in bounds.items() if value is not None]
    parts += [f"rate at most {limit.rate:g} {unit}/s"] if limit.rate is not None else []
    parts += [f"RMS at most {limit.rms:g} {unit}"] if limit.rms is not None else []
    parts += [f"within {limit.following_error:g} {unit} of {limit.of}"] if limit.following_error is not None else []
    parts += [f"{limit.per_cycle} within {limit.change:g} {unit} of its baseline"] if limit.change is not None else []
    parts += [f"{limit.per_cycle} within {limit.relative_change:g} of its baseline"] if limit.relative_change is not None else []
    parts += [f"{limit.per_cycle} by at most {limit.slope:g} {unit} in 1000 cycles"] if limit.slope is not None else []
    parts += [f"no drift of {limit.per_cycle} by {limit.drift:g} {unit}"] if limit.drift is not None else []
    parts += ["learned bounds"] if limit.margin is not None else []
    return f"{', '.join(parts)}: {limit.action}"
