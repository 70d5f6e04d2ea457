"""First-order correction of the ideal four-bar for the clearance R_c (zhang1995 eqs 14-16, 20; its swapped arguments put right).

| symbol | unit | meaning |
|---|---|---|
| theta2_1 theta3_1 | rad/m | theta = theta* + R_c theta^1 |
| Q R | N | what the first-order equations of motion want from the joint |
| F_1 alpha_1 | N/m, rad/m | F32 = F32* + R_c F32^1, alpha = alpha* + R_c alpha^1 |
| aq = A + R_c Q, br = B + R_c R | N m | both zero: contact is lost |
"""

from __future__ import annotations

from dataclasses import dataclass

from model.mechanisms.four_bar.config import Config
from model.mechanisms.four_bar.ideal import Ideal
from model.mechanisms.four_bar.taylor import Jet


@dataclass(frozen=True)
class Correction:
    """Jets in time, per metre of clearance; F_1, alpha_1, Q and R know their rate."""

    theta2_1: Jet
    theta3_1: Jet
    Q: Jet
    R: Jet
    F_1: Jet
    alpha_1: Jet


def correction(config: Config, ideal: Ideal) -> Correction:
    """First order of everything, from the ideal motion."""
    l2, l3 = config.coupler_length, config.rocker_length
    (c1, c2, c3), (s1, s2, s3), (ca, sa) = ideal.cosine, ideal.sine, ideal.along
    cos_2, cos_3 = ca * c2 + sa * s2, ca * c3 + sa * s3  # of alpha - theta2, alpha - theta3
    sin_2, sin_3 = sa * c2 - ca * s2, sa * c3 - ca * s3
    sine = ideal.sine_23
    theta2_1, theta3_1 = cos_3 / (l2 * sine), -(cos_2 / (l3 * sine))
    accelerated = config.coupler_mass * config.coupler_centre * config.crank_length * config.speed**2
    weight_2 = config.coupler_mass * config.gravity * config.coupler_centre
    weight_3 = config.rocker_mass * config.gravity * (l3 - config.rocker_centre)
    stiff_2 = l2 * ideal.F * cos_2 + accelerated * (c1 * c2 + s1 * s2) - weight_2 * s2
    stiff_3 = l3 * ideal.F * cos_3 + weight_3 * s3
    Q = config.coupler_inertia * theta2_1.rate().rate() + theta2_1 * stiff_2
    R = config.rocker_inertia * theta3_1.rate().rate() + theta3_1 * stiff_3
    span = l2 * l3 * sine
    return Correction(
        theta2_1,
        theta3_1,
        Q,
        R,
        F_1=(R * l2 * cos_2 - Q * l3 * cos_3) / span,
        alpha_1=(Q * l3 * sin_3 - R * l2 * sin_2) / (ideal.F * span),
    )


@dataclass(frozen=True)
class Corrected:
    """What the criteria look at, over crank angles: with the clearance to first order."""

    F: Jet
    alpha: Jet
    aq: Jet
    br: Jet


def corrected(config: Config, ideal: Ideal) -> Corrected:
    """Force, its direction, aq and br at the configured clearance."""
    first, gap = correction(config, ideal), config.clearance
    return Corrected(
        ideal.F + gap * first.F_1, ideal.alpha + gap * first.alpha_1, ideal.A + gap * first.Q, ideal.B + gap * first.R
    )  # fmt: skip
