"""Coordinates of the flexible 3-RRPaR's rigid bodies that something holds, compiled: their rows say so in place of their equilibrium.

The turns phi of a platform that only translates (chen2026 eq 32: its joints are always apart by the same vectors) stay 0. What holds them
does no work, and adds nothing to the forces between platform and short bars.
"""

from __future__ import annotations

from model.arrays import fill
from model.mechanisms.parallel_3rrpar_flexible_bodies import PHI, TURNS
from model.signatures import INDEX, TABLE, VECTOR, Floats, compiled


@compiled(INDEX(VECTOR, VECTOR))
def hold_rows(rows: Floats, mine: Floats) -> int:
    """Rows of z that are to become 0."""
    if mine[TURNS] == 0.0:
        fill(rows[PHI : PHI + 3], 0.0)
    return 0


@compiled(INDEX(TABLE, VECTOR))
def hold_matrix(matrix: Floats, mine: Floats) -> int:
    """Their derivatives by z."""
    if mine[TURNS] == 0.0:
        for i in range(PHI, PHI + 3):
            for j in range(matrix.shape[0]):
                matrix[i, j] = matrix[j, i] = 0.0
            matrix[i, i] = 1.0
    return 0
