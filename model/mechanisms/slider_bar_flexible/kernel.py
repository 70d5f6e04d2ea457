"""The driven slider with a flexible slider that deforms, tilts and crosses the play without inertia, compiled (karnopp's KED method).

As model.mechanisms.slider_bar.kernel, with S from the contact of the nodes (model.mechanisms.slider_bar_flexible.contact) in balance with N
and the motor's torque. There g = (x'', y, tilt) of a slider that moves, (way from where it came to rest, y, tilt) of one that sticks: its
nodes then hold it with springs from there on. Signs and places as in the rigid slider's kernel; s goes on with w behind its places.
"""

from __future__ import annotations

import math

import numpy as np

from model.compiled.signatures import CHANNELS, GUARDS, INDEX, REAL, RHS, SWITCH, VECTOR, Floats, compiled
from model.friction.karnopp import BAND, FORWARD, FORWARD_YIELDING, STATIC, STUCK, ratio
from model.mechanisms.slider_bar.kernel import (
    BACKWARD_EDGE,
    BACKWARD_LIMIT,
    DISCRETE,
    FORWARD_EDGE,
    FORWARD_LIMIT,
    FRICTION,
    GRAVITY,
    GUARD_COUNT,
    HEIGHT,
    LENGTH,
    MASS,
    MODE,
    MOUNTED,
    NORMALS,
    SLIDING_FORCE,
    SPEED,
    STICKING,
    STOPS,
    SUM,
    SWING,
    TORQUE,
    WEIGHT,
    V,
    X,
    change,
    loads,
    moment,
    moving_sum,
)
from model.mechanisms.slider_bar.kernel import settle as settle_mode
from model.mechanisms.slider_bar_flexible.contact import (
    A_X,
    A_Y,
    ALONG,
    ANCHOR,
    BAR_MASS,
    E_X,
    E_Y,
    FACE,
    HEAD,
    HOLDING,
    LIMIT,
    LOAD,
    OPEN,
    PRESSING,
    RATIO,
    RUBBING,
    SETTLED,
    SHARE,
    SLIPS,
    STATE,
    STICKS,
    TOTAL,
    U_X,
    B,
    C,
    G,
    L,
    areas,
    keep,
    mix,
    settle,
)

MOVING, STANDING, HELD, LED = range(
    4
)  # slips with an acceleration; slips without one (what static friction can hold); sticks; at a given place
POSTURES = 5
WIDENINGS, HALVINGS, FIRST_WAY = 40, 50, 1e-9  # of the bracket in which the place of a slider that sticks is sought, m
NOTHING = 1e-12  # share of weight and inertia that counts as no force


@compiled(INDEX(INDEX, REAL, REAL, REAL, REAL, REAL, VECTOR, VECTOR))
def pose(case: int, r: float, external: float, normal: float, torque: float, swing: float, p: Floats, w: Floats) -> int:
    """Equations for g, hinge loads and friction of a case, into w."""
    nodes, bar, sticks = 2 * int(p[FACE]), p[p.size - BAR_MASS], case in (HELD, LED)
    for k in range(B, TOTAL):
        w[k] = 0.0
    w[HOLDING], w[LIMIT], w[RATIO] = (1.0 if sticks else 0.0), p[FRICTION + STATIC], r
    w[A_X], w[A_Y], w[ALONG] = (1.0 if sticks else 0.0), 1.0, (0.0 if case in (STANDING, LED) else 1.0)
    w[B], w[C] = (p[MASS], external) if case == MOVING else ((0.0, external) if case == HELD else (1.0, 0.0))
    w[C + 1], w[C + 2] = -normal, -p[MOUNTED] * torque
    slider_weight = (p[MASS] - bar) * p[GRAVITY]
    w[LOAD], w[LOAD + 1], w[LOAD + 2] = external, slider_weight - normal, -p[MOUNTED] * torque
    if case == MOVING:
        w[B + 6] = -p[MOUNTED] * swing
        w[L], w[L + 6] = -bar, p[MOUNTED] * swing
    for i in range(nodes):
        w[HEAD + E_X * nodes + i] = -w[HEAD + ANCHOR * nodes + i] if sticks else 0.0
        w[HEAD + E_Y * nodes + i] = 0.0
        if not sticks:
            w[HEAD + SHARE * nodes + i] = r
            if w[HEAD + STATE * nodes + i] == STICKS:
                w[HEAD + STATE * nodes + i] = SLIPS
    return 0


@compiled(INDEX(REAL, REAL, REAL, VECTOR, VECTOR))
def guess(r: float, normal: float, g: float, p: Floats, w: Floats) -> int:
    """States as a rigid slider under N and the moment G would have them: one face, or opposite corners; what touches slips with r."""
    face = int(p[FACE])
    nodes = 2 * face
    for i in range(nodes):
        w[HEAD + SHARE * nodes + i] = r
        w[HEAD + STATE * nodes + i] = SLIPS if (i < face) == (normal > 0.0) else OPEN
    if 2.0 * abs(g) > p[LENGTH] * abs(normal):
        for i in range(nodes):
            w[HEAD + STATE * nodes + i] = OPEN
        lower, upper = (face - 1, face) if g > 0.0 else (0, nodes - 1)
        w[HEAD + STATE * nodes + lower] = w[HEAD + STATE * nodes + upper] = SLIPS
    return 0


@compiled(INDEX(INDEX, REAL, REAL, VECTOR, VECTOR))
def place(posture: int, r: float, normal: float, p: Floats, w: Floats) -> int:
    """States of one of the POSTURES: a face, corners one way or the other, the rear or the front corner of the face alone, which sticks."""
    face = int(p[FACE])
    nodes, first = 2 * face, 0 if normal > 0.0 else face
    tilted = (0.0, 1.0, -1.0, 0.0, 0.0)[posture]
    guess(r, normal, tilted * p[LENGTH] * abs(normal), p, w)
    if posture > 2:
        for i in range(nodes):
            w[HEAD + STATE * nodes + i] = OPEN
        w[HEAD + STATE * nodes + first + (0 if posture == 3 else face - 1)] = STICKS
    return 0


@compiled(REAL(REAL, REAL, REAL, REAL, REAL, VECTOR, VECTOR))
def missing(way: float, external: float, normal: float, torque: float, swing: float, p: Floats, w: Floats) -> float:
    """R + f of a slider that is `way` (m) from where it came to rest, N; not a number where the states of the nodes do not settle."""
    limit = p[FRICTION + STATIC] * (-1.0 if way > 0.0 else 1.0)
    for posture in range(-1, POSTURES):
        if posture >= 0:
            place(posture, limit, normal, p, w)
        pose(LED, 0.0, external, normal, torque, swing, p, w)
        w[C] = way
        if settle(w, p) == SETTLED:
            return float(external + w[RUBBING])
    return np.nan


@compiled(REAL(REAL, REAL, REAL, REAL, VECTOR, VECTOR))
def hold(external: float, normal: float, torque: float, swing: float, p: Floats, w: Floats) -> float:
    """S of a slider that sticks, by bisection for its place; not a number where it cannot be held.

    Nodes that slip towards each other leave R to the last one that sticks, and a trial in which it slips too has no solution. At a given
    place there is one, and friction falls from what holds it backward to what holds it forward as the slider is moved on. The forces are
    mixed from those at the two ends of the bracket: each end balances N and the moment and keeps to every node's limit, and so does the
    mix, however far the ends are apart where no states settle between them.
    """
    forward = 1.0 if external > 0.0 else -1.0
    near, far = -forward * FIRST_WAY, forward * FIRST_WAY
    for _ in range(WIDENINGS):
        if forward * missing(near, external, normal, torque, swing, p, w) >= 0.0:
            break
        near *= 4.0
    for _ in range(WIDENINGS):
        if forward * missing(far, external, normal, torque, swing, p, w) <= 0.0:
            break
        far *= 4.0
    for _ in range(HALVINGS):
        middle = 0.5 * (near + far)
        left = forward * missing(middle, external, normal, torque, swing, p, w)
        if middle in (near, far) or math.isnan(left):
            break
        near, far = (middle, far) if left > 0.0 else (near, middle)
    more = forward * missing(near, external, normal, torque, swing, p, w)
    keep(w, p)
    less = forward * missing(far, external, normal, torque, swing, p, w)
    if not more >= 0.0 or not less <= 0.0:
        return np.nan
    mix(more / (more - less) if more > less else 1.0, w, p)
    return float(w[TOTAL])


@compiled(INDEX(INDEX, REAL, VECTOR, VECTOR))
def lift(case: int, external: float, p: Floats, w: Floats) -> int:
    """The solution where nothing presses."""
    nodes = 2 * int(p[FACE])
    for k in range(HEAD + PRESSING * nodes, HEAD + E_X * nodes):
        w[k] = 0.0
    for k in range(G, HEAD):
        w[k] = 0.0
    w[G] = external / p[MASS] if case == MOVING else 0.0
    return 0


@compiled(REAL(INDEX, REAL, REAL, REAL, REAL, REAL, VECTOR, VECTOR))
def solve(case: int, r: float, external: float, normal: float, torque: float, swing: float, p: Floats, w: Floats) -> float:
    """S of a case with friction r S where it slips; not a number where the states of the nodes do not settle."""
    a, b = moment(r, external, normal, torque, swing, 1 if case == MOVING else 0, p)
    rigid = moving_sum(a, b, normal, p)
    pose(case, r, external, normal, torque, swing, p, w)
    if rigid <= NOTHING * (abs(p[WEIGHT]) + p[SWING] * p[SPEED] * p[SPEED]):
        lift(case, external, p, w)
        return 0.0
    if settle(w, p) == SETTLED:
        return float(w[TOTAL])
    if case == HELD:
        return float(hold(external, normal, torque, swing, p, w))
    guess(r, normal, a + b * rigid, p, w)
    pose(case, r, external, normal, torque, swing, p, w)
    return float(w[TOTAL]) if settle(w, p) == SETTLED else np.nan


@compiled(REAL(INDEX, REAL, REAL, REAL, REAL, VECTOR, VECTOR))
def excess(direction: int, external: float, normal: float, torque: float, swing: float, p: Floats, w: Floats) -> float:
    """How much more R is, in `direction`, than static friction can hold, N."""
    limit = p[FRICTION + STATIC]
    return float(direction * external - limit * solve(STANDING, -direction * limit, external, normal, torque, swing, p, w))


@compiled(INDEX(REAL, REAL, REAL, REAL, VECTOR, VECTOR))
def held(external: float, normal: float, torque: float, swing: float, p: Floats, w: Floats) -> int:
    """0 where static friction holds the slider, else the direction in which it does not."""
    direction = 1 if external > 0.0 else -1
    return direction if excess(direction, external, normal, torque, swing, p, w) > 0.0 else 0


@compiled(REAL(INDEX, REAL, REAL, REAL, REAL, VECTOR, VECTOR))
def friction(mode: int, external: float, normal: float, torque: float, swing: float, p: Floats, w: Floats) -> float:
    """f in a mode that moves."""
    r = ratio(mode, p[FRICTION:])
    return float(r * solve(MOVING, r, external, normal, torque, swing, p, w))


@compiled(INDEX(REAL, REAL, REAL, REAL, REAL, VECTOR, VECTOR))
def anchor(r: float, external: float, normal: float, torque: float, swing: float, p: Floats, w: Floats) -> int:
    """The nodes' springs along the guide begin where the nodes are when the slider, that slid with f = r S, comes to rest."""
    solve(MOVING, r, external, normal, torque, swing, p, w)
    nodes = 2 * int(p[FACE])
    for i in range(nodes):
        y = 0.5 * p[HEIGHT] if 2 * i >= nodes else -0.5 * p[HEIGHT]
        w[HEAD + ANCHOR * nodes + i] = w[HEAD + U_X * nodes + i] - y * w[G + 2]
    return 0


@compiled(INDEX(REAL, VECTOR, VECTOR, VECTOR))
def begin(t: float, y: Floats, p: Floats, s: Floats) -> int:
    """The mode at the start, into s."""
    band, w = p[FRICTION + BAND], s[DISCRETE:]
    external, normal, torque, swing = loads(t, y[X], y[V], p)
    if y[V] != 0.0 and abs(y[V]) >= band:
        s[MODE] = 1.0 if y[V] > 0.0 else -1.0
        return 0
    direction = held(external, normal, torque, swing, p, w)
    s[MODE] = direction if band == 0.0 else 2 * direction
    anchor(0.0, external, normal, torque, swing, p, w)
    return 0


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: object) -> int:
    """dy = (x', x'')."""
    dy[X], dy[V] = y[V], 0.0
    mode = int(s[MODE])
    if mode != STUCK:
        external, normal, torque, swing = loads(t, y[X], y[V], p)
        dy[V] = (external + friction(mode, external, normal, torque, swing, p, s[DISCRETE:])) / p[MASS]
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """See the names of the guards in the rigid slider's kernel."""
    mode, band, w = int(s[MODE]), p[FRICTION + BAND], s[DISCRETE:]
    for k in range(GUARD_COUNT):
        g[k], g_rate[k] = -1.0, 0.0
    if abs(mode) == FORWARD:
        g[STOPS] = band - mode * y[V]
        return 0
    external, normal, torque, swing = loads(t, y[X], y[V], p)
    for k, direction in ((FORWARD_LIMIT, 1), (BACKWARD_LIMIT, -1)):
        if mode == STUCK:
            g[k] = excess(direction, external, normal, torque, swing, p, w)
        elif mode == direction * FORWARD_YIELDING:
            g[k] = -excess(direction, external, normal, torque, swing, p, w)
    if band > 0.0:
        g[FORWARD_EDGE], g[BACKWARD_EDGE] = y[V] - band, -y[V] - band
    return 0


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """See the names of the guards; notes what the rigid slider's kernel does."""
    came = int(s[MODE])
    external, normal, torque, swing = loads(t, y[X], y[V], p)
    if k == STOPS:
        if p[FRICTION + BAND] == 0.0:
            y[V] = 0.0
        noted = settle_mode(held(external, normal, torque, swing, p, s[DISCRETE:]), p, s)
    else:
        noted = change(k, p, s)
    if int(s[MODE]) == STUCK and came != STUCK:
        anchor(ratio(came, p[FRICTION:]), external, normal, torque, swing, p, s[DISCRETE:])
    return float(noted)


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: object) -> int:
    """See model.mechanisms.slider_bar."""
    mode, w = int(s[MODE]), s[DISCRETE:]
    external, normal, torque, swing = loads(t, y[X], y[V], p)
    if mode == STUCK:
        total = solve(HELD, 0.0, external, normal, torque, swing, p, w)
        if math.isnan(total):  # at the very limit nothing sticks any more
            limit = p[FRICTION + STATIC] * (-1.0 if external > 0.0 else 1.0)
            total = solve(STANDING, limit, external, normal, torque, swing, p, w)
    else:
        total = solve(MOVING, ratio(mode, p[FRICTION:]), external, normal, torque, swing, p, w)
        torque -= swing * w[G]
    values[X], values[V], values[STICKING] = y[X], y[V], 1.0 if mode == STUCK else 0.0
    values[TORQUE], values[SLIDING_FORCE], values[SUM] = torque, w[RUBBING], total
    areas(values[NORMALS:], w, p)
    return 0
