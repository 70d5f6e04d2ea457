"""Does the preparation of the bench's loader fit within the limits of the experiment, which are armed while it lasts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from drivers.loaders.preparation import Preparation
from rig.config.bench import Bench
from rig.config.experiment import Experiment, Limit
from rig.config.tree import Problem


@dataclass(frozen=True)
class _Reach:
    """What a preparation that finds everything in order does to one channel, whose gross value is net + `tare`."""

    channel: str
    unit: str
    low: float
    high: float
    why: str
    tare: float = 0.0
    rate: float = 0.0
    why_rate: str = ""


def problems(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """Armed limits that a preparation must pass, one problem each."""
    if bench.preparation is None:
        return
    reached = {one.channel: one for one in _reached(experiment, bench, bench.preparation)}
    for i, limit in enumerate(experiment.limits):
        crossed = limit.minimum is not None and limit.maximum is not None and limit.minimum >= limit.maximum  # said already
        if limit.action != "indicate" and limit.channel in reached and not crossed:
            yield from (Problem(("limits", i, key), text) for key, text in _passed(limit, reached[limit.channel]))


def _reached(experiment: Experiment, bench: Bench, shares: Preparation) -> Iterator[_Reach]:
    full = bench.loader_full_scale("force")
    preload, probe = shares.preload * full, shares.force_probe * full
    why = f"preload {preload:.6g} N, force_probe {probe:.6g} N to either side of it"
    tares = {channel.name: channel.sensor.tare for channel in bench.channels}
    fed = experiment.mechanism.loader_sources  # what the loader does to it, so the same force by another cell
    for channel in bench.channels:
        if channel.name == bench.loader_channel("force") or (channel.quantity in fed and channel.unit == "N"):
            yield _Reach(channel.name, "N", min(0.0, preload - probe), max(0.0, preload + probe), why, tares[channel.name])
    # A specimen without play resists at once, and the probe turns earlier.
    way = shares.stroke_probe if (experiment.mechanism.play or 0.0) > 0.0 else 0.0
    why = f"stroke_probe {way:.6g} m to either side"
    tare = tares.get(bench.loader_channel("stroke"), 0.0)
    yield _Reach(bench.loader_channel("stroke"), "m", -way, way, why, tare, shares.speed, f"speed {shares.speed:.6g} m/s")


def _passed(limit: Limit, reach: _Reach) -> Iterator[tuple[str, str]]:
    """(key, text). Limits act on net and on gross."""
    unit, high, low = reach.unit, reach.high + max(0.0, reach.tare), reach.low + min(0.0, reach.tare)
    if limit.maximum is not None and limit.maximum < high:
        yield "maximum", _text(limit.channel, f"{limit.maximum:.6g} {unit}", f"{high:.6g} {unit}", reach.why, "at least")
    if limit.minimum is not None and limit.minimum > low:
        yield "minimum", _text(limit.channel, f"{limit.minimum:.6g} {unit}", f"{low:.6g} {unit}", reach.why, "at most")
    if limit.rate is not None and limit.rate < reach.rate:
        yield "rate", _text(limit.channel, f"{limit.rate:.6g} {unit}/s", f"{reach.rate:.6g} {unit}/s", reach.why_rate, "at least")


def _text(channel: str, limit: str, reached: str, why: str, expected: str) -> str:
    return (
        f"{channel} is limited to {limit}, and the preparation before the test goes to {reached} ({why}), so it would trip; expected "
        f"{expected} {reached}, or less in bench.loader.preparation"
    )
