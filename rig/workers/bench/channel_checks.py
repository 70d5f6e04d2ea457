"""Whether the channels can be believed: none at the end of its range, and none that shows nothing while a motor rig moves.

A channel that the test leans on ends it by a ramped stop (limits, criteria, the predictor's source, a loader's loops); of others the
record says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rig.checks.dead_channels import Dead, DeadCheck, Watched
from rig.checks.index_check import Corrected, IndexCheck
from rig.checks.overload import MARGIN, Overload, OverloadCheck
from rig.checks.pickup_check import MISSING, PickupCheck, Wrong
from rig.config.bench import InputChannel
from rig.config.counter import KINDS
from rig.config.plan import Plan
from rig.workers.bench.finding import Finding

Block = NDArray[np.float64]
CYCLE = 2  # column of the command
MOVED = ("rad", "rad/s", "rad/s^2", "m", "m/s", "m/s^2", "N", "N*m")
"""Units of what changes while a rig moves; a temperature with a limit need not."""
LEAST = 3e-4
"""Share of its range by which an analogue channel that lives changes: twenty steps of 16 bits, a shorted input has a few."""
BITS = 16
"""Of the converters of analogue inputs."""
ONE_PHASE = 2.5
"""Counts of an encoder of which one phase is dead: it goes to and fro by one."""


class ChannelChecks:
    """Checks blocks in order."""

    def __init__(self, plan: Plan, rate: float) -> None:
        self._channels, self._sessions = plan.bench.channels, plan.first_sample
        self._leaned = _leaned(plan)
        ends = [channel.ends for channel in self._channels]
        self._overload_before, self._overload = OverloadCheck(ends, rate), OverloadCheck(ends, rate)
        self._dead = DeadCheck([*self._watched(plan)], rate)
        self._pulses = [*_pickups(self._channels)]
        self._indices = [*_indexed(self._channels)]

    def before(self, first: int, measured: Block) -> list[Finding]:
        """Before the test: measured (k, channels)."""
        return [*self._worded_overloads(self._overload_before.check(first, measured))]

    def test(self, first: int, command: Block, measured: Block) -> list[Finding]:
        """command (k, columns), measured (k, channels), from sample `first` of the test on."""
        dead = [self._worded(one) for one in self._dead.check(first, command[:, CYCLE], measured)]
        pulses = [
            _told_pulses(one, self._channels[pickup], one.sample + self._sessions)
            for check, pickup, encoder in self._pulses
            for one in check.check(first, measured[:, pickup], measured[:, encoder])
        ]
        indices = [
            _told_correction(one, self._channels[column], one.sample + self._sessions)
            for check, column in self._indices
            for one in check.check(first, measured[:, column])
        ]
        return [*self._worded_overloads(self._overload.check(first, measured)), *dead, *pulses, *indices]

    def at_its_end(self, name: str, value: float) -> str:
        """In words, as an addition to a message, that the channel `name` cannot show more than `value`; empty where it can."""
        channel = next((one for one in self._channels if one.name == name), None)
        if channel is None or not math.isfinite(channel.ends[1]):
            return ""
        low, high = channel.ends
        margin = MARGIN * (high - low)
        return f"; it is at the end of its range: {_remedy(channel)}" if value <= low + margin or value >= high - margin else ""

    def _watched(self, plan: Plan) -> Iterator[Watched]:
        for column, channel in enumerate(self._channels):
            counted = channel.kind in KINDS
            leaned = channel.name in self._leaned and channel.unit in MOVED
            if plan.bench.axes and not channel.steady and (counted or leaned):
                yield Watched(column, _least(channel), _step(channel))

    def _worded_overloads(self, found: list[Overload]) -> Iterator[Finding]:
        for one in found:
            channel = self._channels[one.column]
            leaned = channel.name in self._leaned
            if one.stuck or leaned:
                text = _words(one, channel, one.sample + self._sessions)
                yield Finding(one.sample, "overload", text, "stop" if one.stuck and leaned else "indicate")

    def _worded(self, dead: Dead) -> Finding:
        channel = self._channels[dead.watched.column]
        what = f"changes by {dead.change:.3g} {channel.unit} a cycle while the rig moves, expected {dead.watched.least:.3g} {channel.unit}"
        where = f"look at the {channel.kind if channel.kind in KINDS else 'sensor'}, its supply and its wires to {_terminals(channel)}"
        why = "frozen, shorted, or not connected"
        text = f"{_label(channel)} shows nothing: it {what} or more; {why}: {where} (steady = true: it need not change)"
        return Finding(dead.sample, "dead_channel", text, "stop")


def _pickups(channels: Sequence[InputChannel]) -> Iterator[tuple[PickupCheck, int, int]]:
    """(check, column of the pickup, column of the encoder beside it)."""
    columns = {channel.name: column for column, channel in enumerate(channels)}
    for column, channel in enumerate(channels):
        if channel.counter is not None and channel.counter.beside in columns:
            yield PickupCheck(2.0 * math.pi / channel.counter.pulses), column, columns[channel.counter.beside]


def _indexed(channels: Sequence[InputChannel]) -> Iterator[tuple[IndexCheck, int]]:
    """(check, column) of each encoder whose index is used."""
    for column, channel in enumerate(channels):
        if channel.kind == "encoder" and channel.counter is not None and channel.counter.index is not None:
            yield IndexCheck(channel.counter.index, channel.counter.resolution), column


MANY = 0.01
"""Share of a turn's counts above which, when it comes again, the number of pulses in the file is doubted rather than the wires."""


def _told_correction(one: Corrected, channel: InputChannel, sample: int) -> Finding:
    """sample: as it is said, of the test."""
    assert channel.counter is not None
    by = f"{one.counts:+d} counts ({math.degrees(one.counts * channel.counter.resolution):+.3g} deg)"
    times = "for the first time" if one.in_all == 1 else f"{one.in_all} times so far"
    text = f"{_label(channel)}: its index has put the angle right by {by} at sample {sample}, {times}"
    turn = round(2.0 * math.pi / channel.counter.resolution)
    if one.in_all > 1 and abs(one.counts) > MANY * turn:
        came = turn - one.counts if one.counts > 0 else -one.counts
        text += f": so many are hardly lost. From index to index came {came} counts (or a multiple of {turn} more), expected {turn}"
        where = f"is counter.pulses = {channel.counter.pulses} that of the encoder?"
    else:
        text += ": counts are lost, or made by noise"
        where = f"look at its coupling, its supply and the shield of its wires to {_terminals(channel)}"
    return Finding(one.sample, "index_correction", f"{text}; {where}", "indicate")


def _told_pulses(one: Wrong, channel: InputChannel, sample: int) -> Finding:
    if one.kind == MISSING:
        what, remedy = f"{one.in_all} of {one.expected} pulses missing", f"gap and its wires to {_terminals(channel)}"
    else:
        what = f"{one.in_all} {'pulse' if one.in_all == 1 else 'pulses'} too many, {one.expected} expected,"
        remedy = f"threshold and the shield of its wires to {_terminals(channel)}, or set counter.filter"
    text = f"{_label(channel)}: {what} by sample {sample}, by the encoder beside it; look at the pickup's {remedy}"
    return Finding(one.sample, one.kind, text, "indicate")


def _leaned(plan: Plan) -> set[str]:
    experiment, bench = plan.experiment, plan.bench
    names = {limit.channel for limit in experiment.limits} | {one.channel for one in experiment.comparison.criteria}
    followed = bench.showing(experiment.predictor.source)
    return names | {"" if followed is None else followed.name, bench.loader_channel("force"), bench.loader_channel("stroke")}


def _least(channel: InputChannel) -> float:
    low, high = channel.ends
    if channel.counter is None:
        return LEAST * (high - low)
    if channel.kind == "pickup":
        return 0.5
    return ONE_PHASE * channel.counter.resolution


def _step(channel: InputChannel) -> float:
    """Of its converter, its unit."""
    low, high = channel.ends
    return (high - low) / 2**BITS if channel.counter is None else channel.counter.resolution


def _words(one: Overload, channel: InputChannel, sample: int) -> str:
    end = f"the end of its range, {one.end:.6g} {channel.unit}, at sample {sample}"
    if one.stuck:
        return f"{_label(channel)} is stuck at {end}: {_remedy(channel)}"
    return f"{_label(channel)} reached {end}: what was beyond is cut off; choose a larger range, or a less sensitive sensor"


def _remedy(channel: InputChannel) -> str:
    return f"overloaded, or its circuit is open; look at the sensor, its supply and its wires to {_terminals(channel)}"


def _label(channel: InputChannel) -> str:
    return f"DAQ: channel {channel.name} on {channel.terminal}"


def _terminals(channel: InputChannel) -> str:
    wires = (channel.counter.a, channel.counter.b) if channel.counter is not None else ()
    return ", ".join(wire for wire in wires if wire) or channel.terminal
