"""Translational joint with clearance: a rectangular slider between two faces of a fixed guide, compiled (wang2017 eqs 18-31, corrected).

The guide lies along x; its faces are at y = +-(W/2 + c). Corners are numbered lower rear, lower front, upper rear, upper front.

| symbol | unit | meaning |
|---|---|---|
| L, W | m | length and height of the slider, its mass centre in the middle |
| c = (H - W)/2 | m | clearance: gap on each side of the slider in the middle of the guide of height H |
| d | m | penetration of a corner into the face of its side, negative while apart |
| v_t | m/s | speed of the corner along the guide |
| K_s = a/(0.475 (h_i + h_j)) | N/m | stiffness (eq 26); a: half the perimeter of the contact patch, h = (1 - nu^2)/E |
| D | s/m | N = K_s d (1 + D d'), never below 0; D = 0 is eq 25 |

A corner that counts as closed follows that line on both sides of d = 0, one that counts as open has no force on either side: who locates
where it closes and opens (d = 0) has smooth forces on the way there; who does not, calls it closed where d > 0.
"""

from __future__ import annotations

import math

from numba import types
from numpy.typing import ArrayLike

from model.compiled.parameters import packed
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from model.friction import velocity_window

CORNERS = 4
CORNER_NAMES = ("lower rear", "lower front", "upper rear", "upper front")
# Places in the parameters g: half length and half height of the slider, m; clearance, m; K_s, N/m; D, s/m; then those of the friction.
HALF_LENGTH, HALF_HEIGHT, CLEARANCE, STIFFNESS, DAMPING, FRICTION = range(6)
PARAMETERS = FRICTION + velocity_window.PARAMETERS

QUANTITIES = types.UniTuple(REAL, 5)  # type: ignore[no-untyped-call]
LOADS = types.UniTuple(REAL, 4)  # type: ignore[no-untyped-call]


def stiffness(half_perimeter: float, compliance: float) -> float:
    """K_s, N/m, from a (m) and h_i + h_j (1/Pa), eq 26. Raises ValueError where one of them is not positive."""
    for name, value, unit in (("half perimeter of the contact", half_perimeter, "m"), ("compliance", compliance, "1/Pa")):
        if not 0.0 < value < math.inf:
            raise ValueError(f"{name}: expected more than 0 {unit}, got {value:g}")
    return half_perimeter / (0.475 * compliance)


def parameters(length: float, height: float, clearance: float, stiffness: float, damping: float, friction: ArrayLike) -> Floats:
    """g, from length and height of the slider; friction: as model.friction.velocity_window reads it."""
    places = {HALF_LENGTH: 0.5 * length, HALF_HEIGHT: 0.5 * height, CLEARANCE: clearance, STIFFNESS: stiffness, DAMPING: damping}
    return packed(PARAMETERS, {**places, FRICTION: friction})


def refuse_overturning(name: str, clearance: float, length: float, height: float) -> None:
    """Raise ValueError for a clearance (m, each side) in which a slider of that length and height (m) could turn over."""
    diagonal = math.hypot(length, height)
    most = 0.5 * (diagonal - height)
    if clearance >= most:
        raise ValueError(
            f"{name}: expected less than {most * 1e3:.4g} mm, got {clearance * 1e3:g} mm: "
            f"a slider of {length * 1e3:g} x {height * 1e3:g} mm ({diagonal * 1e3:.4g} mm across its corners) can turn over "
            f"in a guide that is {(height + 2.0 * clearance) * 1e3:.4g} mm wide"
        )


@compiled(QUANTITIES(INDEX, REAL, REAL, REAL, REAL, REAL, REAL, VECTOR))
def corner(
    k: int, y: float, vx: float, vy: float, sine: float, cosine: float, omega: float, g: Floats
) -> tuple[float, float, float, float, float]:
    """(d, d', v_t, r_x, r_y) of corner k; r from the mass centre, which is at y and moves with vx, vy; the slider turns with omega."""
    end = g[HALF_LENGTH] if k % 2 == 1 else -g[HALF_LENGTH]
    side = 1.0 if k >= 2 else -1.0
    rx = end * cosine - side * g[HALF_HEIGHT] * sine
    ry = end * sine + side * g[HALF_HEIGHT] * cosine
    depth = side * (y + ry) - g[HALF_HEIGHT] - g[CLEARANCE]
    return depth, side * (vy + omega * rx), vx - omega * ry, rx, ry


@compiled(REAL(REAL, REAL, VECTOR))
def normal(depth: float, rate: float, g: Floats) -> float:
    """N of a closed corner, N; beyond d = 0 the line goes on."""
    return float(g[STIFFNESS] * depth * max(0.0, 1.0 + g[DAMPING] * rate))


@compiled(LOADS(REAL, REAL, REAL, REAL, REAL, INDEX, VECTOR))
def loads(y: float, vx: float, vy: float, angle: float, omega: float, closed: int, g: Floats) -> tuple[float, float, float, float]:
    """(f_x, f_y, m, S): force and moment on the slider at its mass centre, and the sum of the corners' normal forces.

    closed: bit k is set where corner k counts as closed.
    """
    fx, fy, moment, total = 0.0, 0.0, 0.0, 0.0
    if closed == 0:
        return fx, fy, moment, total
    sine, cosine = math.sin(angle), math.cos(angle)
    for k in range(CORNERS):
        if closed >> k & 1:
            depth, rate, sliding, rx, ry = corner(k, y, vx, vy, sine, cosine, omega, g)
            pressing = normal(depth, rate, g)
            tangential = velocity_window.force(sliding, pressing, g[FRICTION:]) if g[FRICTION] > 0.0 else 0.0
            across = -pressing if k >= 2 else pressing
            fx += tangential
            fy += across
            moment += rx * across - ry * tangential
            total += pressing
    return fx, fy, moment, total
