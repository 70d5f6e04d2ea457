"""Exudyn's 3-RRPaR with ideal joints and six long bars of its ANCF beam: two nodes with r, r_y and r_z, 18 coordinates an element.

Arm and near short bar of a leg are a tree of two coordinates. The platform and the far short bars of legs 1 and 2 are another, that of
leg 3 one of its own that holds on to the platform by R3, so that this joint's force is measured. Each end of a bar is hinged to its short
bar about the parallelogram's normal: five rows. Bars that give way leave none of the 66 rows redundant, so none need be chosen among.

The sections shear and the axis is straight between two nodes, with as many elements as ours: bars as stiff along, stiffer across. So its
error is that against its own converged run. Bars begin strained, as ours do: those of our mechanism gone through one turn of the path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.parallel_3rrpar import kinematics
from model.mechanisms.parallel_3rrpar.kernel import drive
from model.mechanisms.parallel_3rrpar_flexible import kernel
from model.mechanisms.parallel_3rrpar_flexible import start as begin
from model.mechanisms.parallel_3rrpar_flexible import stepper as motion
from model.mechanisms.parallel_3rrpar_flexible.bodies import FAR, IDEAL, NEAR, P
from model.mechanisms.parallel_3rrpar_flexible.config import Config
from model.paths.course import Course
from rig.benchmark.case import Runner
from rig.benchmark.peers import PeerMissing, exudyn_grid
from rig.benchmark.peers import exudyn_parallel as parts
from rig.benchmark.peers.exudyn_flexible_pendulum_beam import COORDINATES, add_weight, section
from rig.benchmark.peers.exudyn_runs import ExudynRun, load
from rig.benchmark.peers.exudyn_slider_crank import EVERY
from rig.benchmark.peers.exudyn_system import Built, MainSystem, NodeIndex, ObjectIndex, Sensors
from rig.config.experiment import Experiment

Floats = NDArray[np.float64]

PLATFORM, MEASURED = 2, 2  # link; leg whose platform joint's force is measured
MARGIN = 0.1  # s that our tables of the drives last beyond the end
SIDES = (1.0, -1.0)  # of a leg's bars, along its driven axis
ACROSS = (0, 2)  # components of a force across R3's pin


@dataclass(frozen=True)
class Start:
    """At t = 0, with rates: angles of the arms (3,), z of our rigid bodies (12,), coordinates of the six bars (6, nodes, 12)."""

    theta: Floats
    theta_rate: Floats
    z: Floats
    z_rate: Floats
    bars: Floats
    bars_rate: Floats


Build = Callable[[ModuleType, Config, Course, Start], Built]


def converged(experiment: Experiment, duration: float, sample: float) -> tuple[Runner, Runner]:
    """Its own converged run, and one with twice the step."""
    return converged_with(build, "ANCF beam", experiment, duration, sample)


def runners(experiment: Experiment, duration: float, sample: float, quick: bool) -> list[Runner]:
    """All settings of the list. Raises PeerMissing; sample: s between two output samples."""
    return runners_with(build, "ANCF beam", exudyn_grid.PARALLEL_FLEXIBLE[:: EVERY if quick else 1], experiment, duration, sample)


def converged_with(builder: Build, element: str, experiment: Experiment, duration: float, sample: float) -> tuple[Runner, Runner]:
    """As `converged`, with the elements that `builder` takes; element: how the table calls them, and the program by them."""
    fine, coarse = runners_with(builder, element, exudyn_grid.PARALLEL_FLEXIBLE_CONVERGED, experiment, duration, sample)
    return fine, coarse


def runners_with(
    builder: Build, element: str, grid: tuple[exudyn_grid.Setting, ...], experiment: Experiment, duration: float, sample: float
) -> list[Runner]:
    """As `runners`, with the elements that `builder` takes. Raises PeerMissing."""
    exudyn, path, config = load(), parts.path_of(experiment, duration), experiment.mechanism_as(Config)
    if not config.ideal:
        raise PeerMissing("the flexible mechanism in Exudyn has ideal joints: mechanism.clearance = 0 is needed")
    at_start = strained(config, path, duration)
    steady = settled(exudyn, *builder(exudyn, config, path, at_start), path)

    def build_settled(module: ModuleType) -> Built:
        system, sensors = builder(module, config, path, at_start)
        begin_with(module, system, steady)
        return system, sensors

    runs = [ExudynRun(exudyn, build_settled, setting, duration, sample, resumed=True) for setting in grid]
    for run in runs:
        run.program, run.settings = f"exudyn {element}", {"element": element, **run.settings}
    return list(runs)


def strained(config: Config, path: Course, duration: float) -> Start:
    """Where our mechanism begins. Raises NotConverged."""
    p = motion.parameters(config, path, duration + MARGIN, motion.factors(1.0, 1.0))
    y, s, _ = begin.start(config, path, p, motion.room(config))
    kernel.place(0.0, y, p, s)
    mine, m, size = p[kernel.own(p) :], 12 * config.bars.elements, config.bars.beam.coordinates
    bars, rates = np.empty((kernel.BARS, size)), np.empty((kernel.BARS, size))
    for bar in range(kernel.BARS):
        kernel.bar_residual(bar, y, m, mine, s, np.zeros(size))
        bars[bar], rates[bar] = s[kernel.OF_BAR : kernel.OF_BAR + size], s[kernel.OF_BAR + size : kernel.OF_BAR + 2 * size]
    theta = np.array([drive(leg, 0.0, p) for leg in parts.LEGS])
    (z, z_rate, _), shape = y.reshape(3, -1)[:, -IDEAL:], (kernel.BARS, -1, 12)
    return Start(theta[:, 0], theta[:, 1], z, z_rate, bars.reshape(shape), rates.reshape(shape))


def settled(exudyn: ModuleType, system: MainSystem, sensors: Sensors, path: Course) -> Floats:
    """(3, n): its coordinates, their rates and accelerations after a turn of the path: those of the beginning, now that no bar rings."""
    setting = replace(exudyn_grid.PARALLEL_SETTLING, step=path.period / round(path.period / exudyn_grid.PARALLEL_SETTLING.step))
    ExudynRun(exudyn, lambda module: (system, sensors), setting, path.period, path.period).run()
    data = system.systemData
    return np.array([data.GetODE2Coordinates(), data.GetODE2Coordinates_t(), data.GetODE2Coordinates_tt()])


def begin_with(exudyn: ModuleType, system: MainSystem, steady: Floats) -> None:
    """Let an assembled system begin so."""
    data, initial = system.systemData, exudyn.ConfigurationType.Initial
    for put, values in zip((data.SetODE2Coordinates, data.SetODE2Coordinates_t, data.SetODE2Coordinates_tt), steady, strict=True):
        put(list(values), initial)


def straightened(config: Config, bar: Floats) -> Floats:
    """Coordinates (nodes, 12) of the unstrained bar along the chord of `bar`, its z towards the first section's."""
    chord = bar[-1, :3] - bar[0, :3]
    x = chord / np.linalg.norm(chord)
    y = np.cross(bar[0, 9:], x)
    y /= np.linalg.norm(y)
    return np.asarray(config.bars.beam.straight(bar[0, :3], np.column_stack([x, y, np.cross(x, y)])).reshape(-1, 12))


def build(exudyn: ModuleType, config: Config, path: Course, start: Start) -> Built:
    """Its system, assembled, and the sensors of the channels that are compared."""
    f, series = kinematics.frame(config), parts.harmonics(config, path)
    system = exudyn.SystemContainer().AddSystem()
    z, v = start.z, start.z_rate
    carried = [leg for leg in parts.LEGS if leg != MEASURED]
    links = parts.sliding(config.platform.mass) + [parts.short(config, leg, PLATFORM, f.joints[leg]) for leg in carried]
    chosen = [*range(P, P + 3), *(FAR + leg for leg in carried)]
    platform, _ = parts.add_tree(exudyn, system, links, z[chosen], v[chosen], config.gravity)
    ends = {leg: (platform, PLATFORM + 1 + place) for place, leg in enumerate(carried)}
    far, joint = _add_measured(exudyn, system, config, platform, start)
    ends[MEASURED] = (far, PLATFORM + 1)
    for leg in parts.LEGS:
        theta, rate = start.theta[leg], start.theta_rate[leg]
        two = [parts.arm(config, leg), parts.short(config, leg, 0, (f.arm, 0.0, 0.0))]
        angles, rates = np.array([theta, z[NEAR + leg] - theta]), np.array([rate, v[NEAR + leg] - rate])
        near, node = parts.add_tree(exudyn, system, two, angles, rates, config.gravity)
        parts.add_drive(exudyn, system, node, series[:, leg], path.period)
        for side, sign in enumerate(SIDES):
            place, nodes = (
                0.5 * sign * config.geometry.short_length * kinematics.AXES[leg],
                _add_bar(exudyn, system, config, start, leg, side),
            )
            _hinge(exudyn, system, leg, near, 1, place, nodes[0])
            _hinge(exudyn, system, leg, *ends[leg], place, nodes[-1])
    sensors = {**parts.place_sensors(exudyn, system, platform, f.offset), **force_sensor(exudyn, system, joint)}
    system.Assemble()
    return system, sensors


def force_sensor(exudyn: ModuleType, system: MainSystem, joint: ObjectIndex) -> Sensors:
    """Of R3, across the pin."""
    items, kind = exudyn.itemInterface, exudyn.OutputVariableType
    sensor = system.AddSensor(items.SensorObject(objectNumber=joint, storeInternal=True, outputVariableType=kind.Force))
    return {"r3_force": (sensor, ACROSS)}


def _add_measured(
    exudyn: ModuleType, system: MainSystem, config: Config, platform: ObjectIndex, start: Start
) -> tuple[ObjectIndex, ObjectIndex]:
    """The far short bar of the leg whose joint is measured, on a tree of its own, and that joint."""
    place, turn = kinematics.frame(config).joints[MEASURED], FAR + MEASURED
    links = [*parts.sliding(0.0), parts.short(config, MEASURED, PLATFORM, (0.0, 0.0, 0.0))]
    at, speed = np.append(start.z[P : P + 3] + place, start.z[turn]), np.append(start.z_rate[P : P + 3], start.z_rate[turn])
    far, _ = parts.add_tree(exudyn, system, links, at, speed, config.gravity)
    markers = [parts.on_tree(exudyn, system, platform, PLATFORM, place), parts.on_tree(exudyn, system, far, PLATFORM, np.zeros(3))]
    return far, system.AddObject(exudyn.itemInterface.ObjectJointSpherical(markerNumbers=markers))


def _add_bar(exudyn: ModuleType, system: MainSystem, config: Config, start: Start, leg: int, side: int) -> list[NodeIndex]:
    """One of a leg's two bars; its nodes."""
    items, beam, bar = exudyn.itemInterface, config.bars.beam, 2 * leg + side
    nodes = []
    for still, place, speed in zip(straightened(config, start.bars[bar]), start.bars[bar], start.bars_rate[bar], strict=True):
        rest, strain, rate = still[COORDINATES], (place - still)[COORDINATES], speed[COORDINATES]
        nodes.append(
            system.AddNode(
                items.NodePointSlope23(referenceCoordinates=list(rest), initialCoordinates=list(strain), initialVelocities=list(rate))
            )
        )
    for pair in pairwise(nodes):
        length = beam.length / beam.elements
        system.AddObject(items.ObjectANCFBeam(nodeNumbers=list(pair), length=length, sectionData=section(exudyn, beam)))
    add_weight(system, items, nodes, beam.mass, config.gravity)
    return nodes


def _hinge(exudyn: ModuleType, system: MainSystem, leg: int, tree: ObjectIndex, link: int, place: Floats, node: NodeIndex) -> None:
    """At `place` of a short bar, a bar's node turns about the short bar's normal, which is z of its section."""
    items, x, normal = exudyn.itemInterface, kinematics.X_AXIS, kinematics.SIDES[leg]
    on = parts.on_tree(exudyn, system, tree, link, place, np.column_stack([x, np.cross(normal, x), normal]))
    end = system.AddMarker(items.MarkerNodeRigid(nodeNumber=node))
    system.AddObject(items.ObjectJointGeneric(markerNumbers=[on, end], constrainedAxes=[1, 1, 1, 1, 1, 0]))
