"""Motion of a free impact, compiled. State: penetration delta (m) and its rate (m/s). p: mass (kg). s: what the law wants."""

from __future__ import annotations

import numpy as np

from model.compiled.signatures import CHANNELS, GUARDS, RHS, SWITCH, ContactLaw, Floats, compiled
from model.contact.force import STIFFNESS  # zeroed in s when the bodies have parted

MASS, PARAMETERS = range(2)  # place in p


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """Time derivative of the state."""
    dy[0] = y[1]
    dy[1] = -law(y[0], y[1], s) / p[MASS]
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Parted."""
    g[0], g_rate[0] = (-y[0], -y[1]) if s[STIFFNESS] > 0.0 else (-1.0, 0.0)
    return 0


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """No force any more; notes the speed at which they part, m/s."""
    s[STIFFNESS] = 0.0
    return -float(y[1])


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """Contact force, N."""
    values[0] = law(y[0], y[1], s) if s[STIFFNESS] > 0.0 else np.float64(0.0)
    return 0
