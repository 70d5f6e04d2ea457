"""What Exudyn's models of the 3-RRPaR share: chains of rigid bodies in their own angles, and drives that follow the path.

Each arm carries its chain as a kinematic tree, so joints within it need no constraints, and none of the redundant rows of closed loops
with rigid bars ever comes up. The platform only translates. Arms follow the path by the Fourier series of their angles, which Exudyn
evaluates itself (a symbolic function): no Python function is called in a step.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.parallel_3rrpar import kinematics
from model.mechanisms.parallel_3rrpar.config import Config
from model.paths.course import Course
from rig.benchmark.peers import PeerMissing
from rig.benchmark.peers.exudyn_system import MainSystem, MarkerIndex, NodeIndex, ObjectIndex, Sensors, Symbol
from rig.config.experiment import Experiment
from rig.prediction.simulation import following

Floats = NDArray[np.float64]

LEGS = range(3)
PLACES = ("x", "y", "z")
SAMPLES = 256  # of a turn of the path: up to its 127th harmonic
LEFT_OUT = 1e-13  # rad: harmonics of an arm's angle below this


@dataclass(frozen=True)
class Link:
    """A rigid body of a tree: how it moves against the one it hangs on (-1: ground), from where on that one; SI, axes of the world."""

    joint: str  # in exudyn.JointType
    on: int
    at: Sequence[float]
    mass: float = 0.0
    centre: Sequence[float] = (0.0, 0.0, 0.0)
    inertia: Sequence[float] = (0.0, 0.0, 0.0)  # about the centre


def path_of(experiment: Experiment, duration: float) -> Course:
    """The experiment's path. Raises PeerMissing for what the models here do not have."""
    path = following(experiment, duration)["path"]
    if path.blend != 0.0:
        raise PeerMissing("the arms in Exudyn follow a Fourier series, so they cannot start from rest: trajectory.blend = 'off' is needed")
    if getattr(experiment.mechanism_as(Config).platform, "motion", "translating") != "translating":
        raise PeerMissing("the platform in Exudyn's model does not turn: mechanism.platform.motion = 'translating' is needed")
    return path


def harmonics(config: Config, path: Course) -> Floats:
    """Of the arms' angles, rad: complex amplitudes of exp(i k 2 pi t/period), k = 0, 1, ..., (k, 3)."""
    times = path.period * np.arange(SAMPLES) / SAMPLES
    theta = kinematics.motion_along(config, *path.evaluate(times)).theta
    return np.asarray(np.fft.rfft(np.unwrap(theta, axis=0), axis=0) / SAMPLES)


def add_drive(exudyn: ModuleType, system: MainSystem, arm: NodeIndex, amplitudes: Floats, period: float) -> None:
    """Let the first coordinate of the node `arm` be the series with these amplitudes (k,)."""
    items, sine, cosine = exudyn.itemInterface, exudyn.symbolic.sin, exudyn.symbolic.cos
    mean, omega = float(amplitudes[0].real), 2.0 * math.pi / period
    terms = [(k * omega, 2.0 * abs(c), float(np.angle(c))) for k, c in enumerate(amplitudes) if k and 2.0 * abs(c) > LEFT_OUT]

    def angle(mbs: object, t: Symbol, item: object, offset: object) -> object:
        return mean + sum(a * cosine(w * t + phase) for w, a, phase in terms)

    def speed(mbs: object, t: Symbol, item: object, offset: object) -> object:
        return sum((-w * a) * sine(w * t + phase) for w, a, phase in terms)

    of_item = {"itemTypeName": "ObjectConnectorCoordinate"}
    made = importlib.import_module("exudyn.advancedUtilities").CreateSymbolicUserFunction
    functions = {
        name: made(system, function, name, **of_item) for name, function in (("offsetUserFunction", angle), ("offsetUserFunction_t", speed))
    }
    system.variables.setdefault("drives", []).append(functions)  # they must live as long as the system
    still = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=system.AddNode(items.NodePointGround()), coordinate=0))
    driven = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=arm, coordinate=0))
    system.AddObject(items.ObjectConnectorCoordinate(markerNumbers=[still, driven], offset=0.0, **functions))


def add_tree(
    exudyn: ModuleType, system: MainSystem, links: Sequence[Link], start: Floats, speeds: Floats, gravity: float
) -> tuple[ObjectIndex, NodeIndex]:
    """(tree, its node) with the links' coordinates and speeds at the start; gravity: m/s^2 against Z."""
    items, n = exudyn.itemInterface, len(links)
    node = system.AddNode(
        items.NodeGenericODE2(
            referenceCoordinates=[0.0] * n, initialCoordinates=list(start), initialCoordinates_t=list(speeds), numberOfODE2Coordinates=n
        )
    )
    tree = system.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[getattr(exudyn.JointType, link.joint) for link in links],
            linkParents=[link.on for link in links],
            jointTransformations=exudyn.Matrix3DList([np.eye(3)] * n),
            jointOffsets=exudyn.Vector3DList([list(link.at) for link in links]),
            linkInertiasCOM=exudyn.Matrix3DList([np.diag(link.inertia) for link in links]),
            linkCOMs=exudyn.Vector3DList([list(link.centre) for link in links]),
            linkMasses=[link.mass for link in links],
            gravity=[0.0, 0.0, -gravity],
        )
    )
    return tree, node


def on_tree(exudyn: ModuleType, system: MainSystem, tree: ObjectIndex, link: int, place: Floats, axes: Floats | None = None) -> MarkerIndex:
    """Marker on a link, at `place` (3,) in the link's axes, m; with axes of its own in the columns of `axes`."""
    items = exudyn.itemInterface
    turned = exudyn.HT(rotation=np.eye(3) if axes is None else axes, translation=list(place))
    return system.AddMarker(items.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=link, localHT=turned))


def about(leg: int) -> str:
    """The joint that turns about a leg's driven axis."""
    return "RevoluteZ" if leg == 1 else "RevoluteY"


def sliding(mass: float) -> list[Link]:
    """Three links on which a body of that mass moves without turning; it is the third."""
    nowhere = (0.0, 0.0, 0.0)
    return [Link("PrismaticX", -1, nowhere), Link("PrismaticY", 0, nowhere), Link("PrismaticZ", 1, nowhere, mass)]


def arm(config: Config, leg: int) -> Link:
    """The driven arm of a leg: along X where its angle is 0."""
    f, part = kinematics.frame(config), config.arm
    return Link(about(leg), -1, f.pivots[leg], part.mass, (0.5 * f.arm, 0.0, 0.0), (part.jx, part.jy, part.jz))


def short(config: Config, leg: int, on: int, at: Sequence[float]) -> Link:
    """A short bar that turns about its own length, which is the leg's driven axis."""
    along = kinematics.AXES[leg]
    inertia = np.where(along > 0.0, config.short.jx, config.short.jy)
    return Link(about(leg), on, at, config.short.mass, inertia=inertia.tolist())


def place_sensors(exudyn: ModuleType, system: MainSystem, platform: ObjectIndex, place: Floats) -> Sensors:
    """Of the path's point, `place` (3,) on the tree whose third link is the platform."""
    items, kind = exudyn.itemInterface, exudyn.OutputVariableType
    sensor = system.AddSensor(
        items.SensorKinematicTree(
            objectNumber=platform, linkNumber=2, localPosition=list(place), storeInternal=True, outputVariableType=kind.Position
        )
    )
    return {name: (sensor, k) for k, name in enumerate(PLACES)}
