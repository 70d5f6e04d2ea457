"""Pins in bushes of the flexible 3-RRPaR, on the coordinates between platform and short bars, compiled.

| symbol | unit | meaning |
|---|---|---|
| e, n, t | m, 1 | centre of the pin from that of the bush, seen from the platform along X and s; e/abs(e), and n turned by +90 degrees |
| beta | rad | turn of the short bar, with the bush, against the platform, with the pin |
| w | | (e, beta) of R1, then of R3: all that the contact knows |
| N, f | N | pressing force, friction along t on the pin: model.contact.force, model.friction.velocity_window |
| v_t | m/s | e'.t - R_s beta' |

Q_e = f t - N n and Q_beta = - f R_s are the generalised forces: the power f v_t - N abs(e)' is theirs exactly.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from model.compiled.signatures import GUARDS, INDEX, LAW, REAL, SWITCH, TABLE, VECTOR, ContactLaw, Floats, compiled
from model.contact import force as contact_law
from model.friction import velocity_window
from model.joints import contact, revolute
from model.mechanisms.parallel_3rrpar.config import contact_stiffness
from model.mechanisms.parallel_3rrpar.kernel import ALONG_Y, CLEARANCE, FRICTION, PINS, RADIUS_I, RADIUS_J, V_FLOOR
from model.mechanisms.parallel_3rrpar.pin_loads import loose
from model.mechanisms.parallel_3rrpar_flexible.bodies import FAR, GAP, WITH_CLEARANCE
from model.mechanisms.parallel_3rrpar_flexible.config import ONE_WAY, Config

PRESSED = types.UniTuple(REAL, 7)  # type: ignore[no-untyped-call]
PAIR = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]
HELD = contact.EACH * PINS  # place in s: not 0 with ideal joints
LED = HELD + 1  # not 0 where the rigid mechanism leads the pins, so that nothing is to be found out here
STATE = LED + 1
PIN, BETA, SEEN = 3, 2, 3 * PINS  # numbers of a pin in w, place of beta among them, size of w
CHANGE = 1e-6  # share of a quantity by which it is changed for a derivative of the law's force


@compiled(INDEX(INDEX))
def place_of(k: int) -> int:
    """Of number k of w among z."""
    leg, number = ALONG_Y[k // PIN], k % PIN
    return int(FAR + leg if number == BETA else GAP + leg + number)


@compiled(INDEX(VECTOR, VECTOR))
def gather(z: Floats, w: Floats) -> int:
    """w from z, or its rates from those of z."""
    for k in range(SEEN):
        w[k] = z[place_of(k)]
    return 0


@compiled(PRESSED(INDEX, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
def pressed(pin: int, w: Floats, v: Floats, p: Floats, s: Floats, law: ContactLaw) -> tuple[float, ...]:
    """(N, f, n_x, n_s, v_t, delta, delta') of R1 (pin 0) or R3; apart: no forces."""
    g = PIN * pin
    delta, rate, nx, ns, sliding = revolute.approach(w[g], w[g + 1], v[g], v[g + 1], v[g + BETA], 0.0, p[RADIUS_I], p[RADIUS_J + pin])
    if contact.touching(s, pin) == 0:
        return 0.0, 0.0, nx, ns, sliding, delta, rate
    normal = law(delta, rate, s[contact.EACH * pin : contact.EACH * (pin + 1)])
    return normal, velocity_window.force(sliding, normal, p[FRICTION : FRICTION + 3]), nx, ns, sliding, delta, rate


@compiled(INDEX(INDEX, VECTOR, VECTOR))
def apart(pin: int, p: Floats, s: Floats) -> int:
    """1 where nothing touches R1's pin (0) or R3's; 0 for a pin that is held or led, whose force is that of a constraint."""
    if int(s[HELD]) or int(s[LED]) or p[CLEARANCE + pin] == 0.0:
        return 0
    return 1 - contact.touching(s, pin)


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
def subtract_forces(w: Floats, v: Floats, rows: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
    """rows -= Q."""
    for pin in range(PINS):
        g = PIN * pin
        normal, friction, nx, ns, _, _, _ = pressed(pin, w, v, p, s, law)
        rows[g] += normal * nx + friction * ns
        rows[g + 1] += normal * ns - friction * nx
        rows[g + BETA] += friction * p[RADIUS_I]
    return 0


@compiled(REAL(REAL, REAL, VECTOR))
def slope(sliding: float, normal: float, friction: Floats) -> float:
    """df/dv_t at a constant N, N s/m."""
    speed, none, whole = abs(sliding), friction[velocity_window.NONE_BELOW], friction[velocity_window.WHOLE_ABOVE]
    if speed <= none or speed >= whole:
        return 0.0
    return float(-friction[velocity_window.COEFFICIENT] * normal / (whole - none))


@compiled(INDEX(VECTOR, VECTOR, TABLE, REAL, VECTOR, VECTOR, LAW))
def subtract_tangents(w: Floats, v: Floats, matrix: Floats, c_v: float, p: Floats, s: Floats, law: ContactLaw) -> int:
    """matrix -= dQ/dw + c_v dQ/dw'."""
    for pin in range(PINS):
        normal, friction, nx, ns, sliding, delta, rate = pressed(pin, w, v, p, s, law)
        if normal <= 0.0:
            continue
        own, g = s[contact.EACH * pin : contact.EACH * (pin + 1)], PIN * pin
        small = CHANGE * delta
        stiff = (law(delta + small, rate, own) - normal) / small
        small = CHANGE * own[contact.SPEED]
        damped = (law(delta, rate + small, own) - normal) / small
        sloped, share, radius = slope(sliding, normal, p[FRICTION : FRICTION + 3]), friction / normal, p[RADIUS_I]
        distance = math.sqrt(w[g] * w[g] + w[g + 1] * w[g + 1])
        along, out = -v[g] * ns + v[g + 1] * nx, v[g] * nx + v[g + 1] * ns
        for k in range(3):  # e along X, along s; beta
            ex, es, turn = (1.0 if k == 0 else 0.0), (1.0 if k == 1 else 0.0), (1.0 if k == 2 else 0.0)
            en, et = ex * nx + es * ns, es * nx - ex * ns
            more = stiff * en + damped * (c_v * en + along * et / distance)
            rubbed = share * more + sloped * (c_v * et - out * et / distance - radius * c_v * turn)
            radial, tangential = -more - friction * et / distance, rubbed - normal * et / distance
            matrix[g, g + k] -= radial * nx - tangential * ns
            matrix[g + 1, g + k] -= radial * ns + tangential * nx
            matrix[g + BETA, g + k] += radius * rubbed
    return 0


@compiled(PAIR(INDEX, VECTOR, VECTOR))
def distance(pin: int, z: Floats, v: Floats) -> tuple[float, float]:
    """(|e|, |e|')."""
    g = GAP + ALONG_Y[pin]
    length = math.sqrt(z[g] * z[g] + z[g + 1] * z[g + 1])
    return length, (z[g] * v[g] + z[g + 1] * v[g + 1]) / max(length, revolute.CENTRED)


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """R1 and R3: |e| - c, of y = (q, q') whose q ends with z; with ideal joints, or led pins, never; nor where one joint is ideal."""
    n = y.size // 2
    if int(s[HELD]) or int(s[LED]):
        g[0] = g[1] = -1.0
        g_rate[0] = g_rate[1] = 0.0
        return 0
    z, v = y[n - WITH_CLEARANCE : n], y[2 * n - WITH_CLEARANCE : 2 * n]
    for pin in range(PINS):
        length, rate = distance(pin, z, v)
        g[pin], g_rate[pin] = contact.guard(s, pin, length - p[CLEARANCE + pin], rate)
        if p[CLEARANCE + pin] == 0.0:
            g[pin], g_rate[pin] = -1.0, 0.0
    return 0


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """Open or close a contact; notes its approach speed, m/s, 0 when it opens."""
    n = y.size // 2
    _, rate = distance(k, y[n - WITH_CLEARANCE : n], y[2 * n - WITH_CLEARANCE : 2 * n])
    return float(contact.switch(s, k, rate, p[V_FLOOR]))


def opened(config: Config, size: int) -> Floats:
    """s of so many places: contacts open, joints ideal, or pins led."""
    s = np.zeros(size)
    for pin in loose(config):
        own = contact_law.parameters(contact_stiffness(config, pin), config.contact.exponent, config.contact.damping)
        s[contact.EACH * pin : contact.EACH * (pin + 1)] = own
    s[HELD], s[LED] = float(config.ideal), float(not config.ideal and config.coupling == ONE_WAY)
    return s
