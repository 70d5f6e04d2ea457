"""The rigid driven slider, compiled: motion along the guide, contact forces, and what its friction does (karnopp section 3, corrected).

With theta = omega0 t and R all forces along the guide but friction,

    (m1 + m2) x'' = R + f,   R = F0 sin(Omega t) - k (x - x_off) + m1 L/2 omega0^2 cos(theta) - k_v x'
    N = (m1 + m2) g - m1 L/2 omega0^2 sin(theta)      on the guide, all areas together
    T = m1 L/2 (g cos(theta) - x'' sin(theta))        the motor's torque
    G = M - b/2 f N/S                                 moment of the normal forces; M = T, or 0 for a motor on the ground
    S = max(|N|, 2 |G|/a)                             one face carries, or two corners that lie opposite

A slider that moves has f = r S with r constant, so that G = A + B S with A and B known: S is the only solution of one linear equation as
long as 2 |B| < a, which the configuration sees to. One that sticks has f = -R, and S solves a quadratic.

What the bar does and what drives comes in by `loads` alone; model.mechanisms.slider_bar.driven has those of a bar that samples turn.

y = (x, x'). s holds the friction's mode (model.friction.karnopp), which face carries, and whence the slider came into the band.
"""

from __future__ import annotations

import math

from numba import types

from model.compiled.signatures import CHANNELS, GUARDS, INDEX, REAL, RHS, SWITCH, VECTOR, Floats, compiled
from model.compiled.sincos import sincos
from model.friction.karnopp import BAND, FORWARD, FORWARD_YIELDING, PARAMETERS, STATIC, STUCK, ratio

# Places in p. MOUNTED: 1 where the motor sits on the slider.
(
    MASS, SWING, SPEED, DRIVE, DRIVE_SPEED, STIFFNESS, OFFSET, VISCOUS, WEIGHT, GRAVITY, LENGTH, HEIGHT, MOUNTED, FRICTION,
) = range(14)  # fmt: skip
PLACES = FRICTION + PARAMETERS
BAR_INERTIA, PLAY = PLACES, PLACES + 1  # behind those that the flexible slider has too: about the hinge, kg m^2; on each side, m
BAR_PLACES = PLACES + 2
# Places in s. CAME: direction in which the slider has slid into the band, 0 after sticking.
MODE, OPPOSITE, CAME, DISCRETE = range(4)
# Guards: the end of sliding; static friction that gives way, or holds again, forward and backward; the band left, forward and backward;
# from one face to opposite corners or back.
STOPS, FORWARD_LIMIT, BACKWARD_LIMIT, FORWARD_EDGE, BACKWARD_EDGE, FACES, GUARD_COUNT = range(7)
STICK, SLIP, REVERSAL = range(3)  # what is noted of an event
X, V, STICKING, TORQUE, SLIDING_FORCE, SUM, NORMALS = range(7)  # channels; four areas each of normal force and friction at the end
AREAS = 4
CHANNEL_COUNT = NORMALS + 2 * AREAS
LIFTS, RIGID_CHANNEL_COUNT = CHANNEL_COUNT, CHANNEL_COUNT + 2  # behind those that the flexible slider has too: of the rear, of the front

LOADS = types.UniTuple(REAL, 4)  # type: ignore[no-untyped-call]
PAIR = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]


@compiled(LOADS(REAL, REAL, REAL, VECTOR))
def loads(t: float, x: float, v: float, p: Floats) -> tuple[float, float, float, float]:
    """(R, N, T without x'', -dT/dx'')."""
    sine, cosine = sincos(p[SPEED] * t)
    driving, _ = sincos(p[DRIVE_SPEED] * t)
    outward = p[SWING] * p[SPEED] * p[SPEED]
    external = p[DRIVE] * driving - p[STIFFNESS] * (x - p[OFFSET]) + outward * cosine - p[VISCOUS] * v
    return external, p[WEIGHT] - outward * sine, p[SWING] * p[GRAVITY] * cosine, p[SWING] * sine


@compiled(PAIR(REAL, REAL, REAL, REAL, REAL, INDEX, VECTOR))
def moment(r: float, external: float, normal: float, torque: float, swing: float, moving: int, p: Floats) -> tuple[float, float]:
    """(A, B) of G = A + B S with f = r S; `moving`: x'' follows from f, else it is 0."""
    a, b = p[MOUNTED] * torque - 0.5 * p[HEIGHT] * r * normal, 0.0
    if moving:
        share = p[MOUNTED] * swing / p[MASS]
        a, b = a - share * external, -share * r
    return a, b


@compiled(REAL(REAL, REAL, REAL, VECTOR))
def opposite_sum(a: float, b: float, normal: float, p: Floats) -> float:
    """S when opposite corners carry; less than |N| where they do not."""
    return float(2.0 * a / (p[LENGTH] - 2.0 * b) if a > 0.0 else -2.0 * a / (p[LENGTH] + 2.0 * b))


@compiled(REAL(REAL, REAL, REAL, VECTOR))
def moving_sum(a: float, b: float, normal: float, p: Floats) -> float:
    """S of G = A + B S."""
    return float(max(abs(normal), opposite_sum(a, b, normal, p)))


@compiled(REAL(REAL, REAL, REAL, VECTOR))
def stuck_sum(f: float, normal: float, held: float, p: Floats) -> float:
    """S with f (N) given, and M = `held` (N m): S = max(|N|, 2/a |M - b/2 f N/S|)."""
    face, arm = abs(normal), 0.5 * p[HEIGHT] * f * normal
    if face > 0.0 and 2.0 * abs(held - arm / face) <= p[LENGTH] * face:
        return face
    square = max(0.0, held * held - 2.0 * p[LENGTH] * arm * (1.0 if held > 0.0 else -1.0))
    return float(max(face, (abs(held) + math.sqrt(square)) / p[LENGTH]))


@compiled(REAL(INDEX, REAL, REAL, REAL, REAL, VECTOR))
def excess(direction: int, external: float, normal: float, torque: float, swing: float, p: Floats) -> float:
    """How much more R is, in `direction`, than static friction can hold, N."""
    limit = p[FRICTION + STATIC]
    a, b = moment(-direction * limit, external, normal, torque, swing, 0, p)
    return float(direction * external - limit * moving_sum(a, b, normal, p))


@compiled(INDEX(REAL, REAL, REAL, REAL, VECTOR))
def held(external: float, normal: float, torque: float, swing: float, p: Floats) -> int:
    """0 where static friction holds the slider, else the direction in which it does not."""
    direction = 1 if external > 0.0 else -1
    return direction if excess(direction, external, normal, torque, swing, p) > 0.0 else 0


@compiled(INDEX(LOADS, REAL, VECTOR))
def first_mode(of: tuple[float, ...], v: float, p: Floats) -> int:
    """Mode of a slider that moves with v under these `loads`."""
    band = p[FRICTION + BAND]
    if v != 0.0 and abs(v) >= band:
        return 1 if v > 0.0 else -1
    external, normal, torque, swing = of
    direction = held(external, normal, torque, swing, p)
    return direction if band == 0.0 else 2 * direction


@compiled(PAIR(INDEX, INDEX, REAL, REAL, REAL, REAL, VECTOR))
def friction(mode: int, opposite: int, external: float, normal: float, torque: float, swing: float, p: Floats) -> tuple[float, float]:
    """(f, S) in a mode that moves, with the face or the opposite corners that carry."""
    r = ratio(mode, p[FRICTION:])
    if not opposite:
        return r * abs(normal), abs(normal)
    a, b = moment(r, external, normal, torque, swing, 1, p)
    total = opposite_sum(a, b, normal, p)
    return r * total, total


@compiled(REAL(LOADS, VECTOR, VECTOR), inline=True)
def acceleration(of: tuple[float, ...], p: Floats, s: Floats) -> float:
    """x'' of a slider that moves."""
    external, normal, torque, swing = of
    f, _ = friction(int(s[MODE]), int(s[OPPOSITE]), external, normal, torque, swing, p)
    return float((external + f) / p[MASS])


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: object) -> int:
    """dy = (x', x''), at constant speed."""
    dy[X], dy[V] = y[V], 0.0
    if int(s[MODE]) != STUCK:
        dy[V] = acceleration(loads(t, y[X], y[V], p), p, s)
    return 0


@compiled(REAL(INDEX, INDEX, REAL, REAL, REAL, REAL, VECTOR))
def beyond(mode: int, opposite: int, external: float, normal: float, torque: float, swing: float, p: Floats) -> float:
    """Guard of the faces: positive where another face or pair of corners carries, N."""
    if mode == STUCK:
        return -1.0
    a, b = moment(ratio(mode, p[FRICTION:]), external, normal, torque, swing, 1, p)
    more = opposite_sum(a, b, normal, p) - abs(normal)
    return float(-more if opposite else more)


@compiled(INDEX(LOADS, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR), inline=True)
def judge(of: tuple[float, ...], y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats) -> int:
    """See the names of the guards."""
    mode, band = int(s[MODE]), p[FRICTION + BAND]
    external, normal, torque, swing = of
    for k in range(GUARD_COUNT):
        g[k], g_rate[k] = -1.0, 0.0
    g[FACES] = beyond(mode, int(s[OPPOSITE]), external, normal, torque, swing, p)
    if abs(mode) == FORWARD:
        f, _ = friction(mode, int(s[OPPOSITE]), external, normal, torque, swing, p)
        g[STOPS], g_rate[STOPS] = band - mode * y[V], -mode * (external + f) / p[MASS]
        return 0
    for k, direction in ((FORWARD_LIMIT, 1), (BACKWARD_LIMIT, -1)):
        if mode == STUCK:
            g[k] = excess(direction, external, normal, torque, swing, p)
        elif mode == direction * FORWARD_YIELDING:
            g[k] = -excess(direction, external, normal, torque, swing, p)
    if band > 0.0:
        g[FORWARD_EDGE], g[BACKWARD_EDGE] = y[V] - band, -y[V] - band
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """`judge` at constant speed."""
    return int(judge(loads(t, y[X], y[V], p), y, g, g_rate, p, s))


@compiled(REAL(INDEX, VECTOR, VECTOR))
def settle(direction: int, p: Floats, s: Floats) -> float:
    """Sliding is over: the mode of a slider that is held (direction 0) or not."""
    came, band = s[MODE], p[FRICTION + BAND]
    s[CAME] = came
    if direction == 0:
        s[MODE], s[CAME] = STUCK, 0.0
        return STICK
    s[MODE] = direction if band == 0.0 else direction * FORWARD_YIELDING
    return REVERSAL if band == 0.0 and direction != came else math.nan


@compiled(REAL(LOADS, VECTOR, VECTOR))
def stopped(of: tuple[float, ...], p: Floats, s: Floats) -> float:
    """Sliding is over under these `loads`."""
    external, normal, torque, swing = of
    return float(settle(held(external, normal, torque, swing, p), p, s))


@compiled(REAL(INDEX, VECTOR, VECTOR))
def change(k: int, p: Floats, s: Floats) -> float:
    """Guard k of the faces, of static friction or of the band: gives way, holds again, or the slider slides."""
    if k == FACES:
        s[OPPOSITE] = 1.0 - s[OPPOSITE]
        return math.nan
    if k in (FORWARD_LIMIT, BACKWARD_LIMIT):
        if s[MODE] != STUCK:
            s[MODE], s[CAME] = STUCK, 0.0
            return STICK
        direction = 1 if k == FORWARD_LIMIT else -1
        s[MODE] = direction if p[FRICTION + BAND] == 0.0 else direction * FORWARD_YIELDING
        return SLIP
    s[MODE] = 1.0 if k == FORWARD_EDGE else -1.0
    return REVERSAL if s[CAME] == -s[MODE] else math.nan


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """See the names of the guards; notes STICK, SLIP or REVERSAL."""
    if k != STOPS:
        return float(change(k, p, s))
    if p[FRICTION + BAND] == 0.0:
        y[V] = 0.0
    return float(stopped(loads(t, y[X], y[V], p), p, s))


@compiled(INDEX(REAL, REAL, REAL, VECTOR, VECTOR))
def areas(normal: float, g: float, total: float, values: Floats, p: Floats) -> int:
    """Normal forces of the areas (upper rear, upper front, lower rear, lower front) that add up to N and G."""
    up, down = 0.5 * (total + normal), 0.5 * (normal - total)  # of the lower and the upper face
    turn = g / p[LENGTH]
    side = 0.5 * (up + down)
    for k in range(NORMALS, NORMALS + AREAS):
        values[k] = 0.0
    if total > abs(normal):
        front = g > 0.0  # the lower front corner and the upper rear one turn it that way
        values[NORMALS + (0 if front else 1)], values[NORMALS + (3 if front else 2)] = down, up
    else:
        rear = NORMALS + (2 if normal > 0.0 else 0)
        values[rear], values[rear + 1] = side - turn, side + turn
    return 0


@compiled(INDEX(LOADS, VECTOR, VECTOR, VECTOR, VECTOR))
def publish(of: tuple[float, ...], y: Floats, values: Floats, p: Floats, s: Floats) -> int:
    """See model.mechanisms.slider_bar."""
    mode = int(s[MODE])
    external, normal, torque, swing = of
    if mode == STUCK:
        f = -external
        total = stuck_sum(f, normal, p[MOUNTED] * torque, p)
    else:
        f, total = friction(mode, int(s[OPPOSITE]), external, normal, torque, swing, p)
        torque -= swing * (external + f) / p[MASS]
    share = f / total if total > 0.0 else 0.0
    values[X], values[V], values[STICKING] = y[X], y[V], 1.0 if mode == STUCK else 0.0
    values[TORQUE], values[SLIDING_FORCE], values[SUM] = torque, f, total
    areas(normal, p[MOUNTED] * torque - 0.5 * p[HEIGHT] * share * normal, total, values, p)
    for k in range(NORMALS, NORMALS + AREAS):
        values[k + AREAS] = share * abs(values[k])
    # The upper face's areas press down: their normal forces are negative.
    values[LIFTS] = p[PLAY] if values[NORMALS] < 0.0 else -p[PLAY]
    values[LIFTS + 1] = p[PLAY] if values[NORMALS + 1] < 0.0 else -p[PLAY]
    return 0


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: object) -> int:
    """`publish` at constant speed."""
    return int(publish(loads(t, y[X], y[V], p), y, values, p, s))
