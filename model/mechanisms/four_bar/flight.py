"""What the four-bar's coupler does while the joint carries nothing: the course that its acceleration joins at a contact loss.

In flight the coupler is a pendulum whose end B is led by the crank. The acceleration of its other end C across the coupler is then that of
zhang1995 eq 3 without the joint's force; in contact it differs by l2^2 F sin(alpha - theta2)/J_2B. The coupler's angle is taken from the
ideal linkage: a clearance of 0.2 mm turns a link of 160 mm by 0.07 deg at the most.
"""

from __future__ import annotations

import numpy as np

from model.floats import Floats
from model.mechanisms.four_bar.config import Config


def acceleration(config: Config, angle: Floats, speed: Floats, angular: Floats, feels_gravity: bool = False) -> Floats:
    """Channel `acceleration` (n,) in m/s^2 without any force in the joint, at crank angle (rad), speed (rad/s), acceleration (rad/s^2).

    feels_gravity: as an accelerometer shows it that does (`four_bar.shown_weight`).
    """
    c1, s1 = np.cos(angle), np.sin(angle)
    c2, s2 = _coupler(config, c1, s1)
    # Acceleration of B across the coupler, per l1 and turned round.
    swing = (speed * speed * s1 - angular * c1) * c2 - (speed * speed * c1 + angular * s1) * s2
    moment = config.coupler_mass * config.coupler_centre * (config.crank_length * swing - config.gravity * c2)
    weight = config.gravity * c2 if feels_gravity else 0.0
    return np.asarray(config.coupler_length * moment / config.coupler_inertia - config.crank_length * swing + weight)


def _coupler(config: Config, c1: Floats, s1: Floats) -> tuple[Floats, Floats]:
    """(cos, sin) of theta2 of the ideal linkage, C to the left of the way from B to D."""
    l2, l3 = config.coupler_length, config.rocker_length
    dx, dy = config.ground_length - config.crank_length * c1, -config.crank_length * s1
    square = dx * dx + dy * dy
    along = (square + (l2 - l3) * (l2 + l3)) / (2.0 * l2)
    aside = np.sqrt(square - along * along)
    return (dx * along - dy * aside) / square, (dy * along + dx * aside) / square
