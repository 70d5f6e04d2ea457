"""What acts on the bodies, compiled: gravity, loads, springs with dampers, motors, contact in joints with clearance.

The vector of forces has a triple (force x, force y, moment about the mass centre) for each body, one for the ground that nobody reads, and
one for each frame of a rod.
"""

from __future__ import annotations

import math

from model.assembly import layout as at
from model.assembly.actuating import actuate_all
from model.assembly.functions.evaluation import evaluate
from model.assembly.poses import apart, arm
from model.assembly.touching import push, touch_all
from model.compiled.signatures import INDEX, REAL, VECTOR, ContactLaw, Floats, compiled, template
from model.stepping import inputs

SHORTEST = 1e-12  # m: springs shorter than this have no direction


@compiled(REAL(VECTOR, INDEX, INDEX, REAL))
def on_curve(p: Floats, points: int, curve: int, x: float) -> float:
    """Value at x of the points at place `curve` of p, straight between them and beyond the last ones."""
    k = curve
    while k < curve + 2 * (points - 2) and x > p[k + 2]:
        k += 2
    return float(p[k + 1] + (p[k + 3] - p[k + 1]) * (x - p[k]) / (p[k + 2] - p[k]))


@compiled(REAL(VECTOR, INDEX, REAL, REAL))
def tension(p: Floats, k: int, x: float, rate: float) -> float:
    """Force of the spring whose columns begin at k, where it is longer by x than free."""
    side = p[k + at.SIDE]
    if side * x < 0.0:
        return 0.0
    points = int(p[k + at.POINTS])
    by = rate if p[k + at.BY_RATE] > 0.0 else x
    pull = on_curve(p, points, k + at.CURVE, by) if points > 0 else p[k + at.STIFFNESS] * x
    pull += p[k + at.PRELOAD] + p[k + at.DAMPING] * rate
    return float(pull if side * pull >= 0.0 else 0.0)


@compiled(INDEX(VECTOR, VECTOR, REAL, INDEX))
def stretch_all(p: Floats, s: Floats, given: float, forces: int) -> int:
    """Springs with dampers; `given` (N or N m): what the one pushes that samples lead. What each pulls with is kept in s."""
    k, pulls = int(p[at.AT_SPRINGS]), int(p[at.S_PULLS])
    for n in range(int(p[at.SPRINGS])):
        i, j, way = int(p[k + at.C_POSE_I]), int(p[k + at.C_POSE_J]), p[k + at.WAY]
        body_i, body_j, led = forces + int(p[k + at.C_BODY_I]), forces + int(p[k + at.C_BODY_J]), p[k + at.GIVEN] > 0.0
        pull = -given
        if way == at.TURNED:
            if not led:
                turned = s[j + at.ANGLE_OF] - s[i + at.ANGLE_OF] - p[k + at.LENGTH]
                pull = tension(p, k, turned, s[j + at.OMEGA] - s[i + at.OMEGA])
            s[body_i + 2] += pull
            s[body_j + 2] -= pull
            s[pulls + n] = pull
            k += at.SPRING_COLUMNS
            continue
        ix, iy = arm(s, i, p[k + at.C_S_I], p[k + at.C_S_I + 1])
        jx, jy = arm(s, j, p[k + at.C_S_J], p[k + at.C_S_J + 1])
        dx, dy, dx_rate, dy_rate = apart(s, i, j, ix, iy, jx, jy)
        if way == at.ALONG:
            ex, ey = arm(s, i, p[k + at.S_E], p[k + at.S_E + 1])
            if not led:
                rate = ex * dx_rate + ey * dy_rate + s[i + at.OMEGA] * (ex * dy - ey * dx)
                pull = tension(p, k, ex * dx + ey * dy - p[k + at.LENGTH], rate)
            push(s, body_i, pull * ex, pull * ey, ix + dx, iy + dy, 0.0)
            push(s, body_j, -pull * ex, -pull * ey, jx, jy, 0.0)
        else:
            length = math.sqrt(dx * dx + dy * dy)
            pull = 0.0
            if length > SHORTEST:
                pull = tension(p, k, length - p[k + at.LENGTH], (dx * dx_rate + dy * dy_rate) / length)
                per = pull / length
                push(s, body_i, per * dx, per * dy, ix, iy, 0.0)
                push(s, body_j, -per * dx, -per * dy, jx, jy, 0.0)
        s[pulls + n] = pull
        k += at.SPRING_COLUMNS
    return 0


@template()
def load_all(t: float, p: Floats, s: Floats, u: Floats, forces: int, law: ContactLaw | None) -> int:
    """Everything that acts at t (s), into the triples that begin at place `forces` of s; u: the input window, read where it pushes."""
    weights = int(p[at.AT_WEIGHTS])
    for k in range(at.TRIPLE * (int(p[at.BODIES]) + 1 + int(p[at.FRAMES]))):
        s[forces + k] = p[weights + k]
    k = int(p[at.AT_LOADS])
    for _ in range(int(p[at.LOADS])):
        pose, x, y = int(p[k + at.L_POSE]), p[k + at.L_POINT], p[k + at.L_POINT + 1]
        points = int(p[k + at.L_POINTS])
        share, curve = 1.0, k + at.L_CURVE
        if points > 0:
            share = on_curve(p, points, curve, min(max(t, p[curve]), p[curve + 2 * (points - 1)]))
        if p[k + at.L_FACTOR] > 0.0:
            share, _, _ = evaluate(t, p, s[int(p[at.S_STACK]) :], int(p[k + at.L_FACTOR]))
        if p[k + at.L_WAY] > 0.0:
            way, _, _ = evaluate(t, p, s[int(p[at.S_STACK]) :], int(p[k + at.L_WAY]))
            x, y = x + way * p[k + at.L_ALONG], y + way * p[k + at.L_ALONG + 1]
        ax, ay = arm(s, pose, x, y)
        fx, fy = share * p[k + at.L_FORCE], share * p[k + at.L_FORCE + 1]
        if p[k + at.L_TURNS] > 0.0:
            fx, fy = arm(s, pose, fx, fy)
        push(s, forces + int(p[k + at.L_BODY]), fx, fy, ax, ay, share * p[k + at.L_TORQUE])
        k += at.LOAD_COLUMNS
    given = inputs.sample(u, t) if p[at.PUSHED] > 0.0 else 0.0
    stretch_all(p, s, given, forces)
    actuate_all(t, p, s, forces)
    touch_all(p, s, forces, law)
    return 0
