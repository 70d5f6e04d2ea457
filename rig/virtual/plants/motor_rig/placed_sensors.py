"""Sensors that are mounted on a described mechanism: what each looks at, and where the mechanism stands when it is mounted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from model.assembly import layout as at
from model.assembly.description import GROUND
from model.errors import ModelError
from model.mechanisms.planar import config as planar
from rig.virtual.plants.motor_rig import planar_layout as of
from rig.virtual.plants.motor_rig.planar_tables import Linkage, Seen
from rig.virtual.plants.motor_rig.sensors import Accelerometer, DisplacementSensor, ForceSensor


@dataclass(frozen=True, kw_only=True)
class PlacedAccelerometer(Accelerometer):
    """On a point of a body, along a direction that the body carries."""

    name: str
    on: str = field(metadata={"doc": '"BODY.POINT"'})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "in the body's axes"})


@dataclass(frozen=True, kw_only=True)
class PlacedDisplacement(DisplacementSensor):
    """On the ground: the place of a point along a direction."""

    name: str
    on: str = field(metadata={"doc": '"BODY.POINT"'})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "in the world's axes"})


@dataclass(frozen=True, kw_only=True)
class PlacedForce(ForceSensor):
    """In a pin without clearance: the force on its second body along a direction."""

    name: str
    joint: str = field(metadata={"doc": "a revolute joint"})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "in the world's axes"})


class Named(Protocol):
    """A sensor that has a name."""

    @property
    def name(self) -> str: ...


def refuse_twice(sensors: Sequence[Named]) -> None:
    """Raise ValueError for a name that two of them have."""
    names = [sensor.name for sensor in sensors]
    if again := [name for n, name in enumerate(names) if name in names[:n]]:
        raise ValueError(f"accelerometers: {again[0]!r} is the name of another sensor already")


def seen_at(sensor: PlacedAccelerometer | PlacedDisplacement | PlacedForce, linkage: Linkage) -> Seen:
    """What it looks at. Raises ValueError for a point or joint that there is not."""
    direction = (math.cos(sensor.direction), math.sin(sensor.direction))
    if isinstance(sensor, PlacedForce):
        if sensor.joint not in linkage.bushes:
            known = ", ".join(linkage.bushes) or "there is none"
            raise ValueError(f"joint: {sensor.name}: expected a revolute joint without clearance ({known}), got {sensor.joint!r}")
        return Seen(of.FORCE, linkage.bushes[sensor.joint], direction=direction)
    point = linkage.frame.end(sensor.on)
    if point.body == len(linkage.bodies):
        raise ValueError(f"on: {sensor.name}: expected a point of a body that moves, got {GROUND}")
    kind = of.ACCELERATION if isinstance(sensor, PlacedAccelerometer) else of.POSITION
    feels = float(isinstance(sensor, PlacedAccelerometer) and sensor.feels_gravity)
    return Seen(kind, point.body, (point.x, point.y), direction, feels)


def at_start(mechanism: planar.Config) -> NDArray[np.float64]:
    """q (3 bodies,) at the start, joints without their clearance. Raises ValueError for a linkage that cannot close."""
    from model.mechanisms.planar.stepper import assemble

    try:
        return assemble(mechanism).state[: at.TRIPLE * len(mechanism.bodies)]
    except ModelError as error:
        raise ValueError(f"mechanism: {error}") from error
