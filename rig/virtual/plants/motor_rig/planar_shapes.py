"""Curves and cams as a planar linkage's plant has them: nodes with tangents, between which `planar_rolling` lays cubics."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from model.assembly.functions.function import Function
from model.assembly.functions.numbering import COUNT, ENDS

Nodes = NDArray[np.float64]
LEAST, PER_PIECE = 720, 16
"""Pieces between nodes, at least; and for each piece of the curve as it is described."""


def curve_nodes(along: Function, across: Function) -> Nodes:
    """(k, 4): x, dx/du, y, dy/du at each node u = 0, 1, ... of a curve; m. The last of a closed one is the first."""
    pieces = int(along.numbers[COUNT])
    first, last = along.numbers[ENDS], along.numbers[ENDS + pieces]
    count = max(LEAST, pieces if pieces > LEAST // 2 else PER_PIECE * pieces)
    way, step = np.linspace(first, last, count + 1), (last - first) / count
    (x, tx, _), (y, ty, _) = along.at(way), across.at(way)
    return np.column_stack([x, step * tx, y, step * ty])


def face_nodes(distance: Function) -> Nodes:
    """(k, 4): distance of a face, and its growth, by its angle at each node, over one turn from 0; m. The other two columns are 0."""
    angles = np.linspace(0.0, 2.0 * math.pi, LEAST + 1)
    far, slope, _ = distance.at(angles)
    return np.column_stack([far, slope * (angles[1] - angles[0]), np.zeros((len(angles), 2))])


def nearest_node(nodes: Nodes, x: float, y: float) -> float:
    """Number of the node that is nearest to (x, y), m."""
    return float(np.argmin((nodes[:, 0] - x) ** 2 + (nodes[:, 2] - y) ** 2))


def reach(nodes: Nodes) -> float:
    """Distance of the farthest node from where the curve is counted, m."""
    return float(np.max(np.hypot(nodes[:, 0], nodes[:, 2])))
