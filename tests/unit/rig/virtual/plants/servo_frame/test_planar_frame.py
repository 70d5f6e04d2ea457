"""A described mechanism in the frame: the linkage as the frame's own equations have it, the piston's force, what cannot be built."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.assembly.description import Body
from model.assembly.drives import angle, position
from model.assembly.forces import constant, spring_damper
from model.assembly.joints import prismatic
from model.mechanisms import planar
from rig.config import load, load_experiment
from rig.virtual.plants import linkage_frame, planar_frame
from rig.virtual.plants.motor_rig.placed_sensors import PlacedAccelerometer, PlacedDisplacement
from rig.virtual.plants.planar_frame import Config, Fixture
from rig.virtual.plants.servo_frame.settings import Hydraulics, LoaderFaults, LoaderSensors, Sensors
from rig.virtual.plants.surfaces import Surfaces

Floats = NDArray[np.float64]
CONFIGS = Path(__file__).parents[6] / "configs"
KILONEWTON, MILLIMETRE = 0.04, 0.2  # V
QUIET: dict[str, Any] = {"perturb": False, "monitor_noise": 0.0}
NEWTONS, METRES = 25e3, 5e-3  # for a volt
SAME, IMPACTS = 5e-3, 5e-2
"""Shares of the largest: of force and stroke, and of accelerations, whose peaks impacts leave: two discretisations of the same specimen, at
steps of a thousandth of a contact's period, whose later impacts differ by more than the first one."""


def described(clearance: float = 0.2e-3) -> planar.Config:
    mechanism = load_experiment(CONFIGS / "experiments/linkage_described.toml").experiment.mechanism
    assert isinstance(mechanism, planar.Config)
    return replace(mechanism, clearance=clearance)


def accelerometer(name: str, on: str) -> PlacedAccelerometer:
    return PlacedAccelerometer(name=name, on=on, bandwidth=10e3, noise=0.0)


def linkage(clearance: float = 0.2e-3) -> Config:
    return Config(
        mechanism=described(clearance),
        cell="fixture",
        contact=Surfaces(restitution=0.7),
        accelerometers=tuple(accelerometer(f"accelerometer_{n}", f"{on}.centre") for n, on in enumerate(("upper", "middle", "lower"), 1)),
        sensors=LoaderSensors(stroke_noise=0.0),
        **QUIET,
    )


def moved(client: Any, config: Any, command: Any, mode_stroke: bool, duration: float = 0.5) -> dict[str, Floats]:
    frame = client(config).ready(mode_stroke)
    frame.set(program_run=True)
    return dict(zip(frame.plant.analogue_outputs, frame.run(duration, command).T, strict=True))


def force(t: Floats) -> Floats:
    return np.asarray(10.0 * KILONEWTON * np.sin(6.0 * np.pi * t) * np.minimum(t / 0.2, 1.0))


def stroke(t: Floats) -> Floats:
    return np.asarray(0.45 * MILLIMETRE * np.sin(6.0 * np.pi * t) * np.minimum(t / 0.2, 1.0))


@pytest.mark.parametrize(("command", "mode_stroke"), [(force, False), (stroke, True)], ids=["force", "stroke"])
def test_the_linkage_moves_as_the_frame_s_own_equations_have_it(client: Any, command: Any, mode_stroke: bool) -> None:
    quiet = Sensors(stroke_noise=0.0, acceleration_noise=0.0)
    wanted = moved(client, linkage_frame.Config(sensors=quiet, **QUIET), command, mode_stroke)
    found, wrong = (moved(client, linkage(c), command, mode_stroke) for c in (0.2e-3, 0.19e-3))
    names = ("force_monitor", "stroke_monitor", "actuator_force_monitor")
    assert max(apart(wanted, found, name) for name in names) < SAME
    assert max(apart(wanted, found, f"accelerometer_{n}") for n in (1, 2, 3)) < IMPACTS
    assert max(apart(wanted, wrong, name) for name in names) > 2.0 * SAME, "a play that is 5 % less is told"


def apart(wanted: dict[str, Floats], found: dict[str, Floats], name: str) -> float:
    """Root mean square of the difference, of that of what was wanted."""
    return float(np.sqrt(np.mean((found[name] - wanted[name]) ** 2) / np.mean(wanted[name] ** 2)))


def spring(stiffness: float = 1e6, **keys: Any) -> Config:
    """A piston on a spring that a bed holds, on the load cell; nothing else moves."""
    bodies = (Body("bed", 20.0, 1.0, x=0.2, y=0.0), Body("rod", 10.0, 1.0, x=0.5, y=0.0))
    joints = (
        prismatic.Config("columns", ("ground.origin", "bed.centre")),
        prismatic.Config("cylinder", ("ground.origin", "rod.centre")),
    )
    forces = (
        spring_damper.Config("cell", ("ground.origin", "bed.centre"), 1e8, 1e4, length=0.2),
        spring_damper.Config("piece", ("bed.centre", "rod.centre"), stiffness, 1e3, length=0.3),
    )
    mechanism = planar.Config(bodies, joints, (position.Config("piston", "cylinder", 1.0, start=0.5),), forces)
    made: dict[str, Any] = {"sensors": LoaderSensors(stroke_noise=0.0), "fixture": Fixture(1e8, 1e4), **QUIET}
    return Config(mechanism=mechanism, cell="cell", **{**made, **keys})


def test_a_stroke_of_a_spring_is_its_force(client: Any) -> None:
    """Both springs in series."""
    sensor = PlacedDisplacement(name="bed", on="bed.centre", sensitivity=40.0, noise=0.0, bandwidth=0.0)
    found = moved(client, spring(displacements=(sensor,)), lambda t: 2.0 * MILLIMETRE * np.minimum(t / 0.5, 1.0), True, duration=1.5)
    moves, pull = METRES * found["stroke_monitor"][-1], NEWTONS * found["force_monitor"][-1]
    assert moves == pytest.approx(2e-3, rel=0.01)
    assert pull == pytest.approx(moves / (1.0 / 1e6 + 1.0 / 1e8), rel=1e-3)
    assert pull == pytest.approx(NEWTONS * found["actuator_force_monitor"][-1], rel=1e-3)
    assert found["bed"][-1] / 40.0 - 0.2 == pytest.approx(pull / 1e8, rel=0.01)


def test_it_is_mounted_with_the_piston_where_its_stroke_is_0(client: Any) -> None:
    """The oil holds it there against a load; the spring is as long as without, so the cell shows nothing."""
    config = spring()
    pulled = replace(config.mechanism, forces=(*config.mechanism.forces, constant.Config("weight", "rod.centre", force_x=300.0)))
    frame = client(replace(config, mechanism=pulled))
    first = dict(zip(frame.plant.analogue_outputs, frame.run(0.01)[-1], strict=True))
    assert METRES * first["stroke_monitor"] == pytest.approx(0.0, abs=5e-6)
    assert NEWTONS * first["actuator_force_monitor"] == pytest.approx(-300.0, rel=0.02)
    assert NEWTONS * first["force_monitor"] == pytest.approx(0.0, abs=5.0)


def test_dry_seals_take_their_force_against_the_way_that_the_piston_goes(client: Any) -> None:
    """At 2 mm/s out and back; a damping of 2 kN s/m takes another 4 N."""

    def asked(t: Floats) -> Floats:
        return MILLIMETRE * np.interp(t, [0.0, 0.5, 1.0], [0.0, 1.0, 0.0])

    for dry in (0.0, 400.0):
        found = moved(client, spring(hydraulics=Hydraulics(seal_friction=dry)), asked, True, 1.0)
        taken = NEWTONS * (found["actuator_force_monitor"] - found["force_monitor"])
        for begin, way in ((0.4, 1.0), (0.9, -1.0)):
            rows = slice(round(begin * 51200), round((begin + 0.1) * 51200))
            assert np.mean(taken[rows]) == pytest.approx(way * (dry + 4.0), abs=3.0)


def test_faults_of_the_loader_are_those_of_the_frame(client: Any) -> None:
    def asked(t: Floats) -> Floats:
        return MILLIMETRE * np.minimum(t / 0.2, 1.0)

    swapped = moved(client, spring(faults=LoaderFaults(swapped=True, sign=-1)), asked, True, 1.0)
    plain = moved(client, spring(), asked, True, 1.0)
    assert swapped["force_monitor"] == pytest.approx(-plain["stroke_monitor"], abs=1e-6)
    stuck = moved(client, spring(faults=LoaderFaults(valve_stuck=True)), asked, True, 1.0)
    assert np.max(np.abs(stuck["stroke_monitor"])) < 1e-3


def test_an_individual_differs_by_its_seed_and_is_itself_again() -> None:
    made = [replace(linkage(), perturb=True).create(seed) for seed in (1, 1, 2)]
    own = [one.mounted.parameters for one in made]  # type: ignore[attr-defined]
    assert np.array_equal(own[0], own[1]) and not np.array_equal(own[0], own[2])
    assert made[0].parameters["k_oil"] != made[2].parameters["k_oil"]  # type: ignore[attr-defined]


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "no cell": ({"cell": "fixtures"}, "cell: expected a spring_damper of the mechanism, with a stiffness .fixture.*got 'fixtures'"),
    "no spring": ({"mechanism": replace(described(), forces=())}, "there is none: put what is bolted to the load cell on a body"),
    "no drive": ({"mechanism": replace(described(), drives=())}, "mechanism.drives: expected one drive that moves, of kind position.*none"),
    "a motor": (
        {"mechanism": replace(described(), drives=(angle.Config("motor", "lower", 1.0),))}, "of kind position, along a slide.*got motor"
    ),
    "a point": ({"accelerometers": (accelerometer("a", "upper.nowhere"),)}, "upper has no point 'nowhere'"),
    "twice": ({"accelerometers": (accelerometer("a", "upper.pin"),) * 2}, "'a' is the name of another sensor already"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "said"), CHANGES.values(), ids=CHANGES)
def test_what_cannot_be_built_is_told(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(linkage(), **change)


def test_a_step_that_its_joints_do_not_bear_is_told() -> None:
    config = load(CONFIGS / "experiments/press.toml").bench.plant
    assert isinstance(config, planar_frame.Config)
    with pytest.raises(ValueError, match=r"step: 2 us is too long for these joints; expected at most 0\."):
        replace(config, stiffness=replace(config.stiffness, pin=1e13)).create(1)
