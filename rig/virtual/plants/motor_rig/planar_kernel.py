"""Motion of any planar mechanism that motors turn, compiled: bodies on elastic joints, contacts of its own, in tables.

It is a laboratory's linkage, not the model of it. No joint is a constraint: a pin without clearance is a bush of great stiffness, a
slide is held across and against turning in the same way, and the motor turns its body through an elastic shaft, whose twist is what a
torque sensor shows. Nothing is eliminated, nothing is solved for: forces follow from places, and each body from its own forces.

| symbol | unit | meaning |
|---|---|---|
| D | m | from point i to point j of a joint |
| k, c | N/m, N s/m | stiffness and damping of a joint: -k D - c D' on body j |
| e | m | journal (body j) from the centre of its bearing (body i); its normal force is that of `rig.virtual.plants.contact` |
| T | N m | of the shaft: K_s (theta - (phi_j - phi_i)) and its damping, on body j |

Wheels that roll and what follows a curve: `planar_rolling`. Motors by their equations: `planar_motors`.

Semi-implicit Euler. Dry friction of an axis takes as much speed as it can, down to rest.
"""

from __future__ import annotations

import math

from numba import types

from model.assembly.functions.evaluation import evaluate
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from rig.virtual.plants.contact import pressing, rubbing, stored
from rig.virtual.plants.motor_rig import planar_layout as at
from rig.virtual.plants.motor_rig.planar_bodies import TWO, apart, arm, bodies_at, contacts_at, ends, push, shared_mass, wear
from rig.virtual.plants.motor_rig.planar_motors import drive_all
from rig.virtual.plants.motor_rig.planar_rolling import arc_of, facing, follow_all, mesh_all
from rig.virtual.plants.surfaces import BRANCH, CONTACT_STATES, DEEPEST


@compiled(REAL(VECTOR, INDEX, INDEX, REAL))
def read_off(p: Floats, points: int, shape: int, x: float) -> float:
    """A curve at x: between its points straight, beyond them as the last piece goes."""
    n = 0
    while n + 2 < points and x > p[shape + 2 * n + 2]:
        n += 1
    x0, y0, x1, y1 = p[shape + 2 * n], p[shape + 2 * n + 1], p[shape + 2 * n + 2], p[shape + 2 * n + 3]
    return float(y0 + (x - x0) / (x1 - x0) * (y1 - y0))


@compiled(TWO(VECTOR, INDEX, REAL, REAL))
def spring_force(p: Floats, k: int, x: float, rate: float) -> tuple[float, float]:
    """(pull of a spring that is longer by x than free, the part of it whose work can come back)."""
    if p[k + at.ONE_SIDED] * x < 0.0:
        return 0.0, 0.0
    kept = p[k + at.PRELOAD] + p[k + at.STIFFNESS] * x
    taken = p[k + at.DAMPING] * rate
    if p[k + at.POINTS] > 0.0 and p[k + at.BY_RATE] > 0.0:
        taken += read_off(p, int(p[k + at.POINTS]), k + at.SHAPE, rate)
    elif p[k + at.POINTS] > 0.0:
        kept += read_off(p, int(p[k + at.POINTS]), k + at.SHAPE, x)
    if p[k + at.ONE_SIDED] * (kept + taken) < 0.0:
        return 0.0, kept
    return kept + taken, kept


@compiled(REAL(VECTOR, VECTOR))
def draw(y: Floats, p: Floats) -> float:
    """Springs and motors without inertia: their forces; returns the power that they take."""
    first, lost, k = bodies_at(p), 0.0, int(p[at.AT_SPRINGS])
    for _ in range(int(p[at.SPRINGS])):
        i, j, ix, iy, jx, jy, dx, dy, vx, vy = ends(y, p, first, k)
        length = math.sqrt(dx * dx + dy * dy)
        rate = f = kept = 0.0
        if p[k + at.WAY] == at.TURNED:
            rate = y[j + at.W] - y[i + at.W]
            f, kept = spring_force(p, k, y[j + at.PHI] - y[i + at.PHI] - p[k + at.LENGTH], rate)
            y[i + at.M] += f
            y[j + at.M] -= f
        elif p[k + at.WAY] == at.ALONG:
            ex, ey = arm(y, i, p[k + at.HEADING], p[k + at.HEADING + 1])
            rate = ex * vx + ey * vy + y[i + at.W] * (ex * dy - ey * dx)
            f, kept = spring_force(p, k, ex * dx + ey * dy - p[k + at.LENGTH], rate)
            push(y, i, f * ex, f * ey, ix + dx, iy + dy, 0.0)
            push(y, j, -f * ex, -f * ey, jx, jy, 0.0)
        elif length > 0.0:
            rate = (dx * vx + dy * vy) / length
            f, kept = spring_force(p, k, length - p[k + at.LENGTH], rate)
            push(y, i, f * dx / length, f * dy / length, ix, iy, 0.0)
            push(y, j, -f * dx / length, -f * dy / length, jx, jy, 0.0)
        lost += (f - kept) * rate
        k += at.SPRING_COLUMNS
    return lost


@compiled(TWO(VECTOR, VECTOR, INDEX, REAL, REAL, REAL))
def rub(y: Floats, p: Floats, k: int, pressing: float, rate: float, h: float) -> tuple[float, float]:
    """(dry friction against a rate, the power that it takes) in a bush or slide: elastic up to mu times what presses, then it slips.

    The rows' own state is how far it is strained (m or rad), so it holds at rest.
    """
    place, most = int(p[k + at.RUB_STATE]), p[k + at.RUB_MU] * pressing
    strained = y[place]
    force = p[k + at.RUB_STIFFNESS] * (strained + h * rate)
    if abs(force) > most:
        force = math.copysign(most, force)
    y[place] = force / p[k + at.RUB_STIFFNESS]
    return force, force * (rate - (y[place] - strained) / h)


@compiled(REAL(VECTOR, VECTOR, REAL))
def hold(y: Floats, p: Floats, h: float) -> float:
    """Bushes, slides, wheels and springs: their forces; returns the power that they take."""
    first, lost = bodies_at(p), 0.0
    k = int(p[at.AT_BUSHES])
    for _ in range(int(p[at.BUSHES])):
        i, j, ix, iy, jx, jy, dx, dy, vx, vy = ends(y, p, first, k)
        fx = p[k + at.STIFFNESS] * (dx - p[k + at.OFFSET]) + p[k + at.DAMPING] * vx
        fy = p[k + at.STIFFNESS] * (dy - p[k + at.OFFSET + 1]) + p[k + at.DAMPING] * vy
        push(y, i, fx, fy, ix, iy, 0.0)
        push(y, j, -fx, -fy, jx, jy, 0.0)
        lost += p[k + at.DAMPING] * (vx * vx + vy * vy)
        if p[k + at.RUB_MU] > 0.0:
            moment, taken = rub(y, p, k, math.sqrt(fx * fx + fy * fy), y[j + at.W] - y[i + at.W], h)
            y[i + at.M] += moment
            y[j + at.M] -= moment
            lost += taken
        k += at.BUSH_COLUMNS
    k = int(p[at.AT_LINES])
    for _ in range(int(p[at.LINES])):
        i, j, ix, iy, jx, jy, dx, dy, vx, vy = ends(y, p, first, k)
        ex, ey = arm(y, i, p[k + at.DIRECTION], p[k + at.DIRECTION + 1])
        rate = ex * vx + ey * vy + y[i + at.W] * (ex * dy - ey * dx)
        f = p[k + at.STIFFNESS] * (ex * dx + ey * dy - p[k + at.PLACE]) + p[k + at.DAMPING] * rate
        push(y, i, f * ex, f * ey, ix + dx, iy + dy, 0.0)
        push(y, j, -f * ex, -f * ey, jx, jy, 0.0)
        lost += p[k + at.DAMPING] * rate * rate
        if p[k + at.RUB_MU] > 0.0:
            gx, gy = ey, -ex
            force, taken = rub(y, p, k, abs(f), gx * vx + gy * vy + y[i + at.W] * (gx * dy - gy * dx), h)
            push(y, i, force * gx, force * gy, ix + dx, iy + dy, 0.0)
            push(y, j, -force * gx, -force * gy, jx, jy, 0.0)
            lost += taken
        k += at.LINE_COLUMNS
    k = int(p[at.AT_TWISTS])
    for _ in range(int(p[at.TWISTS])):
        i, j = first + at.BODY_STATES * int(p[k + at.BODY_I]), first + at.BODY_STATES * int(p[k + at.BODY_J])
        rate = y[j + at.W] - y[i + at.W]
        moment = p[k + at.STIFFNESS] * (y[j + at.PHI] - y[i + at.PHI] - p[k + at.ANGLE]) + p[k + at.DAMPING] * rate
        y[i + at.M] += moment
        y[j + at.M] -= moment
        lost += p[k + at.DAMPING] * rate * rate
        k += at.TWIST_COLUMNS
    return lost + mesh_all(y, p) + draw(y, p)


@compiled(REAL(VECTOR, VECTOR, REAL))
def touch(y: Floats, p: Floats, h: float) -> float:
    """Journals in their bearings, sliders' corners in their guides, followers: their forces; returns the power that they take."""
    first, state, lost = bodies_at(p), contacts_at(p), 0.0
    k = int(p[at.AT_JOURNALS])
    for _ in range(int(p[at.JOURNALS])):
        i, j, ix, iy, jx, jy, ex, ey, vx, vy = ends(y, p, first, k)
        distance = math.sqrt(ex * ex + ey * ey)
        depth = distance - (p[k + at.RADIUS_I] - p[k + at.RADIUS_J]) - y[state + at.WORN]
        if depth > 0.0:
            nx, ny = ex / distance, ey / distance
            rate = vx * nx + vy * ny
            mass = shared_mass(y, i, j, k, ix, iy, jx, jy, nx, ny, p)
            normal, elastic = pressing(depth, rate, mass, h, p[k + at.LAW : k + at.JOURNAL_COLUMNS], y[state : state + CONTACT_STATES])
            sliding = vy * nx - vx * ny + y[j + at.W] * p[k + at.RADIUS_J] - y[i + at.W] * p[k + at.RADIUS_I]
            along = rubbing(sliding, normal, p[k + at.LAW : k + at.JOURNAL_COLUMNS])
            fx, fy = normal * nx + along * ny, normal * ny - along * nx
            push(y, i, fx, fy, ix, iy, -along * p[k + at.RADIUS_I])
            push(y, j, -fx, -fy, jx, jy, along * p[k + at.RADIUS_J])
            middle = rate - 0.5 * h * normal / mass
            lost += (normal - elastic) * middle - along * sliding
            wear(y, p, state, h * normal * middle)
        else:
            y[state + BRANCH] = y[state + DEEPEST] = 0.0
        k += at.JOURNAL_COLUMNS
        state += at.TOUCH_STATES
    k = int(p[at.AT_CORNERS])
    for _ in range(int(p[at.CORNERS])):
        i, j = first + at.BODY_STATES * int(p[k + at.BODY_I]), first + at.BODY_STATES * int(p[k + at.BODY_J])
        ix, iy = arm(y, i, p[k + at.SI], p[k + at.SI + 1])
        gx, gy = arm(y, i, p[k + at.GUIDE], p[k + at.GUIDE + 1])
        sx, sy = arm(y, j, p[k + at.SLIDER], p[k + at.SLIDER + 1])
        jx, jy = arm(y, j, p[k + at.SJ], p[k + at.SJ + 1])
        along, across = p[k + at.END] * p[k + at.HALF_LENGTH], p[k + at.SIDE] * p[k + at.HALF_HEIGHT]
        jx, jy = jx + along * sx - across * sy, jy + along * sy + across * sx
        dx, dy, vx, vy = apart(y, i, j, ix, iy, jx, jy)
        nx, ny = -p[k + at.SIDE] * gy, p[k + at.SIDE] * gx  # out of the guide, through the face that the corner can touch
        depth = dx * nx + dy * ny - p[k + at.HALF_HEIGHT] - p[k + at.GAP] - y[state + at.WORN]
        if depth > 0.0:
            turning = y[i + at.W]
            vx, vy = vx + turning * dy, vy - turning * dx
            rate, sliding = vx * nx + vy * ny, vx * gx + vy * gy
            ix, iy = ix + dx, iy + dy
            mass = shared_mass(y, i, j, k, ix, iy, jx, jy, nx, ny, p)
            normal, elastic = pressing(
                depth, rate, mass, h, p[k + at.CORNER_LAW : k + at.CORNER_COLUMNS], y[state : state + CONTACT_STATES]
            )
            tangential = rubbing(sliding, normal, p[k + at.CORNER_LAW : k + at.CORNER_COLUMNS])
            fx, fy = tangential * gx - normal * nx, tangential * gy - normal * ny
            push(y, j, fx, fy, jx, jy, 0.0)
            push(y, i, -fx, -fy, ix, iy, 0.0)
            middle = rate - 0.5 * h * normal / mass
            lost += (normal - elastic) * middle - tangential * sliding
            wear(y, p, state, h * normal * middle)
        else:
            y[state + BRANCH] = y[state + DEEPEST] = 0.0
        k += at.CORNER_COLUMNS
        state += at.TOUCH_STATES
    return lost + follow_all(y, p, state, h)


@compiled(types.void(VECTOR, VECTOR, VECTOR, REAL))
def turn(y: Floats, p: Floats, torques: Floats, h: float) -> None:
    """The axes, each with what its shaft does to its body: one step of their angles; work and what is lost."""
    axes, first, k = int(p[at.AXES]), bodies_at(p), int(p[at.AT_AXES])
    for n in range(axes):
        i, j = first + at.BODY_STATES * int(p[k + at.A_I]), first + at.BODY_STATES * int(p[k + at.A_J])
        w = y[axes + n]
        slip = w - (y[j + at.W] - y[i + at.W])
        twist = p[k + at.A_STIFFNESS] * (y[n] - (y[j + at.PHI] - y[i + at.PHI])) + p[k + at.A_DAMPING] * slip
        y[j + at.M] += twist
        y[i + at.M] -= twist
        driving = torques[n] - p[k + at.A_VISCOUS] * w - twist
        free = w + h * driving / p[k + at.A_INERTIA]
        dry = -math.copysign(min(p[k + at.A_COULOMB] + torques[axes + n], abs(free) * p[k + at.A_INERTIA] / h), free)
        y[axes + n] = w + h * (driving + dry) / p[k + at.A_INERTIA]
        middle = 0.5 * (w + y[axes + n])
        y[2 * axes] += h * torques[n] * middle
        y[2 * axes + 1] += h * (p[k + at.A_VISCOUS] * w * w - dry * middle + p[k + at.A_DAMPING] * slip * slip)
        k += at.AXIS_COLUMNS


@compiled(types.void(VECTOR, VECTOR, VECTOR))
def look(y: Floats, p: Floats, seen: Floats) -> None:
    """What sensors look at, while y has the forces and accelerations of the step."""
    axes, first, k = int(p[at.AXES]), bodies_at(p), int(p[at.AT_SENSORS])
    for n in range(int(p[at.SENSORS])):
        kind, of = int(p[k + at.S_KIND]), int(p[k + at.S_OF])
        if kind == at.TORQUE:
            a = int(p[at.AT_AXES]) + at.AXIS_COLUMNS * of
            i, j = first + at.BODY_STATES * int(p[a + at.A_I]), first + at.BODY_STATES * int(p[a + at.A_J])
            slip = y[axes + of] - (y[j + at.W] - y[i + at.W])
            seen[n] = p[a + at.A_STIFFNESS] * (y[of] - (y[j + at.PHI] - y[i + at.PHI])) + p[a + at.A_DAMPING] * slip
        elif kind == at.SPEED:
            seen[n] = y[axes + of]
        elif kind == at.FORCE:
            a = int(p[at.AT_BUSHES]) + at.BUSH_COLUMNS * of
            _, _, _, _, _, _, dx, dy, vx, vy = ends(y, p, first, a)
            fx = -p[a + at.STIFFNESS] * (dx - p[a + at.OFFSET]) - p[a + at.DAMPING] * vx
            fy = -p[a + at.STIFFNESS] * (dy - p[a + at.OFFSET + 1]) - p[a + at.DAMPING] * vy
            seen[n] = p[k + at.S_DIRECTION] * fx + p[k + at.S_DIRECTION + 1] * fy
        elif kind == at.PULL:
            a = int(p[at.AT_SPRINGS]) + at.SPRING_COLUMNS * of
            _, _, _, _, _, _, dx, dy, vx, vy = ends(y, p, first, a)
            length = math.sqrt(dx * dx + dy * dy)
            rate = (dx * vx + dy * vy) / length if length > 0.0 else 0.0
            seen[n] = spring_force(p, a, length - p[a + at.LENGTH], rate)[0]
        else:
            b = first + at.BODY_STATES * of
            x, across = arm(y, b, p[k + at.S_POINT], p[k + at.S_POINT + 1])
            if kind == at.POSITION:
                seen[n] = p[k + at.S_DIRECTION] * (y[b + at.X] + x) + p[k + at.S_DIRECTION + 1] * (y[b + at.Y] + across)
            else:
                ex, ey = arm(y, b, p[k + at.S_DIRECTION], p[k + at.S_DIRECTION + 1])
                square = y[b + at.W] * y[b + at.W]
                ax = y[b + at.AX] - y[b + at.TURN] * across - square * x - p[k + at.S_FEELS] * p[at.WEIGHT]
                ay = y[b + at.AY] + y[b + at.TURN] * x - square * across - p[k + at.S_FEELS] * p[at.WEIGHT_Y]
                seen[n] = ex * ax + ey * ay
        k += at.SENSOR_COLUMNS


@compiled(INDEX(VECTOR, VECTOR))
def load(y: Floats, p: Floats) -> int:
    """Loads at the time; before it begins they are as they will be then."""
    first, k, t = bodies_at(p), int(p[at.AT_LOADS]), max(y[-1], 0.0)
    for _ in range(int(p[at.LOADS])):
        b = first + at.BODY_STATES * int(p[k + at.L_BODY])
        x, across = p[k + at.L_POINT], p[k + at.L_POINT + 1]
        share, points, shape = 1.0, int(p[k + at.L_POINTS]), k + at.L_SHAPE
        if points > 0:
            share = read_off(p, points, shape, min(max(t, p[shape]), p[shape + 2 * points - 2]))
        if p[k + at.L_FACTOR] > 0.0:
            share, _, _ = evaluate(t, p, y[int(p[at.STACK]) :], int(p[k + at.L_FACTOR]))
        if p[k + at.L_WAY] > 0.0:
            way, _, _ = evaluate(t, p, y[int(p[at.STACK]) :], int(p[k + at.L_WAY]))
            x, across = x + way * p[k + at.L_ALONG], across + way * p[k + at.L_ALONG + 1]
        fx, fy = share * p[k + at.L_FORCE], share * p[k + at.L_FORCE + 1]
        if p[k + at.L_TURNS] > 0.0:
            fx, fy = arm(y, b, fx, fy)
        ax, ay = arm(y, b, x, across)
        push(y, b, fx, fy, ax, ay, share * p[k + at.L_TORQUE])
        k += at.LOAD_COLUMNS
    return 0


@compiled(types.void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, REAL))
def motion(y: Floats, p: Floats, torques: Floats, volts: Floats, seen: Floats, h: float) -> None:
    """One step; see `rig.virtual.plants.motor_rig.kernel`."""
    axes, count, first, table = int(p[at.AXES]), int(p[at.BODIES]), bodies_at(p), int(p[at.AT_BODIES])
    for n in range(count + 1):
        b = first + at.BODY_STATES * n
        y[b + at.COS], y[b + at.SIN] = math.cos(y[b + at.PHI]), math.sin(y[b + at.PHI])
        mass = p[table + at.BODY_COLUMNS * n + at.B_MASS] if n < count else 0.0
        y[b + at.FX], y[b + at.FY], y[b + at.M] = mass * p[at.WEIGHT], mass * p[at.WEIGHT_Y], 0.0
    load(y, p)
    y[2 * axes] += h * drive_all(y, p, h)
    y[2 * axes + 1] += h * (hold(y, p, h) + touch(y, p, h))
    turn(y, p, torques, h)
    for n in range(count):
        b, row = first + at.BODY_STATES * n, table + at.BODY_COLUMNS * n
        y[b + at.AX], y[b + at.AY] = y[b + at.FX] / p[row + at.B_MASS], y[b + at.FY] / p[row + at.B_MASS]
        y[b + at.TURN] = y[b + at.M] / p[row + at.B_INERTIA]
    look(y, p, seen)
    y[-1] += h
    for n in range(axes):
        y[n] += h * y[axes + n]
    for n in range(count):
        b = first + at.BODY_STATES * n
        y[b + at.VX] += h * y[b + at.AX]
        y[b + at.VY] += h * y[b + at.AY]
        y[b + at.W] += h * y[b + at.TURN]
        y[b + at.X] += h * y[b + at.VX]
        y[b + at.Y] += h * y[b + at.VY]
        y[b + at.PHI] += h * y[b + at.W]


def energy(y: Floats, p: Floats) -> float:
    """Kinetic, of weight, joints, wheels, shafts, linear springs between points, and contacts, J; without that of loads."""
    axes, count, first = int(p[at.AXES]), int(p[at.BODIES]), bodies_at(p)
    total = 0.0
    for n in range(count):
        b, row = y[first + at.BODY_STATES * n :], p[int(p[at.AT_BODIES]) + at.BODY_COLUMNS * n :]
        total += (
            0.5 * row[at.B_MASS] * (b[at.VX] ** 2 + b[at.VY] ** 2)
            + 0.5 * row[at.B_INERTIA] * b[at.W] ** 2
            - row[at.B_MASS] * (p[at.WEIGHT] * b[at.X] + p[at.WEIGHT_Y] * b[at.Y])
        )
    for n in range(axes):
        row = p[int(p[at.AT_AXES]) + at.AXIS_COLUMNS * n :]
        i, j = (first + at.BODY_STATES * int(row[place]) for place in (at.A_I, at.A_J))
        total += 0.5 * row[at.A_INERTIA] * y[axes + n] ** 2 + 0.5 * row[at.A_STIFFNESS] * (y[n] - y[j + at.PHI] + y[i + at.PHI]) ** 2
    state = contacts_at(p)
    for table, size, columns in (
        (at.AT_BUSHES, at.BUSHES, at.BUSH_COLUMNS),
        (at.AT_LINES, at.LINES, at.LINE_COLUMNS),
        (at.AT_TWISTS, at.TWISTS, at.TWIST_COLUMNS),
        (at.AT_SPRINGS, at.SPRINGS, at.SPRING_COLUMNS),
        (at.AT_JOURNALS, at.JOURNALS, at.JOURNAL_COLUMNS),
        (at.AT_CORNERS, at.CORNERS, at.CORNER_COLUMNS),
    ):
        for n in range(int(p[size])):
            row = p[int(p[table]) + columns * n :][:columns]
            i, j = (first + at.BODY_STATES * int(row[place]) for place in (at.BODY_I, at.BODY_J))
            (ix, iy), (jx, jy) = arm(y, i, row[at.SI], row[at.SI + 1]), arm(y, j, row[at.SJ], row[at.SJ + 1])
            dx, dy = y[j + at.X] + jx - y[i + at.X] - ix, y[j + at.Y] + jy - y[i + at.Y] - iy
            if table == at.AT_BUSHES:
                total += 0.5 * row[at.STIFFNESS] * ((dx - row[at.OFFSET]) ** 2 + (dy - row[at.OFFSET + 1]) ** 2)
            elif table == at.AT_LINES:
                ex, ey = arm(y, i, row[at.DIRECTION], row[at.DIRECTION + 1])
                total += 0.5 * row[at.STIFFNESS] * (ex * dx + ey * dy - row[at.PLACE]) ** 2
            elif table == at.AT_TWISTS:
                total += 0.5 * row[at.STIFFNESS] * (y[j + at.PHI] - y[i + at.PHI] - row[at.ANGLE]) ** 2
            elif table == at.AT_SPRINGS:
                total += 0.5 * row[at.STIFFNESS] * (math.hypot(dx, dy) - row[at.LENGTH]) ** 2
            else:
                depth = depth_of(y, row, table, i, j, dx, dy) - y[state + at.WORN]
                total += stored(depth, row[law_of(table) :], y[state : state + CONTACT_STATES])
                state += at.TOUCH_STATES
    for n in range(int(p[at.MESHES])):
        k = int(p[at.AT_MESHES]) + at.MESH_COLUMNS * n
        total += 0.5 * p[k + at.STIFFNESS] * arc_of(y, p, first, k) ** 2
    for n in range(int(p[at.FOLLOWERS])):
        k = int(p[at.AT_FOLLOWERS]) + at.FOLLOWER_COLUMNS * n
        gap = facing(y, p, first, k, state)[0]
        total += 0.5 * p[k + at.STIFFNESS] * gap**2
        if p[k + at.STIFFNESS] == 0.0:
            law = p[k + at.F_LAW : k + at.FOLLOWER_COLUMNS]
            total += stored(-gap - y[state + at.WORN], law, y[state : state + CONTACT_STATES])
        state += at.FOLLOWER_STATES
    return float(total)


def law_of(table: int) -> int:
    """Where the columns of a contact's law begin."""
    return at.LAW if table == at.AT_JOURNALS else at.CORNER_LAW


def depth_of(y: Floats, row: Floats, table: int, i: int, j: int, dx: float, dy: float) -> float:
    """Penetration of a contact, m; D from the centre of the bearing to the journal, or from the guide to the slider's middle."""
    if table == at.AT_JOURNALS:
        return float(math.hypot(dx, dy) - (row[at.RADIUS_I] - row[at.RADIUS_J]))
    (gx, gy), (sx, sy) = arm(y, i, row[at.GUIDE], row[at.GUIDE + 1]), arm(y, j, row[at.SLIDER], row[at.SLIDER + 1])
    along, across = row[at.END] * row[at.HALF_LENGTH], row[at.SIDE] * row[at.HALF_HEIGHT]
    dx, dy = dx + along * sx - across * sy, dy + along * sy + across * sx
    return float(row[at.SIDE] * (dy * gx - dx * gy) - row[at.HALF_HEIGHT] - row[at.GAP])
