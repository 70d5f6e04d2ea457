"""The four-bar without clearance: closed form, and every time derivative of it exactly (zhang1995 eqs 8, 10, 13; theta4 = pi).

| symbol | unit | meaning |
|---|---|---|
| theta1 theta2 theta3 | rad | angles of A to B, B to C, C to D (asterisk in the paper); C to the left of the way from B to D |
| A B | N m | what eqs 13 call so: the moment that each link wants from the joint's force, about B and about D |
| F, alpha | N, rad | force of the rocker on the coupler, F32* e^{j alpha*} |

From the loop, d = l4 - l1 e^{j theta1} = l2 e^{j theta2} + l3 e^{j theta3}, and with r = abs(d):
e^{j theta2} = d/r (u + j v), u = (l2^2 + r^2 - l3^2)/(2 l2 r), v = sqrt(1 - u^2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from model.floats import Floats
from model.mechanisms.four_bar.taylor import Jet, angle_of, cosine_sine

ORDER = 5  # of the angles: the first-order correction takes four of them and leaves its own rate


@dataclass(frozen=True)
class Ideal:
    """Jets in time over the crank angles; the reactions' order is lower by two."""

    theta1: Jet
    theta2: Jet
    theta3: Jet
    cosine: tuple[Jet, Jet, Jet]  # of theta1, theta2, theta3
    sine: tuple[Jet, Jet, Jet]
    A: Jet
    B: Jet
    F: Jet
    alpha: Jet
    along: tuple[Jet, Jet]  # (cos, sin) of alpha

    @property
    def sine_23(self) -> Jet:
        """sin(theta2 - theta3), zero at a dead point."""
        return self.sine[1] * self.cosine[2] - self.cosine[1] * self.sine[2]


class Bars(Protocol):
    """What it asks of a four-bar: `model.mechanisms.four_bar.config.Config`, whose own felt inertia asks it back."""

    @property
    def crank_length(self) -> float: ...
    @property
    def coupler_length(self) -> float: ...
    @property
    def rocker_length(self) -> float: ...
    @property
    def ground_length(self) -> float: ...
    @property
    def speed(self) -> float: ...
    @property
    def coupler_mass(self) -> float: ...
    @property
    def coupler_centre(self) -> float: ...
    @property
    def coupler_inertia(self) -> float: ...
    @property
    def rocker_mass(self) -> float: ...
    @property
    def rocker_centre(self) -> float: ...
    @property
    def rocker_inertia(self) -> float: ...
    @property
    def gravity(self) -> float: ...


def ideal(config: Bars, angles: Floats, order: int = ORDER, rates: tuple[Floats, Floats] | None = None) -> Ideal:
    """At crank angles (...) in rad, with derivatives of the angles up to `order` (2 at least).

    rates: crank speed and acceleration (rad/s, rad/s^2), each (...); unless given it turns at constant speed.
    """
    l1, l2, l3, l4 = config.crank_length, config.coupler_length, config.rocker_length, config.ground_length
    steady = np.zeros((order + 1, *np.shape(angles)))
    steady[0], steady[1] = angles, config.speed
    if rates is not None:
        steady[1], steady[2] = rates[0], 0.5 * rates[1]
    theta1 = Jet(steady)
    c1, s1 = cosine_sine(theta1)
    x, y = l4 - l1 * c1, -l1 * s1
    square = x * x + y * y
    # Both links from d by the triangle B C D: rotated by +acos(u2) and -acos(u3).
    (c2, s2), (c3, s3) = turned(x, y, square, l2, l3, 1.0), turned(x, y, square, l3, l2, -1.0)
    theta2, theta3 = angle_of(c2, s2), angle_of(c3, s3)
    accelerated = config.coupler_mass * config.coupler_centre * l1
    A = config.coupler_inertia * theta2.rate().rate() + accelerated * (c2 * s1.rate().rate() - s2 * c1.rate().rate())
    A = A + config.coupler_mass * config.gravity * config.coupler_centre * c2
    B = config.rocker_inertia * theta3.rate().rate() - config.rocker_mass * config.gravity * (l3 - config.rocker_centre) * c3
    span = l2 * l3 * (s2 * c3 - c2 * s3)
    along, across = (B * l2 * c2 - A * l3 * c3) / span, (B * l2 * s2 - A * l3 * s3) / span
    F = (along * along + across * across).sqrt()
    return Ideal(
        theta1, theta2, theta3, (c1, c2, c3), (s1, s2, s3), A, B, F, angle_of(along, across), (along / F, across / F)
    )  # fmt: skip


def turned(x: Jet, y: Jet, square: Jet, own: float, other: float, side: float) -> tuple[Jet, Jet]:
    """(cos, sin) of the link of length `own` in the triangle on d = (x, y)."""
    forward = (square + (own**2 - other**2)) / (2.0 * own)  # r u
    aside = side * (square - forward * forward).sqrt()
    return (x * forward - y * aside) / square, (y * forward + x * aside) / square
