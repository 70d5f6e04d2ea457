"""What the solver calls of the rigid 3-RRPaR mechanism, compiled: state, contacts, channels, from the tips of the driven arms (`TIP`).

`rhs`, `guards`, `switch` and `channels` follow the path in its own time; those of samples are in model.mechanisms.parallel_3rrpar.driven.
"""

from __future__ import annotations

import math

from model.compiled.signatures import CHANNELS, GUARDS, INDEX, LAW, REAL, RHS, SWITCH, VECTOR, ContactLaw, Floats, compiled
from model.joints import contact
from model.mechanisms.parallel_3rrpar import kernel
from model.mechanisms.parallel_3rrpar.kernel import DRIVE, TIP, tip


@compiled(INDEX(TIP, TIP, TIP, VECTOR, VECTOR, VECTOR, VECTOR, LAW), inline=True)
def moving(
    tip_1: tuple[float, ...], tip_2: tuple[float, ...], tip_3: tuple[float, ...],
    y: Floats, dy: Floats, p: Floats, s: Floats, law: ContactLaw,
) -> int:  # fmt: skip
    """Time derivative of the state; with a place for it the drives' power."""
    now = kernel.motion(tip_1, tip_2, tip_3, y, p, s, law)
    for k in range(kernel.FREEDOMS):
        dy[k] = y[kernel.FREEDOMS + k]
    dy[kernel.FREEDOMS], dy[kernel.FREEDOMS + 1], dy[kernel.FREEDOMS + 2], dy[kernel.FREEDOMS + 3] = now[0], now[1], now[2], now[3]
    if y.size > 2 * kernel.FREEDOMS:
        first, second, third = kernel.torques(tip_1, tip_2, tip_3, y, p, now)
        dy[2 * kernel.FREEDOMS] = first * tip_1[6] + second * tip_2[6] + third * tip_3[6]
    return 0


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`moving` along the path in its own time."""
    return int(moving(tip(0, t, p), tip(1, t, p), tip(2, t, p), y, dy, p, s, law))


@compiled(DRIVE(INDEX, TIP, TIP, VECTOR, VECTOR))
def off_centre(pin: int, tip_2: tuple[float, ...], own: tuple[float, ...], y: Floats, p: Floats) -> tuple[float, float, float]:
    """(|e|, e_x, e_z) of R1 (pin 0) or R3 (pin 1), m; `own`: the tip of its arm."""
    leg = kernel.swung(pin, y, p, kernel.platform(y, p, tip_2), own)
    return math.sqrt(leg[0] * leg[0] + leg[1] * leg[1]), leg[0], leg[1]


@compiled(INDEX(TIP, TIP, TIP, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def judge(
    tip_1: tuple[float, ...], tip_2: tuple[float, ...], tip_3: tuple[float, ...],
    y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats,
) -> int:  # fmt: skip
    """Guards of R1 and R3: (|e|^2 - c^2)/2c, which is smooth where the journal is centred; an ideal joint never."""
    of_platform = kernel.platform(y, p, tip_2)
    for pin in range(kernel.PINS):
        c = p[kernel.CLEARANCE + pin]
        if c == 0.0:
            g[pin], g_rate[pin] = -1.0, 0.0
            continue
        leg = kernel.swung(pin, y, p, of_platform, tip_1 if pin == 0 else tip_3)
        square, rate = leg[0] * leg[0] + leg[1] * leg[1], leg[0] * leg[2] + leg[1] * leg[3]
        g[pin], g_rate[pin] = contact.guard(s, pin, 0.5 * (square - c * c) / c, rate / c)
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """`judge` along the path in its own time."""
    return int(judge(tip(0, t, p), tip(1, t, p), tip(2, t, p), y, g, g_rate, p, s))


@compiled(REAL(INDEX, TIP, TIP, VECTOR, VECTOR, VECTOR))
def change(k: int, tip_2: tuple[float, ...], own: tuple[float, ...], y: Floats, p: Floats, s: Floats) -> float:
    """Open or close a contact; notes its approach speed, m/s, 0 when it opens; `own`: the tip of its arm."""
    leg = kernel.swung(k, y, p, kernel.platform(y, p, tip_2), own)
    rate = (leg[0] * leg[2] + leg[1] * leg[3]) / math.sqrt(leg[0] * leg[0] + leg[1] * leg[1])
    return float(contact.switch(s, k, rate, p[kernel.V_FLOOR]))


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """`change` along the path in its own time."""
    return float(change(k, tip(1, t, p), tip(kernel.ALONG_Y[k], t, p), y, p, s))


@compiled(INDEX(TIP, TIP, TIP, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
def publish(
    tip_1: tuple[float, ...], tip_2: tuple[float, ...], tip_3: tuple[float, ...],
    y: Floats, values: Floats, p: Floats, s: Floats, law: ContactLaw,
) -> int:  # fmt: skip
    """CHANNELS of model.mechanisms.parallel_3rrpar but the arms' angles; the platform's motion is that of the path's point."""
    now = kernel.motion(tip_1, tip_2, tip_3, y, p, s, law)
    of_platform = kernel.platform(y, p, tip_2)
    for k in range(3):
        values[kernel.POSITION + k] = of_platform[k] + p[kernel.POINT + k]
        values[kernel.VELOCITY + k] = of_platform[3 + k]
    values[kernel.ACCELERATION], values[kernel.ACCELERATION + 1], values[kernel.ACCELERATION + 2] = now[4], now[5], now[6]
    values[kernel.TORQUE], values[kernel.TORQUE + 1], values[kernel.TORQUE + 2] = kernel.torques(tip_1, tip_2, tip_3, y, p, now)
    values[kernel.R1_FORCE] = math.sqrt(now[7] * now[7] + now[8] * now[8])
    values[kernel.R3_FORCE] = math.sqrt(now[10] * now[10] + now[11] * now[11])
    _, values[kernel.R1_ECCENTRICITY], values[kernel.R1_ECCENTRICITY + 2] = off_centre(0, tip_2, tip_1, y, p)
    _, values[kernel.R3_ECCENTRICITY], values[kernel.R3_ECCENTRICITY + 2] = off_centre(1, tip_2, tip_3, y, p)
    values[kernel.R1_ECCENTRICITY + 1] = values[kernel.R3_ECCENTRICITY + 1] = 0.0
    return 0


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`publish` and the arms' angles along the path in its own time."""
    for k in range(kernel.LEGS):
        values[kernel.ANGLE + k] = kernel.drive(k, t, p)[0]
    return int(publish(tip(0, t, p), tip(1, t, p), tip(2, t, p), y, values, p, s, law))
