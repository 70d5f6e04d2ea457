"""The flexible pendulum of Exudyn's ANCF beam: two nodes with r, r_y and r_z, 18 coordinates; sections shear, a penalty keeps their shape.

Its axis is straight between two nodes: with the same number of elements it bends much less than ours. So its error is that against its own
converged run, which says nothing of that.
"""

from __future__ import annotations

from itertools import pairwise
from types import ModuleType

import numpy as np

from model.bodies.ancf_beam3d.beam import Beam
from model.mechanisms.flexible_pendulum.config import Config
from rig.benchmark.case import Runner
from rig.benchmark.peers.exudyn_flexible_pendulum import add_nodes, converged_with, hang, runners_with
from rig.benchmark.peers.exudyn_system import Built, MainSystem, NodeIndex
from rig.config.experiment import Experiment

COORDINATES = [0, 1, 2, 6, 7, 8, 9, 10, 11]  # of our twelve of a node


def converged(experiment: Experiment, duration: float, sample: float) -> tuple[Runner, Runner]:
    """Its own converged run, and one with twice the step."""
    return converged_with(build, experiment, duration, sample)


def runners(experiment: Experiment, duration: float, sample: float, quick: bool) -> list[Runner]:
    """All settings of the list. Raises PeerMissing; sample: s between two output samples."""
    return runners_with(build, "ANCF beam", experiment, duration, sample, quick)


def build(exudyn: ModuleType, config: Config) -> Built:
    """Its system, assembled, and the sensors of the channels that are compared. The bar lies along x at the start."""
    items, beam = exudyn.itemInterface, config.bar.beam
    system = exudyn.SystemContainer().AddSystem()
    nodes = add_nodes(system, items.NodePointSlope23, config, COORDINATES)
    for pair in pairwise(nodes):
        element = items.ObjectANCFBeam(nodeNumbers=list(pair), length=beam.length / beam.elements, sectionData=section(exudyn, beam))
        system.AddObject(element)
    add_weight(system, items, nodes, beam.mass, config.gravity)
    return system, hang(exudyn, system, nodes)


def add_weight(system: MainSystem, items: ModuleType, nodes: list[NodeIndex], mass: float, gravity: float) -> None:
    """Weight of a uniform bar of straight elements, half of each on either of its nodes: its own load puts the whole on the second one."""
    share = np.full(len(nodes), mass / (len(nodes) - 1))
    share[[0, -1]] *= 0.5
    for node, part in zip(nodes, share, strict=True):
        place = system.AddMarker(items.MarkerNodePosition(nodeNumber=node))
        system.AddLoad(items.LoadForceVector(markerNumber=place, loadVector=[0.0, 0.0, -gravity * float(part)]))


def section(exudyn: ModuleType, beam: Beam) -> object:
    """Stiffness, damping and inertia of the section."""
    data = exudyn.BeamSection()
    shear = beam.shear_factor * beam.shear_modulus * beam.area
    stiffness = np.diag([beam.youngs_modulus * beam.area, shear, shear, beam.torsion, beam.bending[1], beam.bending[0]])
    data.stiffnessMatrix, data.dampingMatrix = stiffness.tolist(), (beam.damping * stiffness).tolist()
    data.massPerLength = beam.mass / beam.length
    along_y, along_z = (data.massPerLength * size**2 / 12.0 for size in (beam.width, beam.height))
    data.inertia = np.diag([along_y + along_z, along_z, along_y]).tolist()
    return data
