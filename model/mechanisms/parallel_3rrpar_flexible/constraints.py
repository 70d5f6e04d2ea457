"""Coordinates of the flexible 3-RRPaR's rigid bodies that something holds, compiled: their rows say so in place of their equilibrium.

phi, the turns of a platform that only translates (chen2026 eq 32: its joints are always apart by the same vectors), stays 0. What holds it
does no work, and adds nothing to the forces between platform and short bars.

e, the pins' places in their bushes, is where the rigid mechanism with clearance has them, with one-way coupling
(model.mechanisms.parallel_3rrpar_flexible.one_way); that of an ideal joint beside one with clearance stays 0. Then e' and e'' are what
generalised-alpha makes of constraints.
"""

from __future__ import annotations

from model.bodies.ancf_beam3d.parameters import EA
from model.compiled.arrays import fill
from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, Floats, compiled
from model.mechanisms.parallel_3rrpar.kernel import ALONG_Y, CLEARANCE, PINS
from model.mechanisms.parallel_3rrpar_flexible.bodies import FAR, GAP, IDEAL, PHI, TURNS, WITH_CLEARANCE
from model.mechanisms.parallel_3rrpar_flexible.one_way import MOMENTS, led


@compiled(INDEX(VECTOR, VECTOR))
def hold_turns(rows: Floats, mine: Floats) -> int:
    """Rows of phi are to become 0."""
    if mine[TURNS] == 0.0:
        fill(rows[PHI : PHI + 3], 0.0)
    return 0


@compiled(INDEX(TABLE, VECTOR))
def hold_turns_matrix(matrix: Floats, mine: Floats) -> int:
    """Their derivatives by z."""
    if mine[TURNS] == 0.0:
        for i in range(PHI, PHI + 3):
            for j in range(matrix.shape[0]):
                matrix[i, j] = matrix[j, i] = 0.0
            matrix[i, i] = 1.0
    return 0


@compiled(INDEX(REAL, VECTOR, VECTOR, VECTOR, VECTOR))
def lead_pins(t: float, z: Floats, rows: Floats, beam: Floats, table: Floats) -> int:
    """Rows of e: how far from where they are led, m, times EA of a bar (beam) a metre, so that they are as large as forces."""
    for k in range(WITH_CLEARANCE - IDEAL):
        rows[GAP + k] = beam[EA] * (z[GAP + k] - led(t, k, table))
    return 0


@compiled(INDEX(TABLE, VECTOR))
def lead_pins_matrix(matrix: Floats, beam: Floats) -> int:
    """Their derivatives by z."""
    for i in range(GAP, WITH_CLEARANCE):
        fill(matrix[i], 0.0)
        matrix[i, i] = beam[EA]
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR))
def hold_pins(z: Floats, rows: Floats, beam: Floats, p: Floats) -> int:
    """Rows of e of an ideal joint beside one with clearance: as those of `lead_pins`, for a pin in the middle."""
    for pin in range(PINS):
        if p[CLEARANCE + pin] == 0.0:
            for k in range(GAP + ALONG_Y[pin], GAP + ALONG_Y[pin] + 2):
                rows[k] = beam[EA] * z[k]
    return 0


@compiled(INDEX(TABLE, VECTOR, VECTOR))
def hold_pins_matrix(matrix: Floats, beam: Floats, p: Floats) -> int:
    """Their derivatives by z."""
    for pin in range(PINS):
        if p[CLEARANCE + pin] == 0.0:
            for k in range(GAP + ALONG_Y[pin], GAP + ALONG_Y[pin] + 2):
                fill(matrix[k], 0.0)
                matrix[k, k] = beam[EA]
    return 0


@compiled(INDEX(REAL, VECTOR, VECTOR))
def subtract_friction(t: float, rows: Floats, table: Floats) -> int:
    """Of the rigid mechanism's contacts, from the rows of the short bars' turns."""
    for pin in range(PINS):
        rows[FAR + ALONG_Y[pin]] += led(t, MOMENTS + pin, table)
    return 0
