"""Coulomb friction, compiled: mu N against the sliding, hu2016 eq 30."""

from __future__ import annotations

from model.compiled.signatures import FRICTION, Floats, compiled

COEFFICIENT = 0  # place in the parameters


@compiled(FRICTION.signature)
def force(sliding: float, normal: float, parameters: Floats) -> float:
    """Tangential force, N, along the sliding speed (m/s) and against it; none without sliding or without contact (normal <= 0, N)."""
    if normal <= 0.0 or sliding == 0.0:
        return 0.0
    limit = float(parameters[COEFFICIENT] * normal)
    return -limit if sliding > 0.0 else limit
