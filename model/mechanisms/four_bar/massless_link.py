"""The clearance as a massless link of length R_c along the joint's force: zhang1995 eqs 3 and 5 solved directly, until F32 = 0.

| symbol | unit | meaning |
|---|---|---|
| alpha | rad | direction of the link, and of F32, the force of the rocker on the coupler |
| e1 e2 e3 ea | 1 | unit vectors of crank, coupler, rocker and massless link, as complex numbers |

Eq 5 makes theta2 and theta3 functions of t and alpha; put into eq 3 it leaves two linear equations for alpha'' and F32.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from model.errors import InconsistentStart, ModelError, NotConverged
from model.floats import Floats
from model.mechanisms.four_bar.config import Config
from model.mechanisms.four_bar.correction import corrected, correction
from model.mechanisms.four_bar.ideal import ideal

TOLERANCE = 1e-10
LARGEST = 0.5  # rad: a first-order term of the direction beyond this says nothing about it
SAMPLES = 2000  # a revolution, of the result


@dataclass(frozen=True)
class Start:
    """At the start angle, from the first-order expansion: alpha (rad), its rate (rad/s); force (N) at which it is exact, its rate (N/s)."""

    alpha: float
    alpha_rate: float
    force: float
    force_rate: float


@dataclass(frozen=True)
class Course:
    """Crank angle (from the start angle on), alpha (rad) and force (N) up to the loss, whose crank angle is None if there was none."""

    angle: Floats
    alpha: Floats
    force: Floats
    loss: float | None


def start(config: Config) -> Start:
    """Smooth contact at `start_angle`: direction from the corrected alpha, force from the massless link there.

    Raises InconsistentStart where the expansion cannot tell the direction or the joint would have to pull.
    """
    there = ideal(config, np.array(config.start_angle))
    shift = config.clearance * float(correction(config, there).alpha_1.value)
    at = f"start_angle {math.degrees(config.start_angle):g} deg"
    if not abs(shift) <= LARGEST:
        raise InconsistentStart(
            f"{at}: no smooth contact to start from: the clearance turns the joint force by {shift:.3g} rad to first order, "
            f"more than {LARGEST:g} rad; choose another crank angle"
        )
    first = corrected(config, there)
    alpha, alpha_rate = float(first.alpha.value), float(first.alpha.derivative(1))
    force = motion(config, 0.0, alpha, alpha_rate)[1]
    if not force > 0.0:
        raise InconsistentStart(f"{at}: no contact to start from: the joint force would be {force:.3g} N; choose another crank angle")
    return Start(alpha, alpha_rate, force, float(first.F.derivative(1)))


def motion(config: Config, t: float, alpha: float, alpha_rate: float) -> tuple[float, float]:
    """(alpha'', F32) in rad/s^2 and N at time t after the start angle. Raises ModelError without clearance."""
    if config.clearance == 0.0:
        raise ModelError("clearance: a massless link needs one, got 0 m")
    l1, l2, l3, gap, speed = config.crank_length, config.coupler_length, config.rocker_length, config.clearance, config.speed
    e1, ea = cmath.rect(1.0, config.start_angle + speed * t), cmath.rect(1.0, alpha)
    d = config.ground_length - l1 * e1 - gap * ea
    e2, e3 = _turned(d, l2, l3, 1.0), _turned(d, l3, l2, -1.0)
    span = _cross(e2, e3)
    w = -(l1 * speed * e1 + gap * alpha_rate * ea)
    rate_2, rate_3 = _cross(w, e3) / (l2 * span), -_cross(w, e2) / (l3 * span)
    z = -1j * (l2 * rate_2**2 * e2 + l3 * rate_3**2 * e3 + l1 * speed**2 * e1 + gap * alpha_rate**2 * ea)
    # theta2'' = a2 + b2 alpha'', theta3'' = a3 + b3 alpha''
    a2, a3 = _cross(z, e3) / (l2 * span), -_cross(z, e2) / (l3 * span)
    b2, b3 = -gap * _cross(ea, e3) / (l2 * span), gap * _cross(ea, e2) / (l3 * span)
    weight_2 = config.coupler_mass * config.gravity * config.coupler_centre
    weight_3 = config.rocker_mass * config.gravity * (l3 - config.rocker_centre)
    moment_2 = config.coupler_mass * config.coupler_centre * l1 * speed**2 * _cross(e2, e1) - weight_2 * e2.real
    right_2, right_3 = moment_2 - config.coupler_inertia * a2, weight_3 * e3.real - config.rocker_inertia * a3
    (p, q), (r, s) = (config.coupler_inertia * b2, -l2 * _cross(e2, ea)), (config.rocker_inertia * b3, -l3 * _cross(e3, ea))
    determinant = p * s - q * r
    return (right_2 * s - q * right_3) / determinant, (p * right_3 - right_2 * r) / determinant


def course(config: Config, revolutions: float = 1.0) -> Course:
    """From the start angle until contact is lost, or for so many revolutions.

    Raises InconsistentStart as `start` does, NotConverged when the integration fails.
    """
    begun, last = start(config), revolutions * 2.0 * math.pi / config.speed

    def force(t: float, y: Floats) -> float:
        return motion(config, t, float(y[0]), float(y[1]))[1]

    force.terminal, force.direction = True, -1.0  # type: ignore[attr-defined]
    solved = solve_ivp(
        lambda t, y: (y[1], motion(config, t, float(y[0]), float(y[1]))[0]), (0.0, last), (begun.alpha, begun.alpha_rate),
        method="DOP853", rtol=TOLERANCE, atol=(TOLERANCE, TOLERANCE * config.speed), events=force, dense_output=True,
    )  # fmt: skip
    if not solved.success:
        raise NotConverged(f"massless link: stopped at {solved.t[-1]:.6g} s: {solved.message}")
    assert solved.sol is not None and solved.t_events is not None  # asked for above
    times = np.linspace(0.0, solved.t[-1], max(2, math.ceil(SAMPLES * revolutions * solved.t[-1] / last)))
    states = solved.sol(times).T
    forces = np.array([force(float(t), y) for t, y in zip(times, states, strict=True)])
    lost = solved.t_events[0]
    found = config.start_angle + config.speed * float(lost[0]) if len(lost) else None
    return Course(config.start_angle + config.speed * times, states[:, 0], forces, found)


def _turned(d: complex, own: float, other: float, side: float) -> complex:
    """Direction of the link of length `own` in the triangle on d."""
    square = abs(d) ** 2
    forward = (square + own**2 - other**2) / (2.0 * own)
    return d * complex(forward, side * math.sqrt(square - forward**2)) / square


def _cross(a: complex, b: complex) -> float:
    return (a.conjugate() * b).imag
