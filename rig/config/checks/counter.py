"""Do kind, terminal, unit and signals of a channel that a counter measures belong together."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from rig.config.bench import Bench, InputChannel
from rig.config.counter import KINDS, UNITS, Counter
from rig.config.experiment import Experiment
from rig.config.tree import Problem
from rig.trajectory.drives import Drives

_COUNTER = re.compile(r"/?[^/]+/ctr\d+", re.IGNORECASE)


ELSEWHERE = math.radians(1.0)
"""How far an encoder's angle at the start may be from the model's before it is warned of."""


def begins_elsewhere(experiment: Experiment, bench: Bench) -> list[str]:
    """A line where the encoder that the model follows begins at another angle than the model's own shaft."""
    channel = bench.showing(experiment.predictor.source)
    if channel is None or channel.counter is None or experiment.command.mode != "angle":
        return []
    begins = float(Drives(experiment.mechanism, experiment.trajectory).evaluate(np.zeros(1))[0][0, 0])
    if abs(math.remainder(channel.counter.initial - begins, 2.0 * math.pi)) <= ELSEWHERE:
        return []
    told, there = (math.degrees(angle) for angle in (channel.counter.initial, begins))
    where = f"channels.{channel.name}.counter.initial is {told:.6g} deg, but the model's shaft begins at {there:.6g} deg"
    return [f"{where}: the prediction begins with a jump, or runs at other angles than the specimen"]


@runtime_checkable
class LinesOfEncoder(Protocol):
    """An encoder in a virtual bench's plant; lines: in a turn."""

    lines: int


@runtime_checkable
class PlantWithEncoder(Protocol):
    """A virtual bench's plant of which one shaft has an encoder."""

    encoder: LinesOfEncoder


def other_lines(bench: Bench) -> list[str]:
    """A line for each encoder channel that has other lines than the encoder of the virtual bench: it shows other angles than there are."""
    if not isinstance(bench.plant, PlantWithEncoder):
        return []
    lines = bench.plant.encoder.lines
    counted = [(one.name, one.counter.pulses) for one in bench.channels if one.kind == "encoder" and one.counter is not None]
    return [
        f"channels.{name}.counter.pulses is {pulses}, but the encoder in this virtual bench has {lines} lines "
        f"(plant.encoder.lines): one turn will be shown as {lines / pulses:.4g}"
        for name, pulses in counted
        if pulses != lines
    ]


def problems(channels: Sequence[InputChannel]) -> Iterator[Problem]:
    """Channels whose kind, terminal, unit and table `counter` do not belong together; terminals used twice."""
    for i, channel in enumerate(channels):
        yield from _fit(("channels", i), channel)
    yield from _beside(channels)
    counted = [channel.name for channel in channels if channel.kind in KINDS]
    if counted and len(counted) == len(channels):
        text = f"{', '.join(counted)} is sampled on the clock of an analogue input, and no channel is one; add one"
        yield Problem(("channels",), text)


def _fit(at: tuple[str | int, ...], channel: InputChannel) -> Iterator[Problem]:
    of_counter = bool(_COUNTER.fullmatch(channel.terminal))
    if channel.kind not in KINDS:
        if channel.counter is not None:
            yield Problem((*at, "counter"), f"belongs to kind {' or '.join(KINDS)}, not to {channel.kind}: leave it out")
        if of_counter:
            yield Problem((*at, "terminal"), f"{channel.kind} is measured at an analogue input such as Dev1/ai0, got {channel.terminal!r}")
        return
    if channel.counter is None:
        what = "lines" if channel.kind == "encoder" else "pulses"
        yield Problem((*at, "counter"), f"missing; expected a table ([channels.counter]) with pulses, the {what} of one turn")
    else:
        yield from _signals(at, channel.kind, channel.counter)
    if not of_counter:
        yield Problem((*at, "terminal"), f"{channel.kind} is measured by a counter such as Dev1/ctr0, got {channel.terminal!r}")
    if channel.unit != UNITS[channel.kind]:
        yield Problem((*at, "unit"), f"expected {UNITS[channel.kind]!r} for kind {channel.kind}, got {channel.unit!r}")
    wanted = (1.0, -1.0) if channel.kind == "encoder" else (1.0,)
    if channel.sensor.sensitivity not in wanted:
        words = "1, or -1 where it is mounted reversed" if channel.kind == "encoder" else "1, it is the pulses that count"
        yield Problem((*at, "sensor", "sensitivity"), f"expected {words}; got {channel.sensor.sensitivity:g}")


def _signals(at: tuple[str | int, ...], kind: str, counter: Counter) -> Iterator[Problem]:
    used: dict[str, str] = {}
    for key in ("a", "b", "z"):
        terminal = getattr(counter, key).strip("/").lower()
        if not terminal:
            continue
        if kind == "pickup" and key != "a":
            yield Problem((*at, "counter", key), "belongs to an encoder; a pickup has its pulse at a")
        elif terminal in used:
            yield Problem((*at, "counter", key), f"{getattr(counter, key)!r} is {used[terminal]} of the same encoder already")
        used.setdefault(terminal, key)
    if kind == "encoder" and counter.z and counter.index is None:
        yield Problem((*at, "counter", "z"), "an index without its angle; give counter.index, or leave z out")


def _beside(channels: Sequence[InputChannel]) -> Iterator[Problem]:
    encoders = [channel.name for channel in channels if channel.kind == "encoder"]
    for i, channel in enumerate(channels):
        name = channel.counter.beside if channel.counter is not None else ""
        if name and (channel.kind != "pickup" or name not in encoders):
            there = ", ".join(encoders) or "no encoder among the channels"
            got = f"got {name!r}" if channel.kind == "pickup" else f"{channel.name} is no pickup"
            yield Problem(("channels", i, "counter", "beside"), f"a pickup stands beside an encoder ({there}); {got}")
