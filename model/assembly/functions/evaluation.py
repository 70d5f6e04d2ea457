"""Value, first and second derivative of a function at a point, compiled; the derivatives are those of the formula, not differences.

A formula is worked off as a list of operations on a stack of (f, f', f''): each follows the rule of its derivative. The stack is s, or the
part of it that begins there; everything else is in p (model.assembly.functions.numbering).
"""

from __future__ import annotations

import math

from numba import types

from model.assembly.functions import numbering as of
from model.assembly.functions import operations as do
from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, Floats, compiled

SIGNATURE = types.UniTuple(REAL, 3)(REAL, VECTOR, VECTOR, INDEX)  # type: ignore[no-untyped-call]


@compiled(INDEX(VECTOR, INDEX, INDEX, REAL))
def piece(p: Floats, ends: int, count: int, x: float) -> int:
    """The piece in which x is; the first or last where it is in none."""
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) // 2
        if p[ends + middle] <= x:
            low = middle
        else:
            high = middle
    return low


@compiled(SIGNATURE)
def on_pieces(x: float, p: Floats, s: Floats, k: int) -> tuple[float, float, float]:
    """Of pieces of polynomials; outside it goes on straight, or repeats."""
    count, ends = int(p[k + of.COUNT]), k + of.ENDS
    first, last, grown = p[ends], p[ends + count], 0.0
    if p[k + of.REPEATS] > 0.0:
        times = math.floor((x - first) / (last - first))
        x -= times * (last - first)
        grown = times * p[k + of.GROWTH]
    inside = min(max(x, first), last)
    n = piece(p, ends, count, inside)
    h, c = inside - p[ends + n], ends + count + 1 + of.COEFFICIENTS * n
    value = p[c] + h * (p[c + 1] + h * (p[c + 2] + h * (p[c + 3] + h * (p[c + 4] + h * p[c + 5]))))
    rate = p[c + 1] + h * (2.0 * p[c + 2] + h * (3.0 * p[c + 3] + h * (4.0 * p[c + 4] + h * 5.0 * p[c + 5])))
    second = 2.0 * p[c + 2] + h * (6.0 * p[c + 3] + h * (12.0 * p[c + 4] + h * 20.0 * p[c + 5]))
    if x != inside:
        return value + rate * (x - inside) + grown, rate, 0.0
    return value + grown, rate, second


@compiled(INDEX(VECTOR, INDEX, REAL, REAL, REAL))
def chain(s: Floats, a: int, value: float, slope: float, bend: float) -> int:
    """Put g(f) in the place of f: slope and bend are g' and g'' there."""
    rate, second = s[a + 1], s[a + 2]
    s[a], s[a + 1], s[a + 2] = value, slope * rate, bend * rate * rate + slope * second
    return 0


@compiled(INDEX(INDEX, VECTOR, INDEX))
def of_one(what: int, s: Floats, a: int) -> int:
    """A function of what is at place a."""
    f = s[a]
    if what == do.MINUS:
        return chain(s, a, -f, -1.0, 0.0)
    if what == do.SINE:
        return chain(s, a, math.sin(f), math.cos(f), -math.sin(f))
    if what == do.COSINE:
        return chain(s, a, math.cos(f), -math.sin(f), -math.cos(f))
    if what == do.TANGENT:
        slope = 1.0 + math.tan(f) ** 2
        return chain(s, a, math.tan(f), slope, 2.0 * math.tan(f) * slope)
    if what == do.EXPONENTIAL:
        return chain(s, a, math.exp(f), math.exp(f), math.exp(f))
    if what == do.LOGARITHM:
        return chain(s, a, math.log(f), 1.0 / f, -1.0 / (f * f))
    if what == do.ROOT:
        root = math.sqrt(f)
        return chain(s, a, root, 0.5 / root, -0.25 / (f * root))
    if what == do.HYPERBOLIC:
        slope = 1.0 - math.tanh(f) ** 2
        return chain(s, a, math.tanh(f), slope, -2.0 * math.tanh(f) * slope)
    if what == do.ARC_TANGENT:
        slope = 1.0 / (1.0 + f * f)
        return chain(s, a, math.atan(f), slope, -2.0 * f * slope * slope)
    f = min(max(f, 0.0), 1.0)  # RISE
    return chain(s, a, f * f * f * (10.0 + f * (6.0 * f - 15.0)), 30.0 * (f * (1.0 - f)) ** 2, 60.0 * f * (1.0 - f) * (1.0 - 2.0 * f))


@compiled(INDEX(INDEX, VECTOR, INDEX, INDEX))
def of_two(what: int, s: Floats, a: int, b: int) -> int:
    """Put the result of both into the place a."""
    if what == do.ADD:
        s[a], s[a + 1], s[a + 2] = s[a] + s[b], s[a + 1] + s[b + 1], s[a + 2] + s[b + 2]
    elif what == do.SUBTRACT:
        s[a], s[a + 1], s[a + 2] = s[a] - s[b], s[a + 1] - s[b + 1], s[a + 2] - s[b + 2]
    elif what == do.MULTIPLY:
        second = s[a + 2] * s[b] + 2.0 * s[a + 1] * s[b + 1] + s[a] * s[b + 2]
        s[a], s[a + 1], s[a + 2] = s[a] * s[b], s[a + 1] * s[b] + s[a] * s[b + 1], second
    else:
        value = s[a] / s[b]
        rate = (s[a + 1] - value * s[b + 1]) / s[b]
        second = (s[a + 2] - 2.0 * rate * s[b + 1] - value * s[b + 2]) / s[b]
        s[a], s[a + 1], s[a + 2] = value, rate, second
    return 0


@compiled(SIGNATURE)
def on_program(x: float, p: Floats, s: Floats, k: int) -> tuple[float, float, float]:
    """Of a formula."""
    top, step = -3, k + of.STEPS
    for _ in range(int(p[k + of.COUNT])):
        what, number = int(p[step]), p[step + 1]
        if what == do.NUMBER or what == do.VARIABLE:
            top += 3
            s[top], s[top + 1], s[top + 2] = (number, 0.0, 0.0) if what == do.NUMBER else (x, 1.0, 0.0)
        elif what == do.POWER:
            f = s[top]
            slope = number * f ** (number - 1.0) if number != 0.0 else 0.0  # which at f = 0 would be 0 times infinite
            bend = number * (number - 1.0) * f ** (number - 2.0) if number != 0.0 and number != 1.0 else 0.0
            chain(s, top, f**number, slope, bend)
        elif what <= do.DIVIDE:
            top -= 3
            of_two(what, s, top, top + 3)
        else:
            of_one(what, s, top)
        step += 2
    return s[0], s[1], s[2]


@compiled(SIGNATURE)
def evaluate(x: float, p: Floats, s: Floats, k: int) -> tuple[float, float, float]:
    """(f, f', f'') of the function whose numbers begin at k in p; s: room for its stack."""
    if p[k + of.KIND] == of.PIECES:
        return on_pieces(x, p, s, k)
    return on_program(x, p, s, k)


@compiled(INDEX(VECTOR, VECTOR, VECTOR, TABLE))
def evaluate_all(x: Floats, p: Floats, s: Floats, found: Floats) -> int:
    """The same at each of x (k,), of the function that p is: into `found` (k, 3)."""
    for n in range(len(x)):
        found[n, 0], found[n, 1], found[n, 2] = evaluate(x[n], p, s, 0)
    return 0
