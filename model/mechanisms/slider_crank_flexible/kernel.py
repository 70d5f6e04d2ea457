"""Motion of the slider-crank with a flexible rod in minimal coordinates, compiled (wang2017, section 2.1 for the rod).

| symbol | unit | meaning |
|---|---|---|
| e_j = (r, r_x) at 4 j | m, 1 | node j of the rod (model.bodies.ancf_beam2d.beam), 0 at the crank, the last one at the slider |
| x, y, phi | m, rad | centre of the slider and its angle, after the rod's coordinates |
| M | kg, ... | constant mass matrix, the same for both directions but for what is held and for the slider's mass |
| e = r_j - r_i, delta | m | journal (on crank or slider) from bearing (in the rod), penetration (model.joints.revolute) |

M v' = forces. What an ideal joint holds is no unknown: a node on the crank pin has r'' = -omega^2 r + alpha x r, a node on the ideal guide
y'' = 0, and the slider's mass goes with the node that it is pinned to. M is factored once, block by block along the rod, and solved in
place: the cost grows with the number of elements. The state is (coordinates, velocities); the discrete state ends with room to compute in.
"""

from __future__ import annotations

import math

from numba import types

from model.bodies.ancf_beam2d.kernel import NODE, STIFFNESSES, forces
from model.bodies.ancf_beam2d.mass import solve
from model.compiled.arrays import fill
from model.compiled.signatures import CHANNELS, GUARDS, INDEX, LAW, REAL, RHS, SWITCH, VECTOR, ContactLaw, Floats, compiled
from model.friction import velocity_window
from model.joints import contact, revolute, translational
from model.stepping import inputs

# Which joint has clearance; the others are ideal.
NONE, ROD_SLIDER, CRANK_ROD = range(3)
# Parameters p; then those of the beam, of the guide, of the pin's friction, and the factored mass matrix: for each node x, then y. At the
# end SAMPLES places of input samples that lead the crank (none: it turns at constant speed).
(
    NODES, OMEGA, CRANK, PIN, GUIDE, R_I, R_J, V_FLOOR, SLIDER_MASS, SLIDER_INERTIA, GRAVITY, CRANK_WEIGHT, CRANK_INERTIA, ELEMENT_MASS,
    M_00, M_01, M_02, M_03, SAMPLES, BEAM,
) = range(20)  # fmt: skip
HELD = (
    500.0  # 1/s: rate at which a node that samples lead comes back to the crank pin, from what the corners of their cubics have done to it
)
CORNERED = BEAM + STIFFNESSES
FRICTION = CORNERED + translational.PARAMETERS
FACTOR = FRICTION + velocity_window.PARAMETERS
# Discrete state s: four places for each contact, then the room.
PIN_CONTACT, FIRST_CORNER = 0, 1
CONTACTS = FIRST_CORNER + translational.CORNERS
ROOM = CONTACTS * contact.EACH
X, Y, PHI, SLIDER = range(4)
CRANK_ANGLE, TORQUE, POSITION, VELOCITY, PENETRATION, JOINT_FORCE, GUIDE_FORCE, ACCELERATION, CHANNEL_COUNT = range(9)

PAIR = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]
TRIPLE = types.UniTuple(REAL, 3)  # type: ignore[no-untyped-call]


@compiled(INDEX(VECTOR))
def rod_size(p: Floats) -> int:
    """Number of the rod's coordinates."""
    return NODE * int(p[NODES])


@compiled(TRIPLE(REAL, VECTOR))
def turned(t: float, p: Floats) -> tuple[float, float, float]:
    """(angle, speed, angular acceleration) of the crank at t (s): at constant speed, or as samples lead it."""
    count = int(p[SAMPLES])
    if count == 0:
        return p[OMEGA] * t, p[OMEGA], 0.0
    return inputs.course(p[p.size - count :], t)  # type: ignore[no-any-return]


@compiled(revolute.QUANTITIES(REAL, VECTOR, VECTOR))
def pin_gap(t: float, y: Floats, p: Floats) -> tuple[float, float, float, float, float]:
    """(delta, delta', n_x, n_y, v_t) of the pin with clearance."""
    slider = rod_size(p)
    at, rate = 0 if p[PIN] == CRANK_ROD else slider - NODE, 2 * slider + SLIDER
    vat, tx, ty = slider + SLIDER + at, y[at + 2], y[at + 3]
    turning = (tx * y[vat + 3] - ty * y[vat + 2]) / (tx * tx + ty * ty)
    if p[PIN] == CRANK_ROD:
        angle, journal, _ = turned(t, p)
        jx, jy = p[CRANK] * math.cos(angle), p[CRANK] * math.sin(angle)
        ux, uy = -journal * jy, journal * jx
    else:
        jx, jy, ux, uy, journal = y[slider + X], y[slider + Y], y[rate + X], y[rate + Y], y[rate + PHI]
    return revolute.approach(jx - y[at], jy - y[at + 1], ux - y[vat], uy - y[vat + 1], turning, journal, p[R_I], p[R_J])


@compiled(TRIPLE(REAL, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
def pin_force(t: float, y: Floats, p: Floats, s: Floats, into: Floats, law: ContactLaw) -> tuple[float, float, float]:
    """Add the pin's force and moment to those on the rod; (f_x, f_y, m) on the journal, N and N m."""
    if s[PIN_CONTACT + contact.SPEED] == 0.0:
        return 0.0, 0.0, 0.0
    at = 0 if p[PIN] == CRANK_ROD else rod_size(p) - NODE
    gap, rate, nx, ny, sliding = pin_gap(t, y, p)
    normal = law(gap, rate, s[PIN_CONTACT : PIN_CONTACT + contact.EACH])
    friction = velocity_window.force(sliding, normal, p[FRICTION:FACTOR])
    fx, fy, bearing, journal = revolute.loads(nx, ny, normal, friction, p[R_I], p[R_J])
    tx, ty = y[at + 2], y[at + 3]
    bearing /= tx * tx + ty * ty
    into[at] += fx
    into[at + 1] += fy
    into[at + 2] -= bearing * ty
    into[at + 3] += bearing * tx
    return -fx, -fy, journal


@compiled(INDEX(VECTOR))
def closed(s: Floats) -> int:
    """Bit k is set where corner k of the slider touches the guide."""
    found = 0
    for k in range(translational.CORNERS):
        found |= contact.touching(s, FIRST_CORNER + k) << k
    return found


@compiled(translational.LOADS(VECTOR, VECTOR, VECTOR))
def guide_loads(y: Floats, p: Floats, s: Floats) -> tuple[float, float, float, float]:
    """(f_x, f_y, m, S) of the guide's faces on the slider."""
    slider = rod_size(p)
    rate = 2 * slider + SLIDER
    return translational.loads(y[slider + Y], y[rate + X], y[rate + Y], y[slider + PHI], y[rate + PHI], closed(s), p[CORNERED:FRICTION])


@compiled(PAIR(INDEX, VECTOR, VECTOR))
def corner_gap(corner: int, y: Floats, p: Floats) -> tuple[float, float]:
    """(penetration, its rate) of a corner of the slider."""
    slider = rod_size(p)
    rate, angle = 2 * slider + SLIDER, y[slider + PHI]
    found = translational.corner(
        corner, y[slider + Y], y[rate + X], y[rate + Y], math.sin(angle), math.cos(angle), y[rate + PHI], p[CORNERED:FRICTION]
    )
    return found[0], found[1]


@compiled(INDEX(VECTOR, VECTOR))
def weigh(p: Floats, into: Floats) -> int:
    """Add the rod's weight."""
    size, weight = rod_size(p), p[ELEMENT_MASS] * p[GRAVITY]
    for at in range(0, size, NODE):
        into[at + 1] -= weight if 0 < at < size - NODE else 0.5 * weight
    lever = weight * p[BEAM + 3] / 12.0
    into[3] -= lever
    into[size - 1] += lever
    return 0


@compiled(TRIPLE(REAL, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
def load(t: float, y: Floats, p: Floats, s: Floats, f: Floats, law: ContactLaw) -> tuple[float, float, float]:
    """What acts on the rod and, last, on the slider, N and N m, ideal joints left out; (f_x, f_y, m) on the journal."""
    size = rod_size(p)
    fill(f, 0.0)
    forces(y[:size], y[size + SLIDER : 2 * size + SLIDER], f[:size], p[BEAM:CORNERED])
    if p[GRAVITY] != 0.0:
        weigh(p, f[:size])
    fx, fy, journal = pin_force(t, y, p, s, f[:size], law)
    ux, uy, moment, _ = guide_loads(y, p, s)
    uy -= p[SLIDER_MASS] * p[GRAVITY]
    f[size + X], f[size + Y], f[size + PHI] = ux, uy, moment
    if p[PIN] == ROD_SLIDER:
        f[size + X] += fx
        f[size + Y] += fy
        f[size + PHI] += journal
    return fx, fy, journal


@compiled(PAIR(REAL, VECTOR, VECTOR))
def held_node(t: float, y: Floats, p: Floats) -> tuple[float, float]:
    """r'' of the node on the crank pin."""
    angle, speed, change = turned(t, p)
    if p[SAMPLES] == 0.0:
        return -speed * speed * y[0], -speed * speed * y[1]
    rate = rod_size(p) + SLIDER
    x, up = p[CRANK] * math.cos(angle), p[CRANK] * math.sin(angle)
    back_x, back_y = 2.0 * (-speed * up - y[rate]) + HELD * (x - y[0]), 2.0 * (speed * x - y[rate + 1]) + HELD * (up - y[1])
    return -speed * speed * x - change * up + HELD * back_x, -speed * speed * up + change * x + HELD * back_y


@compiled(INDEX(REAL, VECTOR, VECTOR, VECTOR))
def accelerate(t: float, y: Floats, p: Floats, f: Floats) -> int:
    """From what acts (`load`) to the accelerations, in place."""
    size = rod_size(p)
    if p[PIN] != CRANK_ROD:
        both = held_node(t, y, p)
        for d in range(2):
            held = both[0] if d == 0 else both[1]
            f[2 + d] -= p[M_01] * held
            f[NODE + d] -= p[M_02] * held
            f[NODE + 2 + d] -= p[M_03] * held
            f[d] = held
    guided = p[GUIDE] == 0.0
    if p[PIN] != ROD_SLIDER:
        f[size - NODE] += f[size + X]
        f[size - NODE + 1] = 0.0 if guided else f[size - NODE + 1] + f[size + Y]
    solve(p, FACTOR, f[:size])
    if p[PIN] == ROD_SLIDER:
        f[size + X] /= p[SLIDER_MASS]
        f[size + Y] = 0.0 if guided else f[size + Y] / p[SLIDER_MASS]
    else:
        f[size + X], f[size + Y] = f[size - NODE], f[size - NODE + 1]
    f[size + PHI] = 0.0 if guided else f[size + PHI] / p[SLIDER_INERTIA]
    return 0


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """Time derivative of the state."""
    count = rod_size(p) + SLIDER
    for k in range(count):
        dy[k] = y[count + k]
    load(t, y, p, s, dy[count:], law)
    accelerate(t, y, p, dy[count:])
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Penetration of the pin and of each corner while apart, its negative while closed; ideal joints have none."""
    fill(g, -1.0)
    fill(g_rate, 0.0)
    if p[PIN] != NONE:
        gap, rate, _, _, _ = pin_gap(t, y, p)
        g[PIN_CONTACT], g_rate[PIN_CONTACT] = contact.guard(s, PIN_CONTACT, gap, rate)
    if p[GUIDE] != 0.0:
        for corner in range(translational.CORNERS):
            gap, rate = corner_gap(corner, y, p)
            g[FIRST_CORNER + corner], g_rate[FIRST_CORNER + corner] = contact.guard(s, FIRST_CORNER + corner, gap, rate)
    return 0


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """Latch the approach speed of a contact that begins (noted, m/s), clear that of one that ends (noted as 0)."""
    rate = pin_gap(t, y, p)[1] if k == PIN_CONTACT else corner_gap(k - FIRST_CORNER, y, p)[1]
    return contact.switch(s, k, rate, p[V_FLOOR])


@compiled(PAIR(VECTOR, VECTOR, VECTOR))
def crank_pin(p: Floats, f: Floats, a: Floats) -> tuple[float, float]:
    """Force of the crank on the rod through an ideal pin, N: what the first node's motion takes more than acts on it (f)."""
    return (
        p[M_00] * a[0] + p[M_01] * a[2] + p[M_02] * a[4] + p[M_03] * a[6] - f[0],
        p[M_00] * a[1] + p[M_01] * a[3] + p[M_02] * a[5] + p[M_03] * a[7] - f[1],
    )


@compiled(REAL(VECTOR, VECTOR, VECTOR))
def guided(p: Floats, f: Floats, a: Floats) -> float:
    """Force of an ideal guide on the slider, N, upwards."""
    size = rod_size(p)
    if p[PIN] == ROD_SLIDER:
        return -float(f[size + Y])
    at = size - NODE
    rod = p[M_00] * a[at + 1] - p[M_01] * a[at + 3] + p[M_02] * a[at - 3] - p[M_03] * a[at - 1] - f[at + 1]
    return float(p[SLIDER_MASS] * a[size + Y] + rod - f[size + Y])


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """CHANNELS of model.mechanisms.slider_crank_flexible."""
    size = rod_size(p)
    count = size + SLIDER
    f, a = s[ROOM : ROOM + count], s[ROOM + count : ROOM + 2 * count]
    fx, fy, journal = load(t, y, p, s, f, law)
    for k in range(count):
        a[k] = f[k]
    accelerate(t, y, p, a)
    angle, _, change = turned(t, p)
    values[CRANK_ANGLE], values[ACCELERATION] = angle, a[size + X]
    values[POSITION], values[VELOCITY] = y[size + X], y[count + size + X]
    faces = guide_loads(y, p, s)
    across = faces[1] if p[GUIDE] != 0.0 else guided(p, f, a)
    values[GUIDE_FORCE] = faces[3] if p[GUIDE] != 0.0 else abs(across)
    cosine, sine = math.cos(angle), math.sin(angle)
    if p[PIN] == CRANK_ROD:
        values[TORQUE] = p[CRANK] * (sine * fx - cosine * fy) - journal + p[CRANK_WEIGHT] * cosine
    else:
        rx, ry = crank_pin(p, f, a)
        values[TORQUE] = y[0] * ry - y[1] * rx + p[CRANK_WEIGHT] * cosine
    values[TORQUE] += p[CRANK_INERTIA] * change
    if p[PIN] == NONE:
        values[PENETRATION] = 0.0
        fx = p[SLIDER_MASS] * a[size + X] - faces[0]
        fy = p[SLIDER_MASS] * (a[size + Y] + p[GRAVITY]) - across
    else:
        values[PENETRATION] = max(0.0, pin_gap(t, y, p)[0])
    values[JOINT_FORCE] = math.sqrt(fx * fx + fy * fy)
    return 0
