"""The frame that turns with a bar, compiled: its first axis along the chord from the first to the last node, another one by a slope.

R by rows: component i of axis j at 3 i + j.
"""

from __future__ import annotations

import math

from model.bodies.ancf_beam3d.kernel import NODE
from model.compiled.signatures import INDEX, VECTOR, Floats, compiled

WIDTH, HEIGHT = 1, 2  # axes, each by its slope at the first node: r_y, r_z


@compiled(INDEX(VECTOR, INDEX, VECTOR))
def find_frame(q: Floats, slope: int, frame: Floats) -> int:
    """R of a bar with coordinates q; slope: WIDTH or HEIGHT, which the frame follows."""
    last, own, other, chord = q.size - NODE, 3 + 3 * slope, 3 - slope, 0.0
    for i in range(3):
        chord += (q[last + i] - q[i]) ** 2
    chord, share = math.sqrt(chord), 0.0
    for i in range(3):
        frame[3 * i] = (q[last + i] - q[i]) / chord
        share += frame[3 * i] * q[own + i]
    across = 0.0
    for i in range(3):
        frame[3 * i + slope] = q[own + i] - share * frame[3 * i]
        across += frame[3 * i + slope] ** 2
    for i in range(3):
        frame[3 * i + slope] /= math.sqrt(across)
    for i in range(3):
        j, k = ((i + 1) % 3, (i + 2) % 3) if slope == WIDTH else ((i + 2) % 3, (i + 1) % 3)
        frame[3 * i + other] = frame[3 * j] * frame[3 * k + slope] - frame[3 * k] * frame[3 * j + slope]
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR))
def into_frame(frame: Floats, values: Floats, into: Floats) -> int:
    """into = R^T values, three by three."""
    for at in range(0, values.size, 3):
        x, y, z = values[at], values[at + 1], values[at + 2]
        for j in range(3):
            into[at + j] = frame[j] * x + frame[3 + j] * y + frame[6 + j] * z
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR))
def out_of_frame(frame: Floats, values: Floats, into: Floats) -> int:
    """into = R values, three by three."""
    for at in range(0, values.size, 3):
        x, y, z = values[at], values[at + 1], values[at + 2]
        for i in range(3):
            into[at + i] = frame[3 * i] * x + frame[3 * i + 1] * y + frame[3 * i + 2] * z
    return 0
