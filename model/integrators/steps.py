"""One explicit Runge-Kutta step, its error and its continuous extension, compiled; coefficients are data (model.integrators.tableau)."""

from __future__ import annotations

import math

import numpy as np

from model.compiled.arrays import copy, fill
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled, template
from model.integrators import memory as at
from model.integrators.kernels import KernelSet, evaluate
from model.integrators.memory import MEMORY, METHOD, Memory, Method

GOOD_ENOUGH = 10.0  # fifth-order estimate of the error, in units of what is allowed, up to which the free extension serves
NONE, ONE, TWO, THREE, FOUR = (np.uint64(k) for k in range(5))
NOISE = 1e-10  # change of a state, in units of its usual size, that tells nothing


@template(inline=True)
def combine(method: Method, rows: Floats, row: int, base: Floats, h: float, into: Floats) -> int:
    """into = base + h times a row of the method's weights on the stages `rows`, four states at a time.

    The row's last stage comes last: it has just been worked out, and what waits for it is one product and its sum. Places are unsigned,
    so that compiled code need not look for those counted from the end. A row has at least one weight.
    """
    weights, columns = method.weights, method.columns
    first, last = method.starts[row], method.starts[row + 1] - ONE
    newest, recent = columns[last], h * weights[last]
    size = np.uint64(base.size)
    whole = size - size % FOUR
    for k in range(NONE, whole, FOUR):
        k1, k2, k3 = k + ONE, k + TWO, k + THREE
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for place in range(first, last):
            weight, j = weights[place], columns[place]
            a += weight * rows[j, k]
            b += weight * rows[j, k1]
            c += weight * rows[j, k2]
            d += weight * rows[j, k3]
        into[k] = base[k] + h * a + recent * rows[newest, k]
        into[k1] = base[k1] + h * b + recent * rows[newest, k1]
        into[k2] = base[k2] + h * c + recent * rows[newest, k2]
        into[k3] = base[k3] + h * d + recent * rows[newest, k3]
    for k in range(whole, size):
        a = 0.0
        for place in range(first, last):
            a += weights[place] * rows[columns[place], k]
        into[k] = base[k] + h * a + recent * rows[newest, k]
    return 0


@template(inline=True)
def stages(
    kernels: KernelSet, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats, t: float, h: float, begin: int, end: int
) -> int:
    """Stages begin..end-1 of a step h from t; the argument of the last one stays in SCRATCH."""
    y, argument, rows = memory.states[at.Y], memory.states[at.SCRATCH], memory.stages
    for i in range(begin, end):
        combine(method, rows, i, y, h, argument)
        evaluate(kernels, t + method.c[i] * h, argument, rows[i], p, s, u)
    memory.clock[at.EVALUATIONS] += end - begin
    return 0


@template()
def attempt(kernels: KernelSet, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats, t: float, h: float) -> int:
    """A whole step from t over h: Y_NEW and F_NEW."""
    main = int(method.settings[at.MAIN])
    copy(memory.stages[0], memory.states[at.F])
    stages(kernels, method, memory, p, s, u, t, h, 1, main - 1)
    copy(memory.states[at.Y_LAST], memory.states[at.SCRATCH])
    stages(kernels, method, memory, p, s, u, t, h, main - 1, main)
    copy(memory.states[at.Y_NEW], memory.states[at.SCRATCH])
    copy(memory.states[at.F_NEW], memory.stages[main - 1])
    memory.clock[at.BEGAN], memory.clock[at.LENGTH] = t, h
    memory.clock[at.DENSE], memory.clock[at.ROUGH] = 0.0, -1.0
    return 0


@compiled(REAL(METHOD, MEMORY), built_in=True)
def fastest(method: Method, memory: Memory) -> float:
    """Rate of the fastest mode, 1/s, about: the difference of the last two stages, both at the end of the step, as a quotient.

    Hairer's detection of stiffness; states and rates in units of their usual size. 0 at rest, where the differences are rounding.
    """
    rates, states = 0.0, 0.0
    last = int(method.settings[at.MAIN]) - 2
    for k in range(memory.states.shape[1]):
        usual = memory.states[at.SCALE, k]
        rates = max(rates, abs(memory.states[at.F_NEW, k] - memory.stages[last, k]) / usual)
        states = max(states, abs(memory.states[at.Y_NEW, k] - memory.states[at.Y_LAST, k]) / usual)
    return rates / states if states > NOISE else 0.0


@template(inline=True)
def error(method: Method, memory: Memory, h: float) -> float:
    """Estimated local error of the attempt in units of what is allowed (<= 1 is accepted); infinite when it is not a number.

    By the fifth and third order estimates, as in DOP853, or by how far the last two stages are apart (DOUBTFUL), whichever is more.
    0 for a method without estimates.
    """
    if method.settings[at.FIXED] > 0.0:
        return 0.0
    tolerance, size = method.settings[at.TOLERANCE], memory.states.shape[1]
    fine, coarse, first = memory.states[at.FIFTH], memory.states[at.THIRD], int(method.settings[at.ERRORS])
    combine(method, memory.stages, first, memory.states[at.ZERO], 1.0, fine)
    combine(method, memory.stages, first + 1, memory.states[at.ZERO], 1.0, coarse)
    fifth, third, apart, last = 0.0, 0.0, 0.0, int(method.settings[at.MAIN]) - 2
    for k in range(size):
        per = 1.0 / (tolerance * (memory.states[at.SCALE, k] + max(abs(memory.states[at.Y, k]), abs(memory.states[at.Y_NEW, k]))))
        fifth += (fine[k] * per) ** 2
        third += (coarse[k] * per) ** 2
        apart += ((memory.states[at.F_NEW, k] - memory.stages[last, k]) * per) ** 2
    memory.clock[at.ROUGH] = abs(h) * math.sqrt(fifth / size)
    if fifth == 0.0 and third == 0.0:
        return 0.0
    estimated = fifth / math.sqrt((fifth + 0.01 * third) * size)
    found = abs(h) * max(estimated, method.settings[at.DOUBT] * math.sqrt(apart / size))
    return found if math.isfinite(found) else np.inf


@template()
def extend(kernels: KernelSet, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats) -> int:
    """Make the continuous extension of the last attempt, once: that from its own stages if it is good enough, else with further ones.

    A method without either gets the cubic through both ends.
    """
    if memory.clock[at.DENSE] > 0.0:
        return 0
    t, h = memory.clock[at.BEGAN], memory.clock[at.LENGTH]
    dense, states = memory.dense, memory.states
    first, last = int(method.settings[at.FREE]), int(method.settings[at.EXTENSION])
    if last > first and memory.clock[at.ROUGH] < 0.0:
        error(method, memory, h)
    if last == first or memory.clock[at.ROUGH] > GOOD_ENOUGH:
        first, last = last, method.starts.size - 1
        stages(kernels, method, memory, p, s, u, t, h, int(method.settings[at.MAIN]), method.c.size)
    for k in range(states.shape[1]):
        change = states[at.Y_NEW, k] - states[at.Y, k]
        dense[0, k] = states[at.Y, k]
        dense[1, k] = change
        dense[2, k] = h * states[at.F, k] - change
        dense[3, k] = 2.0 * change - h * (states[at.F, k] + states[at.F_NEW, k])
    for i in range(4, dense.shape[0]):
        if first < last:
            combine(method, memory.stages, first, states[at.ZERO], h, dense[i])
            first += 1
        else:
            fill(dense[i], 0.0)
    memory.clock[at.DENSE] = 1.0
    return 0


@compiled(INDEX(MEMORY, REAL, VECTOR), built_in=True)
def within(memory: Memory, t: float, y: Floats) -> int:
    """State at time t of the last step, from its extension."""
    dense = memory.dense
    x = (t - memory.clock[at.BEGAN]) / memory.clock[at.LENGTH]
    rest = 1.0 - x
    for k in range(y.size):
        tail = dense[4, k] + x * (dense[5, k] + rest * (dense[6, k] + x * dense[7, k]))
        y[k] = dense[0, k] + x * (dense[1, k] + rest * (dense[2, k] + x * (dense[3, k] + rest * tail)))
    return 0
