"""A point beside a curve, compiled: which place of the curve is nearest, how far off the point is, which way the curve lies there.

The curve is two functions of a parameter, x and y in axes of its body, each of as many pieces of the same ends. The nearest end of a
piece is looked for first, then the parameter u is turned until the point lies on the normal: (P - c(u)).c'(u) = 0, by Newton's steps. So
it goes by the place of the point alone, and by nothing that was before.
"""

from __future__ import annotations

import math

from numba import types

from model.assembly.functions import numbering as of
from model.assembly.functions.evaluation import on_pieces
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled

FOUR = types.UniTuple(REAL, 4)  # type: ignore[no-untyped-call]
STEPS, NEAR = 20, 1e-15


@compiled(REAL(VECTOR, INDEX, INDEX, REAL, REAL))
def nearest_end(p: Floats, along: int, across: int, x: float, y: float) -> float:
    """Parameter at the end of a piece that is nearest to (x, y)."""
    count = int(p[along + of.COUNT])
    ends, first = along + of.ENDS, of.ENDS + count + 1
    best, least = p[ends], math.inf
    for n in range(count):
        place = first + of.COEFFICIENTS * n
        dx, dy = p[along + place] - x, p[across + place] - y
        if dx * dx + dy * dy < least:
            best, least = p[ends + n], dx * dx + dy * dy
    return float(best)


@compiled(FOUR(VECTOR, VECTOR, INDEX, INDEX, REAL, REAL))
def beside(p: Floats, s: Floats, along: int, across: int, x: float, y: float) -> tuple[float, float, float, float]:
    """(d, n_x, n_y, kappa): distance of (x, y) to the left of the curve, its left normal there, its curvature, positive to the left.

    along, across: places of its functions in p; all in axes of the curve's body, m and 1/m.
    """
    u, span = nearest_end(p, along, across, x, y), p[along + of.ENDS + int(p[along + of.COUNT])] - p[along + of.ENDS]
    for _ in range(STEPS):
        cx, tx, bx = on_pieces(u, p, s, along)
        cy, ty, by = on_pieces(u, p, s, across)
        slope = tx * tx + ty * ty
        off = (x - cx) * tx + (y - cy) * ty
        bend = slope - (x - cx) * bx - (y - cy) * by
        step = off / (bend if bend > 0.1 * slope else slope)
        u += step
        if abs(step) <= NEAR * span:
            break
    cx, tx, bx = on_pieces(u, p, s, along)
    cy, ty, by = on_pieces(u, p, s, across)
    length = math.sqrt(tx * tx + ty * ty)
    nx, ny = -ty / length, tx / length
    return nx * (x - cx) + ny * (y - cy), nx, ny, (tx * by - ty * bx) / (length * length * length)
