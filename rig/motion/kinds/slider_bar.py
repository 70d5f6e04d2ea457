"""The driven slider (model.mechanisms.slider_bar): its ends lie on the faces of the guide, on which they press."""

from __future__ import annotations

import numpy as np

from model.mechanisms.slider_bar import Config
from rig.motion.parts import Guide, Motion, Outline, box
from rig.motion.traced import Traced

CHANNELS = ("x", "lift_rear", "lift_front")


def motion(mechanism: Config, traced: Traced) -> Motion:
    """The guide along x, its middle at y = 0."""
    x, rear, front = (traced.channels[name] for name in CHANNELS)
    tilt = (front - rear) / mechanism.slider_length
    middle = np.column_stack((x, 0.5 * (rear + front)))
    size = (mechanism.slider_length, mechanism.slider_height)
    guides = (Guide("guide", 0.5 * mechanism.total_clearance, rear, front),) if mechanism.total_clearance > 0.0 else ()
    slider = Outline("slider", box(middle, tilt, *size), loop=True, guide=0 if guides else None)
    low, high = float(np.min(x)) - size[0], float(np.max(x)) + size[0]
    faces = [np.array([[low, 0.5 * side * size[1]], [high, 0.5 * side * size[1]]]) for side in (-1.0, 1.0)]
    return Motion(
        traced.time,
        (),
        guides,
        (slider,),
        () if guides else tuple(faces),
        "the model is quasi-static: an end lies on one face or on the other",
    )
