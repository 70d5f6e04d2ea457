"""How the counters of a counter input task follow their signals: counts, positions and measurements, as a sample clock takes them or as
they come.

"X Series User Manual", Counters: sample clocked measurements, one by one or averaged between clocks; the output of a counter that counts
edges goes with its terminal count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from nidaqmx import constants as ni

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.edges import PULSE, Edges, TimeSlice, pulses, stepped
from drivers.simulated.daqmx.core.instants import NEVER, Times
from drivers.simulated.daqmx.core.task import SAMPLE_CLOCK, Task
from drivers.simulated.daqmx.core.values import as_float, as_int
from drivers.simulated.daqmx.routing.unconnected_pins import unconnected
from drivers.simulated.daqmx.subsystems.counter import counts
from drivers.simulated.daqmx.subsystems.counter import meters as cm
from drivers.simulated.daqmx.subsystems.counter import timebases as ct
from drivers.simulated.daqmx.subsystems.counter import usages as cu
from drivers.simulated.daqmx.subsystems.counter.checks import has_clock
from drivers.simulated.daqmx.subsystems.counter.filters import Filters
from drivers.simulated.daqmx.subsystems.counter.intervals import Measured, Meter, Numbers
from drivers.simulated.daqmx.subsystems.counter.ticks import SIZE, Timebase
from drivers.simulated.daqmx.triggering import sequence

TOGGLE, ACTIVE_LOW = ni.ExportAction.TOGGLE.value, ni.Polarity.ACTIVE_LOW.value
_GATED = (cm.FREQUENCY, cm.PERIOD, cm.PULSE_FREQUENCY, cm.PULSE_TIME, cm.WIDTH, cm.SEMI_PERIOD)
"""What is timed between edges of one signal: without a tick between them there is nothing to tell (-200140)."""


@dataclass
class Input:
    """One counter of a running task. `latest`: numbers of the last measurement; `measured`: how many there were.

    `origin`: position (in the units of the channel) at which the count of an encoder was 0.
    """

    channel: CounterChannel
    base: Timebase
    terminals: list[str]
    connected: bool
    meter: Meter | None
    count: counts.Count
    filters: Filters
    index: counts.Index | None = None
    origin: float = 0.0
    latest: tuple[float, float] = (0.0, 0.0)
    measured: int = 0
    sampled: int = 0
    unsampled: tuple[float, float] = (0.0, 0.0)
    """Sums of the measurements since the last sample."""
    turned: Times = field(default_factory=lambda: NEVER)
    turned_in: TimeSlice | None = None
    """When the count went over its end, and in which piece of time that was."""
    unscaled: int = 0
    """Edges since the prescaler went round."""

    def prescaled(self, passing: counts.Passing) -> counts.Passing:
        """One count for as many edges as the prescaler takes."""
        factor = as_int(self.channel.attributes["CI_PRESCALER"])
        if factor == 1:
            return passing
        kept = np.arange(self.unscaled + 1, self.unscaled + 1 + len(passing.times)) % factor == 0
        self.unscaled = (self.unscaled + len(passing.times)) % factor
        return counts.Passing(passing.times[kept], passing.signs[kept])

    def divided(self, signal: Edges) -> Edges:
        """What the prescaler leaves of a signal of which only the edges of one direction are looked at."""
        if self.channel.attributes["CI_PRESCALER"] == 1:
            return signal
        head = "CI_FREQ" if cm.kind_of(self.channel) == cm.FREQUENCY else "CI_PERIOD"
        rising = self.channel.attributes[f"{head}_STARTING_EDGE"] == cu.RISING
        edges = signal.active(rising)
        kept = self.prescaled(counts.Passing(edges, np.ones(len(edges), dtype=np.int64))).times
        return Edges(signal.high, kept, NEVER) if rising else Edges(signal.high, NEVER, kept)


@dataclass
class InputRun:
    """What a running task works with."""

    inputs: list[Input]


def inputs_of(task: Task) -> list[Input]:
    """The counters of a task that measures, and has been started."""
    assert isinstance(task.run, InputRun)
    return task.run.inputs


def turns_high(task: Task, item: Input) -> bool:
    """Level of the counter's output: it pulses, or toggles, as often as the count goes over its end."""
    if task.settings.get("CTR_OUT_EVENT_OUTPUT_BEHAVIOR") == TOGGLE:
        return bool(item.count.turns % 2) ^ bool(task.settings.get("CTR_OUT_EVENT_TOGGLE_IDLE_STATE") == cu.HIGH)
    return bool(task.settings.get("CTR_OUT_EVENT_PULSE_POLARITY") == ACTIVE_LOW)


def turning(task: Task, item: Input, piece: TimeSlice) -> Edges:
    """The output of the counter where the count goes over its end, as far as that is known yet."""
    turned = item.turned if item.turned_in is piece else NEVER
    high = turns_high(task, item)
    if task.settings.get("CTR_OUT_EVENT_OUTPUT_BEHAVIOR") == TOGGLE:
        before = high ^ bool(len(turned) % 2)
        return stepped(before, before ^ (np.arange(len(turned)) % 2 == 0), turned)
    pulsed = pulses(piece, turned, PULSE, None)
    return pulsed.inverted() if high else pulsed


def input_of(bench: Bench, task: Task, channel: CounterChannel) -> Input:
    a, kind = channel.attributes, cm.kind_of(channel)
    terminals = [bench.routes.canonical(str(a[name]), channel.device) for name in cm.terms_of(channel)]
    filters = Filters(bench, channel)
    rising = a["CI_CTR_TIMEBASE_ACTIVE_EDGE"] == cu.RISING
    inside = any(bench.routes.frequency(name) is not None for name in terminals)  # one timebase of the device by another
    base = Timebase(ct.of_input(bench, channel), rising, partial(filters.edges, term="CI_CTR_TIMEBASE_SRC"), 0.0 if inside else None)
    connected = not all(unconnected(bench, name) for name in terminals)
    count = counts.Count(as_int(a["CI_COUNT_EDGES_INITIAL_CNT"]), SIZE) if kind == cm.COUNT_EDGES else counts.Count(0, 0)
    item = Input(channel, base, terminals, connected, cm.meter_of(channel), count, filters)
    if kind in cm.ENCODERS:
        item.origin = cm.origin_of(channel)
        item.index = counts.Index(as_int(a["CI_ENCODER_Z_INDEX_PHASE"])) if bool(a["CI_ENCODER_Z_INDEX_ENABLE"]) else None
    return item


def measure(bench: Bench, piece: TimeSlice, task: Task, item: Input, at: Times, after: float | None) -> Numbers:
    """Numbers (rows, 2) of a counter: of every sample of a clock, or of every measurement."""
    kind = cm.kind_of(item.channel)
    if kind == cm.COUNT_EDGES:
        found = _count(bench, piece, task, item, at, after)
        return np.stack([found, np.zeros(len(found))], axis=1)
    if kind in cm.ENCODERS:
        return _follow(bench, piece, item, at, after)
    assert item.meter is not None
    signals = [item.filters.edges(piece, name) for name in cm.terms_of(item.channel)]
    if cm.counts_source(item.channel):
        signals = [item.divided(signals[0])]
    done = item.meter.take(piece, item.base, signals, after)
    item.base.passed(piece)
    if kind in _GATED and len(done.first) and done.first.min() == 0:
        bench.end(task, -200140)
    # What is too long rolls the count register over (NI-DAQmx Properties, CI.Freq.Div).
    rows = np.stack([np.fmod(done.first, SIZE), np.fmod(done.second, SIZE)], axis=1)
    block = _sampled(bench, task, item, done, rows, at) if task.timing.kind == SAMPLE_CLOCK else rows
    if len(rows):
        item.latest, item.measured = (float(rows[-1, 0]), float(rows[-1, 1])), item.measured + len(rows)
    return block


def _sampled(bench: Bench, task: Task, item: Input, done: Measured, rows: Numbers, at: Times) -> Numbers:
    """Each sample is the last measurement that was complete. Two of them within one measurement are an overrun, -201314."""
    known = np.concatenate([[item.latest], rows])
    upto = np.searchsorted(done.times, at, "left")
    block = known[upto]
    totals = item.measured + upto
    before = np.concatenate(([item.sampled], totals[:-1]))
    if cm.averages(item.channel):
        sums = np.concatenate([np.zeros((1, 2)), np.cumsum(rows, axis=0)])
        marks = np.concatenate([sums[:1] - item.unsampled, sums[upto]])
        block = np.diff(marks, axis=0)
        rest = sums[-1] - marks[-1]
        item.unsampled = (float(rest[0]), float(rest[1]))
    if len(at):
        item.sampled = int(totals[-1])
    missed = totals == before
    if not item.connected or has_clock(bench, item.channel.device):
        # Counter modules repeat their last measurement, or tell so (NI-DAQmx Properties, CI.SampClkOverrunBehavior).
        instead = known[upto]
        if item.channel.attributes.get("CI_SAMP_CLK_OVERRUN_BEHAVIOR", cu.REPEAT) == cu.SENTINEL:
            instead = np.array([np.nan, as_int(item.channel.attributes["CI_SAMP_CLK_OVERRUN_SENTINEL_VAL"])])
        return np.where(missed[:, None], instead, block)
    missed &= before > 0
    if missed.any():
        bench.end(task, -201314)
        return block[: int(np.argmax(missed))]
    return block


def _count(bench: Bench, piece: TimeSlice, task: Task, item: Input, at: Times, after: float | None) -> counts.Counts:
    a = item.channel.attributes
    see = partial(item.filters.edges, piece)
    direction: Edges | int = {cu.UP: 1, cu.DOWN: -1}.get(a["CI_COUNT_EDGES_DIR"], 0)
    if direction == 0:
        direction = see("CI_COUNT_EDGES_DIR_TERM")
    pause = sequence.paused(bench, piece, task)
    held = [] if pause is None else [pause]
    if a["CI_COUNT_EDGES_GATE_ENABLE"]:
        gate = see("CI_COUNT_EDGES_GATE_TERM")
        held.append(gate.inverted() if a["CI_COUNT_EDGES_GATE_WHEN"] == cu.HIGH else gate)
    rate = bench.routes.frequency(item.terminals[0])
    passing: counts.Passing | counts.Ticking
    if rate is not None and not held and isinstance(direction, int) and not piece.point:
        passing = counts.Ticking(rate, piece.start if after is None else after, piece.end, direction)
    else:
        passing = counts.counted(see("CI_COUNT_EDGES_TERM"), a["CI_COUNT_EDGES_ACTIVE_EDGE"] == cu.RISING, direction, held, after)
        passing = item.prescaled(passing)
    resets = NEVER
    if a["CI_COUNT_EDGES_COUNT_RESET_ENABLE"]:
        resets = see("CI_COUNT_EDGES_COUNT_RESET_TERM").active(a["CI_COUNT_EDGES_COUNT_RESET_ACTIVE_EDGE"] == cu.RISING)
    turns, before = item.count.turns, item.count.value
    found = item.count.go(passing, resets, as_int(a["CI_COUNT_EDGES_COUNT_RESET_RESET_COUNT"]), at)
    if item.count.turns > turns and not len(resets) and isinstance(passing, counts.Passing):
        rounds = np.concatenate(([before], before + np.cumsum(passing.signs))) // SIZE
        item.turned, item.turned_in = passing.times[np.flatnonzero(np.diff(rounds))], piece
        task.told["CounterOutputEvent"] = task.told.get("CounterOutputEvent", 0) + len(item.turned)
    return np.asarray(found % SIZE)


def _follow(bench: Bench, piece: TimeSlice, item: Input, at: Times, after: float | None) -> Numbers:
    a = item.channel.attributes
    one, other = (item.filters.edges(piece, name) for name in cm.terms_of(item.channel))
    passing = counts.decoded(as_int(a["CI_ENCODER_DECODING_TYPE"]), one, other, after)
    reloads, origins = NEVER, np.full(len(at), item.origin)
    if item.index is not None:
        z = item.filters.edges(piece, "CI_ENCODER_Z_INPUT_TERM")
        reloads = item.index.reloads(one, other, z, piece.start, after)
    found = item.count.go(passing, reloads, 0, at)
    if len(reloads):
        origins = np.where(at > reloads[0], as_float(a["CI_ENCODER_Z_INDEX_VAL"]), item.origin)
        item.origin = as_float(a["CI_ENCODER_Z_INDEX_VAL"])
    return np.stack([found.astype(float), origins], axis=1)
