"""Exudyn's 3-RRPaR with ideal joints and six long bars of its ANCF cable: two nodes with r and r_x, 12 coordinates an element.

A cable has neither sections nor torsion, so its ends are on balls instead of hinges. While the platform does not turn that is the same
but for what a hinge passes on from one bar of a leg to the other, and for the turning of a short bar about its own length, on which balls
on that line do not act: its inertia about it is left out, and a short bar is a mass, on the arm or on the platform. That of leg 3 is one of
its own, held by R3, so that this joint's force is measured. None of the 42 rows is redundant.

Its curvature is the material one, ours r_xx. So its error is that against its own converged run.
"""

from __future__ import annotations

from itertools import pairwise
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.parallel_3rrpar import kinematics
from model.mechanisms.parallel_3rrpar_flexible.bodies import P
from model.mechanisms.parallel_3rrpar_flexible.config import Config
from model.paths.course import Course
from rig.benchmark.case import Runner
from rig.benchmark.peers import exudyn_grid
from rig.benchmark.peers.exudyn_flexible_pendulum import add_heavy
from rig.benchmark.peers.exudyn_parallel import LEGS, PLACES, add_drive, harmonics
from rig.benchmark.peers.exudyn_parallel_flexible import MEASURED, SIDES, Start, converged_with, force_sensor, runners_with, straightened
from rig.benchmark.peers.exudyn_slider_crank import EVERY
from rig.benchmark.peers.exudyn_system import Built, MainSystem, MarkerIndex, NodeIndex, ObjectIndex
from rig.config.experiment import Experiment

Floats = NDArray[np.float64]

COORDINATES = slice(0, 6)  # of our twelve of a node


def converged(experiment: Experiment, duration: float, sample: float) -> tuple[Runner, Runner]:
    """Its own converged run, and one with twice the step."""
    return converged_with(build, "ANCF cable", experiment, duration, sample)


def runners(experiment: Experiment, duration: float, sample: float, quick: bool) -> list[Runner]:
    """All settings of the list. Raises PeerMissing; sample: s between two output samples."""
    return runners_with(build, "ANCF cable", exudyn_grid.PARALLEL_FLEXIBLE[:: EVERY if quick else 1], experiment, duration, sample)


def build(exudyn: ModuleType, config: Config, path: Course, start: Start) -> Built:
    """Its system, assembled, and the sensors of the channels that are compared."""
    items, f, series = exudyn.itemInterface, kinematics.frame(config), harmonics(config, path)
    kind = exudyn.OutputVariableType
    system = exudyn.SystemContainer().AddSystem()
    place, speed = start.z[P : P + 3], start.z_rate[P : P + 3]
    platform = _add_mass(system, items, config, config.platform.mass + 2.0 * config.short.mass, place, speed)
    far = _add_mass(system, items, config, config.short.mass, place + f.joints[MEASURED], speed)
    ends = [_on(system, items, platform, f.joints[MEASURED]), _on(system, items, far, np.zeros(3))]
    joint = system.AddObject(items.ObjectJointSpherical(markerNumbers=ends))
    for leg in LEGS:
        arm, node = _add_arm(system, items, config, start, leg)
        add_drive(exudyn, system, node, series[:, leg], path.period)
        for side, sign in enumerate(SIDES):
            aside = 0.5 * sign * config.geometry.short_length
            nodes = _add_bar(system, items, config, start, 2 * leg + side)
            near = _on(system, items, arm, np.array([f.arm, 0.0, aside]))
            along = aside * kinematics.AXES[leg]
            last = _on(system, items, far, along) if leg == MEASURED else _on(system, items, platform, f.joints[leg] + along)
            for marker, end in ((near, nodes[0]), (last, nodes[-1])):
                held = system.AddMarker(items.MarkerNodePosition(nodeNumber=end))
                system.AddObject(items.ObjectJointSpherical(markerNumbers=[marker, held]))
    point = items.SensorBody(bodyNumber=platform, localPosition=list(f.offset), storeInternal=True, outputVariableType=kind.Position)
    sensor = system.AddSensor(point)
    sensors = {**{name: (sensor, k) for k, name in enumerate(PLACES)}, **force_sensor(exudyn, system, joint)}
    system.Assemble()
    return system, sensors


def _on(system: MainSystem, items: ModuleType, body: ObjectIndex, place: Floats) -> MarkerIndex:
    return system.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=list(place)))


def _add_mass(system: MainSystem, items: ModuleType, config: Config, mass: float, place: Floats, speed: Floats) -> ObjectIndex:
    """A body that does not turn."""
    node = system.AddNode(items.NodePoint(referenceCoordinates=list(place), initialVelocities=list(speed)))
    body = system.AddObject(items.ObjectMassPoint(mass=mass, nodeNumber=node))
    whole = system.AddMarker(items.MarkerBodyMass(bodyNumber=body))
    system.AddLoad(items.LoadMassProportional(markerNumber=whole, loadVector=[0.0, 0.0, -config.gravity]))
    return body


def _add_arm(system: MainSystem, items: ModuleType, config: Config, start: Start, leg: int) -> tuple[ObjectIndex, NodeIndex]:
    """(arm with its short bar, its node). It is driven: its weight does not count."""
    f, part, axis = kinematics.frame(config), config.arm, kinematics.AXES[leg]
    inertia = (part.jz if leg == 1 else part.jy) + part.mass * (0.5 * f.arm) ** 2 + config.short.mass * f.arm**2
    angle, rate = [float(start.theta[leg])], [float(start.theta_rate[leg])]
    node = system.AddNode(items.Node1D(referenceCoordinates=[0.0], initialCoordinates=angle, initialVelocities=rate))
    axes = np.column_stack([kinematics.X_AXIS, np.cross(axis, kinematics.X_AXIS), axis])
    body = items.ObjectRotationalMass1D(inertia=inertia, nodeNumber=node, referencePosition=list(f.pivots[leg]), referenceRotation=axes)
    return system.AddObject(body), node


def _add_bar(system: MainSystem, items: ModuleType, config: Config, start: Start, bar: int) -> list[NodeIndex]:
    """One of the six bars; its nodes."""
    beam, nodes = config.bars.beam, []
    for still, place, speed in zip(straightened(config, start.bars[bar]), start.bars[bar], start.bars_rate[bar], strict=True):
        rest, strain, rate = still[COORDINATES], (place - still)[COORDINATES], speed[COORDINATES]
        nodes.append(
            system.AddNode(
                items.NodePointSlope1(referenceCoordinates=list(rest), initialCoordinates=list(strain), initialVelocities=list(rate))
            )
        )
    axial = beam.youngs_modulus * beam.area
    for pair in pairwise(nodes):
        cable = items.ObjectANCFCable(
            length=beam.length / beam.elements,
            massPerLength=beam.mass / beam.length,
            bendingStiffness=beam.bending[0],
            axialStiffness=axial,
            bendingDamping=beam.bending[0] * beam.damping,
            axialDamping=axial * beam.damping,
            nodeNumbers=list(pair),
        )
        add_heavy(system, items, cable, config.gravity)
    return nodes
