"""Where the flexible 3-RRPaR begins: strained as it is when it has always moved along its path, so that nothing rings.

Rigid motion gives velocities and accelerations, under which the bars, and the pins that lie in their bushes, are put into equilibrium; done
at five times about the start, that gives velocities, accelerations and their rates of the strained mechanism, and with those its place.
Pins that the rigid mechanism leads begin in the middle of their bushes, as it does; so do pins that nothing presses: they have no
equilibrium.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from model.bodies.ancf_beam3d import hinged
from model.contact.force import force
from model.errors import InconsistentStart
from model.floats import Floats
from model.integrators.generalized_alpha_kernel import OK
from model.joints import contact
from model.mechanisms.parallel_3rrpar import ideal, kinematics
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar import pin_loads as pressing
from model.mechanisms.parallel_3rrpar.config import contact_stiffness
from model.mechanisms.parallel_3rrpar_flexible import contact as pins
from model.mechanisms.parallel_3rrpar_flexible import feasibility as bearing
from model.mechanisms.parallel_3rrpar_flexible import kernel, outputs
from model.mechanisms.parallel_3rrpar_flexible.bodies import FAR, IDEAL, LEG_SIZE, NEAR, PLATFORM_SIZE, WITH_CLEARANCE, C, P
from model.mechanisms.parallel_3rrpar_flexible.config import Config
from model.paths.course import Course

APART = 1e-3  # s between the five times
TIMES = APART * np.arange(-2.0, 3.0)
HEAVY = 1e20  # 1/s^2: c_a beside which stiffness is nothing
LEFT = 1e-8  # of the usual force, that an equilibrium may leave
SMALLEST = 1e-4  # share of a correction, that is halved no more
NEWTON = 6  # iterations for the place of the platform
UNLOADED = 1e-3  # of the usual force: a pin that is pressed with less begins in the middle of its bush
WORSE = 3.0  # soft directions may grow for a moment
TRIES = 300  # iterations, at most


def start(config: Config, path: Course, p: Floats, s: Floats) -> tuple[Floats, Floats, Floats]:
    """(y, s, jerk) at t = 0. Raises InconsistentStart when no equilibrium is found."""
    if config.start == "rest":
        return at_rest(config, path, p, s)
    still, times = with_matrices(config, p, 0.0), TIMES
    held, free = np.array(s), np.array(s)
    held[pins.HELD] = 1.0
    found = np.stack([equilibrium(config, t, y, still, held) for t, y in zip(times, rigid_states(config, path, times), strict=True)])
    if s[pins.LED] > 0.0:
        found = np.stack([with_pins_centred(y) for y in found])
    elif not config.ideal and unloaded(config, path):
        q = found[:, : found.shape[1] // 3]
        velocity = rates(q)[0]
        return released(config, p, with_pins_centred(np.concatenate([q[2], velocity, np.zeros_like(velocity)])), free)
    elif not config.ideal:
        for pin in pressing.loose(config):
            free[contact.EACH * pin + contact.SPEED] = config.contact.approach_floor
        guesses = [with_gaps(config, path, t, y, still, held) for t, y in zip(times, found, strict=True)]
        found = np.stack([equilibrium(config, t, y, still, free) for t, y in zip(times, guesses, strict=True)])
    q = found[:, : found.shape[1] // 3]
    velocity, acceleration, jerk = rates(q)
    return equilibrium(config, 0.0, np.concatenate([q[2], velocity, acceleration]), still, free), free, jerk


def unloaded(config: Config, path: Course) -> bool:
    """Whether, about the start, ideal joints would carry next to nothing across a joint with clearance."""
    carried = ideal.loads(config, *path.evaluate(TIMES)).radial[..., pressing.loose(config)]
    return bool(np.min(carried) < UNLOADED * config.platform.mass * max(abs(config.gravity), 1.0))


def rates(q: Floats) -> tuple[Floats, Floats, Floats]:
    """First, second and third derivative at the middle one of five times, APART from each other, (5, n)."""
    first = (q[0] - 8.0 * q[1] + 8.0 * q[3] - q[4]) / (12.0 * APART)
    second = (-q[0] + 16.0 * q[1] - 30.0 * q[2] + 16.0 * q[3] - q[4]) / (12.0 * APART**2)
    return first, second, (-q[0] + 2.0 * q[1] - 2.0 * q[3] + q[4]) / (2.0 * APART**3)


def with_pins_centred(y: Floats) -> Floats:
    """The state y of ideal joints with coordinates of the pins in their bushes."""
    return np.concatenate([y.reshape(3, -1), np.zeros((3, WITH_CLEARANCE - IDEAL))], axis=1).ravel()


def with_gaps(config: Config, path: Course, t: float, y: Floats, p: Floats, s: Floats) -> Floats:
    """The state y of ideal joints with pins that press in their bushes as strongly as those joints hold, bars turned so; a first guess."""
    outputs.find_forces(t, y, p, s)
    legs = s[kernel.PLACED + PLATFORM_SIZE : kernel.FRAMES].reshape(3, LEG_SIZE)
    ends = s[kernel.FORCES : kernel.SMALL].reshape(3, 2, kernel.ENDS)
    gaps = np.zeros((3, 2))
    for pin in pressing.loose(config):
        leg = rigid.ALONG_Y[pin]
        held = config.short.mass * (legs[leg, C + 6 : C + 9] + np.array([0.0, 0.0, config.gravity]))
        gaps[leg] = gap(config, pin, held + ends[leg, :, hinged.LAST : hinged.LAST + 3].sum(axis=0))
    q, v, a = y.reshape(3, -1)
    turned = displaced(config, path, t, gaps) - displaced(config, path, t, np.zeros((3, 2)))
    still = np.zeros(WITH_CLEARANCE - IDEAL)
    return np.concatenate([q + turned, gaps[0], gaps[2], v, still, a, still])


def displaced(config: Config, path: Course, t: float, gaps: Floats) -> Floats:
    """q, without e, of the mechanism with rigid bars whose pins are `gaps` (3, 2), m along X and s, from the middle of their bushes."""
    f, (point, velocity, acceleration) = kinematics.frame(config), path.evaluate(np.array([t]))
    tips = kinematics.tips(config, kinematics.motion_along(config, point, velocity, acceleration).theta)
    away = gaps[:, :1] * kinematics.X_AXIS + gaps[:, 1:] * kinematics.SIDES
    place, u = moved_platform(config, point[0] - f.offset, tips[0], away)
    beta = np.arctan2(np.sum(u * kinematics.SIDES, axis=-1), u[:, 0])[None]
    hinge = kinematics.arms(beta)[1]
    bars = _bars(config, 0, tips, u[None], np.cross(hinge, u[None]), hinge)
    return np.concatenate([bars[0], _rigid(place[None], beta)[0]])


def moved_platform(config: Config, place: Floats, tips: Floats, away: Floats) -> tuple[Floats, Floats]:
    """(P, u (3, 3)) with pins `away` (3, 3) from their bushes, bars of their length; place: P with ideal joints."""
    f = kinematics.frame(config)
    for _ in range(NEWTON):
        bars = place + f.joints - away - tips
        place = place - np.linalg.solve(2.0 * bars, np.sum(bars**2, axis=-1) - f.bar**2)
    return place, (place + f.joints - away - tips) / f.bar


def gap(config: Config, pin: int, held: Floats) -> Floats:
    """e of a pin that presses on its short bar with the force `held` (3,), N."""
    across = np.array([held[0], -held[2]])
    depth = (np.linalg.norm(across) / contact_stiffness(config, pin)) ** (1.0 / config.contact.exponent)
    return np.asarray((config.clearances[pin] + depth) * across / np.linalg.norm(across))


def at_rest(config: Config, path: Course, p: Floats, s: Floats) -> tuple[Floats, Floats, Floats]:
    """As `start`: straight bars, pins centred and contacts open, nothing moves but the arms."""
    y = rigid_states(config, path, np.zeros(1))[0]
    if not config.ideal:
        y = with_pins_centred(y)
    y[len(y) // 3 :] = 0.0
    return released(config, p, y, s)


def released(config: Config, p: Floats, y: Floats, s: Floats) -> tuple[Floats, Floats, Floats]:
    """As `start`: the state y = (q, q', .) with the accelerations that follow from it."""
    n, heavy, unused = len(y) // 3, with_matrices(config, p, HEAVY), np.zeros((1, 1))
    y, s, r = np.array(y), np.array(s), np.zeros(n)
    y[2 * n :] = 0.0
    for _ in range(2):  # the equations are linear in the accelerations
        kernel.residual(0.0, y, r, heavy, s, force)
        kernel.tangent(0.0, y, unused, 0.0, 0.0, heavy, s, force)
        kernel.solved(0.0, y, r, heavy, s, force)
        y[2 * n :] -= HEAVY * r
    return y, s, np.zeros(n)


def with_matrices(config: Config, p: Floats, c_a: float) -> Floats:
    """p with the bars' matrices for that c_a: 0 for an equilibrium at given velocities and accelerations, HEAVY for the accelerations."""
    made, changed, own = hinged.matrices(config.bars.beam, c_a, 0.0), np.array(p), kernel.own(p)
    end = own + kernel.table_of(p[own:])
    changed[end - len(made) : end] = made
    changed[own + kernel.C_A], changed[own + kernel.C_V] = c_a, 0.0
    return changed


def equilibrium(config: Config, t: float, y: Floats, p: Floats, s: Floats) -> Floats:
    """y = (q, q', q'') at t (s) with the same velocities and accelerations; the q given is a first guess."""
    beam, unused = config.bars.beam, np.zeros((1, 1))
    enough = max(LEFT * config.platform.mass * max(abs(config.gravity), 1.0), bearing.ROUNDING * beam.youngs_modulus * beam.area)

    def residual(y: Floats) -> Floats:
        r = np.zeros(len(y) // 3)
        kernel.residual(t, y, r, p, s, force)
        return r

    def correction(y: Floats, r: Floats) -> Floats:
        found = np.array(r)
        singular = kernel.tangent(t, y, unused, 0.0, 0.0, p, s, force) != OK or kernel.solved(t, y, found, p, s, force) != OK
        return np.full_like(found, np.nan) if singular else found

    return balanced(t, y, residual, correction, enough)


def balanced(
    t: float, y: Floats, residual: Callable[[Floats], Floats], correction: Callable[[Floats, Floats], Floats], enough: float
) -> Floats:
    """y = (q, q', q'') whose residual(y) is below `enough`, N, by Newton's correction(y, residual) of q, halved if far too long."""
    y, n = np.array(y), len(y) // 3
    r = residual(y)
    for _ in range(TRIES):
        left = float(np.max(np.abs(r)))
        if left <= enough:
            return y
        change, share, tried = correction(y, r), 2.0, y
        while share == 2.0 or (share > SMALLEST and not np.max(np.abs(r)) < WORSE * left):
            share *= 0.5
            tried = np.concatenate([y[:n] - share * change, y[n:]])
            r = residual(tried)
        y = tried
    left = float(np.max(np.abs(r)))
    raise InconsistentStart(
        f"start: no equilibrium of bars and pins at {t:.6g} s: {left:.3g} N are left, {enough:.3g} N would do; "
        "stiffer bars bring it nearer, mechanism.start = 'rest' needs none"
    )


def rigid_states(config: Config, path: Course, times: Floats) -> Floats:
    """(N, 3n): q, q', q'' of the mechanism with rigid bars and ideal joints."""
    point, velocity, acceleration = path.evaluate(times)
    motion = kinematics.motion_along(config, point, velocity, acceleration)
    f = kinematics.frame(config)
    beta, _, beta_rate, _, beta_second, _ = kinematics.swing(motion)
    theta, rate, second = motion.theta, motion.theta_rate, motion.theta_acceleration
    b, e = kinematics.arms(theta)
    tips = (
        f.pivots + f.arm * b,
        f.arm * e * rate[..., None],
        f.arm * (e * second[..., None] - b * (rate**2)[..., None]),
    )
    out, up = kinematics.arms(beta)
    turning = beta_rate[..., None]
    hinge = (up, -out * turning, -out * beta_second[..., None] - up * turning**2)
    u = (motion.u, motion.u_rate, motion.u_acceleration)
    across = (
        np.cross(hinge[0], u[0]),
        np.cross(hinge[1], u[0]) + np.cross(hinge[0], u[1]),
        np.cross(hinge[2], u[0]) + 2.0 * np.cross(hinge[1], u[1]) + np.cross(hinge[0], u[2]),
    )
    platform = (point - f.offset, velocity, acceleration)
    angles = (beta, beta_rate, beta_second)
    derivatives = [
        np.concatenate([_bars(config, k, tips[k], u[k], across[k], hinge[k]), _rigid(platform[k], angles[k])], axis=1) for k in range(3)
    ]
    return np.concatenate(derivatives, axis=1)


def _bars(config: Config, derivative: int, tips: Floats, u: Floats, across: Floats, hinge: Floats) -> Floats:
    """Inner coordinates of the six straight bars, or of their derivatives, (N, 6 m)."""
    elements, along = config.bars.elements, np.linspace(0.0, config.bars.length, config.bars.elements + 1)
    shift = 0.5 * config.geometry.short_length * kinematics.AXES if derivative == 0 else np.zeros((3, 3))
    found = []
    for leg in range(3):
        for sign in (1.0, -1.0):
            whole = np.empty((len(tips), elements + 1, 4, 3))
            whole[:, :, 0] = (tips[:, leg] + sign * shift[leg])[:, None] + along[:, None] * u[:, leg, None]
            for place, slope in enumerate((u, across, hinge), start=1):
                whole[:, :, place] = slope[:, leg, None]
            flat = whole.reshape(len(tips), -1)
            last = 12 * elements
            found.append(np.delete(flat, [0, 1, 2, 9, 10, 11, last, last + 1, last + 2, last + 9, last + 10, last + 11], axis=1))
    return np.concatenate(found, axis=1)


def _rigid(platform: Floats, beta: Floats) -> Floats:
    """z, or its derivative."""
    z = np.zeros((len(platform), IDEAL))
    z[:, P : P + 3], z[:, NEAR : NEAR + 3], z[:, FAR : FAR + 3] = platform, beta, beta
    return z
