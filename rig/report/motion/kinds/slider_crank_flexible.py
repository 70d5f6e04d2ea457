"""The slider-crank with a rod that bends (model.mechanisms.slider_crank_flexible): its nodes, then the slider, stand in its state."""

from __future__ import annotations

import numpy as np

from model.bodies.ancf_beam2d.beam import NODE
from model.mechanisms.slider_crank_flexible import Config
from rig.report.motion.kinds.slider_crank import drawn
from rig.report.motion.parts import Motion, turned
from rig.report.motion.traced import Traced


def motion(mechanism: Config, traced: Traced) -> Motion:
    """See slider_crank."""
    nodes = mechanism.rod.elements + 1
    rod = np.stack([traced.state[:, NODE * k : NODE * k + 2] for k in range(nodes)], axis=1)
    slider = traced.state[:, NODE * nodes : NODE * nodes + 3]
    crank = turned(traced.channels["crank_angle"], mechanism.crank.length, 0.0)
    return drawn(mechanism, traced.time, crank, rod, (slider[:, :2], slider[:, 2]))
