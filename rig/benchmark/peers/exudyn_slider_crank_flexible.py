"""Exudyn's slider-crank with a flexible rod of planar ANCF cable elements and clearance between rod and slider; guide ideal.

The crank is a wheel of one coordinate, so heavy that its speed stays; the rod's first node is held on it by two constraints, so only the
implicit solvers can be used (the explicit ones take no constraints between bodies). Contact as in exudyn_slider_crank. Its curvature is the
material one, the paper's is r_xx, in which uneven stretch counts as well: bending modes agree to all digits, axial ones are 0.6 % lower
and more, and after the first impact the two motions part. So its error is that against its own converged run.
"""

from __future__ import annotations

from itertools import pairwise
from types import ModuleType

import numpy as np

from model.mechanisms.slider_crank_flexible.config import Config
from rig.benchmark.case import Runner
from rig.benchmark.peers import exudyn_grid
from rig.benchmark.peers.exudyn_runs import ExudynRun, load
from rig.benchmark.peers.exudyn_slider_crank import EVERY, add_contact, add_slider, slider_sensors
from rig.benchmark.peers.exudyn_system import Built
from rig.config.experiment import Experiment

STEADY = 1e5  # kg m^2: the crank's speed then changes by 1e-9 of itself; more of it makes the constraints ill-conditioned


def converged(experiment: Experiment, duration: float, sample: float) -> tuple[Runner, Runner]:
    """Its own converged run, and one with twice the step."""
    fine, coarse = (_run(experiment, setting, duration, sample) for setting in exudyn_grid.FLEXIBLE_CONVERGED)
    return fine, coarse


def _run(experiment: Experiment, setting: exudyn_grid.Setting, duration: float, sample: float) -> ExudynRun:
    return ExudynRun(load(), lambda module: build(module, experiment.mechanism_as(Config)), setting, duration, sample)


def runners(experiment: Experiment, duration: float, sample: float, quick: bool) -> list[Runner]:
    """All settings of the list. Raises PeerMissing; sample: s between two output samples."""
    return [_run(experiment, setting, duration, sample) for setting in exudyn_grid.FLEXIBLE[:: EVERY if quick else 1]]


def build(exudyn: ModuleType, config: Config) -> Built:
    """Its system, assembled, and the sensors of the channels that are compared."""
    items = exudyn.itemInterface
    system = exudyn.SystemContainer().AddSystem()
    r, beam, omega = config.crank.length, config.rod.beam, config.speed
    wheel = system.AddNode(items.Node1D(referenceCoordinates=[0.0], initialCoordinates=[0.0], initialVelocities=[omega]))
    crank = system.AddObject(items.ObjectRotationalMass1D(inertia=STEADY, nodeNumber=wheel))
    start = beam.straight(np.array([r, 0.0]), np.array([1.0, 0.0]))
    moving = beam.turning(start, np.array([0.0, omega * r]), -omega * r / beam.length)
    nodes = [
        system.AddNode(items.NodePoint2DSlope1(referenceCoordinates=list(place), initialVelocities=list(velocity)))
        for place, velocity in zip(start.reshape(-1, 4), moving.reshape(-1, 4), strict=True)
    ]
    for pair in pairwise(nodes):
        cable = items.ObjectANCFCable2D(
            length=beam.length / beam.elements,
            massPerLength=beam.mass / beam.length,
            bendingStiffness=beam.bending,
            axialStiffness=beam.axial,
            bendingDamping=beam.bending * beam.damping,
            axialDamping=beam.axial * beam.damping,
            nodeNumbers=list(pair),
        )
        system.AddObject(cable)
    pin = system.AddMarker(items.MarkerBodyPosition(bodyNumber=crank, localPosition=[r, 0.0, 0.0]))
    held = system.AddMarker(items.MarkerNodePosition(nodeNumber=nodes[0]))
    system.AddObject(items.ObjectJointRevolute2D(markerNumbers=[pin, held]))
    end = system.AddMarker(items.MarkerNodeRigid(nodeNumber=nodes[-1]))
    slider, middle = add_slider(exudyn, system, config, r + beam.length)
    add_contact(exudyn, system, config, end, middle)
    sensors = slider_sensors(exudyn, system, slider)
    system.Assemble()
    return system, sensors
