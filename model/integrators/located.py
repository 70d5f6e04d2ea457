"""Where within a step the discrete state stops to hold: guards that turn positive, found on the continuous extension, compiled."""

from __future__ import annotations

import math

from numba import types

from model.compiled.signatures import INDEX, REAL, Floats, compiled, template
from model.integrators.kernels import KernelSet, judge
from model.integrators.memory import BEGAN, FOUND, LENGTH, MEMORY, NOW, RATE_NOW, RATE_THEN, SCRATCH, THEN, UNUSED, Memory, Method
from model.integrators.steps import extend, within

PLACE = types.Tuple((INDEX, REAL))  # type: ignore[no-untyped-call]
NEAR = 1e-13  # share of the step to which it is found
MOST, PATIENT = 150, 8  # trials; every so many one is a halving


@compiled(REAL(MEMORY, INDEX), built_in=True)
def turning(memory: Memory, k: int) -> float:
    """Share of the step at which a guard that is negative at both ends may pass zero between them; 0 if it does not.

    By the cubic through values and rates at both ends: its maximum, when it rises first, falls last, and the maximum is positive.
    """
    h = memory.clock[LENGTH]
    before, after = memory.marks[NOW, k], memory.marks[THEN, k]
    up, down = h * memory.marks[RATE_NOW, k], h * memory.marks[RATE_THEN, k]
    if before >= 0.0 or up <= 0.0 or down >= 0.0:
        return 0.0
    third = 2.0 * (before - after) + up + down
    second = 3.0 * (after - before) - 2.0 * up - down
    root = second * second - 3.0 * third * up
    if root < 0.0:
        return 0.0
    x = up / (math.sqrt(root) - second)
    if not 0.0 < x < 1.0:
        return 0.0
    return x if before + x * (up + x * (second + x * third)) > 0.0 else 0.0


@compiled(INDEX(MEMORY), built_in=True)
def quiet(memory: Memory) -> int:
    """1 if no guard passes zero in the step just attempted, for all that the guards at its ends tell; else 0."""
    for k in range(memory.marks.shape[1]):
        if memory.marks[THEN, k] > 0.0 or turning(memory, k) > 0.0:
            return 0
    return 1


@template()
def first_positive(kernels: KernelSet, memory: Memory, p: Floats, s: Floats, u: Floats, k: int, late: float, value: float) -> float:
    """A time in the step at which guard k has just turned positive, given that it has that `value` at `late` (s).

    Regula falsi with the Illinois rule between values of both signs, and halving where it leads nowhere.
    """
    early, before = memory.clock[BEGAN], memory.marks[NOW, k]
    near, side = NEAR * memory.clock[LENGTH], 0
    y, found, unused = memory.states[SCRATCH], memory.marks[FOUND], memory.marks[UNUSED]
    for tried in range(MOST):
        if late - early <= near:
            break
        middle = late - value * (late - early) / (value - before)
        if not early < middle < late or tried % PATIENT == PATIENT - 1:
            middle = 0.5 * (early + late)
        if middle <= early or middle >= late:
            break
        within(memory, middle, y)
        judge(kernels, middle, y, found, unused, p, s, u)
        if found[k] > 0.0:
            late, value = middle, found[k]
            before = 0.5 * before if side > 0 else before
            side = 1
        else:
            early, before = middle, found[k]
            value = 0.5 * value if side < 0 else value
            side = -1
    return late


@template()
def crossing(kernels: KernelSet, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats) -> tuple[int, float]:
    """(k, time) of the first guard that turns positive in the step just attempted; (-1, its end) when none does before that.

    Guards at its end are in THEN.
    """
    end = memory.clock[BEGAN] + memory.clock[LENGTH]
    first, place = end, -1
    y, found, unused = memory.states[SCRATCH], memory.marks[FOUND], memory.marks[UNUSED]
    for k in range(memory.marks.shape[1]):
        late, value = end, memory.marks[THEN, k]
        if memory.marks[THEN, k] <= 0.0:
            share = turning(memory, k)
            if share == 0.0:
                continue
            extend(kernels, method, memory, p, s, u)
            late = memory.clock[BEGAN] + share * memory.clock[LENGTH]
            within(memory, late, y)
            judge(kernels, late, y, found, unused, p, s, u)
            if found[k] <= 0.0:
                continue
            value = found[k]
        extend(kernels, method, memory, p, s, u)
        found_at = first_positive(kernels, memory, p, s, u, k, late, value)
        if found_at < first:
            first, place = found_at, k
    return place, first
