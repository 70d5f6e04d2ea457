"""Units and terminals of channels: values are taken as SI wherever they go, and a channel is one signal."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rig.config.bench import Bench, InputChannel
from rig.config.experiment import MODE_UNITS, Experiment
from rig.config.pairing import meant
from rig.config.tree import Problem
from rig.config.units.quantities import not_si, same_unit

TERMINAL = re.compile(r"/?[^/,:]+(/[^/,:]+){1,2}")
LOOPS = {mode: MODE_UNITS[mode] for mode in ("force", "stroke")}
"""Channels that a loader names, and the unit in which its setpoint is compared with them."""


def problems(bench: Bench) -> Iterator[Problem]:
    """Channels in units that are not SI, on several terminals at once, and a loader's in another quantity than its setpoint."""
    for i, channel in enumerate(bench.channels):
        if wrong := not_si(channel.unit):
            text = f"channels are in SI units: {wrong}, got {channel.unit!r}; its sensitivity and limits may be written in any"
            yield Problem(("channels", i, "unit"), text)
        if not TERMINAL.fullmatch(channel.terminal):
            text = f"expected one terminal of a device, as Dev1/ai0 or Dev1/ctr0; got {channel.terminal!r}"
            yield Problem(("channels", i, "terminal"), text)
    for mode, unit in LOOPS.items():
        if (told := _called(bench, bench.loader_channel(mode))) and not same_unit(told.unit, unit):
            yield Problem(("loader", f"{mode}_channel"), f"{told.name} is in {told.unit}, expected a channel in {unit}")


def of_experiment(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """A channel that is predicted in another unit, so that what would be compared is not the same; one that says it shows what the model
    has not."""
    predicted = dict(experiment.mechanism.channels)
    for i, channel in enumerate(bench.channels):
        unit = predicted.get(channel.quantity)
        if unit is None and channel.predicts and channel.predicts not in experiment.mechanism.course_sources:
            text = f"the model has no channel {channel.predicts!r}; it has {', '.join(predicted)}{meant(channel.predicts, predicted)}"
            yield Problem(("channels", i, "predicts"), text)
        elif unit is not None and not same_unit(channel.unit, unit):
            text = f"{channel.quantity} is predicted in {unit}, and in {channel.unit} on the bench; expected {unit}, or another name"
            yield Problem(("channels", i, "unit"), text)


def _called(bench: Bench, name: str | None) -> InputChannel | None:
    return next((channel for channel in bench.channels if channel.name == name), None)


def wiring(bench: Bench) -> Iterator[Problem]:
    """Names and terminals used once; the loader's channels are there; a sensor that gives something for a volt."""
    terminals = [channel.terminal.strip("/").lower() for channel in bench.channels]
    for key, values in (("name", [c.name for c in bench.channels]), ("terminal", terminals)):
        for i, value in enumerate(values):
            if value in values[:i]:
                first, given = bench.channels[values.index(value)], getattr(bench.channels[i], key)
                yield Problem(("channels", i, key), f"{given!r} is used by channel {first.name} already")
    names = [channel.name for channel in bench.channels]
    for mode in ("force", "stroke"):
        if bench.loader is not None and (wanted := bench.loader_channel(mode)) not in names:
            yield Problem(("loader", f"{mode}_channel"), f"expected one of the channels {', '.join(names)}; got {wanted!r}")
    for i, channel in enumerate(bench.channels):
        if channel.sensor.sensitivity == 0.0:
            yield Problem(("channels", i, "sensor", "sensitivity"), "expected a quantity for one volt, got 0")


def instruments(bench: Bench) -> Iterator[Problem]:
    """Names of their own: each is a column of the record."""
    taken = ["sample", *(channel.name for channel in bench.channels)]
    for i, one in enumerate(bench.instruments):
        if one.name in taken or not one.name.isidentifier():
            what = f"{one.name!r} is taken" if one.name in taken else f"{one.name!r} is none"
            expected = f"expected one of letters, digits and _ that no channel and no other instrument has, and not {taken[0]}"
            yield Problem(("instruments", i, "name"), f"{what}: {expected}")
        taken.append(one.name)
