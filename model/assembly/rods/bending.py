"""Rods that give way, compiled: planar ANCF beams (model.bodies.ancf_beam2d) among the bodies of an assembled mechanism.

| symbol | unit | meaning |
|---|---|---|
| e, e' | m, 1; m/s, 1/s | coordinates of a rod's nodes (r, t = dr/dx), their rates; own states of the mechanism, before an angle psi |
| M, C | kg, ...; 1/kg, ... | constant mass matrix of the rod, and S M^-1 S^T, where S picks the nodes that carry frames |
| phi | rad | angle of a frame, that of t; phi' = t x t'/t.t, phi'' = t x t''/t.t - 2 (t.t') phi'/t.t |
| T | | rates of frames from those of nodes: (x', y', phi') = T (r', t'); forces on nodes from those on frames by T^T |
| W | | T C T^T: accelerations of the frames of a rod by forces and couples on them |

A frame moves as a body does that is fixed to its node, so joints, springs, loads and sensors know of no rods. Only inertia differs: a row j
of the Jacobian that acts on one frame moves all of its rod by W j, and its part of A = J M^-1 J^T is j'.W j. psi' is phi' of the first
frame; of psi only the whole turns are taken, so that angles go on beyond half a turn and depend on the state alone.
"""

from __future__ import annotations

import math

from model.assembly import layout as at
from model.bodies.ancf_beam2d.kernel import NODE, forces
from model.bodies.ancf_beam2d.mass import solve
from model.compiled.arrays import copy, fill
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled


@compiled(INDEX(VECTOR, VECTOR))
def place_frames(p: Floats, s: Floats) -> int:
    """Poses of the frames from the own states in s."""
    k = int(p[at.AT_RODS])
    for _ in range(int(p[at.RODS])):
        e, size, pose = int(p[at.S_OWN]) + int(p[k + at.ROD_OWN]), NODE * int(p[k + at.ROD_NODES]), int(p[k + at.ROD_POSE])
        angle, before_x, before_y = s[e + 2 * size], 1.0, 0.0
        for frame in range(int(p[k + at.ROD_FRAMES])):
            q = e + int(p[k + at.ROD_COLUMNS + frame])
            v, tx, ty = q + size, s[q + 2], s[q + 3]
            square = tx * tx + ty * ty
            length = math.sqrt(square)
            if frame == 0:
                within = math.atan2(ty, tx)
                angle = within + 2.0 * math.pi * math.floor((angle - within) / (2.0 * math.pi) + 0.5)
            else:
                angle += math.atan2(before_x * ty - before_y * tx, before_x * tx + before_y * ty)
            before_x, before_y = tx, ty
            s[pose + at.X], s[pose + at.Y], s[pose + at.ANGLE_OF] = s[q], s[q + 1], angle
            s[pose + at.COS], s[pose + at.SIN] = tx / length, ty / length
            s[pose + at.VX], s[pose + at.VY] = s[v], s[v + 1]
            s[pose + at.OMEGA] = (tx * s[v + 3] - ty * s[v + 2]) / square
            pose += at.POSE_COLUMNS
        k += int(p[k + at.ROD_SIZE])
    return 0


@compiled(INDEX(VECTOR, VECTOR, INDEX, REAL))
def accelerate_frames(p: Floats, s: Floats, vector: int, strained: float) -> int:
    """What acts on rods, with that on their frames in the triples at place `vector`, to accelerations as far as no row holds them.

    strained: 1, or 0 without what their strain does.

    Those of the nodes go among the rates of the own states, those of the frames into the triples, m/s^2 and rad/s^2.
    """
    k, own = int(p[at.AT_RODS]), int(p[at.S_OWN])
    rates = own + int(p[at.OWN_STATES])
    for _ in range(int(p[at.RODS])):
        size, frames, first = NODE * int(p[k + at.ROD_NODES]), int(p[k + at.ROD_FRAMES]), int(p[k + at.ROD_OWN])
        e, a, triples = own + first, rates + first + size, vector + int(p[k + at.ROD_TRIPLE])
        weight = k + at.ROD_COLUMNS + frames + at.COMPLIANCES * frames * frames
        acting = s[a : a + size]
        copy(acting, p[weight : weight + size])
        if strained > 0.0:
            forces(s[e : e + size], s[e + size : e + 2 * size], acting, p[k + at.ROD_BEAM : k + at.ROD_COLUMNS])
        for frame in range(frames):
            place = int(p[k + at.ROD_COLUMNS + frame])
            tx, ty, triple = s[e + place + 2], s[e + place + 3], triples + at.TRIPLE * frame
            couple = s[triple + 2] / (tx * tx + ty * ty)
            acting[place] += s[triple]
            acting[place + 1] += s[triple + 1]
            acting[place + 2] -= couple * ty
            acting[place + 3] += couple * tx
        solve(p, weight + 2 * size, acting)
        for frame in range(frames):
            place = int(p[k + at.ROD_COLUMNS + frame])
            q, triple = e + place, triples + at.TRIPLE * frame
            tx, ty, ux, uy = s[q + 2], s[q + 3], s[q + size + 2], s[q + size + 3]
            square = tx * tx + ty * ty
            turning = (tx * uy - ty * ux) / square
            s[triple], s[triple + 1] = acting[place], acting[place + 1]
            s[triple + 2] = (tx * acting[place + 3] - ty * acting[place + 2] - 2.0 * (tx * ux + ty * uy) * turning) / square
        k += int(p[k + at.ROD_SIZE])
    return 0


@compiled(INDEX(VECTOR, VECTOR))
def spread(p: Floats, s: Floats) -> int:
    """W j of every row j that acts on a frame."""
    b, place = int(p[at.AT_SPANS]), 0
    for _ in range(int(p[at.SPANS])):
        place = int(p[b + at.SPAN_FROM])
        for n in range(place, place + at.TRIPLE * int(p[b + at.SPAN_FRAMES])):
            s[n] = 0.0
        b += at.SPAN_COLUMNS
    b = int(p[at.AT_BENDS])
    for _ in range(int(p[at.BENDS])):
        k, j, pushed, into = int(p[b + at.B_ROD]), int(p[b + at.B_TRIPLE]), int(p[b + at.B_FRAME]), int(p[b + at.B_INTO])
        e, frames = int(p[at.S_OWN]) + int(p[k + at.ROD_OWN]), int(p[k + at.ROD_FRAMES])
        q = e + int(p[k + at.ROD_COLUMNS + pushed])
        tx, ty = s[q + 2], s[q + 3]
        couple = s[j + 2] / (tx * tx + ty * ty)
        fx, fy, gx, gy = s[j], s[j + 1], -couple * ty, couple * tx
        for frame in range(frames):
            c = k + at.ROD_COLUMNS + frames + at.COMPLIANCES * (frames * frame + pushed)
            q = e + int(p[k + at.ROD_COLUMNS + frame])
            tx, ty = s[q + 2], s[q + 3]
            s[into] += p[c] * fx + p[c + 1] * gx
            s[into + 1] += p[c] * fy + p[c + 1] * gy
            slope_x, slope_y = p[c + 2] * fx + p[c + 3] * gx, p[c + 2] * fy + p[c + 3] * gy
            s[into + 2] += (tx * slope_y - ty * slope_x) / (tx * tx + ty * ty)
            into += at.TRIPLE
        b += at.BEND_COLUMNS
    return 0


@compiled(INDEX(VECTOR, VECTOR, INDEX, REAL, INDEX, INDEX, INDEX))
def drag_frames(p: Floats, s: Floats, row: int, force: float, into: int, i: int, j: int) -> int:
    """Add what one row times a force does to the vector of triples at place `into`; i, j: places in it of what the row's ends are of."""
    ground, triple = into + at.TRIPLE * int(p[at.BODIES]), int(p[at.S_JACOBIAN]) + 2 * at.TRIPLE * row
    for axis in range(at.TRIPLE):
        if i <= ground:
            s[i + axis] += s[triple + axis] * force
        if j <= ground:
            s[j + axis] += s[triple + at.TRIPLE + axis] * force
    b = int(p[at.AT_SPANS])
    for _ in range(int(p[at.SPANS])):
        if p[b + at.SPAN_ROW] == row:
            place, first = int(p[b + at.SPAN_FROM]), into + int(p[b + at.SPAN_TRIPLE])
            for n in range(at.TRIPLE * int(p[b + at.SPAN_FRAMES])):
                s[first + n] += s[place + n] * force
        b += at.SPAN_COLUMNS
    return 0


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def react(p: Floats, s: Floats, x: int) -> int:
    """Add to the nodes' accelerations what the rows do, their forces from place x of s; then the rates of the own states are complete."""
    k, own = int(p[at.AT_RODS]), int(p[at.S_OWN])
    rates = own + int(p[at.OWN_STATES])
    for _ in range(int(p[at.RODS])):
        first, size = rates + int(p[k + at.ROD_OWN]), NODE * int(p[k + at.ROD_NODES])
        fill(s[first : first + size], 0.0)
        k += int(p[k + at.ROD_SIZE])
    b = int(p[at.AT_BENDS])
    for _ in range(int(p[at.BENDS])):
        force, k, j = s[x + int(p[b + at.B_ROW])], int(p[b + at.B_ROD]), int(p[b + at.B_TRIPLE])
        place = int(p[k + at.ROD_OWN]) + int(p[k + at.ROD_COLUMNS + int(p[b + at.B_FRAME])])
        tx, ty, f = s[own + place + 2], s[own + place + 3], rates + place
        couple = force * s[j + 2] / (tx * tx + ty * ty)
        s[f] += force * s[j]
        s[f + 1] += force * s[j + 1]
        s[f + 2] -= couple * ty
        s[f + 3] += couple * tx
        b += at.BEND_COLUMNS
    k = int(p[at.AT_RODS])
    for _ in range(int(p[at.RODS])):
        place, size, frames = int(p[k + at.ROD_OWN]), NODE * int(p[k + at.ROD_NODES]), int(p[k + at.ROD_FRAMES])
        first = rates + place
        factor = k + at.ROD_COLUMNS + frames + at.COMPLIANCES * frames * frames + 2 * size
        solve(p, factor, s[first : first + size])
        for n in range(size):
            s[first + size + n] += s[first + n]
            s[first + n] = s[own + place + size + n]
        s[first + 2 * size] = s[int(p[k + at.ROD_POSE]) + at.OMEGA]
        k += int(p[k + at.ROD_SIZE])
    return 0


@compiled(REAL(VECTOR, VECTOR, INDEX))
def measure(values: Floats, p: Floats, own: int) -> float:
    """Sum of mass times square over what stands for the rates of rods' coordinates among own states, which begin at place `own`.

    The masses are those of the diagonal.
    """
    total, k = 0.0, int(p[at.AT_RODS])
    for _ in range(int(p[at.RODS])):
        size, frames = NODE * int(p[k + at.ROD_NODES]), int(p[k + at.ROD_FRAMES])
        place, mass = own + int(p[k + at.ROD_OWN]) + size, k + at.ROD_COLUMNS + frames + at.COMPLIANCES * frames * frames + size
        for n in range(size):
            total += p[mass + n] * values[place + n] * values[place + n]
        k += int(p[k + at.ROD_SIZE])
    return total


@compiled(INDEX(VECTOR, VECTOR, VECTOR, INDEX, REAL))
def hasten(y: Floats, dy: Floats, p: Floats, own: int, h: float) -> int:
    """Rates of rods after h (s) with the accelerations in dy; own: place of the own states in both."""
    k = int(p[at.AT_RODS])
    for _ in range(int(p[at.RODS])):
        size, place = NODE * int(p[k + at.ROD_NODES]), own + int(p[k + at.ROD_OWN])
        for n in range(place + size, place + 2 * size):
            y[n] += h * dy[n]
        y[place + 2 * size] += h * dy[place + 2 * size]
        k += int(p[k + at.ROD_SIZE])
    return 0


@compiled(INDEX(VECTOR, VECTOR, INDEX, REAL))
def go_on(y: Floats, p: Floats, own: int, h: float) -> int:
    """Coordinates of rods after h (s) with their rates; 0 s: where they are, without any rates."""
    k = int(p[at.AT_RODS])
    for _ in range(int(p[at.RODS])):
        size, place = NODE * int(p[k + at.ROD_NODES]), own + int(p[k + at.ROD_OWN])
        for n in range(place, place + size):
            y[n] += h * y[n + size]
            if h == 0.0:
                y[n + size] = 0.0
        k += int(p[k + at.ROD_SIZE])
    return 0
