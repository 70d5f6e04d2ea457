"""Exudyn's flexible pendulum: spatial ANCF cable elements of six coordinates a node, its first node on a spherical joint.

A cable has the axis of our elastic line, with the material curvature, not r_xx, and no sections: half as many unknowns, no torsion, no
inertia of the sections. So its error is that against its own converged run.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from types import ModuleType

import numpy as np

from model.mechanisms.flexible_pendulum.config import Config
from rig.benchmark.case import Runner
from rig.benchmark.peers import exudyn_grid
from rig.benchmark.peers.exudyn_runs import ExudynRun, load
from rig.benchmark.peers.exudyn_slider_crank import EVERY
from rig.benchmark.peers.exudyn_system import Built, MainSystem, NodeIndex, Sensors
from rig.config.experiment import Experiment

TIP = ("tip_x", "tip_y", "tip_z")
SPEEDS = ("tip_vx", "tip_vy", "tip_vz")
Build = Callable[[ModuleType, Config], Built]


def converged(experiment: Experiment, duration: float, sample: float) -> tuple[Runner, Runner]:
    """Its own converged run, and one with twice the step."""
    return converged_with(build, experiment, duration, sample)


def runners(experiment: Experiment, duration: float, sample: float, quick: bool) -> list[Runner]:
    """All settings of the list. Raises PeerMissing; sample: s between two output samples."""
    return runners_with(build, "ANCF cable", experiment, duration, sample, quick)


def converged_with(builder: Build, experiment: Experiment, duration: float, sample: float) -> tuple[Runner, Runner]:
    """As `converged`, with the elements that builder(exudyn, mechanism's configuration) takes."""
    fine, coarse = (_run(builder, experiment, setting, duration, sample) for setting in exudyn_grid.PENDULUM_CONVERGED)
    return fine, coarse


def runners_with(builder: Build, element: str, experiment: Experiment, duration: float, sample: float, quick: bool) -> list[Runner]:
    """As `runners`; element: how the table calls it."""
    runs = [_run(builder, experiment, setting, duration, sample) for setting in exudyn_grid.PENDULUM[:: EVERY if quick else 1]]
    for run in runs:
        run.settings = {"element": element, **run.settings}
    return list(runs)


def _run(builder: Build, experiment: Experiment, setting: exudyn_grid.Setting, duration: float, sample: float) -> ExudynRun:
    return ExudynRun(load(), lambda module: builder(module, experiment.mechanism_as(Config)), setting, duration, sample)


def build(exudyn: ModuleType, config: Config) -> Built:
    """Its system, assembled, and the sensors of the channels that are compared. The bar lies along x at the start."""
    items, beam = exudyn.itemInterface, config.bar.beam
    system = exudyn.SystemContainer().AddSystem()
    nodes = add_nodes(system, items.NodePointSlope1, config, list(range(6)))
    for pair in pairwise(nodes):
        cable = items.ObjectANCFCable(
            length=beam.length / beam.elements,
            massPerLength=beam.mass / beam.length,
            bendingStiffness=beam.bending[0],
            axialStiffness=beam.youngs_modulus * beam.area,
            bendingDamping=beam.bending[0] * beam.damping,
            axialDamping=beam.youngs_modulus * beam.area * beam.damping,
            nodeNumbers=list(pair),
        )
        add_heavy(system, items, cable, config.gravity)
    return system, hang(exudyn, system, nodes)


def add_nodes(system: MainSystem, kind: Callable[..., object], config: Config, coordinates: list[int]) -> list[NodeIndex]:
    """The bar's nodes at the start, of a kind that has these coordinates of our twelve."""
    start = config.bar.beam.straight(np.zeros(3), np.eye(3))
    moving = config.bar.beam.turning(start, np.zeros(3), np.array([0.0, 0.0, config.turning]))
    return [
        system.AddNode(kind(referenceCoordinates=list(place), initialVelocities=list(velocity)))
        for place, velocity in zip(*(each.reshape(-1, 12)[:, coordinates] for each in (start, moving)), strict=True)
    ]


def add_heavy(system: MainSystem, items: ModuleType, element: object, gravity: float) -> None:
    """An element with its weight."""
    whole = system.AddMarker(items.MarkerBodyMass(bodyNumber=system.AddObject(element)))
    system.AddLoad(items.LoadMassProportional(markerNumber=whole, loadVector=[0.0, 0.0, -gravity]))


def hang(exudyn: ModuleType, system: MainSystem, nodes: list[NodeIndex]) -> Sensors:
    """First node on the joint, sensors on the last one; the system is then assembled."""
    items, kind = exudyn.itemInterface, exudyn.OutputVariableType
    ground = system.AddMarker(items.MarkerBodyPosition(bodyNumber=system.AddObject(items.ObjectGround())))
    held = system.AddMarker(items.MarkerNodePosition(nodeNumber=nodes[0]))
    system.AddObject(items.ObjectJointSpherical(markerNumbers=[ground, held]))
    place, speed = (
        system.AddSensor(items.SensorNode(nodeNumber=nodes[-1], storeInternal=True, outputVariableType=output))
        for output in (kind.Position, kind.Velocity)
    )
    system.Assemble()
    return {name: (sensor, k) for names, sensor in ((TIP, place), (SPEEDS, speed)) for k, name in enumerate(names)}
