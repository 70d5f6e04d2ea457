"""Sine and cosine of one angle, compiled: both from one reduction, in half the time of two calls of the C library.

The polynomials are those of Sun's fdlibm (kernel_sin, kernel_cos; within 1e-16 on +-pi/4), pi/2 in two parts as there. A right-hand side
of a planar mechanism spends most of its time here.
"""

from __future__ import annotations

import math

from numba import types

from model.compiled.signatures import REAL, compiled

PAIR = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]
PER_QUARTER, QUARTER, QUARTER_REST = 0.6366197723675814, 1.5707963267341256, 6.077100506506192e-11
EIGHTH = 0.785398163397448
WHOLE = 6755399441055744.0  # 1.5 * 2^52: added and taken away again it rounds to a whole number
FARTHEST = 1e6  # rad: up to there the two parts are enough


@compiled(PAIR(REAL), inline=True)
def near(x: float) -> tuple[float, float]:
    """(sin x, cos x) for |x| <= pi/4."""
    w = x * x  # sums in pairs: what counts here is how long one result waits for another
    w2 = w * w
    sine = 8.33333333332248946124e-03 + w * -1.98412698298579493134e-04
    sine += w2 * (2.75573137070700676789e-06 + w * (-2.50507602534068634195e-08 + w * 1.58969099521155010221e-10))
    sine = x + x * w * (-1.66666666666666324348e-01 + w * sine)
    cosine = 4.16666666666666019037e-02 + w * -1.38888888888741095749e-03
    rest = 2.48015872894767294178e-05 + w * -2.75573143513906633035e-07
    cosine += w2 * (rest + w2 * (2.08757232129817482790e-09 - w * 1.13596475577881948265e-11))
    cosine = (1.0 - 0.5 * w) + w2 * cosine
    return sine, cosine


@compiled(PAIR(REAL), inline=True)
def sincos(x: float) -> tuple[float, float]:
    """(sin x, cos x), x in rad."""
    if abs(x) <= EIGHTH:
        return near(x)
    if not abs(x) <= FARTHEST:
        return math.sin(x), math.cos(x)
    quarters = (x * PER_QUARTER + WHOLE) - WHOLE
    sine, cosine = near((x - quarters * QUARTER) - quarters * QUARTER_REST)
    which = int(quarters) & 3
    if which == 0:
        return sine, cosine
    if which == 1:
        return cosine, -sine
    return (-sine, -cosine) if which == 2 else (-cosine, sine)
