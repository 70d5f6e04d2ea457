"""The axial linkage (model.mechanisms.linkage): three links in series, whose pins move along the load alone."""

from __future__ import annotations

import numpy as np

from model.mechanisms.linkage import Config
from rig.motion.drawing import Coordinates
from rig.motion.parts import Floats, Motion, Outline, Pin
from rig.motion.traced import Traced

CHANNELS: tuple[str, ...] = ()
LINK, HEIGHT = 0.12, 0.05
"""m: size in which a link is drawn; the model has none."""


def coordinates(mechanism: Config) -> Coordinates:
    """The places of the links."""
    return ("upper_link", "m"), ("middle_link", "m"), ("lower_link", "m")


def motion(mechanism: Config, traced: Traced) -> Motion:
    """x from the fixture to the actuator; the bushes are those of the upper and of the middle link."""
    x = traced.state[:, :3]
    begins = np.arange(3) * LINK
    pins = []
    for name, k in (("joint A", 0), ("joint B", 1)):
        play = x[:, k + 1] - x[:, k]
        at = np.column_stack((begins[k] + LINK + x[:, k], np.zeros(len(x))))
        pins.append(Pin(name, 0.5 * mechanism.clearance, np.column_stack((play, np.zeros(len(x)))), at, along_one_line=True))
    shown = tuple(pins) if mechanism.clearance > 0.0 else ()
    bodies = tuple(_link(k, name, begins[k] + x[:, k], bool(shown)) for k, name in enumerate(("upper link", "middle link", "lower link")))
    wall = np.array([[0.0, -HEIGHT], [0.0, HEIGHT]])
    return Motion(traced.time, shown, (), bodies, (wall,), "the model is axial: a pin moves along the load alone")


def _link(number: int, name: str, begin: Floats, loose: bool) -> Outline:
    ends = np.stack([np.column_stack((begin + part * LINK, np.zeros(len(begin)))) for part in (0.0, 1.0)], axis=1)
    return Outline(name, ends, journals=((0, number - 1),) if number and loose else ())
