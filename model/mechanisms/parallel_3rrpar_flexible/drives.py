"""Motion of the flexible 3-RRPaR's driven arms, compiled: along the path in its own time, or as the input samples go along it.

Samples u are the path's time s, as in model.mechanisms.parallel_3rrpar.driven; implicit methods hand their functions no samples, so that
they stand at the end of p, rigid.SAMPLES places of them (model.stepping.inputs has their layout).
"""

from __future__ import annotations

from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar.driven import led


@compiled(rigid.DRIVE(INDEX, REAL, VECTOR))
def drive(leg: int, t: float, p: Floats) -> tuple[float, float, float]:
    """theta, theta', theta'' of an arm at t, s."""
    count = int(p[rigid.SAMPLES])
    if count == 0:
        return rigid.drive(leg, t, p)  # type: ignore[no-any-return]
    return led(leg, t, p, p[p.size - count :])  # type: ignore[no-any-return]


@compiled(rigid.TIP(INDEX, REAL, VECTOR))
def tip(leg: int, t: float, p: Floats) -> tuple[float, float, float, float, float, float, float, float]:
    """As model.mechanisms.parallel_3rrpar.kernel.tip_of."""
    return rigid.tip_of(leg, drive(leg, t, p), p)  # type: ignore[no-any-return]
