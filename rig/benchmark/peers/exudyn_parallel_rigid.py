"""Exudyn's 3-RRPaR with rigid bars and clearance at R1 and R3.

The nearest model turns out to be the same one. A leg is a tree of four coordinates: arm, short bars about the driven axis, both long bars
about the parallelogram's normal, and back by the same angle (a coordinate constraint), as a parallelogram does. R2 holds the platform's
three places. R1 and R3 hold it along the pin only; across it, Exudyn's contact of a sphere in a hollow sphere is that of pin and bush,
for both centres are in one plane. Contact law, friction: as in rig.benchmark.peers.exudyn_slider_crank. Constraints are left, so that
explicit solvers cannot be used.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from model.mechanisms.parallel_3rrpar import kinematics
from model.mechanisms.parallel_3rrpar.config import Config, contact_stiffness
from model.paths.course import Course
from rig.benchmark.case import Runner
from rig.benchmark.peers import exudyn_grid
from rig.benchmark.peers import exudyn_parallel as parts
from rig.benchmark.peers.exudyn_runs import ExudynRun, load
from rig.benchmark.peers.exudyn_slider_crank import EVERY, add_spheres
from rig.benchmark.peers.exudyn_system import Built
from rig.config.experiment import Experiment

LONG, FAR, PLATFORM = 2, 3, 2  # links
# Swing from x' towards the driven axis: about the normal, which is -Z (Y for leg 2) where the other angles are 0, backwards.
SWINGS = (("RevoluteZ", 1.0), ("RevoluteY", -1.0), ("RevoluteZ", 1.0))


def runners(experiment: Experiment, duration: float, sample: float, quick: bool) -> list[Runner]:
    """All settings of the list. Raises PeerMissing; sample: s between two output samples."""
    exudyn, config, path = load(), experiment.mechanism_as(Config), parts.path_of(experiment, duration)
    grid = exudyn_grid.PARALLEL_RIGID[:: EVERY if quick else 1]
    return [ExudynRun(exudyn, lambda module: build(module, config, path), setting, duration, sample) for setting in grid]


def build(exudyn: ModuleType, config: Config, path: Course) -> Built:
    """Its system, assembled, and the sensors of the channels that are compared; clearance 0: ideal joints."""
    items, f = exudyn.itemInterface, kinematics.frame(config)
    system = exudyn.SystemContainer().AddSystem()
    point, velocity, acceleration = path.evaluate(np.zeros(1))
    motion = kinematics.motion_along(config, point, velocity, acceleration)
    swing, series = kinematics.swing(motion), parts.harmonics(config, path)
    platform, _ = parts.add_tree(exudyn, system, parts.sliding(config.platform.mass), point[0] - f.offset, velocity[0], config.gravity)
    for leg in parts.LEGS:
        beta, gamma, beta_rate, gamma_rate = (float(value[0, leg]) for value in swing[:4])
        theta, rate = float(motion.theta[0, leg]), float(motion.theta_rate[0, leg])
        sign = SWINGS[leg][1]
        start = np.array([theta, beta - theta, sign * gamma, -sign * gamma])
        speeds = np.array([rate, beta_rate - rate, sign * gamma_rate, -sign * gamma_rate])
        tree, node = parts.add_tree(exudyn, system, _leg(config, leg), start, speeds, config.gravity)
        parts.add_drive(exudyn, system, node, series[:, leg], path.period)
        there, back = (system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=k)) for k in (LONG, FAR))
        system.AddObject(items.ObjectConnectorCoordinate(markerNumbers=[there, back], factor1=-1.0))
        pin = parts.on_tree(exudyn, system, platform, PLATFORM, f.joints[leg])
        bush = parts.on_tree(exudyn, system, tree, FAR, np.zeros(3))
        clear = not config.ideal and leg != 1
        held = [0, 1, 0, 0, 0, 0] if clear else [1, 1, 1, 0, 0, 0]
        system.AddObject(items.ObjectJointGeneric(markerNumbers=[pin, bush], constrainedAxes=held))
        if clear:
            gap, outer = config.clearances[0], config.bush_radius
            add_spheres(exudyn, system, config, [pin, bush], [outer - gap, outer], gap, contact_stiffness(config), config.contact.damping)
    sensors = parts.place_sensors(exudyn, system, platform, f.offset)
    system.Assemble()
    return system, sensors


def _leg(config: Config, leg: int) -> list[parts.Link]:
    """Arm, near short bar, both long bars as one body, far short bar."""
    bars, f, joint = config.bars, kinematics.frame(config), SWINGS[leg][0]
    inertia = (2.0 * bars.jx, 2.0 * bars.jy, 2.0 * bars.jz)
    long = parts.Link(joint, 1, (0.0, 0.0, 0.0), 2.0 * bars.mass, (0.5 * f.bar, 0.0, 0.0), inertia)
    far = parts.short(config, leg, 2, (f.bar, 0.0, 0.0))
    near, back = parts.short(config, leg, 0, (f.arm, 0.0, 0.0)), parts.Link(joint, far.on, far.at, far.mass, inertia=far.inertia)
    return [parts.arm(config, leg), near, long, back]
