"""Coulomb friction that grows from nothing over a window of sliding speed, compiled (Ambrosio; wang2017 eqs 13-14, chen2026 table 2)."""

from __future__ import annotations

from model.compiled.signatures import FRICTION, Floats, compiled

COEFFICIENT, NONE_BELOW, WHOLE_ABOVE = range(3)  # places in the parameters: 1, m/s, m/s


@compiled(FRICTION.signature)
def force(sliding: float, normal: float, parameters: Floats) -> float:
    """Tangential force, N, along the sliding speed (m/s) and against it: mu c_d N; none without contact (normal <= 0, N)."""
    speed = abs(sliding)
    none, whole = parameters[NONE_BELOW], parameters[WHOLE_ABOVE]
    if normal <= 0.0 or speed <= none:
        return 0.0
    limit = float(parameters[COEFFICIENT] * normal)
    if speed < whole:
        limit *= (speed - none) / (whole - none)
    return -limit if sliding > 0.0 else limit
