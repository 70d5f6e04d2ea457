"""Coulomb friction that grows from nothing over a window of sliding speed, compiled (Ambrosio; wang2017 eqs 13-14, chen2026 table 2)."""

from __future__ import annotations

from typing import Protocol

from model.compiled.parameters import packed
from model.compiled.signatures import FRICTION, Floats, compiled

COEFFICIENT, NONE_BELOW, WHOLE_ABOVE, PARAMETERS = range(4)  # places in the parameters: 1, m/s, m/s


class Rubbing(Protocol):
    """Keys of friction in a mechanism's configuration: coefficient, sliding speeds (m/s)."""

    @property
    def friction(self) -> float: ...
    @property
    def friction_none_below(self) -> float: ...
    @property
    def friction_whole_above(self) -> float: ...


def parameters(config: Rubbing) -> Floats:
    """As `force` reads them."""
    places = {COEFFICIENT: config.friction, NONE_BELOW: config.friction_none_below, WHOLE_ABOVE: config.friction_whole_above}
    return packed(PARAMETERS, places)


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
