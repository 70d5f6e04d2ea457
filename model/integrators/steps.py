"""One explicit Runge-Kutta step, its error and its continuous extension, compiled; coefficients are data (model.integrators.tableau)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from model.arrays import copy, fill
from model.integrators.kernels import evaluate
from model.integrators.memory import (
    BEGAN,
    DENSE,
    EVALUATIONS,
    F_NEW,
    FIFTH,
    LENGTH,
    MAIN,
    MEMORY,
    METHOD,
    ROUGH,
    SCALE,
    SCRATCH,
    THIRD,
    TOLERANCE,
    Y_LAST,
    Y_NEW,
    F,
    Memory,
    Method,
    Y,
)
from model.signatures import INDEX, REAL, VECTOR, Floats, compiled, template

GOOD_ENOUGH = 3.0  # fifth-order estimate of the error, in units of what is allowed, up to which the free extension serves
NOISE = 1e-10  # change of a state, in units of its usual size, that tells nothing


@template(inline=True)
def stages(kernels: Any, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats, t: float, h: float, begin: int, end: int) -> int:
    """Stages begin..end-1 of a step h from t; the argument of the last one stays in SCRATCH.

    An argument is Y + h sum a_ij k_j over the weights that are not zero, four states at a time.
    """
    y, argument, rows = memory.states[Y], memory.states[SCRATCH], memory.stages
    size, weights, columns = y.size, method.weights, method.columns
    for i in range(begin, end):
        first, last = method.starts[i], method.starts[i + 1]
        k = 0
        while k + 4 <= size:
            one, two, three, four = 0.0, 0.0, 0.0, 0.0
            for place in range(first, last):
                weight, j = weights[place], columns[place]
                one += weight * rows[j, k]
                two += weight * rows[j, k + 1]
                three += weight * rows[j, k + 2]
                four += weight * rows[j, k + 3]
            argument[k] = y[k] + h * one
            argument[k + 1] = y[k + 1] + h * two
            argument[k + 2] = y[k + 2] + h * three
            argument[k + 3] = y[k + 3] + h * four
            k += 4
        while k < size:
            one = 0.0
            for place in range(first, last):
                one += weights[place] * rows[columns[place], k]
            argument[k] = y[k] + h * one
            k += 1
        evaluate(kernels, t + method.c[i] * h, argument, rows[i], p, s, u)
    memory.clock[EVALUATIONS] += end - begin
    return 0


@template()
def attempt(kernels: Any, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats, t: float, h: float) -> int:
    """A whole step from t over h: Y_NEW and F_NEW."""
    main = int(method.settings[MAIN])
    copy(memory.stages[0], memory.states[F])
    stages(kernels, method, memory, p, s, u, t, h, 1, main - 1)
    copy(memory.states[Y_LAST], memory.states[SCRATCH])
    stages(kernels, method, memory, p, s, u, t, h, main - 1, main)
    copy(memory.states[Y_NEW], memory.states[SCRATCH])
    copy(memory.states[F_NEW], memory.stages[main - 1])
    memory.clock[BEGAN], memory.clock[LENGTH] = t, h
    memory.clock[DENSE], memory.clock[ROUGH] = 0.0, -1.0
    return 0


@compiled(REAL(METHOD, MEMORY))
def fastest(method: Method, memory: Memory) -> float:
    """Rate of the fastest mode, 1/s, about: the difference of the last two stages, both at the end of the step, as a quotient.

    Hairer's detection of stiffness; states and rates in units of their usual size. 0 at rest, where the differences are rounding.
    """
    rates, states = 0.0, 0.0
    last = int(method.settings[MAIN]) - 2
    for k in range(memory.states.shape[1]):
        usual = memory.states[SCALE, k]
        rates = max(rates, abs(memory.states[F_NEW, k] - memory.stages[last, k]) / usual)
        states = max(states, abs(memory.states[Y_NEW, k] - memory.states[Y_LAST, k]) / usual)
    return rates / states if states > NOISE else 0.0


@compiled(REAL(METHOD, MEMORY, REAL))
def error(method: Method, memory: Memory, h: float) -> float:
    """Estimated local error of the attempt in units of what is allowed (<= 1 is accepted); infinite when it is not a number."""
    tolerance, size = method.settings[TOLERANCE], memory.states.shape[1]
    fine, coarse = memory.states[FIFTH], memory.states[THIRD]
    fill(fine, 0.0)
    fill(coarse, 0.0)
    for i in range(method.errors.shape[1]):
        e5, e3, row = method.errors[0, i], method.errors[1, i], memory.stages[i]
        if e5 != 0.0 or e3 != 0.0:
            for k in range(size):
                fine[k] += e5 * row[k]
                coarse[k] += e3 * row[k]
    fifth, third = 0.0, 0.0
    for k in range(size):
        per = 1.0 / (tolerance * (memory.states[SCALE, k] + max(abs(memory.states[Y, k]), abs(memory.states[Y_NEW, k]))))
        fifth += (fine[k] * per) ** 2
        third += (coarse[k] * per) ** 2
    memory.clock[ROUGH] = abs(h) * math.sqrt(fifth / size)
    if fifth == 0.0 and third == 0.0:
        return 0.0
    found = abs(h) * fifth / math.sqrt((fifth + 0.01 * third) * size)
    return found if math.isfinite(found) else np.inf


@template()
def extend(kernels: Any, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats) -> int:
    """Make the continuous extension of the last attempt, once: that from its own stages if it is good enough, else with further ones.

    A method without either gets the cubic through both ends.
    """
    if memory.clock[DENSE] > 0.0:
        return 0
    t, h = memory.clock[BEGAN], memory.clock[LENGTH]
    dense, states = memory.dense, memory.states
    main = int(method.settings[MAIN])
    weights = method.extension
    if method.free.shape[0] > 0:
        if memory.clock[ROUGH] < 0.0:
            error(method, memory, h)
        if memory.clock[ROUGH] <= GOOD_ENOUGH:
            weights = method.free
    terms, columns = weights.shape
    if columns > main:
        stages(kernels, method, memory, p, s, u, t, h, main, method.c.size)
    for k in range(states.shape[1]):
        change = states[Y_NEW, k] - states[Y, k]
        dense[0, k] = states[Y, k]
        dense[1, k] = change
        dense[2, k] = h * states[F, k] - change
        dense[3, k] = 2.0 * change - h * (states[F, k] + states[F_NEW, k])
    for i in range(4, dense.shape[0]):
        fill(dense[i], 0.0)
    for j in range(columns):
        row = memory.stages[j]
        for i in range(terms):
            weight = h * weights[i, j]
            for k in range(row.size):
                dense[4 + i, k] += weight * row[k]
    memory.clock[DENSE] = 1.0
    return 0


@compiled(INDEX(MEMORY, REAL, VECTOR))
def within(memory: Memory, t: float, y: Floats) -> int:
    """State at time t of the last step, from its extension."""
    dense = memory.dense
    x = (t - memory.clock[BEGAN]) / memory.clock[LENGTH]
    rest = 1.0 - x
    for k in range(y.size):
        tail = dense[4, k] + x * (dense[5, k] + rest * (dense[6, k] + x * dense[7, k]))
        y[k] = dense[0, k] + x * (dense[1, k] + rest * (dense[2, k] + x * (dense[3, k] + rest * tail)))
    return 0
