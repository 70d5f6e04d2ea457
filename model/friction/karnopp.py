"""Karnopp friction, compiled: sliding friction outside a band of speed, true sticking within it (karnopp eq 1, corrected: |v| < DV).

| symbol | meaning |
|---|---|
| mu, mu' | coefficients of sliding and of static friction |
| DV | half width of the band of speed that counts as rest, m/s; 0: rest is v = 0 alone, found as an event |
| F_e | all forces along the guide but friction, N |
| S | sum of the magnitudes of the normal forces, N |

What a contact does is one of five modes: it sticks; it slides forward or backward; or, within the band, it yields forward or backward,
that is F_e is more than static friction can hold but |v| is not yet DV. Without a band there is no yielding.
"""

from __future__ import annotations

from model.compiled.parameters import packed
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled

SLIDING, STATIC, BAND, PARAMETERS = range(4)  # places in the parameters: mu, mu', DV
BACKWARD_YIELDING, BACKWARD, STUCK, FORWARD, FORWARD_YIELDING = range(-2, 3)


def parameters(sliding: float, static: float, band: float) -> Floats:
    """As the functions read them: mu, mu' and DV (m/s)."""
    return packed(PARAMETERS, {SLIDING: sliding, STATIC: static, BAND: band})


@compiled(REAL(INDEX, VECTOR))
def ratio(mode: int, parameters: Floats) -> float:
    """Friction as a share of S, positive along the guide, in a mode that moves; 0 for the one that does not."""
    if mode == STUCK:
        return 0.0
    coefficient = parameters[SLIDING] if abs(mode) == FORWARD else parameters[STATIC]
    return float(-coefficient if mode > 0 else coefficient)


@compiled(REAL(REAL, REAL, REAL, VECTOR))
def force(speed: float, external: float, normal_sum: float, parameters: Floats) -> float:
    """Friction of eq 1 at `speed` (m/s) under F_e = `external` (N) and S = `normal_sum` (N), in N, positive along the guide."""
    if abs(speed) > parameters[BAND]:
        return float((-parameters[SLIDING] if speed > 0.0 else parameters[SLIDING]) * normal_sum)
    limit = parameters[STATIC] * normal_sum
    return float(min(limit, max(-limit, -external)))
