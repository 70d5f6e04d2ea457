"""Exudyn's slider-crank with a rigid rod and clearance between rod and slider; guide ideal.

The nearest model turns out to be the same one. Crank and rod are a kinematic tree of two revolute joints, the slider is a mass on a line,
so there are no constraints and the explicit solvers may be used; the crank's inertia is so large that its speed stays. Journal and bearing
are Exudyn's contact of a sphere in a hollow sphere, compiled, with K delta^n (1 + 3/2 (1 - e) delta'/v0), v0 latched: its restitution
e = 1 - 2/3 a gives it our law's a. Its friction grows linearly from no sliding speed to `frictionProportionalZone`.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from model.mechanisms.parallel_3rrpar.config import Config as Parallel
from model.mechanisms.slider_crank.config import Config
from rig.benchmark.case import Runner
from rig.benchmark.peers import exudyn_grid
from rig.benchmark.peers.exudyn_runs import ExudynRun, load
from rig.benchmark.peers.exudyn_system import Built, MainSystem, MarkerIndex, ObjectIndex, SensorIndex, Sensors
from rig.config.experiment import Experiment

STEADY = 1e9  # kg m^2: the crank's speed then changes by 1e-11 of itself
HUNT_CROSSLEY = 1
EVERY = 2  # of the settings, in a quick run


def runners(experiment: Experiment, duration: float, sample: float, quick: bool) -> list[Runner]:
    """All settings of the list. Raises PeerMissing; sample: s between two output samples."""
    exudyn = load()
    grid = exudyn_grid.RIGID[:: EVERY if quick else 1]
    return [ExudynRun(exudyn, lambda module: build(module, experiment.mechanism_as(Config)), setting, duration, sample) for setting in grid]


def build(exudyn: ModuleType, config: Config) -> Built:
    """Its system, assembled, and the sensors of the channels that are compared."""
    items = exudyn.itemInterface
    system = exudyn.SystemContainer().AddSystem()
    r, length, omega = config.crank.length, config.rod.length, config.speed
    node = system.AddNode(
        items.NodeGenericODE2(
            referenceCoordinates=[0.0, 0.0],
            initialCoordinates=[0.0, 0.0],
            initialCoordinates_t=[omega, -omega * r / length - omega],
            numberOfODE2Coordinates=2,
        )
    )
    tree = system.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[exudyn.JointType.RevoluteZ] * 2,
            linkParents=[-1, 0],
            jointTransformations=exudyn.Matrix3DList([np.eye(3)] * 2),
            jointOffsets=exudyn.Vector3DList([[0.0, 0.0, 0.0], [r, 0.0, 0.0]]),
            linkInertiasCOM=exudyn.Matrix3DList([np.diag([0.0, 0.0, STEADY]), np.diag([0.0, 0.0, config.rod.inertia])]),
            linkCOMs=exudyn.Vector3DList([[0.0, 0.0, 0.0], [config.rod.centre, 0.0, 0.0]]),
            linkMasses=[config.crank.mass, config.rod.mass],
        )
    )
    end = system.AddMarker(items.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=1, localPosition=[length, 0.0, 0.0]))
    slider, middle = add_slider(exudyn, system, config, r + length)
    add_contact(exudyn, system, config, end, middle)
    sensors = slider_sensors(exudyn, system, slider)
    system.Assemble()
    return system, sensors


def add_slider(exudyn: ModuleType, system: MainSystem, config: Config, x: float) -> tuple[ObjectIndex, MarkerIndex]:
    """The slider on its line, at rest at x (m): the body and the marker of its pin."""
    items = exudyn.itemInterface
    node = system.AddNode(items.Node1D(referenceCoordinates=[x], initialCoordinates=[0.0], initialVelocities=[0.0]))
    slider = system.AddObject(items.ObjectMass1D(mass=config.slider.mass, nodeNumber=node))
    return slider, system.AddMarker(items.MarkerBodyRigid(bodyNumber=slider))


def add_contact(exudyn: ModuleType, system: MainSystem, config: Config, rod: MarkerIndex, slider: MarkerIndex) -> None:
    """Journal on the slider, bearing in the rod."""
    from model.mechanisms.slider_crank.config import contact_stiffness

    radii = [config.journal_radius, config.journal_radius + config.clearance]
    add_spheres(exudyn, system, config, [slider, rod], radii, config.clearance, contact_stiffness(config), config.contact.damping)


def add_spheres(
    exudyn: ModuleType, system: MainSystem, config: Config | Parallel, markers: list[MarkerIndex], radii: list[float], gap: float,
    stiffness: float, damping: float,
) -> None:  # fmt: skip
    """A sphere in a hollow sphere, of these radii, `gap` apart (m), at two markers; damping: a of the contact law."""
    items = exudyn.itemInterface
    state = system.AddNode(
        items.NodeGenericData(numberOfDataCoordinates=4, initialCoordinates=[gap, 0.0, 0.0, 0.0])  # gap, ..., approach speed
    )
    system.AddObject(
        items.ObjectContactSphereSphere(
            markerNumbers=markers,
            nodeNumber=state,
            spheresRadii=radii,
            isHollowSphere1=True,
            contactStiffness=stiffness,
            contactStiffnessExponent=config.contact.exponent,
            impactModel=HUNT_CROSSLEY,
            restitutionCoefficient=1.0 - damping / 1.5,
            minimumImpactVelocity=config.contact.approach_floor,
            dynamicFriction=config.friction,
            frictionProportionalZone=config.friction_whole_above,
        )
    )


def slider_sensors(exudyn: ModuleType, system: MainSystem, slider: ObjectIndex) -> Sensors:
    """Position and velocity of the slider."""
    items, kinds = exudyn.itemInterface, exudyn.OutputVariableType

    def sensor(kind: object) -> SensorIndex:
        return system.AddSensor(items.SensorBody(bodyNumber=slider, storeInternal=True, writeToFile=False, outputVariableType=kind))

    return {"slider_velocity": (sensor(kinds.Velocity), 0), "slider_position": (sensor(kinds.Position), 0)}
