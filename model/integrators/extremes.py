"""What the output quantities do between the ends of a step: their own extremes, found on the continuous extension, compiled."""

from __future__ import annotations

import math

import numpy as np

from model.compiled.arrays import copy, fill
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled, template
from model.integrators.kernels import KernelSet, publish
from model.integrators.memory import (
    AHEAD,
    BEGAN,
    EXTREMUM,
    EXTREMUM_TIME,
    F_NEW,
    HIGH,
    LOW,
    MEMORY,
    RATE,
    RATE_NEW,
    SCRATCH,
    STEP,
    TIME,
    VALUE,
    VALUE_NEW,
    Y_NEW,
    Memory,
    Method,
)
from model.integrators.steps import extend, within

NUDGE = 1e-4  # share of the step used to take a channel's rate


@template()
def trace(kernels: KernelSet, memory: Memory, p: Floats, s: Floats, u: Floats) -> int:
    """Channels and their rates where the run is (Y_NEW, F_NEW), into VALUE_NEW and RATE_NEW."""
    y, t = memory.states[SCRATCH], memory.clock[TIME]
    publish(kernels, t, memory.states[Y_NEW], memory.trace[VALUE_NEW], p, s, u)
    ahead = NUDGE * memory.clock[STEP]
    for k in range(y.size):
        y[k] = memory.states[Y_NEW, k] + ahead * memory.states[F_NEW, k]
    publish(kernels, t + ahead, y, memory.trace[AHEAD], p, s, u)
    for k in range(memory.trace.shape[1]):
        memory.trace[RATE_NEW, k] = (memory.trace[AHEAD, k] - memory.trace[VALUE_NEW, k]) / ahead
    return 0


@template()
def watch(kernels: KernelSet, memory: Memory, p: Floats, s: Floats, u: Floats) -> int:
    """Begin to follow the extremes."""
    trace(kernels, memory, p, s, u)
    fill(memory.trace[EXTREMUM_TIME], np.inf)
    copy(memory.trace[LOW], memory.trace[VALUE_NEW])
    copy(memory.trace[HIGH], memory.trace[VALUE_NEW])
    return 0


@compiled(INDEX(MEMORY, VECTOR))
def widen(memory: Memory, values: Floats) -> int:
    """Take `values` of all channels into the running extremes."""
    low, high = memory.trace[LOW], memory.trace[HIGH]
    for k in range(values.size):
        if values[k] < low[k]:
            low[k] = values[k]
        if values[k] > high[k]:
            high[k] = values[k]
    return 0


@compiled(REAL(REAL, REAL, REAL, REAL, REAL))
def turn(before: float, up: float, after: float, down: float, h: float) -> float:
    """Time after the start, of a step h, at which the cubic through values and rates of opposite sign is extreme."""
    third = 2.0 * (before - after) + h * (up + down)
    second = 3.0 * (after - before) - h * (2.0 * up + down)
    root = math.sqrt(max(0.0, second * second - 3.0 * third * h * up))
    x = h * up / (root - second) if up > 0.0 else h * up / (-root - second)
    return h * x if 0.0 < x < 1.0 else 0.5 * h


@template()
def extremes(kernels: KernelSet, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats) -> int:
    """Time and value of the extremum that each channel has within the step, if its rate changes sign over it; else time infinite."""
    h, y = memory.clock[TIME] - memory.clock[BEGAN], memory.states[SCRATCH]
    tr = memory.trace
    copy(tr[VALUE], tr[VALUE_NEW])
    copy(tr[RATE], tr[RATE_NEW])
    trace(kernels, memory, p, s, u)
    for k in range(tr.shape[1]):
        tr[EXTREMUM_TIME, k] = np.inf
        if tr[RATE, k] * tr[RATE_NEW, k] < 0.0:
            extend(kernels, method, memory, p, s, u)
            t = memory.clock[BEGAN] + turn(tr[VALUE, k], tr[RATE, k], tr[VALUE_NEW, k], tr[RATE_NEW, k], h)
            within(memory, t, y)
            publish(kernels, t, y, tr[AHEAD], p, s, u)
            tr[EXTREMUM_TIME, k], tr[EXTREMUM, k] = t, tr[AHEAD, k]
    return 0


@compiled(INDEX(MEMORY, REAL))
def fold(memory: Memory, t: float) -> int:
    """Take into the running extremes what happened up to t."""
    tr = memory.trace
    for k in range(tr.shape[1]):
        if tr[EXTREMUM_TIME, k] <= t:
            tr[LOW, k] = min(tr[LOW, k], tr[EXTREMUM, k])
            tr[HIGH, k] = max(tr[HIGH, k], tr[EXTREMUM, k])
            tr[EXTREMUM_TIME, k] = np.inf
    return 0
