"""The slider-crank without clearance, in closed form: kinematics, torque and reactions, compiled; and its largest torque.

The rod's end stays on the guide's middle: sin phi = -(r/l) sin theta. T omega is the power that the moving masses take up, and gravity.
The only state is the drive's work.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from model.compiled.signatures import CHANNELS, GUARDS, INDEX, REAL, RHS, SWITCH, VECTOR, ContactLaw, Floats, compiled
from model.mechanisms.slider_crank.kernel import (
    ACCELERATION,
    CRANK_ANGLE,
    CRANK_INERTIA,
    CRANK_WEIGHT,
    GRAVITY,
    GUIDE_FORCE,
    J3,
    JOINT_FORCE,
    M3,
    M4,
    PENETRATION,
    POSITION,
    SIGN,
    SPEED,
    TORQUE,
    VELOCITY,
    L,
    R,
    S,
)
from model.stepping import inputs

KINEMATICS = types.UniTuple(REAL, 6)  # type: ignore[no-untyped-call]
LOADS = types.UniTuple(REAL, 3)  # type: ignore[no-untyped-call]


@compiled(KINEMATICS(REAL, REAL, REAL, VECTOR))
def moved(theta: float, omega: float, alpha: float, p: Floats) -> tuple[float, float, float, float, float, float]:
    """(phi, phi', phi'', x, x', x'') while the crank turns so, rad, rad/s, rad/s^2."""
    ratio = p[R] / p[L]
    first, second = math.cos(theta), math.sin(theta)
    sine = -ratio * second
    cosine = math.sqrt(1.0 - sine * sine)
    rate = -ratio * omega * first / cosine
    change = (ratio * omega * omega * second - ratio * alpha * first + rate * rate * sine) / cosine
    x = p[R] * first + p[L] * cosine
    v = -p[R] * omega * second - p[L] * rate * sine
    a = -p[R] * omega * omega * first - p[R] * alpha * second - p[L] * (change * sine + rate * rate * cosine)
    return math.asin(sine), rate, change, x, v, a


@compiled(KINEMATICS(REAL, VECTOR))
def kinematics(theta: float, p: Floats) -> tuple[float, float, float, float, float, float]:
    """`moved` at the crank angle theta at constant speed."""
    return moved(theta, p[SPEED], 0.0, p)  # type: ignore[no-any-return]


@compiled(LOADS(REAL, REAL, REAL, VECTOR))
def loaded(theta: float, omega: float, alpha: float, p: Floats) -> tuple[float, float, float]:
    """(T, force in the pin that may have clearance, guide's force on the slider), N m, N, N, while the crank turns so."""
    phi, rate, change, _, _, a = moved(theta, omega, alpha, p)
    cosine, sine, square = math.cos(phi), math.sin(phi), omega * omega
    ax, ay = p[R] * math.cos(theta), p[R] * math.sin(theta)
    bx, by = -square * ax - alpha * ay, p[GRAVITY] - square * ay + alpha * ax
    rx = p[M4] * a  # of the rod on the slider
    ry = rx * sine / cosine - ((p[J3] + p[M3] * p[S] * p[S]) * change / cosine + p[M3] * p[S] * (by - bx * sine / cosine)) / p[L]
    hx = p[M3] * (bx - p[S] * (change * sine + rate * rate * cosine)) + rx
    hy = p[M3] * (by + p[S] * (change * cosine - rate * rate * sine)) + ry
    torque = ax * hy - ay * hx + p[CRANK_WEIGHT] * math.cos(theta) + p[CRANK_INERTIA] * alpha
    force = math.sqrt(rx * rx + ry * ry) if p[SIGN] < 0.0 else math.sqrt(hx * hx + hy * hy)
    return torque, force, p[M4] * p[GRAVITY] - ry


@compiled(LOADS(REAL, VECTOR))
def loads(theta: float, p: Floats) -> tuple[float, float, float]:
    """`loaded` at the crank angle theta at constant speed."""
    return loaded(theta, p[SPEED], 0.0, p)  # type: ignore[no-any-return]


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """The drive's power."""
    dy[0] = loads(p[SPEED] * t, p)[0] * p[SPEED]
    return 0


@compiled(RHS.signature)
def rhs_driven(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """The drive's power as the samples turn the crank."""
    theta, omega, alpha = inputs.course(u, t)
    dy[0] = loaded(theta, omega, alpha, p)[0] * omega
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Nothing opens or closes."""
    g[0], g_rate[0] = -1.0, 0.0
    return 0


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """Nothing to switch."""
    return np.nan


@compiled(INDEX(REAL, REAL, REAL, VECTOR, VECTOR))
def publish(theta: float, omega: float, alpha: float, values: Floats, p: Floats) -> int:
    """CHANNELS of model.mechanisms.slider_crank."""
    _, _, _, values[POSITION], values[VELOCITY], values[ACCELERATION] = moved(theta, omega, alpha, p)
    values[CRANK_ANGLE], values[PENETRATION] = theta, 0.0
    values[TORQUE], values[JOINT_FORCE], guide = loaded(theta, omega, alpha, p)
    values[GUIDE_FORCE] = abs(guide)
    return 0


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`publish` at constant speed."""
    return int(publish(p[SPEED] * t, p[SPEED], 0.0, values, p))


@compiled(CHANNELS.signature)
def channels_driven(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`publish` as the samples turn the crank."""
    theta, omega, alpha = inputs.course(u, t)
    return int(publish(theta, omega, alpha, values, p))
