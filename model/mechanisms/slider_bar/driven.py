"""The rigid driven slider as samples turn its bar, compiled; everything but `loads` is in model.mechanisms.slider_bar.kernel.

theta = u, omega0 is u', and F0 sin(Omega/omega0 u) drives, with the configuration's speeds: the force belongs to the angle, whatever the
pace. alpha = u'' adds m1 L/2 alpha sin(theta) to R, m1 L/2 alpha cos(theta) to N, and m1 L^2/3 alpha to T (a uniform bar about its hinge).
"""

from __future__ import annotations

from model.compiled.signatures import CHANNELS, GUARDS, REAL, RHS, SWITCH, VECTOR, Floats, compiled
from model.compiled.sincos import sincos
from model.friction.karnopp import BAND, STUCK
from model.mechanisms.slider_bar.kernel import (
    BAR_INERTIA,
    DRIVE,
    DRIVE_SPEED,
    FRICTION,
    GRAVITY,
    LOADS,
    MODE,
    OFFSET,
    SPEED,
    STIFFNESS,
    STOPS,
    SWING,
    VISCOUS,
    WEIGHT,
    V,
    X,
    acceleration,
    change,
    judge,
    publish,
    stopped,
)
from model.stepping import inputs


@compiled(LOADS(REAL, REAL, REAL, VECTOR, VECTOR))
def loads(t: float, x: float, v: float, p: Floats, u: Floats) -> tuple[float, float, float, float]:
    """(R, N, T without x'', -dT/dx'') at t."""
    theta, omega, alpha = inputs.course(u, t)
    sine, cosine = sincos(theta)
    driving, _ = sincos(p[DRIVE_SPEED] / p[SPEED] * theta)
    outward, along = p[SWING] * omega * omega, p[SWING] * alpha
    external = p[DRIVE] * driving - p[STIFFNESS] * (x - p[OFFSET]) + outward * cosine + along * sine - p[VISCOUS] * v
    normal = p[WEIGHT] - outward * sine + along * cosine
    return external, normal, p[SWING] * p[GRAVITY] * cosine + p[BAR_INERTIA] * alpha, p[SWING] * sine


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: object) -> int:
    """dy = (x', x'')."""
    dy[X], dy[V] = y[V], 0.0
    if int(s[MODE]) != STUCK:
        dy[V] = acceleration(loads(t, y[X], y[V], p, u), p, s)
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """See the names of the guards."""
    return int(judge(loads(t, y[X], y[V], p, u), y, g, g_rate, p, s))


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """See the names of the guards; notes STICK, SLIP or REVERSAL."""
    if k != STOPS:
        return float(change(k, p, s))
    if p[FRICTION + BAND] == 0.0:
        y[V] = 0.0
    return float(stopped(loads(t, y[X], y[V], p, u), p, s))


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: object) -> int:
    """See model.mechanisms.slider_bar."""
    return int(publish(loads(t, y[X], y[V], p, u), y, values, p, s))
