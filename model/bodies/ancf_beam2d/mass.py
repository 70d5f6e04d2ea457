"""Mass matrix of a planar ANCF beam, factored once and solved along the beam, compiled: the cost grows with the number of elements.

The matrix does not change with the coordinates. It couples x with x and y with y, and a node with its neighbours. What is held or carried
may make that of x another one than that of y.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from model.bodies.ancf_beam2d.kernel import NODE
from model.compiled.signatures import INDEX, VECTOR, compiled
from model.floats import Floats

DIRECTION = 7  # numbers of a node's factors in one direction
FACTOR_NODE = 2 * DIRECTION


def factors(along_x: Floats, along_y: Floats) -> Floats:
    """Of M = (1 + L) D (1 + L)^T in blocks of a node: [L (4), D^-1 (3)] for x, then y; (nodes, FACTOR_NODE).

    along_x, along_y: M of one direction, (2 nodes, 2 nodes), in kg, kg m and kg m^2.
    """
    found = np.zeros((len(along_x) // 2, FACTOR_NODE))
    for direction, mass in enumerate((along_x, along_y)):
        inverse: Floats = np.zeros((2, 2))
        for j, row in enumerate(found[:, DIRECTION * direction :]):
            here = slice(2 * j, 2 * j + 2)
            diagonal: NDArray[np.floating] = mass[here, here]
            left: Floats = np.zeros((2, 2))
            if j > 0:
                beside = mass[here, 2 * j - 2 : 2 * j]
                left = beside @ inverse
                diagonal = diagonal - left @ beside.T
            inverse = np.linalg.inv(diagonal)
            row[:DIRECTION] = [*left.ravel(), inverse[0, 0], inverse[0, 1], inverse[1, 1]]
    return found


@compiled(INDEX(VECTOR, INDEX, VECTOR))
def solve(p: Floats, factor: int, f: Floats) -> int:
    """f = M^-1 f, along the beam and back; its factors begin at place `factor` of p."""
    last = f.size // NODE - 1
    for j in range(1, last + 1):
        at, k = NODE * j, factor + FACTOR_NODE * j
        x0, y0, x1, y1 = f[at - 4], f[at - 3], f[at - 2], f[at - 1]
        f[at] -= p[k] * x0 + p[k + 1] * x1
        f[at + 2] -= p[k + 2] * x0 + p[k + 3] * x1
        k += DIRECTION
        f[at + 1] -= p[k] * y0 + p[k + 1] * y1
        f[at + 3] -= p[k + 2] * y0 + p[k + 3] * y1
    x0, y0, x1, y1 = 0.0, 0.0, 0.0, 0.0
    for j in range(last, -1, -1):
        at, k = NODE * j, factor + FACTOR_NODE * j
        a, b, c, d = p[k + 4] * f[at] + p[k + 5] * f[at + 2], p[k + 5] * f[at] + p[k + 6] * f[at + 2], 0.0, 0.0
        k += DIRECTION
        c, d = p[k + 4] * f[at + 1] + p[k + 5] * f[at + 3], p[k + 5] * f[at + 1] + p[k + 6] * f[at + 3]
        if j < last:
            k += FACTOR_NODE
            c -= p[k] * y0 + p[k + 2] * y1
            d -= p[k + 1] * y0 + p[k + 3] * y1
            k -= DIRECTION
            a -= p[k] * x0 + p[k + 2] * x1
            b -= p[k + 1] * x0 + p[k + 3] * x1
        x0, x1, y0, y1 = a, b, c, d
        f[at], f[at + 1], f[at + 2], f[at + 3] = a, c, b, d
    return 0
