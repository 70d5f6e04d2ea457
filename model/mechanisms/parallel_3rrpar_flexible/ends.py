"""Ends of the flexible 3-RRPaR's bars at the rigid bodies: their coordinates from z, their forces on z, their changes with z, compiled."""

from __future__ import annotations

from model.bodies.ancf_beam3d import hinged
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from model.mechanisms.parallel_3rrpar_flexible import bodies


@compiled(INDEX(INDEX, REAL, VECTOR, INDEX, VECTOR))
def place_ends(bar: int, half: float, k: Floats, rate: int, ends: Floats) -> int:
    """(r, r_z) of both ends of a bar, or their first or second rates."""
    shift = half if bar % 2 == 0 else -half
    along = 3 * rate
    for i in range(3):
        ends[i] = k[bodies.T + along + i]
        ends[hinged.SLOPE + i] = k[bodies.N_NEAR + along + i]
        ends[hinged.LAST + i] = k[bodies.C + along + i] + shift * k[bodies.A_FAR + along + i]
        ends[hinged.LAST_SLOPE + i] = k[bodies.N_FAR + along + i]
    if rate == 0:
        ends[2 if bar // 2 == 1 else 1] += shift
    return 0


@compiled(INDEX(INDEX, INDEX, REAL, VECTOR, VECTOR, VECTOR, VECTOR))
def add_ends(leg: int, side: int, half: float, ends: Floats, platform: Floats, k: Floats, rows: Floats) -> int:
    """Add forces on the ends of a leg's bar to the rows of z."""
    shift = half if side == 0 else -half
    near, slope = bodies.at(k, bodies.X_NEAR), bodies.at(ends, hinged.SLOPE)
    rows[bodies.NEAR + leg] -= near[0] * slope[0] + near[1] * slope[1] + near[2] * slope[2]
    force, arm = bodies.at(ends, hinged.LAST), bodies.at(k, bodies.A_FAR)
    first, second = bodies.cross(arm, force), bodies.cross(bodies.at(k, bodies.N_FAR), bodies.at(ends, hinged.LAST_SLOPE))
    moment = (shift * first[0] + second[0], shift * first[1] + second[1], shift * first[2] + second[2])
    return int(bodies.add_far(leg, force, moment, platform, k, rows))


@compiled(INDEX(INDEX, INDEX, REAL, VECTOR, VECTOR, VECTOR, VECTOR))
def move_ends(leg: int, side: int, half: float, x: Floats, platform: Floats, k: Floats, ends: Floats) -> int:
    """How the ends of a leg's bar move with small changes x of z."""
    shift, turn = half if side == 0 else -half, bodies.turn_of(x, platform)
    moved, axis = bodies.shift_of(leg, x, platform, k, turn), bodies.at(k, bodies.A_FAR)
    swung, tilted = bodies.cross(turn, axis), bodies.cross(turn, bodies.at(k, bodies.N_FAR))
    for i in range(3):
        ends[i] = 0.0
        ends[hinged.SLOPE + i] = -k[bodies.X_NEAR + i] * x[bodies.NEAR + leg]
        ends[hinged.LAST + i] = moved[i] + shift * swung[i]
        ends[hinged.LAST_SLOPE + i] = tilted[i] - k[bodies.X_FAR + i] * x[bodies.FAR + leg]
    return 0
