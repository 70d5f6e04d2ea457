"""What two surfaces of a specimen do to each other where they press: the plants' own, which no model shares.

| form | loading | unloading |
|---|---|---|
| power | K d^n (1 + a d'/v0), v0 the speed at which the contact began | the same, never below 0 |
| bilinear | K d | a steeper line from the deepest point, by which e^2 of the work comes back |
| recorded | through given points (d, F) | the same |

After an unloading that was not whole, bilinear and recorded contacts load along the steeper line up to where they were, then go on.
Damping takes no more than the speed that there is, so that no impact speed, however slow, makes a step unstable: what is pressed
harder than a step can follow creeps to its place the sooner, in some steps instead of some more.
"""

from __future__ import annotations

import math

from numba import types

from model.compiled.signatures import REAL, VECTOR, Floats, compiled
from rig.virtual.plants.surfaces import (
    BILINEAR,
    BRANCH,
    COUNT,
    CURVE,
    DEEPEST,
    EXPONENT,
    FLOOR,
    FORM,
    LOSS,
    MU,
    NONE_BELOW,
    POWER,
    SHARE,
    STEADY,
    WHOLE_ABOVE,
    K,
)

TWO = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]
THREE = types.UniTuple(REAL, 3)  # type: ignore[no-untyped-call]


@compiled(TWO(REAL, VECTOR))
def loading(depth: float, p: Floats) -> tuple[float, float]:
    """(force, work done so far) of a bilinear or recorded contact that has never been deeper, N and J."""
    if p[FORM] == BILINEAR:
        return p[K] * depth, 0.5 * p[K] * depth * depth
    before_d = before_f = work = slope = 0.0
    for n in range(int(p[COUNT])):
        d, f = p[CURVE + 3 * n], p[CURVE + 3 * n + 1]
        slope = (f - before_f) / (d - before_d)
        if depth <= d:
            break
        before_d, before_f, work = d, f, p[CURVE + 3 * n + 2]
    force = before_f + slope * (depth - before_d)
    return force, work + 0.5 * (before_f + force) * (depth - before_d)


@compiled(THREE(REAL, REAL, VECTOR, VECTOR))
def borne(depth: float, rate: float, p: Floats, state: Floats) -> tuple[float, float, float]:
    """(force without damping, damping in N s/m, the part of the force whose work can come back) at a depth > 0 (m) that grows with
    `rate` (m/s)."""
    if p[FORM] == POWER:
        if state[BRANCH] == 0.0:
            state[BRANCH] = max(rate, p[FLOOR])
        elastic = p[K] * (depth * math.sqrt(depth) if p[EXPONENT] == 1.5 else depth ** p[EXPONENT])
        return elastic, p[LOSS] * elastic / state[BRANCH] + p[STEADY] * elastic, elastic
    state[BRANCH] = 1.0
    if depth >= state[DEEPEST]:
        state[DEEPEST] = depth
        force, _ = loading(depth, p)
        return force, 0.0, p[SHARE] * force
    most, work = loading(state[DEEPEST], p)
    back = max(0.0, most - most * most / (2.0 * p[SHARE] * work) * (state[DEEPEST] - depth))
    return back, 0.0, back


@compiled(TWO(REAL, REAL, REAL, REAL, VECTOR, VECTOR))
def pressing(depth: float, rate: float, mass: float, h: float, p: Floats, state: Floats) -> tuple[float, float]:
    """(normal force, the part of it whose work can come back) at a depth > 0 (m) that grows with `rate` (m/s), in a step of h (s).

    mass (kg): what the surfaces have against being driven apart. The damping takes all the speed at the most, and both together push
    the surfaces just out of each other within the step, so that no impact gives back more than it had, whatever its speed.
    """
    force, damping, elastic = borne(depth, rate, p, state)
    most = mass / h * (depth / h + max(rate, 0.0))
    return min(max(0.0, force + min(damping, mass / h) * rate), most), min(elastic, most)


@compiled(REAL(REAL, VECTOR, VECTOR))
def stored(depth: float, p: Floats, state: Floats) -> float:
    """What a contact at this depth can still give back, J."""
    if depth <= 0.0:
        return 0.0
    if p[FORM] == POWER:
        return float(p[K] * depth ** (p[EXPONENT] + 1.0) / (p[EXPONENT] + 1.0))
    most, work = loading(max(depth, state[DEEPEST]), p)
    if depth >= state[DEEPEST]:
        return float(p[SHARE] * work)
    slope = most * most / (2.0 * p[SHARE] * work)
    force = max(0.0, most - slope * (state[DEEPEST] - depth))
    return float(0.5 * force * force / slope)


@compiled(REAL(REAL, REAL, VECTOR))
def rubbing(sliding: float, normal: float, p: Floats) -> float:
    """Friction along the sliding speed and against it, N: mu N, growing from none to whole over a window of speed."""
    share = min(max((abs(sliding) - p[NONE_BELOW]) / (p[WHOLE_ABOVE] - p[NONE_BELOW]), 0.0), 1.0)
    return -math.copysign(p[MU] * normal * share, sliding)
