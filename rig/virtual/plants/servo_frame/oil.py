"""Hydraulic oil at another temperature: how much stiffer and thicker it is than at the 40 degC for which a frame's values stand.

Viscosity of ISO VG 46 by Walther's equation (ASTM D341), log10 log10(nu + 0.7) = A - B log10 T, through 46 mm^2/s at 40 degC and
6.8 mm^2/s at 100 degC (viscosity index about 100). Bulk modulus of mineral oil falls by 10^(-0.0024 (T - 20)) (Hayward, 1971).
"""

from __future__ import annotations

import math

KELVIN, NOMINAL = 273.15, 40.0
"""degC for which the values of a frame stand."""
VISCOSITIES = ((40.0, 46.0), (100.0, 6.8))
"""degC, mm^2/s."""
SOFTENING = 0.0024
"""Powers of ten for one kelvin."""


def stiffness(warmer: float) -> float:
    """Of the oil column, as a share of that at NOMINAL; `warmer`: by so many kelvin."""
    return float(10.0 ** (-SOFTENING * warmer))


def viscosity(warmer: float) -> float:
    """As a share of that at NOMINAL: seals are damped by it, leakage goes against it."""
    (cold, thick), (hot, thin) = ((math.log10(t + KELVIN), math.log10(math.log10(nu + 0.7))) for t, nu in VISCOSITIES)
    at = thick + (thin - thick) / (hot - cold) * (math.log10(NOMINAL + warmer + KELVIN) - cold)
    return float((10.0 ** (10.0**at) - 0.7) / VISCOSITIES[0][1]) if warmer else 1.0
