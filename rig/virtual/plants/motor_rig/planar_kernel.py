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

Semi-implicit Euler. Dry friction of an axis takes as much speed as it can, down to rest.
"""

from __future__ import annotations

import math

from numba import types

from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from rig.virtual.plants.contact import pressing, rubbing, stored
from rig.virtual.plants.surfaces import BRANCH, CONTACT_COLUMNS, CONTACT_STATES, DEEPEST

# Header of p: how many there are of each, and where their tables begin.
(
    AXES, BODIES, BUSHES, LINES, TWISTS, JOURNALS, CORNERS, SPRINGS, LOADS, SENSORS,
    AT_AXES, AT_BODIES, AT_BUSHES, AT_LINES, AT_TWISTS, AT_JOURNALS, AT_CORNERS, AT_SPRINGS, AT_LOADS, AT_SENSORS, WEIGHT, WEIGHT_Y, HEADER,
) = range(23)  # fmt: skip
# An axis: inertia before the shaft, friction, the bodies between which it turns, the shaft.
A_INERTIA, A_VISCOUS, A_COULOMB, A_I, A_J, A_STIFFNESS, A_DAMPING, AXIS_COLUMNS = range(8)
B_MASS, B_INERTIA, BODY_COLUMNS = range(3)
# What lies between two bodies: their numbers, a point of each from its mass centre, stiffness and damping.
BODY_I, BODY_J, SI, SJ, STIFFNESS, DAMPING, OWN = 0, 1, 2, 4, 6, 7, 8
RUB_MU, RUB_STIFFNESS, RUB_STATE = OWN, OWN + 1, OWN + 2
OFFSET, BUSH_COLUMNS = OWN + 3, OWN + 5
DIRECTION, PLACE, LINE_COLUMNS = OWN + 3, OWN + 5, OWN + 6
LENGTH, WAY, HEADING, PRELOAD, ONE_SIDED, BY_RATE, POINTS, SHAPE = OWN, OWN + 1, OWN + 2, OWN + 4, OWN + 5, OWN + 6, OWN + 7, OWN + 8
MOST_POINTS = 16
SPRING_COLUMNS = SHAPE + 2 * MOST_POINTS
APART, TURNED, ALONG = range(3)
"""What a spring goes by: the distance of its points, the angle of its bodies, the way along a direction in body i."""
ANGLE, TWIST_COLUMNS = OWN, OWN + 1
RADIUS_I, RADIUS_J, LAW = OWN, OWN + 1, OWN + 2
JOURNAL_COLUMNS = LAW + CONTACT_COLUMNS
# A corner: the guide's line in body i, the slider's in body j; which end, which side; half length and height, gap.
GUIDE, SLIDER, END, SIDE, HALF_LENGTH, HALF_HEIGHT, GAP, CORNER_LAW = OWN, OWN + 2, OWN + 4, OWN + 5, OWN + 6, OWN + 7, OWN + 8, OWN + 9
CORNER_COLUMNS = CORNER_LAW + CONTACT_COLUMNS
L_BODY, L_POINT, L_FORCE, L_TORQUE, L_POINTS, L_SHAPE = 0, 1, 3, 5, 6, 7
LOAD_COLUMNS = L_SHAPE + 2 * MOST_POINTS
S_KIND, S_OF, S_POINT, S_DIRECTION, S_FEELS, SENSOR_COLUMNS = 0, 1, 2, 4, 6, 7
TORQUE, SPEED, ACCELERATION, POSITION, FORCE, PULL = range(6)
"""Kinds of sensor: torque and speed of an axis; of a point, along a direction that its body carries, or the ground; force in a bush; what a
straight spring between two points pulls with."""
# A body in y: place of its mass centre and angle, their rates, cosine and sine, the force on it, its accelerations.
X, Y, PHI, VX, VY, W, COS, SIN, FX, FY, M, AX, AY, TURN, BODY_STATES = range(15)
TWO = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]
FOUR = types.UniTuple(REAL, 4)  # type: ignore[no-untyped-call]
ENDS = types.Tuple((INDEX, INDEX, *[REAL] * 8))  # type: ignore[no-untyped-call]


@compiled(INDEX(VECTOR))
def bodies_at(p: Floats) -> int:
    """Place in y of the first body: angles and speeds of the axes, work and what is lost come before."""
    return 2 * int(p[AXES]) + 2


@compiled(INDEX(VECTOR))
def contacts_at(p: Floats) -> int:
    """Place in y of the first contact's state; behind the bodies and the ground. Behind them what friction strains, and the time, s."""
    return bodies_at(p) + BODY_STATES * (int(p[BODIES]) + 1)


@compiled(TWO(VECTOR, INDEX, REAL, REAL))
def arm(y: Floats, b: int, along: float, across: float) -> tuple[float, float]:
    """A point of the body at place b of y, from its mass centre, in the world's axes."""
    return y[b + COS] * along - y[b + SIN] * across, y[b + SIN] * along + y[b + COS] * across


@compiled(FOUR(VECTOR, INDEX, INDEX, REAL, REAL, REAL, REAL))
def apart(y: Floats, i: int, j: int, ix: float, iy: float, jx: float, jy: float) -> tuple[float, float, float, float]:
    """D and its rate, of points given by their arms."""
    return (
        y[j + X] + jx - y[i + X] - ix,
        y[j + Y] + jy - y[i + Y] - iy,
        y[j + VX] - y[j + W] * jy - y[i + VX] + y[i + W] * iy,
        y[j + VY] + y[j + W] * jx - y[i + VY] - y[i + W] * ix,
    )


@compiled(ENDS(VECTOR, VECTOR, INDEX, INDEX))
def ends(y: Floats, p: Floats, first: int, k: int) -> tuple[int, int, float, float, float, float, float, float, float, float]:
    """(places in y of the two bodies of the row at k, both arms, D and its rate)."""
    i, j = first + BODY_STATES * int(p[k + BODY_I]), first + BODY_STATES * int(p[k + BODY_J])
    ix, iy = arm(y, i, p[k + SI], p[k + SI + 1])
    jx, jy = arm(y, j, p[k + SJ], p[k + SJ + 1])
    dx, dy, vx, vy = apart(y, i, j, ix, iy, jx, jy)
    return i, j, ix, iy, jx, jy, dx, dy, vx, vy


@compiled(INDEX(VECTOR, INDEX, REAL, REAL, REAL, REAL, REAL))
def push(y: Floats, b: int, fx: float, fy: float, ax: float, ay: float, moment: float) -> int:
    """A force at an arm, and a moment, on the body at place b of y."""
    y[b + FX] += fx
    y[b + FY] += fy
    y[b + M] += ax * fy - ay * fx + moment
    return 0


@compiled(REAL(VECTOR, INDEX, INDEX, INDEX, REAL, REAL, REAL, REAL, REAL, REAL, VECTOR))
def shared_mass(y: Floats, i: int, j: int, k: int, ix: float, iy: float, jx: float, jy: float, nx: float, ny: float, p: Floats) -> float:
    """What two points have of inertia against being driven apart along n, kg; k: place in p of the two bodies' numbers."""
    lightness = 0.0
    for number, x, across in ((int(p[k + BODY_I]), ix, iy), (int(p[k + BODY_J]), jx, jy)):
        if number < int(p[BODIES]):
            body = int(p[AT_BODIES]) + BODY_COLUMNS * number
            lever = x * ny - across * nx
            lightness += 1.0 / p[body + B_MASS] + lever * lever / p[body + B_INERTIA]
    return 1.0 / lightness


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
    if p[k + ONE_SIDED] * x < 0.0:
        return 0.0, 0.0
    kept = p[k + PRELOAD] + p[k + STIFFNESS] * x
    taken = p[k + DAMPING] * rate
    if p[k + POINTS] > 0.0 and p[k + BY_RATE] > 0.0:
        taken += read_off(p, int(p[k + POINTS]), k + SHAPE, rate)
    elif p[k + POINTS] > 0.0:
        kept += read_off(p, int(p[k + POINTS]), k + SHAPE, x)
    if p[k + ONE_SIDED] * (kept + taken) < 0.0:
        return 0.0, kept
    return kept + taken, kept


@compiled(REAL(VECTOR, VECTOR))
def draw(y: Floats, p: Floats) -> float:
    """Springs and motors without inertia: their forces; returns the power that they take."""
    first, lost, k = bodies_at(p), 0.0, int(p[AT_SPRINGS])
    for _ in range(int(p[SPRINGS])):
        i, j, ix, iy, jx, jy, dx, dy, vx, vy = ends(y, p, first, k)
        length = math.sqrt(dx * dx + dy * dy)
        rate = f = kept = 0.0
        if p[k + WAY] == TURNED:
            rate = y[j + W] - y[i + W]
            f, kept = spring_force(p, k, y[j + PHI] - y[i + PHI] - p[k + LENGTH], rate)
            y[i + M] += f
            y[j + M] -= f
        elif p[k + WAY] == ALONG:
            ex, ey = arm(y, i, p[k + HEADING], p[k + HEADING + 1])
            rate = ex * vx + ey * vy + y[i + W] * (ex * dy - ey * dx)
            f, kept = spring_force(p, k, ex * dx + ey * dy - p[k + LENGTH], rate)
            push(y, i, f * ex, f * ey, ix + dx, iy + dy, 0.0)
            push(y, j, -f * ex, -f * ey, jx, jy, 0.0)
        elif length > 0.0:
            rate = (dx * vx + dy * vy) / length
            f, kept = spring_force(p, k, length - p[k + LENGTH], rate)
            push(y, i, f * dx / length, f * dy / length, ix, iy, 0.0)
            push(y, j, -f * dx / length, -f * dy / length, jx, jy, 0.0)
        lost += (f - kept) * rate
        k += SPRING_COLUMNS
    return lost


@compiled(TWO(VECTOR, VECTOR, INDEX, REAL, REAL, REAL))
def rub(y: Floats, p: Floats, k: int, pressing: float, rate: float, h: float) -> tuple[float, float]:
    """(dry friction against a rate, the power that it takes) in a bush or slide: elastic up to mu times what presses, then it slips.

    The rows' own state is how far it is strained (m or rad), so it holds at rest.
    """
    place, most = int(p[k + RUB_STATE]), p[k + RUB_MU] * pressing
    strained = y[place]
    force = p[k + RUB_STIFFNESS] * (strained + h * rate)
    if abs(force) > most:
        force = math.copysign(most, force)
    y[place] = force / p[k + RUB_STIFFNESS]
    return force, force * (rate - (y[place] - strained) / h)


@compiled(REAL(VECTOR, VECTOR, REAL))
def hold(y: Floats, p: Floats, h: float) -> float:
    """Bushes, slides and springs: their forces; returns the power that they take."""
    first, lost = bodies_at(p), 0.0
    k = int(p[AT_BUSHES])
    for _ in range(int(p[BUSHES])):
        i, j, ix, iy, jx, jy, dx, dy, vx, vy = ends(y, p, first, k)
        fx = p[k + STIFFNESS] * (dx - p[k + OFFSET]) + p[k + DAMPING] * vx
        fy = p[k + STIFFNESS] * (dy - p[k + OFFSET + 1]) + p[k + DAMPING] * vy
        push(y, i, fx, fy, ix, iy, 0.0)
        push(y, j, -fx, -fy, jx, jy, 0.0)
        lost += p[k + DAMPING] * (vx * vx + vy * vy)
        if p[k + RUB_MU] > 0.0:
            moment, taken = rub(y, p, k, math.sqrt(fx * fx + fy * fy), y[j + W] - y[i + W], h)
            y[i + M] += moment
            y[j + M] -= moment
            lost += taken
        k += BUSH_COLUMNS
    k = int(p[AT_LINES])
    for _ in range(int(p[LINES])):
        i, j, ix, iy, jx, jy, dx, dy, vx, vy = ends(y, p, first, k)
        ex, ey = arm(y, i, p[k + DIRECTION], p[k + DIRECTION + 1])
        rate = ex * vx + ey * vy + y[i + W] * (ex * dy - ey * dx)
        f = p[k + STIFFNESS] * (ex * dx + ey * dy - p[k + PLACE]) + p[k + DAMPING] * rate
        push(y, i, f * ex, f * ey, ix + dx, iy + dy, 0.0)
        push(y, j, -f * ex, -f * ey, jx, jy, 0.0)
        lost += p[k + DAMPING] * rate * rate
        if p[k + RUB_MU] > 0.0:
            gx, gy = ey, -ex
            force, taken = rub(y, p, k, abs(f), gx * vx + gy * vy + y[i + W] * (gx * dy - gy * dx), h)
            push(y, i, force * gx, force * gy, ix + dx, iy + dy, 0.0)
            push(y, j, -force * gx, -force * gy, jx, jy, 0.0)
            lost += taken
        k += LINE_COLUMNS
    k = int(p[AT_TWISTS])
    for _ in range(int(p[TWISTS])):
        i, j = first + BODY_STATES * int(p[k + BODY_I]), first + BODY_STATES * int(p[k + BODY_J])
        rate = y[j + W] - y[i + W]
        moment = p[k + STIFFNESS] * (y[j + PHI] - y[i + PHI] - p[k + ANGLE]) + p[k + DAMPING] * rate
        y[i + M] += moment
        y[j + M] -= moment
        lost += p[k + DAMPING] * rate * rate
        k += TWIST_COLUMNS
    return lost + draw(y, p)


@compiled(REAL(VECTOR, VECTOR, REAL))
def touch(y: Floats, p: Floats, h: float) -> float:
    """Journals in their bearings and sliders' corners in their guides: their forces; returns the power that they take."""
    first, state, lost = bodies_at(p), contacts_at(p), 0.0
    k = int(p[AT_JOURNALS])
    for _ in range(int(p[JOURNALS])):
        i, j, ix, iy, jx, jy, ex, ey, vx, vy = ends(y, p, first, k)
        distance = math.sqrt(ex * ex + ey * ey)
        depth = distance - (p[k + RADIUS_I] - p[k + RADIUS_J])
        if depth > 0.0:
            nx, ny = ex / distance, ey / distance
            rate = vx * nx + vy * ny
            mass = shared_mass(y, i, j, k, ix, iy, jx, jy, nx, ny, p)
            normal, elastic = pressing(depth, rate, mass, h, p[k + LAW : k + JOURNAL_COLUMNS], y[state : state + CONTACT_STATES])
            sliding = vy * nx - vx * ny + y[j + W] * p[k + RADIUS_J] - y[i + W] * p[k + RADIUS_I]
            along = rubbing(sliding, normal, p[k + LAW : k + JOURNAL_COLUMNS])
            fx, fy = normal * nx + along * ny, normal * ny - along * nx
            push(y, i, fx, fy, ix, iy, -along * p[k + RADIUS_I])
            push(y, j, -fx, -fy, jx, jy, along * p[k + RADIUS_J])
            lost += (normal - elastic) * rate - along * sliding
        else:
            y[state + BRANCH] = y[state + DEEPEST] = 0.0
        k += JOURNAL_COLUMNS
        state += CONTACT_STATES
    k = int(p[AT_CORNERS])
    for _ in range(int(p[CORNERS])):
        i, j = first + BODY_STATES * int(p[k + BODY_I]), first + BODY_STATES * int(p[k + BODY_J])
        ix, iy = arm(y, i, p[k + SI], p[k + SI + 1])
        gx, gy = arm(y, i, p[k + GUIDE], p[k + GUIDE + 1])
        sx, sy = arm(y, j, p[k + SLIDER], p[k + SLIDER + 1])
        jx, jy = arm(y, j, p[k + SJ], p[k + SJ + 1])
        along, across = p[k + END] * p[k + HALF_LENGTH], p[k + SIDE] * p[k + HALF_HEIGHT]
        jx, jy = jx + along * sx - across * sy, jy + along * sy + across * sx
        dx, dy, vx, vy = apart(y, i, j, ix, iy, jx, jy)
        nx, ny = -p[k + SIDE] * gy, p[k + SIDE] * gx  # out of the guide, through the face that the corner can touch
        depth = dx * nx + dy * ny - p[k + HALF_HEIGHT] - p[k + GAP]
        if depth > 0.0:
            turning = y[i + W]
            vx, vy = vx + turning * dy, vy - turning * dx
            rate, sliding = vx * nx + vy * ny, vx * gx + vy * gy
            ix, iy = ix + dx, iy + dy
            mass = shared_mass(y, i, j, k, ix, iy, jx, jy, nx, ny, p)
            normal, elastic = pressing(depth, rate, mass, h, p[k + CORNER_LAW : k + CORNER_COLUMNS], y[state : state + CONTACT_STATES])
            tangential = rubbing(sliding, normal, p[k + CORNER_LAW : k + CORNER_COLUMNS])
            fx, fy = tangential * gx - normal * nx, tangential * gy - normal * ny
            push(y, j, fx, fy, jx, jy, 0.0)
            push(y, i, -fx, -fy, ix, iy, 0.0)
            lost += (normal - elastic) * rate - tangential * sliding
        else:
            y[state + BRANCH] = y[state + DEEPEST] = 0.0
        k += CORNER_COLUMNS
        state += CONTACT_STATES
    return lost


@compiled(types.void(VECTOR, VECTOR, VECTOR, REAL))
def turn(y: Floats, p: Floats, torques: Floats, h: float) -> None:
    """The axes, each with what its shaft does to its body: one step of their angles; work and what is lost."""
    axes, first, k = int(p[AXES]), bodies_at(p), int(p[AT_AXES])
    for n in range(axes):
        i, j = first + BODY_STATES * int(p[k + A_I]), first + BODY_STATES * int(p[k + A_J])
        w = y[axes + n]
        slip = w - (y[j + W] - y[i + W])
        twist = p[k + A_STIFFNESS] * (y[n] - (y[j + PHI] - y[i + PHI])) + p[k + A_DAMPING] * slip
        y[j + M] += twist
        y[i + M] -= twist
        driving = torques[n] - p[k + A_VISCOUS] * w - twist
        free = w + h * driving / p[k + A_INERTIA]
        dry = -math.copysign(min(p[k + A_COULOMB] + torques[axes + n], abs(free) * p[k + A_INERTIA] / h), free)
        y[axes + n] = w + h * (driving + dry) / p[k + A_INERTIA]
        middle = 0.5 * (w + y[axes + n])
        y[2 * axes] += h * torques[n] * middle
        y[2 * axes + 1] += h * (p[k + A_VISCOUS] * w * w - dry * middle + p[k + A_DAMPING] * slip * slip)
        k += AXIS_COLUMNS


@compiled(types.void(VECTOR, VECTOR, VECTOR))
def look(y: Floats, p: Floats, seen: Floats) -> None:
    """What sensors look at, while y has the forces and accelerations of the step."""
    axes, first, k = int(p[AXES]), bodies_at(p), int(p[AT_SENSORS])
    for n in range(int(p[SENSORS])):
        kind, of = int(p[k + S_KIND]), int(p[k + S_OF])
        if kind == TORQUE:
            a = int(p[AT_AXES]) + AXIS_COLUMNS * of
            i, j = first + BODY_STATES * int(p[a + A_I]), first + BODY_STATES * int(p[a + A_J])
            slip = y[axes + of] - (y[j + W] - y[i + W])
            seen[n] = p[a + A_STIFFNESS] * (y[of] - (y[j + PHI] - y[i + PHI])) + p[a + A_DAMPING] * slip
        elif kind == SPEED:
            seen[n] = y[axes + of]
        elif kind == FORCE:
            a = int(p[AT_BUSHES]) + BUSH_COLUMNS * of
            _, _, _, _, _, _, dx, dy, vx, vy = ends(y, p, first, a)
            fx = -p[a + STIFFNESS] * (dx - p[a + OFFSET]) - p[a + DAMPING] * vx
            fy = -p[a + STIFFNESS] * (dy - p[a + OFFSET + 1]) - p[a + DAMPING] * vy
            seen[n] = p[k + S_DIRECTION] * fx + p[k + S_DIRECTION + 1] * fy
        elif kind == PULL:
            a = int(p[AT_SPRINGS]) + SPRING_COLUMNS * of
            _, _, _, _, _, _, dx, dy, vx, vy = ends(y, p, first, a)
            length = math.sqrt(dx * dx + dy * dy)
            rate = (dx * vx + dy * vy) / length if length > 0.0 else 0.0
            seen[n] = spring_force(p, a, length - p[a + LENGTH], rate)[0]
        else:
            b = first + BODY_STATES * of
            x, across = arm(y, b, p[k + S_POINT], p[k + S_POINT + 1])
            if kind == POSITION:
                seen[n] = p[k + S_DIRECTION] * (y[b + X] + x) + p[k + S_DIRECTION + 1] * (y[b + Y] + across)
            else:
                ex, ey = arm(y, b, p[k + S_DIRECTION], p[k + S_DIRECTION + 1])
                square = y[b + W] * y[b + W]
                ax = y[b + AX] - y[b + TURN] * across - square * x - p[k + S_FEELS] * p[WEIGHT]
                ay = y[b + AY] + y[b + TURN] * x - square * across - p[k + S_FEELS] * p[WEIGHT_Y]
                seen[n] = ex * ax + ey * ay
        k += SENSOR_COLUMNS


@compiled(types.void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, REAL))
def motion(y: Floats, p: Floats, torques: Floats, volts: Floats, seen: Floats, h: float) -> None:
    """One step; see `rig.virtual.plants.motor_rig.kernel`."""
    axes, count, first, table = int(p[AXES]), int(p[BODIES]), bodies_at(p), int(p[AT_BODIES])
    for n in range(count + 1):
        b = first + BODY_STATES * n
        y[b + COS], y[b + SIN] = math.cos(y[b + PHI]), math.sin(y[b + PHI])
        mass = p[table + BODY_COLUMNS * n + B_MASS] if n < count else 0.0
        y[b + FX], y[b + FY], y[b + M] = mass * p[WEIGHT], mass * p[WEIGHT_Y], 0.0
    k = int(p[AT_LOADS])
    for _ in range(int(p[LOADS])):
        b = first + BODY_STATES * int(p[k + L_BODY])
        ax, ay = arm(y, b, p[k + L_POINT], p[k + L_POINT + 1])
        share, points = 1.0, int(p[k + L_POINTS])
        if points > 0:
            share = read_off(p, points, k + L_SHAPE, min(max(y[-1], p[k + L_SHAPE]), p[k + L_SHAPE + 2 * points - 2]))
        push(y, b, share * p[k + L_FORCE], share * p[k + L_FORCE + 1], ax, ay, share * p[k + L_TORQUE])
        k += LOAD_COLUMNS
    y[2 * axes + 1] += h * (hold(y, p, h) + touch(y, p, h))
    turn(y, p, torques, h)
    for n in range(count):
        b, row = first + BODY_STATES * n, table + BODY_COLUMNS * n
        y[b + AX], y[b + AY] = y[b + FX] / p[row + B_MASS], y[b + FY] / p[row + B_MASS]
        y[b + TURN] = y[b + M] / p[row + B_INERTIA]
    look(y, p, seen)
    y[-1] += h
    for n in range(axes):
        y[n] += h * y[axes + n]
    for n in range(count):
        b = first + BODY_STATES * n
        y[b + VX] += h * y[b + AX]
        y[b + VY] += h * y[b + AY]
        y[b + W] += h * y[b + TURN]
        y[b + X] += h * y[b + VX]
        y[b + Y] += h * y[b + VY]
        y[b + PHI] += h * y[b + W]


def energy(y: Floats, p: Floats) -> float:
    """Kinetic, of weight, joints, shafts, linear springs between points, and contacts, J; without that of loads."""
    axes, count, first = int(p[AXES]), int(p[BODIES]), bodies_at(p)
    total = 0.0
    for n in range(count):
        b, row = y[first + BODY_STATES * n :], p[int(p[AT_BODIES]) + BODY_COLUMNS * n :]
        total += (
            0.5 * row[B_MASS] * (b[VX] ** 2 + b[VY] ** 2)
            + 0.5 * row[B_INERTIA] * b[W] ** 2
            - row[B_MASS] * (p[WEIGHT] * b[X] + p[WEIGHT_Y] * b[Y])
        )
    for n in range(axes):
        row = p[int(p[AT_AXES]) + AXIS_COLUMNS * n :]
        i, j = (first + BODY_STATES * int(row[place]) for place in (A_I, A_J))
        total += 0.5 * row[A_INERTIA] * y[axes + n] ** 2 + 0.5 * row[A_STIFFNESS] * (y[n] - y[j + PHI] + y[i + PHI]) ** 2
    state = contacts_at(p)
    for table, size, columns in (
        (AT_BUSHES, BUSHES, BUSH_COLUMNS), (AT_LINES, LINES, LINE_COLUMNS), (AT_TWISTS, TWISTS, TWIST_COLUMNS),
        (AT_SPRINGS, SPRINGS, SPRING_COLUMNS), (AT_JOURNALS, JOURNALS, JOURNAL_COLUMNS), (AT_CORNERS, CORNERS, CORNER_COLUMNS),
    ):  # fmt: skip
        for n in range(int(p[size])):
            row = p[int(p[table]) + columns * n :][:columns]
            i, j = (first + BODY_STATES * int(row[place]) for place in (BODY_I, BODY_J))
            (ix, iy), (jx, jy) = arm(y, i, row[SI], row[SI + 1]), arm(y, j, row[SJ], row[SJ + 1])
            dx, dy = y[j + X] + jx - y[i + X] - ix, y[j + Y] + jy - y[i + Y] - iy
            if table == AT_BUSHES:
                total += 0.5 * row[STIFFNESS] * ((dx - row[OFFSET]) ** 2 + (dy - row[OFFSET + 1]) ** 2)
            elif table == AT_LINES:
                ex, ey = arm(y, i, row[DIRECTION], row[DIRECTION + 1])
                total += 0.5 * row[STIFFNESS] * (ex * dx + ey * dy - row[PLACE]) ** 2
            elif table == AT_TWISTS:
                total += 0.5 * row[STIFFNESS] * (y[j + PHI] - y[i + PHI] - row[ANGLE]) ** 2
            elif table == AT_SPRINGS:
                total += 0.5 * row[STIFFNESS] * (math.hypot(dx, dy) - row[LENGTH]) ** 2
            else:
                total += stored(depth_of(y, row, table, i, j, dx, dy), row[law_of(table) :], y[state : state + CONTACT_STATES])
                state += CONTACT_STATES
    return float(total)


def law_of(table: int) -> int:
    """Where the columns of a contact's law begin."""
    return LAW if table == AT_JOURNALS else CORNER_LAW


def depth_of(y: Floats, row: Floats, table: int, i: int, j: int, dx: float, dy: float) -> float:
    """Penetration of a contact, m; D from the centre of the bearing to the journal, or from the guide to the slider's middle."""
    if table == AT_JOURNALS:
        return float(math.hypot(dx, dy) - (row[RADIUS_I] - row[RADIUS_J]))
    (gx, gy), (sx, sy) = arm(y, i, row[GUIDE], row[GUIDE + 1]), arm(y, j, row[SLIDER], row[SLIDER + 1])
    along, across = row[END] * row[HALF_LENGTH], row[SIDE] * row[HALF_HEIGHT]
    dx, dy = dx + along * sx - across * sy, dy + along * sy + across * sx
    return float(row[SIDE] * (dy * gx - dx * gy) - row[HALF_HEIGHT] - row[GAP])
