"""The compiled contact force that all laws of the family share, hu2016 eq 6 with the factor written as a(e) delta'/v0.

| symbol | unit | meaning |
|---|---|---|
| delta | m | penetration |
| delta' | m/s | its rate |
| K, n | N/m^n, 1 | stiffness and exponent |
| a | 1 | damping of the law at the wanted restitution (model.contact.laws) |
| v0 | m/s | approach speed, latched when the contact began |
"""

from __future__ import annotations

import math

from model.compiled.parameters import packed
from model.compiled.signatures import LAW, Floats, compiled

STIFFNESS, EXPONENT, DAMPING, APPROACH, PARAMETERS = range(5)  # places in the law's parameters


def parameters(stiffness: float, exponent: float, damping: float, approach: float = 0.0) -> Floats:
    """As `force` reads them: N/m^n, 1, 1, m/s; without an approach speed: apart (model.joints.contact)."""
    return packed(PARAMETERS, {STIFFNESS: stiffness, EXPONENT: exponent, DAMPING: damping, APPROACH: approach})


@compiled(LAW.signature, inline=True)
def force(penetration: float, rate: float, parameters: Floats) -> float:
    """K delta^n (1 + a delta'/v0), N; zero when apart, never negative (forced loading could pull it below)."""
    if penetration <= 0.0:
        return 0.0
    n = parameters[EXPONENT]
    factor = parameters[STIFFNESS] * max(0.0, 1.0 + parameters[DAMPING] / parameters[APPROACH] * rate)  # ready before the root is
    return float(factor * penetration * math.sqrt(penetration) if n == 1.5 else factor * penetration**n)
