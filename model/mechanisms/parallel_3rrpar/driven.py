"""The rigid 3-RRPaR mechanism led along its path by samples, compiled: the path's time is not that of the clock.

The samples u are the path's time s. With theta_i(s) as the path has it, theta' = dtheta/ds s' and theta'' = dtheta/ds s'' + d2theta/ds2
s'^2; everything else is in model.mechanisms.parallel_3rrpar.kernel and parallel_3rrpar_timed.
"""

from __future__ import annotations

from model.compiled.signatures import CHANNELS, GUARDS, INDEX, REAL, RHS, SWITCH, VECTOR, ContactLaw, Floats, compiled
from model.mechanisms.parallel_3rrpar.kernel import ALONG_Y, ANGLE, DRIVE, LEGS, TIP, drive, tip_of
from model.mechanisms.parallel_3rrpar.state import change, judge, moving, publish
from model.stepping import inputs


@compiled(DRIVE(INDEX, REAL, VECTOR, VECTOR))
def led(leg: int, t: float, p: Floats, u: Floats) -> tuple[float, float, float]:
    """theta, theta', theta'' of an arm at t, s."""
    way, speed, change_of_speed = inputs.course(u, t)
    theta, slope, curve = drive(leg, way, p)
    return theta, slope * speed, slope * change_of_speed + curve * speed * speed


@compiled(TIP(INDEX, REAL, VECTOR, VECTOR))
def tip(leg: int, t: float, p: Floats, u: Floats) -> tuple[float, float, float, float, float, float, float, float]:
    """As model.mechanisms.parallel_3rrpar.kernel.tip_of."""
    return tip_of(leg, led(leg, t, p, u), p)  # type: ignore[no-any-return]


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """Time derivative of the state; with a place for it the drives' power."""
    return int(moving(tip(0, t, p, u), tip(1, t, p, u), tip(2, t, p, u), y, dy, p, s, law))


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """R1 and R3."""
    return int(judge(tip(0, t, p, u), tip(1, t, p, u), tip(2, t, p, u), y, g, g_rate, p, s))


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """Open or close a contact; notes its approach speed, m/s, 0 when it opens."""
    return float(change(k, tip(1, t, p, u), tip(ALONG_Y[k], t, p, u), y, p, s))


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """CHANNELS of model.mechanisms.parallel_3rrpar."""
    for k in range(LEGS):
        values[ANGLE + k] = led(k, t, p, u)[0]
    return int(publish(tip(0, t, p, u), tip(1, t, p, u), tip(2, t, p, u), y, values, p, s, law))
