"""Rigid bodies of the flexible 3-RRPaR: where they are and how they move, and what acts on their coordinates, compiled.

| symbol | unit | meaning |
|---|---|---|
| P, phi | m, rad | platform: M13, and its small turns; R = R_X(phi_1) R_Y(phi_2) R_Z(phi_3), each about the axis w_j it has then |
| beta_n, beta_f | rad | turn of a leg's near short bar about the driven axis a, of its far one about R a |
| e | m | of R1 and R3 with clearance: centre of the pin from that of the bush, along R X and R s |
| z | | (P, phi, beta_n of the three legs, beta_f of them), with clearance then e of R1 and of R3 |
| x', n | 1 | of a short bar: cos beta X + sin beta s, and its derivative by beta: the axis of the parallelogram's hinges |
| T, c | m | centre of the near short bar, which is the tip of the driven arm; of the far one, P + R (d - e) |

The joints that hold are built in, so that nothing is left to be constrained. A body's inertia acts on c and on the directions d_k of
its axes, sum of I_k d_k'' with the constant I_k = (J_x + J_y + J_z)/2 - J_k: all gyroscopic terms are in the d_k''.
"""

from __future__ import annotations

from numba import types

from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from model.compiled.sincos import sincos
from model.mechanisms.parallel_3rrpar.kernel import JOINT, LEGS, PIVOT
from model.mechanisms.parallel_3rrpar_flexible.drives import tip

# z: places of P, phi, beta_n, beta_f, e; how many with ideal joints, and with clearance.
P, PHI, NEAR, FAR, GAP = 0, 3, 6, 9, 12
IDEAL, WITH_CLEARANCE = 12, 16
# Kinematics of the platform: R by rows, w_1, w_2, w_3, omega, alpha, moment of its inertia.
TURN, AXES, OMEGA, ALPHA, PLATFORM_SPIN, PLATFORM_SIZE = 0, 9, 18, 21, 24, 27
# Of a leg: T, n of the near short bar, c, n of the far one, R a, each with its two rates; x' of both; R (d - e); the far one's moment.
T, N_NEAR, C, N_FAR, A_FAR, X_NEAR, X_FAR, ARM, SPIN, LEG_SIZE = 0, 9, 18, 27, 36, 45, 48, 51, 54, 57
KINEMATICS = PLATFORM_SIZE + LEGS * LEG_SIZE
# Inertia, part of the parameters: masses of a short bar and of the platform, J of a short bar about its axis, I_k of its x', n and a, of
# the platform's X, Y and Z; half a short bar's length; g; whether the platform may turn.
SHORT_MASS, PLATFORM_MASS, J_NEAR, I_SHORT, I_PLATFORM, HALF, WEIGHT, TURNS, INERTIA_SIZE = 0, 1, 2, 3, 6, 9, 10, 11, 12

THREE = types.UniTuple(REAL, 3)  # type: ignore[no-untyped-call]
Three = tuple[float, float, float]


@compiled(THREE(THREE, THREE))
def cross(a: Three, b: Three) -> Three:
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@compiled(THREE(VECTOR, INDEX))
def at(values: Floats, place: int) -> Three:
    """Three of them."""
    return values[place], values[place + 1], values[place + 2]


@compiled(INDEX(VECTOR, INDEX, THREE))
def put(values: Floats, place: int, three: Three) -> int:
    """The reverse of `at`."""
    values[place], values[place + 1], values[place + 2] = three
    return 0


@compiled(THREE(VECTOR, REAL, REAL, REAL))
def turned(frame: Floats, x: float, y: float, z: float) -> Three:
    """Frame (by rows) times (x, y, z)."""
    return (
        frame[0] * x + frame[1] * y + frame[2] * z,
        frame[3] * x + frame[4] * y + frame[5] * z,
        frame[6] * x + frame[7] * y + frame[8] * z,
    )


@compiled(THREE(THREE, THREE, THREE))
def second_rate(d: Three, omega: Three, alpha: Three) -> Three:
    """d'' of a direction of a body: alpha x d + omega x (omega x d)."""
    first, second = cross(alpha, d), cross(omega, cross(omega, d))
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


@compiled(THREE(INDEX, REAL, REAL))
def in_leg(leg: int, x: float, s: float) -> Three:
    """x X + s s_i."""
    return (x, s, 0.0) if leg == 1 else (x, 0.0, -s)


@compiled(THREE(VECTOR, INDEX, THREE, THREE, THREE, THREE, THREE))
def inertial_moment(inertia: Floats, place: int, x: Three, y: Three, z: Three, omega: Three, alpha: Three) -> Three:
    """Sum of I_k d_k x d_k'' over a body's axes, N m."""
    xs, ys, zs = cross(x, second_rate(x, omega, alpha)), cross(y, second_rate(y, omega, alpha)), cross(z, second_rate(z, omega, alpha))
    i, j, k = inertia[place], inertia[place + 1], inertia[place + 2]
    return i * xs[0] + j * ys[0] + k * zs[0], i * xs[1] + j * ys[1] + k * zs[1], i * xs[2] + j * ys[2] + k * zs[2]


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def place_platform(z: Floats, v: Floats, a: Floats, inertia: Floats, k: Floats) -> int:
    """Its kinematics into k."""
    s1, c1 = sincos(z[PHI])
    s2, c2 = sincos(z[PHI + 1])
    s3, c3 = sincos(z[PHI + 2])
    k[0], k[1], k[2] = c2 * c3, -c2 * s3, s2
    k[3], k[4], k[5] = c1 * s3 + s1 * s2 * c3, c1 * c3 - s1 * s2 * s3, -s1 * c2
    k[6], k[7], k[8] = s1 * s3 - c1 * s2 * c3, s1 * c3 + c1 * s2 * s3, c1 * c2
    w1, w2, w3 = (1.0, 0.0, 0.0), (0.0, c1, s1), (s2, -s1 * c2, c1 * c2)
    put(k, AXES, w1)
    put(k, AXES + 3, w2)
    put(k, AXES + 6, w3)
    p1, p2, p3 = v[PHI], v[PHI + 1], v[PHI + 2]
    half = (p1, p2 * c1, p2 * s1)
    more, most = cross(w1, w2), cross(half, w3)
    for i in range(3):
        k[OMEGA + i] = half[i] + p3 * w3[i]
        k[ALPHA + i] = w1[i] * a[PHI] + w2[i] * a[PHI + 1] + w3[i] * a[PHI + 2] + p1 * p2 * more[i] + p3 * most[i]
    x, y, up = (k[0], k[3], k[6]), (k[1], k[4], k[7]), (k[2], k[5], k[8])
    put(k, PLATFORM_SPIN, inertial_moment(inertia, I_PLATFORM, x, y, up, at(k, OMEGA), at(k, ALPHA)))
    return 0


@compiled(INDEX(INDEX, REAL, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def place_near(leg: int, t: float, p: Floats, z: Floats, v: Floats, a: Floats, k: Floats) -> int:
    """Kinematics of a leg's near short bar into the leg's k; p: of model.mechanisms.parallel_3rrpar.kernel."""
    of = tip(leg, t, p)
    sine, cosine = sincos(z[NEAR + leg])
    rate, second = v[NEAR + leg], a[NEAR + leg]
    out, up = in_leg(leg, cosine, sine), in_leg(leg, -sine, cosine)
    side = 1.0 if leg == 1 else -1.0
    put(k, T, in_leg(leg, of[0], side * of[1]))
    put(k, T + 3, in_leg(leg, of[2], side * of[3]))
    put(k, T + 6, in_leg(leg, of[4], side * of[5]))
    if leg == 1:
        k[T + 2] = p[PIVOT + 5]
    for i in range(3):
        k[N_NEAR + i], k[N_NEAR + 3 + i], k[N_NEAR + 6 + i] = up[i], -rate * out[i], -second * out[i] - rate * rate * up[i]
        k[X_NEAR + i] = out[i]
    return 0


@compiled(INDEX(INDEX, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def place_far(leg: int, p: Floats, z: Floats, v: Floats, a: Floats, inertia: Floats, platform: Floats, k: Floats) -> int:
    """Kinematics of a leg's far short bar into the leg's k, after `place_platform`."""
    sine, cosine = sincos(z[FAR + leg])
    frame, omega, alpha = platform[TURN:AXES], at(platform, OMEGA), at(platform, ALPHA)
    x, n, axis = in_leg(leg, cosine, sine), in_leg(leg, -sine, cosine), ((0.0, 0.0, 1.0) if leg == 1 else (0.0, 1.0, 0.0))
    x, n, axis = turned(frame, x[0], x[1], x[2]), turned(frame, n[0], n[1], n[2]), turned(frame, axis[0], axis[1], axis[2])
    gap = rate = second = (0.0, 0.0, 0.0)
    if z.size > IDEAL and leg != 1:
        g = GAP + leg
        gap, rate, second = in_leg(leg, z[g], z[g + 1]), in_leg(leg, v[g], v[g + 1]), in_leg(leg, a[g], a[g + 1])
    at_joint = JOINT + 3 * leg
    arm = turned(frame, p[at_joint] - gap[0], p[at_joint + 1] - gap[1], p[at_joint + 2] - gap[2])
    slip, more = turned(frame, -rate[0], -rate[1], -rate[2]), turned(frame, -second[0], -second[1], -second[2])
    swing, lean, drift = cross(omega, arm), second_rate(arm, omega, alpha), cross(omega, slip)
    turning, spun = v[FAR + leg], cross(omega, axis)
    own = (omega[0] + turning * axis[0], omega[1] + turning * axis[1], omega[2] + turning * axis[2])
    b = a[FAR + leg]
    change = (
        alpha[0] + b * axis[0] + turning * spun[0], alpha[1] + b * axis[1] + turning * spun[1], alpha[2] + b * axis[2] + turning * spun[2],
    )  # fmt: skip
    for i in range(3):
        k[C + i], k[C + 3 + i] = z[P + i] + arm[i], v[P + i] + swing[i] + slip[i]
        k[C + 6 + i] = a[P + i] + lean[i] + 2.0 * drift[i] + more[i]
    put(k, N_FAR, n)
    put(k, N_FAR + 3, cross(own, n))
    put(k, N_FAR + 6, second_rate(n, own, change))
    put(k, A_FAR, axis)
    put(k, A_FAR + 3, spun)
    put(k, A_FAR + 6, second_rate(axis, omega, alpha))
    put(k, X_FAR, x)
    put(k, ARM, arm)
    put(k, SPIN, inertial_moment(inertia, I_SHORT, x, n, axis, own, change))
    return 0


@compiled(INDEX(INDEX, THREE, THREE, VECTOR, VECTOR, VECTOR))
def add_far(leg: int, force: Three, moment: Three, platform: Floats, k: Floats, rows: Floats) -> int:
    """Add a force on c and a moment about it to the rows of z."""
    over = cross(at(k, ARM), force)
    for j in range(3):
        w = at(platform, AXES + 3 * j)
        rows[P + j] += force[j]
        rows[PHI + j] += w[0] * (moment[0] + over[0]) + w[1] * (moment[1] + over[1]) + w[2] * (moment[2] + over[2])
    rows[FAR + leg] += k[A_FAR] * moment[0] + k[A_FAR + 1] * moment[1] + k[A_FAR + 2] * moment[2]
    if rows.size > IDEAL and leg != 1:
        rows[GAP + leg] -= platform[0] * force[0] + platform[3] * force[1] + platform[6] * force[2]
        rows[GAP + leg + 1] += platform[2] * force[0] + platform[5] * force[1] + platform[8] * force[2]
    return 0


@compiled(THREE(VECTOR, VECTOR))
def turn_of(x: Floats, platform: Floats) -> Three:
    """Of the platform, for small changes x of z."""
    a, b, c = at(platform, AXES), at(platform, AXES + 3), at(platform, AXES + 6)
    return (
        a[0] * x[PHI] + b[0] * x[PHI + 1] + c[0] * x[PHI + 2],
        a[1] * x[PHI] + b[1] * x[PHI + 1] + c[1] * x[PHI + 2],
        a[2] * x[PHI] + b[2] * x[PHI + 1] + c[2] * x[PHI + 2],
    )


@compiled(THREE(INDEX, VECTOR, VECTOR, VECTOR, THREE))
def shift_of(leg: int, x: Floats, platform: Floats, k: Floats, turn: Three) -> Three:
    """Of c, for small changes x of z that turn the platform so."""
    swing = cross(turn, at(k, ARM))
    dx, dy, dz = x[P] + swing[0], x[P + 1] + swing[1], x[P + 2] + swing[2]
    if x.size > IDEAL and leg != 1:
        out, up = x[GAP + leg], x[GAP + leg + 1]
        dx += platform[2] * up - platform[0] * out
        dy += platform[5] * up - platform[3] * out
        dz += platform[8] * up - platform[6] * out
    return dx, dy, dz
