"""What the output quantities do between the ends of a step: their own extremes, found on the continuous extension, compiled."""

from __future__ import annotations

import math

import numpy as np

from model.compiled.arrays import copy, fill
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled, template
from model.integrators import memory as at
from model.integrators.kernels import KernelSet, publish
from model.integrators.memory import MEMORY, Memory, Method
from model.integrators.steps import extend, within

NUDGE = 1e-4  # share of the step used to take a channel's rate


@template()
def trace(kernels: KernelSet, memory: Memory, p: Floats, s: Floats, u: Floats) -> int:
    """Channels and their rates where the run is (Y_NEW, F_NEW), into VALUE_NEW and RATE_NEW."""
    y, t = memory.states[at.SCRATCH], memory.clock[at.TIME]
    publish(kernels, t, memory.states[at.Y_NEW], memory.trace[at.VALUE_NEW], p, s, u)
    ahead = NUDGE * memory.clock[at.STEP]
    for k in range(y.size):
        y[k] = memory.states[at.Y_NEW, k] + ahead * memory.states[at.F_NEW, k]
    publish(kernels, t + ahead, y, memory.trace[at.AHEAD], p, s, u)
    for k in range(memory.trace.shape[1]):
        memory.trace[at.RATE_NEW, k] = (memory.trace[at.AHEAD, k] - memory.trace[at.VALUE_NEW, k]) / ahead
    return 0


@template()
def watch(kernels: KernelSet, memory: Memory, p: Floats, s: Floats, u: Floats) -> int:
    """Begin to follow the extremes."""
    trace(kernels, memory, p, s, u)
    fill(memory.trace[at.EXTREMUM_TIME], np.inf)
    copy(memory.trace[at.LOW], memory.trace[at.VALUE_NEW])
    copy(memory.trace[at.HIGH], memory.trace[at.VALUE_NEW])
    return 0


@compiled(INDEX(MEMORY, VECTOR))
def widen(memory: Memory, values: Floats) -> int:
    """Take `values` of all channels into the running extremes."""
    low, high = memory.trace[at.LOW], memory.trace[at.HIGH]
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
    h, y = memory.clock[at.TIME] - memory.clock[at.BEGAN], memory.states[at.SCRATCH]
    tr = memory.trace
    copy(tr[at.VALUE], tr[at.VALUE_NEW])
    copy(tr[at.RATE], tr[at.RATE_NEW])
    trace(kernels, memory, p, s, u)
    for k in range(tr.shape[1]):
        tr[at.EXTREMUM_TIME, k] = np.inf
        if tr[at.RATE, k] * tr[at.RATE_NEW, k] < 0.0:
            extend(kernels, method, memory, p, s, u)
            t = memory.clock[at.BEGAN] + turn(tr[at.VALUE, k], tr[at.RATE, k], tr[at.VALUE_NEW, k], tr[at.RATE_NEW, k], h)
            within(memory, t, y)
            publish(kernels, t, y, tr[at.AHEAD], p, s, u)
            tr[at.EXTREMUM_TIME, k], tr[at.EXTREMUM, k] = t, tr[at.AHEAD, k]
    return 0


@compiled(INDEX(MEMORY, REAL))
def fold(memory: Memory, t: float) -> int:
    """Take into the running extremes what happened up to t."""
    tr = memory.trace
    for k in range(tr.shape[1]):
        if tr[at.EXTREMUM_TIME, k] <= t:
            tr[at.LOW, k] = min(tr[at.LOW, k], tr[at.EXTREMUM, k])
            tr[at.HIGH, k] = max(tr[at.HIGH, k], tr[at.EXTREMUM, k])
            tr[at.EXTREMUM_TIME, k] = np.inf
    return 0
