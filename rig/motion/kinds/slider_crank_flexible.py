"""The slider-crank with a rod that bends (model.mechanisms.slider_crank_flexible): its nodes, then the slider, stand in its state."""

from __future__ import annotations

import numpy as np

from model.bodies.ancf_beam2d.beam import NODE
from model.mechanisms.slider_crank_flexible import Config
from rig.motion.drawing import Coordinates
from rig.motion.kinds.slider_crank import drawn
from rig.motion.parts import Motion, turned
from rig.motion.traced import Traced

CHANNELS = ("crank_angle",)
OF_A_NODE = (("x", "m"), ("y", "m"), ("slope_x", "1"), ("slope_y", "1"))


def coordinates(mechanism: Config) -> Coordinates:
    """Of the rod's nodes from the crank on, then the slider's."""
    rod = [(f"node_{k}_{name}", unit) for k in range(mechanism.rod.elements + 1) for name, unit in OF_A_NODE]
    return (*rod, ("slider_x", "m"), ("slider_y", "m"), ("slider_angle", "rad"))


def motion(mechanism: Config, traced: Traced) -> Motion:
    """See slider_crank."""
    nodes = mechanism.rod.elements + 1
    rod = np.stack([traced.state[:, NODE * k : NODE * k + 2] for k in range(nodes)], axis=1)
    slider = traced.state[:, NODE * nodes : NODE * nodes + 3]
    crank = turned(traced.channels["crank_angle"], mechanism.crank.length, 0.0)
    return drawn(mechanism, traced.time, crank, rod, (slider[:, :2], slider[:, 2]))
