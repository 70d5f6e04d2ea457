"""Where the slider-crank's coordinates are and how they begin: in the middle, or at rest on what gravity presses together."""

from __future__ import annotations

import math

import numpy as np

from model.contact import force as law
from model.errors import InconsistentStart
from model.floats import Floats
from model.joints import contact
from model.mechanisms.slider_crank import ideal, kernel
from model.mechanisms.slider_crank.config import Config, contact_stiffness, guide_stiffness, joint
from model.stepping import inputs

LOWER, UPPER = (0, 1), (2, 3)  # corners of the slider


def places(config: Config) -> list[int]:
    """Which of phi, x, y, psi are the coordinates."""
    if config.clearance == 0.0:
        return [kernel.PHI, kernel.PSI] if config.guide_clearance > 0.0 else []
    return [kernel.PHI, kernel.X] if config.guide_clearance == 0.0 else [kernel.PHI, kernel.X, kernel.Y, kernel.PSI]


def begun(config: Config, p: Floats, states: int) -> tuple[Floats, Floats]:
    """(y, s) at crank angle 0 with the speeds of the ideal linkage, journal and slider in the middle, all contacts open."""
    phi, phi_rate, _, x, x_rate, _ = ideal.kinematics(0.0, p)
    return _state(config, states, [phi, x, 0.0, 0.0], [phi_rate, x_rate, 0.0, 0.0]), _open(config)


def resting(config: Config, states: int, samples: Floats, rate: float) -> tuple[Floats, Floats]:
    """(y, s) where the first of the samples (rad) has the crank, as `posture` has it."""
    position, velocity, s = posture(config, samples, rate)
    return _state(config, states, position, velocity), s


def posture(config: Config, samples: Floats, rate: float) -> tuple[list[float], list[float], Floats]:
    """(phi, x, y, psi; their rates; s) with the crank at the first of the samples (rad): the rod's end hung, the slider laid down.

    The slider is free along the guide, so what the pin bears is across it; friction regularised by speed does nothing at rest. Samples
    that move from the beginning on move the linkage with them, as it is held together. Raises InconsistentStart for a crushed joint.
    """
    _, omega, _ = inputs.course(inputs.window(0.0, rate, samples[:4]), 0.0)
    theta = float(samples[0])
    s, down = _open(config), math.copysign(1.0, config.gravity)
    hung = down * _hung(config, s) * (-1.0 if config.clearance_joint == "rod_slider" else 1.0)
    across = -down * _laid(config, s)
    ax, ay = config.crank.length * math.cos(theta), config.crank.length * math.sin(theta)
    length = config.rod.length
    phi = math.asin((across + hung - ay) / length)
    phi_rate = -ax * omega / (length * math.cos(phi))
    x, x_rate = ax + length * math.cos(phi), -ay * omega - length * math.sin(phi) * phi_rate
    return [phi, x, across, 0.0], [phi_rate, x_rate, 0.0, 0.0], s


def _hung(config: Config, s: Floats) -> float:
    """How far the rod's end with clearance is below its pin at rest, m; closes that contact in s."""
    if config.clearance == 0.0 or config.gravity == 0.0:
        return 0.0
    rod = config.rod
    arm = rod.centre if config.clearance_joint == "rod_slider" else rod.length - rod.centre
    pull = max(0.0, rod.mass * abs(config.gravity) * arm / rod.length)
    depth = (pull / contact_stiffness(config)) ** (1.0 / config.contact.exponent)
    held = joint(config)
    if held is not None and (said := held.said(depth)):
        raise InconsistentStart(f"at rest, under the {pull:.3g} N of gravity, {said}")
    s[contact.SPEED] = config.contact.approach_floor
    return float(config.clearance + depth)


def _laid(config: Config, s: Floats) -> float:
    """How far the slider is below the guide's middle at rest, m; closes two corners in s."""
    if config.guide_clearance == 0.0 or config.gravity == 0.0:
        return 0.0
    load = abs(config.gravity) * (config.slider.mass + config.rod.mass * config.rod.centre / config.rod.length)
    for corner in LOWER if config.gravity > 0.0 else UPPER:
        s[contact.EACH * (1 + corner) + contact.SPEED] = config.contact.approach_floor
    return config.guide_clearance + 0.5 * load / guide_stiffness(config)


def _open(config: Config) -> Floats:
    """s with all contacts open."""
    s = np.zeros(contact.EACH * kernel.GUARD_COUNT)
    s[: contact.EACH] = law.parameters(contact_stiffness(config), config.contact.exponent, config.contact.damping)
    return s


def _state(config: Config, states: int, position: list[float], rate: list[float]) -> Floats:
    """y of those of phi, x, y, psi that are coordinates."""
    q, y = places(config), np.zeros(states)
    n = len(q)
    y[:n], y[n : 2 * n] = np.array(position)[q], np.array(rate)[q]
    return y
