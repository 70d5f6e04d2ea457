"""Kinematics of the 3-RRPaR mechanism with ideal joints, in closed form, for any number of places at once (chen2026, corrected).

| symbol | unit | meaning |
|---|---|---|
| A_i, d_i | m | pivot of arm i; platform joint R_i from M13 |
| a_i, s_i | 1 | driven axis; where the arm points at theta_i = 90 deg (at 0 it points along X) |
| b_i, e_i | 1 | b = cos theta X + sin theta s along the arm, e = db/dtheta |
| l, L | m | arm, long bar |
| T_i = A_i + l b_i | m | tip of the arm |
| P | m | M13; R_i = P + d_i = T_i + L u_i. The path's point is P + offset |
| u_i | 1 | along the long bars, towards the platform; u = cos gamma (cos beta X + sin beta s) + sin gamma a |

u.(P' - T') = 0 gives A P' = B theta' with the rows u_i in A and B = l diag(u_i.e_i). A leg is stretched or folded where its u.e = 0 (the
platform loses a freedom: type 1), the platform gains one where det A = 0 (type 2). The sign of det A tells the two ways of assembly apart
that the same three arm angles allow; it cannot change without passing through a singularity.

All functions take arrays (..., 3) and return (..., 3); the leading shape is any, usually time.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelError
from model.floats import Floats
from model.mechanisms.parallel_3rrpar.parts import Bars, Geometry, Variant

X_AXIS = np.array([1.0, 0.0, 0.0])
AXES = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])  # a_i
SIDES = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]])  # s_i
NAMES = ("leg 1", "leg 2", "leg 3")
ASSEMBLY = -1.0  # sign of det A: the platform hangs below the tips of arms 1 and 3 and stands before that of arm 2


class Legs(Hashable, Protocol):
    """What of a configuration kinematics needs."""

    @property
    def geometry(self) -> Geometry: ...
    @property
    def variant(self) -> Variant: ...
    @property
    def bars(self) -> Bars: ...


@dataclass(frozen=True)
class Frame:
    """The same as numbers."""

    pivots: Floats  # (3, 3) A_i
    joints: Floats  # (3, 3) d_i
    arm: float
    bar: float
    elbows: Floats  # (3,) +1: theta is ahead of the direction from pivot to platform joint, -1: behind it
    middles: Floats  # (3,) rad: the elbow's side; theta is given within half a turn of it
    offset: Floats  # (3,) the path's point from M13


@lru_cache(maxsize=64)
def frame(config: Legs) -> Frame:
    """Of a configuration."""
    g, variant = config.geometry, config.variant
    pivots = [[g.motor_offset, 0.0, 0.0], [variant.a2x, g.pivot2_y, g.pivot2_z], [-g.motor_offset, 0.0, 0.0]]
    joints = np.array([[g.joint_x, 0.0, 0.0], [0.0, g.joint_y, 0.0], [-g.joint_x, 0.0, 0.0]])
    # The platform hangs below motors 1 and 3 (their direction to it is past theta = 0 .. 180 deg) and stands before motor 2 (at -Y).
    second = 1.0 if variant.elbow2 == "+x" else -1.0
    offsets = {"m13": np.zeros(3), "r2": joints[1], "centroid": joints.mean(axis=0)}
    return Frame(
        pivots=np.array(pivots),
        joints=joints,
        arm=g.arm_length,
        bar=config.bars.length,
        elbows=np.array([-1.0, second, 1.0]),
        middles=np.array([0.0, 0.0 if variant.elbow2 == "+x" else np.pi, np.pi]),
        offset=offsets[variant.point],
    )


@dataclass(frozen=True)
class Reach:
    """Distance that each leg must span in the plane of its arm, and from where to where it can, m; (..., 3) each."""

    needed: Floats
    least: Floats
    most: Floats

    @property
    def reached(self) -> NDArray[np.bool_]:
        """(..., 3), whether; stretched or folded right out is not reached, for nothing can move on from there."""
        return np.asarray((self.least < self.needed) & (self.needed < self.most))


def reach(config: Legs, point: Floats) -> Reach:
    """Whether the path's point can be there (m)."""
    f = frame(config)
    along, aside, out = _in_plane(f, point)
    with np.errstate(invalid="ignore"):
        bar = np.sqrt(f.bar**2 - out**2)  # nan: too far out of the arm's plane, and nothing is reached
    return Reach(np.hypot(along, aside), np.abs(f.arm - bar), f.arm + bar)


def refuse_unreached(config: Legs, point: Floats, when: Floats | None = None) -> None:
    """Raise ModelError for the first place that a leg cannot reach; names leg, place, distances, and the time (s) if `when` is given."""
    spans = reach(config, point)
    missed = np.argwhere(~spans.reached)
    if not len(missed):
        return
    *at, leg = (int(k) for k in missed[0])
    place = np.broadcast_to(point, spans.needed.shape)[tuple(at)] * 1e3
    need, low, high = (float(value[(*at, leg)]) * 1e3 for value in (spans.needed, spans.least, spans.most))
    can = f"reaches from {low:.1f} to {high:.1f} mm" if np.isfinite(high) else "its bars are shorter than the way out of its arm's plane"
    time = "" if when is None else f" at {float(when[tuple(at)]):.4f} s"
    where = ", ".join(f"{value:.1f}" for value in place)
    raise ModelError(f"{NAMES[leg]} cannot reach ({where}) mm{time}: it would have to span {need:.1f} mm in its arm's plane and {can}")


def inverse(config: Legs, point: Floats) -> Floats:
    """theta (rad) of the chosen elbows from the path's point (m). Raises ModelError for a place that cannot be reached."""
    refuse_unreached(config, point)
    f = frame(config)
    along, aside, out = _in_plane(f, point)
    distance = np.hypot(along, aside)
    opening = np.arccos((distance**2 + out**2 + f.arm**2 - f.bar**2) / (2.0 * f.arm * distance))
    theta = np.arctan2(aside, along) + f.elbows * opening
    return np.asarray(f.middles + np.remainder(theta - f.middles + np.pi, 2.0 * np.pi) - np.pi)


def forward(config: Legs, theta: Floats, assembly: float = ASSEMBLY) -> Floats:
    """The path's point (m) from theta (rad): the bars' ends are on three spheres, whose centres are the tips less the joints' places.

    assembly: sign of det A. Raises ModelError where the spheres do not meet.
    """
    f = frame(config)
    centres = tips(config, theta) - f.joints
    first, to_second, to_third = centres[..., 0, :], centres[..., 1, :] - centres[..., 0, :], centres[..., 2, :] - centres[..., 0, :]
    normal = np.cross(to_second, to_third)
    square = _dot(normal, normal)
    middle = _dot(to_second, to_second)[..., None] * np.cross(to_third, normal)
    middle = (middle + _dot(to_third, to_third)[..., None] * np.cross(normal, to_second)) / (2.0 * square[..., None])
    rest = f.bar**2 - _dot(middle, middle)
    if not np.all(rest > 0.0):
        k = int(np.argmax(np.ravel(~(rest > 0.0))))
        angles = ", ".join(f"{value:.3f}" for value in np.degrees(np.broadcast_to(theta, (*rest.shape, 3)).reshape(-1, 3)[k]))
        raise ModelError(f"arms at ({angles}) deg cannot carry the platform: the long bars are too short to meet there")
    height = np.sqrt(rest / square)
    return np.asarray(first + middle + (assembly * height)[..., None] * normal + f.offset)


@dataclass(frozen=True)
class Motion:
    """Of arms and bars: angles (rad) and their rates, (..., 3) by leg; u and its rates, (..., 3, 3) by leg and axis."""

    theta: Floats
    theta_rate: Floats
    theta_acceleration: Floats
    u: Floats
    u_rate: Floats
    u_acceleration: Floats


def motion_along(config: Legs, point: Floats, velocity: Floats, acceleration: Floats) -> Motion:
    """What arms and bars do while the path's point (m) moves so (m/s, m/s^2). Raises ModelError for a place that cannot be reached."""
    f = frame(config)
    theta = inverse(config, point)
    b, e = arms(theta)
    u = (np.asarray(point - f.offset)[..., None, :] + f.joints - f.pivots - f.arm * b) / f.bar
    lever = f.arm * _dot(u, e)
    rate = _dot(u, velocity[..., None, :]) / lever
    slip = velocity[..., None, :] - f.arm * e * rate[..., None]  # P' - T'
    inward = f.arm * _dot(u, b) * rate**2
    second = (_dot(u, acceleration[..., None, :]) + _dot(slip, slip) / f.bar + inward) / lever
    tip_acceleration = f.arm * (e * second[..., None] - b * (rate**2)[..., None])
    return Motion(theta, rate, second, u, slip / f.bar, (acceleration[..., None, :] - tip_acceleration) / f.bar)


def jacobian(config: Legs, point: Floats) -> tuple[Floats, Floats]:
    """(A (..., 3, 3), diagonal of B in m (..., 3)) of A P' = B theta'."""
    theta = inverse(config, point)
    u = bars(config, point, theta)
    return u, frame(config).arm * _dot(u, arms(theta)[1])


@dataclass(frozen=True)
class Conditioning:
    """How far from a singularity: 1 is best; (...,) each, `transmission` (..., 3)."""

    condition: Floats  # of dP/dtheta = A^-1 B, in the 2-norm: all of it
    parallel: Floats  # of A: large near type 2
    transmission: Floats  # |u.e| of each leg: 0 at type 1
    assembly: Floats  # det A


def conditioning(config: Legs, point: Floats) -> Conditioning:
    """At the path's point (m)."""
    a, b = jacobian(config, point)
    whole = np.linalg.cond(a / b[..., None])  # of the inverse, which has the same
    return Conditioning(np.asarray(whole), np.asarray(np.linalg.cond(a)), np.abs(b) / frame(config).arm, np.linalg.det(a))


def swing(motion: Motion) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
    """(beta, gamma, beta', gamma', beta'', gamma'') of the bars, rad, (..., 3) by leg."""
    u, v, w = motion.u, motion.u_rate, motion.u_acceleration
    (ux, us, ua), (vx, vs, va), (wx, ws, wa) = (_parts(vector) for vector in (u, v, w))
    square = ux**2 + us**2
    flat = np.sqrt(square)
    beta_rate = (ux * vs - us * vx) / square
    square_rate = 2.0 * (ux * vx + us * vs)
    beta_second = (ux * ws - us * wx - square_rate * beta_rate) / square
    gamma_rate = va / flat
    gamma_second = (wa + ua * gamma_rate**2) / flat
    return np.arctan2(us, ux), np.arcsin(ua), beta_rate, gamma_rate, beta_second, gamma_second


def loop_closure(config: Legs, point: Floats) -> Floats:
    """How far, m, each leg built up from its three angles theta, beta, gamma ends from its platform joint, (..., 3)."""
    f = frame(config)
    still = np.zeros_like(point)
    now = motion_along(config, point, still, still)
    beta, gamma, *_ = swing(now)
    flat = np.cos(gamma)[..., None] * arms(beta)[0] + np.sin(gamma)[..., None] * AXES
    built = tips(config, now.theta) + f.bar * flat
    return np.asarray(np.linalg.norm(built - np.asarray(point - f.offset)[..., None, :] - f.joints, axis=-1))


def elbow_sides(config: Legs, point: Floats) -> Floats:
    """On which side along X, +1 or -1, of the line from its pivot to its platform joint each arm's tip is, (..., 3); 0: neither.

    The configuration's elbows are branches: on the sides named while the platform is below motors 1 and 3 and before motor 2, at -Y;
    past the level of a motor the same branch is on the other side, without a singularity between.
    """
    f = frame(config)
    return np.asarray(-np.sign(f.elbows * _in_plane(f, point)[1]))


def arms(theta: Floats) -> tuple[Floats, Floats]:
    """(b, e), (..., 3, 3) by leg and axis."""
    cosine, sine = np.cos(theta)[..., None], np.sin(theta)[..., None]
    return cosine * X_AXIS + sine * SIDES, cosine * SIDES - sine * X_AXIS


def tips(config: Legs, theta: Floats) -> Floats:
    """T_i, m, (..., 3, 3)."""
    f = frame(config)
    return np.asarray(f.pivots + f.arm * arms(theta)[0])


def bars(config: Legs, point: Floats, theta: Floats) -> Floats:
    """u_i, (..., 3, 3), of unit length where point and theta belong together."""
    f = frame(config)
    return np.asarray((np.asarray(point - f.offset)[..., None, :] + f.joints - tips(config, theta)) / f.bar)


def _in_plane(f: Frame, point: Floats) -> tuple[Floats, Floats, Floats]:
    """From pivot to platform joint: along X, along s, and out of the arm's plane, (..., 3) each."""
    return _parts(np.asarray(point - f.offset)[..., None, :] + f.joints - f.pivots)


def _parts(vectors: Floats) -> tuple[Floats, Floats, Floats]:
    return vectors[..., 0], _dot(vectors, SIDES), _dot(vectors, AXES)


def _dot(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.sum(left * right, axis=-1))
