"""The 3-RRPaR mechanism (model.mechanisms.parallel_3rrpar): pins across their axis, which is Y; bodies as seen from aside."""

from __future__ import annotations

import numpy as np

from model.mechanisms.parallel_3rrpar import Config
from model.mechanisms.parallel_3rrpar.kinematics import frame, tips
from rig.motion.parts import Floats, Motion, Outline, Pin
from rig.motion.traced import Traced

PLACE, ANGLES = ("x", "y", "z"), ("theta1", "theta2", "theta3")
OFFSETS = {leg: (f"r{leg}_eccentricity_x", f"r{leg}_eccentricity_z") for leg in (1, 3)}
CHANNELS = (*PLACE, *ANGLES, *OFFSETS[1], *OFFSETS[3])
VIEW = np.array([[1.0, 0.0], [-0.35, -0.25], [0.0, 1.0]])
"""X to the right, Z up, Y away from who looks."""


def motion(mechanism: Config, traced: Traced) -> Motion:
    """Arms, long bars and platform, drawn in parallel projection; the pins are seen along their axis."""
    f = frame(mechanism)
    point, theta = (np.column_stack([traced.channels[name] for name in names]) for names in (PLACE, ANGLES))
    joints = (point - f.offset)[:, None, :] + f.joints
    ends = tips(mechanism, theta)
    pins = []
    for (leg, names), clearance in zip(OFFSETS.items(), mechanism.clearances, strict=True):
        if clearance > 0.0:
            pins.append(
                Pin(f"R{leg}", clearance, np.column_stack([traced.channels[name] for name in names]), joints[:, leg - 1] @ VIEW, ("x", "z"))
            )
    bodies = [Outline("platform", joints @ VIEW, loop=True)]
    for leg in range(3):
        pivot = np.broadcast_to(f.pivots[leg], ends[:, leg].shape)
        bodies += [_line(f"arm {leg + 1}", pivot, ends[:, leg]), _line(f"bars {leg + 1}", ends[:, leg], joints[:, leg])]
    still = tuple((f.pivots[leg] @ VIEW)[None, :] for leg in range(3))
    return Motion(traced.time, tuple(pins), (), tuple(bodies), still)


def _line(name: str, begin: Floats, end: Floats) -> Outline:
    return Outline(name, np.stack((begin, end), axis=1) @ VIEW)
