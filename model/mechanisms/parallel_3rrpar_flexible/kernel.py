"""The flexible 3-RRPaR for generalised-alpha, compiled: six ANCF bars between rigid bodies, solved by condensation (chen2026, corrected).

q = (x_1 .. x_6, z): the inner coordinates of the six bars, m = 12 elements each (both of leg 1, of leg 2, of leg 3; the first is the one
ahead along the driven axis), then those of the rigid bodies (model.mechanisms.parallel_3rrpar_flexible.bodies). The bars' ends and their
section's slope along the hinges follow from z: hinge axis n of the short bar = r_z of the bar's node. Nothing is left to be constrained.

An iteration: each bar's residual into its own frame, condensed to its ends there with factors that were made once for all six (the bar
hardly strains), the small system A of z solved, and back. A is made anew when the iteration contracts badly. Where pins press in
their bushes model.mechanisms.parallel_3rrpar_flexible.newton finds their part.

p: that of model.mechanisms.parallel_3rrpar.kernel, then from `own` on: inertia of the rigid bodies, c_a, c_v, elements, a bar's parameters,
its weight, what model.bodies.ancf_beam3d.hinged.matrices makes, and with led pins their table. s: two contacts, whether the joints are
ideal, whether the pins are led, then room.
"""

from __future__ import annotations

import math

from model.bodies.ancf_beam3d import hinged
from model.bodies.ancf_beam3d.frame import HEIGHT, find_frame, into_frame, out_of_frame
from model.bodies.ancf_beam3d.kernel import NODE, ROOM, forces, inertia
from model.bodies.ancf_beam3d.parameters import PARAMETERS
from model.compiled.arrays import copy, fill
from model.compiled.signatures import INDEX, LAW, REAL, VECTOR, ContactLaw, Floats, compiled
from model.integrators.generalized_alpha_kernel import OK, RESIDUAL, SOLVE, TANGENT, factor, solve
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar_flexible import bodies
from model.mechanisms.parallel_3rrpar_flexible import contact as pins
from model.mechanisms.parallel_3rrpar_flexible import newton as answering
from model.mechanisms.parallel_3rrpar_flexible.constraints import (
    hold_pins,
    hold_pins_matrix,
    hold_turns,
    hold_turns_matrix,
    lead_pins,
    lead_pins_matrix,
    subtract_friction,
)
from model.mechanisms.parallel_3rrpar_flexible.ends import add_ends, move_ends, place_ends

BARS, ENDS = 6, hinged.ENDS
AGE = 5e-4  # s: an older A, from which the mechanism has moved away, costs more iterations than it saves
# Places behind p of the rigid mechanism.
C_A, C_V, ELEMENTS, BAR = bodies.INERTIA_SIZE, bodies.INERTIA_SIZE + 1, bodies.INERTIA_SIZE + 2, bodies.INERTIA_SIZE + 3
WEIGHTS = BAR + PARAMETERS
# Places in s: kinematics, frames of the bars, forces of their ends, factors of A, its row exchanges, its time, two rooms for z,
# room of an element, that of the contacts' answer; then of a bar q, v, a, r and two rooms for its inner coordinates, then t
# and y of the last residual.
PLACED = pins.STATE
FRAMES = PLACED + bodies.KINEMATICS
FORCES = FRAMES + 9 * BARS
SMALL = FORCES + ENDS * BARS
EXCHANGES = SMALL + bodies.WITH_CLEARANCE**2
MADE = EXCHANGES + bodies.WITH_CLEARANCE
MOVED = MADE + 1
ROWS = MOVED + bodies.WITH_CLEARANCE
ROOMS = ROWS + bodies.WITH_CLEARANCE
ANSWER = ROOMS + ROOM
OF_BAR = ANSWER + answering.room_size(bodies.WITH_CLEARANCE)


@compiled(INDEX(INDEX))
def kept_at(elements: int) -> int:
    """Place in s where it stands at which t and y the residual, and so all that it keeps, was made."""
    return OF_BAR + 4 * NODE * (elements + 1) + 2 * NODE * elements


def room_size(elements: int) -> int:
    """Numbers in s."""
    return kept_at(elements) + 1 + 3 * (BARS * NODE * elements + bodies.WITH_CLEARANCE)


@compiled(INDEX(VECTOR))
def own(p: Floats) -> int:
    """Where the flexible mechanism's own parameters begin."""
    return rigid.DRIVES + rigid.EACH_POINT * int(p[rigid.GRID_POINTS])


@compiled(INDEX(VECTOR))
def table_of(mine: Floats) -> int:
    """Where that of model.mechanisms.parallel_3rrpar_flexible.one_way begins, behind what `own` tells."""
    m = NODE * int(mine[ELEMENTS])
    return WEIGHTS + m + NODE + m * m + ENDS * m + ENDS * ENDS


@compiled(INDEX(VECTOR, VECTOR))
def forget(mine: Floats, s: Floats) -> int:
    """What s holds is no more that of the last residual."""
    s[kept_at(int(mine[ELEMENTS]))] = math.nan
    return 0


@compiled(INDEX(REAL, VECTOR, VECTOR, VECTOR))
def place(t: float, y: Floats, p: Floats, s: Floats) -> int:
    """Kinematics of the rigid bodies into s."""
    forget(p[own(p) :], s)
    mine, n = p[own(p) :], y.size // 3
    size = bodies.IDEAL if s[pins.HELD] > 0.0 else bodies.WITH_CLEARANCE
    z, v, a = y[n - size : n], y[2 * n - size : 2 * n], y[3 * n - size :]
    platform, legs = s[PLACED : PLACED + bodies.PLATFORM_SIZE], s[PLACED + bodies.PLATFORM_SIZE : FRAMES]
    bodies.place_platform(z, v, a, mine, platform)
    for leg in range(rigid.LEGS):
        k = legs[bodies.LEG_SIZE * leg : bodies.LEG_SIZE * (leg + 1)]
        bodies.place_near(leg, t, p, z, v, a, k)
        bodies.place_far(leg, p, z, v, a, mine, platform, k)
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR))
def inertial(a: Floats, mine: Floats, s: Floats) -> int:
    """Rows of z in s: inertia and weight of the rigid bodies, with the accelerations a of z."""
    rows = s[ROWS : ROWS + a.size]
    platform, legs = s[PLACED : PLACED + bodies.PLATFORM_SIZE], s[PLACED + bodies.PLATFORM_SIZE : FRAMES]
    fill(rows, 0.0)
    mass, g, spin = mine[bodies.PLATFORM_MASS], mine[bodies.WEIGHT], bodies.at(platform, bodies.PLATFORM_SPIN)
    for j in range(3):
        w = bodies.at(platform, bodies.AXES + 3 * j)
        rows[bodies.P + j] = mass * (a[bodies.P + j] + (g if j == 2 else 0.0))
        rows[bodies.PHI + j] = w[0] * spin[0] + w[1] * spin[1] + w[2] * spin[2]
    mass = mine[bodies.SHORT_MASS]
    for leg in range(rigid.LEGS):
        k = legs[bodies.LEG_SIZE * leg : bodies.LEG_SIZE * (leg + 1)]
        rows[bodies.NEAR + leg] = mine[bodies.J_NEAR] * a[bodies.NEAR + leg]
        force = (mass * k[bodies.C + 6], mass * k[bodies.C + 7], mass * (k[bodies.C + 8] + g))
        bodies.add_far(leg, force, bodies.at(k, bodies.SPIN), platform, k, rows)
    return 0


@compiled(INDEX(INDEX, VECTOR, INDEX, VECTOR, VECTOR, VECTOR))
def bar_residual(bar: int, y: Floats, m: int, mine: Floats, s: Floats, r: Floats) -> int:
    """M a - weight + f of a whole bar into r, its frame into s."""
    forget(mine, s)
    n, size, leg = y.size // 3, m + NODE, bar // 2
    k = s[PLACED + bodies.PLATFORM_SIZE + bodies.LEG_SIZE * leg : PLACED + bodies.PLATFORM_SIZE + bodies.LEG_SIZE * (leg + 1)]
    q, v, a = s[OF_BAR : OF_BAR + size], s[OF_BAR + size : OF_BAR + 2 * size], s[OF_BAR + 2 * size : OF_BAR + 3 * size]
    ends = s[FORCES + ENDS * bar : FORCES + ENDS * (bar + 1)]
    place_ends(bar, mine[bodies.HALF], k, 0, ends)
    hinged.join(y[m * bar : m * (bar + 1)], ends, q)
    place_ends(bar, mine[bodies.HALF], k, 1, ends)
    hinged.join(y[n + m * bar : n + m * (bar + 1)], ends, v)
    place_ends(bar, mine[bodies.HALF], k, 2, ends)
    hinged.join(y[2 * n + m * bar : 2 * n + m * (bar + 1)], ends, a)
    find_frame(q, HEIGHT, s[FRAMES + 9 * bar : FRAMES + 9 * (bar + 1)])
    copy(r, mine[WEIGHTS : WEIGHTS + size])
    forces(q, v, r, mine[BAR:WEIGHTS], s[ROOMS:ANSWER])
    for i in range(size):
        r[i] = -r[i]
    inertia(a, r, mine[BAR:WEIGHTS])
    return 0


@compiled(RESIDUAL.signature)
def residual(t: float, y: Floats, r: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
    """M v' - f of the bars' inner coordinates, then of z. Keeps kinematics, frames and the forces of the bars' ends in s."""
    n, mine = y.size // 3, p[own(p) :]
    m = NODE * int(mine[ELEMENTS])
    whole = s[OF_BAR + 3 * (m + NODE) : OF_BAR + 4 * (m + NODE)]
    size = n - BARS * m
    place(t, y, p, s)
    inertial(y[3 * n - size :], mine, s)
    rows, platform = s[ROWS : ROWS + size], s[PLACED : PLACED + bodies.PLATFORM_SIZE]
    for bar in range(BARS):
        leg = bar // 2
        k = s[PLACED + bodies.PLATFORM_SIZE + bodies.LEG_SIZE * leg : PLACED + bodies.PLATFORM_SIZE + bodies.LEG_SIZE * (leg + 1)]
        bar_residual(bar, y, m, mine, s, whole)
        ends = s[FORCES + ENDS * bar : FORCES + ENDS * (bar + 1)]
        hinged.part(whole, r[m * bar : m * (bar + 1)], ends)
        add_ends(leg, bar % 2, mine[bodies.HALF], ends, platform, k, rows)
    if size > bodies.IDEAL:
        if int(s[pins.LED]):
            subtract_friction(t, rows, mine[table_of(mine) :])
            lead_pins(t, y[n - size : n], rows, mine[BAR:WEIGHTS], mine[table_of(mine) :])
        else:
            answering.subtract_forces(y[n - size : n], y[2 * n - size : 2 * n], rows, s[ANSWER:OF_BAR], p, s, law)
            hold_pins(y[n - size : n], rows, mine[BAR:WEIGHTS], p)
    hold_turns(rows, mine)
    copy(r[n - size :], rows)
    kept = s[kept_at(int(mine[ELEMENTS])) :]
    kept[0] = t
    copy(kept[1 : 1 + y.size], y)
    return 0


@compiled(INDEX(REAL, VECTOR, VECTOR, VECTOR))
def known(t: float, y: Floats, p: Floats, s: Floats) -> int:
    """1 if s holds kinematics, frames and forces of the bars' ends at t and y."""
    kept = s[kept_at(int(p[own(p) + ELEMENTS])) :]
    if kept[0] != t:
        return 0
    for k in range(y.size):
        if kept[1 + k] != y[k]:
            return 0
    return 1


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR))
def respond(x: Floats, rows: Floats, mine: Floats, s: Floats) -> int:
    """rows = A x, but for the contacts, with the kinematics and frames in s."""
    m, c_a = NODE * int(mine[ELEMENTS]), mine[C_A]
    made = WEIGHTS + m + NODE + m * m + ENDS * m
    platform = s[PLACED : PLACED + bodies.PLATFORM_SIZE]
    ends, local, inside = s[OF_BAR : OF_BAR + ENDS], s[OF_BAR + ENDS : OF_BAR + 2 * ENDS], mine[made : made + ENDS * ENDS]
    turn, mass = bodies.turn_of(x, platform), c_a * mine[bodies.PLATFORM_MASS]
    fill(rows, 0.0)
    for j in range(3):
        rows[bodies.P + j] = mass * x[bodies.P + j]
    own_turn = (
        platform[0] * turn[0] + platform[3] * turn[1] + platform[6] * turn[2],
        platform[1] * turn[0] + platform[4] * turn[1] + platform[7] * turn[2],
        platform[2] * turn[0] + platform[5] * turn[1] + platform[8] * turn[2],
    )
    i_x, i_y, i_z = c_a * mine[bodies.I_PLATFORM], c_a * mine[bodies.I_PLATFORM + 1], c_a * mine[bodies.I_PLATFORM + 2]
    back = bodies.turned(platform, (i_y + i_z) * own_turn[0], (i_z + i_x) * own_turn[1], (i_x + i_y) * own_turn[2])
    for j in range(3):
        w = bodies.at(platform, bodies.AXES + 3 * j)
        rows[bodies.PHI + j] = w[0] * back[0] + w[1] * back[1] + w[2] * back[2]
    mass = c_a * mine[bodies.SHORT_MASS]
    for leg in range(rigid.LEGS):
        k = s[PLACED + bodies.PLATFORM_SIZE + bodies.LEG_SIZE * leg : PLACED + bodies.PLATFORM_SIZE + bodies.LEG_SIZE * (leg + 1)]
        rows[bodies.NEAR + leg] += c_a * mine[bodies.J_NEAR] * x[bodies.NEAR + leg]
        moved, axis, b = bodies.shift_of(leg, x, platform, k, turn), bodies.at(k, bodies.A_FAR), x[bodies.FAR + leg]
        whole = (turn[0] + b * axis[0], turn[1] + b * axis[1], turn[2] + b * axis[2])
        moment = (0.0, 0.0, 0.0)
        for j in range(3):
            d = bodies.at(k, bodies.X_FAR if j == 0 else (bodies.N_FAR if j == 1 else bodies.A_FAR))
            part_of, share = bodies.cross(d, bodies.cross(whole, d)), c_a * mine[bodies.I_SHORT + j]
            moment = (moment[0] + share * part_of[0], moment[1] + share * part_of[1], moment[2] + share * part_of[2])
        bodies.add_far(leg, (mass * moved[0], mass * moved[1], mass * moved[2]), moment, platform, k, rows)
        for side in range(2):
            frame = s[FRAMES + 9 * (2 * leg + side) : FRAMES + 9 * (2 * leg + side + 1)]
            move_ends(leg, side, mine[bodies.HALF], x, platform, k, ends)
            into_frame(frame, ends, local)
            for i in range(ENDS):
                total = 0.0
                for j in range(ENDS):
                    total += inside[ENDS * i + j] * local[j]
                ends[i] = total
            out_of_frame(frame, ends, local)
            add_ends(leg, side, mine[bodies.HALF], local, platform, k, rows)
    return 0


@compiled(INDEX(REAL, VECTOR, VECTOR, LAW))
def make_small(t: float, p: Floats, s: Floats, law: ContactLaw) -> int:
    """Factors of A, but for the contacts, and what they show these, into s; of an equilibrium (c_a = 0) with them. OK or SINGULAR."""
    size, mine = bodies.IDEAL if s[pins.HELD] > 0.0 else bodies.WITH_CLEARANCE, p[own(p) :]
    x, rows, small = s[MOVED : MOVED + size], s[ROWS : ROWS + size], s[SMALL : SMALL + size * size]
    s[MADE] = t
    for column in range(size):
        fill(x, 0.0)
        x[column] = 1.0
        respond(x, rows, mine, s)
        for i in range(size):
            small[size * i + column] = rows[i]
    hold_turns_matrix(small.reshape((size, size)), mine)
    pressed = size > bodies.IDEAL and s[pins.LED] == 0.0
    if pressed:
        hold_pins_matrix(small.reshape((size, size)), mine[BAR:WEIGHTS], p)
    if size > bodies.IDEAL and not pressed:
        lead_pins_matrix(small.reshape((size, size)), mine[BAR:WEIGHTS])
    factors, exchanges = small.reshape((size, size)), s[EXCHANGES : EXCHANGES + size]
    if pressed and mine[C_A] == 0.0:
        answering.add_tangents(factors, s[ANSWER:OF_BAR], mine[C_V], p, s, law)
    status = factor(factors, exchanges)
    if status == OK and pressed and mine[C_A] > 0.0:
        status = answering.condense(factors, exchanges, s[ANSWER:OF_BAR])
    return int(status)


@compiled(TANGENT.signature)
def tangent(t: float, y: Floats, matrix: Floats, c_a: float, c_v: float, p: Floats, s: Floats, law: ContactLaw) -> int:
    """`make_small`: nothing else ever changes."""
    return int(make_small(t, p, s, law))


@compiled(SOLVE.signature)
def solved(t: float, y: Floats, r: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
    """r becomes Newton's correction."""
    n, mine = y.size // 3, p[own(p) :]
    m = NODE * int(mine[ELEMENTS])
    size, made = n - BARS * m, mine[WEIGHTS + m + NODE :]
    if abs(t - s[MADE]) > AGE:
        status = make_small(t, p, s, law)
        if status != OK:
            return int(status)
    x, platform = r[n - size :], s[PLACED : PLACED + bodies.PLATFORM_SIZE]
    ends, local = s[OF_BAR : OF_BAR + ENDS], s[OF_BAR + ENDS : OF_BAR + 2 * ENDS]
    back = s[OF_BAR + 4 * (m + NODE) : OF_BAR + 4 * (m + NODE) + m]
    for bar in range(BARS):
        leg, inner, frame = bar // 2, r[m * bar : m * (bar + 1)], s[FRAMES + 9 * bar : FRAMES + 9 * (bar + 1)]
        k = s[PLACED + bodies.PLATFORM_SIZE + bodies.LEG_SIZE * leg : PLACED + bodies.PLATFORM_SIZE + bodies.LEG_SIZE * (leg + 1)]
        into_frame(frame, inner, inner)
        hinged.condense(made, inner, local)
        out_of_frame(frame, local, ends)
        add_ends(leg, bar % 2, mine[bodies.HALF], ends, platform, k, x)
    hold_turns(x, mine)
    factors, exchanges = s[SMALL : SMALL + size * size].reshape((size, size)), s[EXCHANGES : EXCHANGES + size]
    if size > bodies.IDEAL and s[pins.LED] == 0.0:
        hold_pins(y[n - size : n], x, mine[BAR:WEIGHTS], p)
    if size > bodies.IDEAL and s[pins.LED] == 0.0 and mine[C_A] > 0.0:
        answering.answer(x, mine[C_V], factors, exchanges, s[ANSWER:OF_BAR], p, s, law)
    else:
        if size > bodies.IDEAL and int(s[pins.LED]):
            lead_pins(t, y[n - size : n], x, mine[BAR:WEIGHTS], mine[table_of(mine) :])
        solve(factors, exchanges, x)
    for bar in range(BARS):
        leg, inner, frame = bar // 2, r[m * bar : m * (bar + 1)], s[FRAMES + 9 * bar : FRAMES + 9 * (bar + 1)]
        k = s[PLACED + bodies.PLATFORM_SIZE + bodies.LEG_SIZE * leg : PLACED + bodies.PLATFORM_SIZE + bodies.LEG_SIZE * (leg + 1)]
        move_ends(leg, bar % 2, mine[bodies.HALF], x, platform, k, ends)
        into_frame(frame, ends, local)
        hinged.recover(made, inner, local, back)
        out_of_frame(frame, back, inner)
    return OK
