"""Joint force of the linkage with clearance where the ideal force's direction and its rates stand in for its own (zhang1995 introduction).

The way of Li, Li and Bai that the paper sets itself against. theta2 and theta3 follow from the loop with R_c e^{j alpha*} in it, exactly;
the two moment equations then give a joint force, and F is its part along alpha*, since the way does not say which of the two it takes.
"""

from __future__ import annotations

import numpy as np

from model.floats import Floats
from model.mechanisms.four_bar import Config
from model.mechanisms.four_bar.ideal import ideal, turned
from model.mechanisms.four_bar.taylor import Jet, angle_of


def substituted_force(config: Config, angles: Floats) -> Floats:
    """F (...) in N at crank angles (...) in rad; below 0 the way takes contact for lost."""
    found = ideal(config, angles)
    order = found.alpha.order
    c1, s1 = _cut(found.cosine[0], order), _cut(found.sine[0], order)
    l1, l2, l3, l4 = config.crank_length, config.coupler_length, config.rocker_length, config.ground_length
    ca, sa = found.along
    x, y = l4 - l1 * c1 - config.clearance * ca, -l1 * s1 - config.clearance * sa
    square = x * x + y * y
    (c2, s2), (c3, s3) = turned(x, y, square, l2, l3, 1.0), turned(x, y, square, l3, l2, -1.0)
    a2, a3 = (angle_of(c, s).rate().rate().value for c, s in ((c2, s2), (c3, s3)))
    cos1, sin1, cos2, sin2, cos3, sin3 = (jet.value for jet in (c1, s1, c2, s2, c3, s3))
    accelerated = config.coupler_mass * config.coupler_centre * l1 * config.speed**2
    A = config.coupler_inertia * a2 - accelerated * (sin1 * cos2 - cos1 * sin2)
    A = A + config.coupler_mass * config.gravity * config.coupler_centre * cos2
    B = config.rocker_inertia * a3 - config.rocker_mass * config.gravity * (l3 - config.rocker_centre) * cos3
    span = l2 * l3 * (sin2 * cos3 - cos2 * sin3)
    along, across = (B * l2 * cos2 - A * l3 * cos3) / span, (B * l2 * sin2 - A * l3 * sin3) / span
    return np.asarray(along * ca.value + across * sa.value)


def _cut(jet: Jet, order: int) -> Jet:
    return Jet(jet.coefficients[: order + 1])
