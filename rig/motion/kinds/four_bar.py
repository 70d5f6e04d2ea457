"""The four-bar (model.mechanisms.four_bar): both links' ends by their angles."""

from __future__ import annotations

import numpy as np

from model.mechanisms.four_bar import Config
from rig.motion.parts import Floats, Motion, Outline, Pin
from rig.motion.traced import Traced

CHANNELS = ("crank_angle", "coupler_angle", "rocker_angle")


def motion(mechanism: Config, traced: Traced) -> Motion:
    """A at the origin, D along x; the bush is the coupler's."""
    crank, coupler, rocker = (_along(traced.channels[name]) for name in CHANNELS)
    end = np.array([mechanism.ground_length, 0.0])
    b = mechanism.crank_length * crank
    bush, journal = b + mechanism.coupler_length * coupler, end - mechanism.rocker_length * rocker
    origin, still = np.zeros_like(b), np.broadcast_to(end, b.shape)
    pins = (Pin("coupler-rocker joint", mechanism.clearance, journal - bush, bush),) if mechanism.clearance > 0.0 else ()
    bodies = (
        Outline("crank", np.stack((origin, b), axis=1)),
        Outline("coupler", np.stack((b, bush), axis=1)),
        Outline("rocker", np.stack((journal, still), axis=1), journals=((0, 0),) if pins else ()),
    )
    return Motion(traced.time, pins, (), bodies, (np.zeros((1, 2)), end[None, :]))


def _along(angle: Floats) -> Floats:
    return np.column_stack((np.cos(angle), np.sin(angle)))
