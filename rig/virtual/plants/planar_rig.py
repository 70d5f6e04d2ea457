"""Virtual rig of any planar mechanism that motors turn: by the description that the model has of it, with none of the model's equations.

| signal | direction | what |
|---|---|---|
| each of `[[plant.accelerometers]]`, `[[plant.torque_sensors]]`, ... by its `name` | analogue out | what that sensor shows |
| encoder_a, encoder_b, encoder_z | edges | encoder on the first axis |
| pickup | edges | one pulse a turn of the first axis |
| AXIS_enable | line in, one for each axis | low takes its motor's torque away |
| speed_reference, AXIS_reset, AXIS_ok | | of an analogue drive (`[plant.speed_drive]`), where there is one axis |

An axis is called as the drive of the description that it stands for, and so is its shaft for a serial drive; 0 is where it stands at the
start.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from model.assembly import layout as at
from model.assembly.elements import Constraint
from model.mechanisms.planar import config as planar
from rig.config.kinds import kind_of
from rig.virtual.plants.motor_rig import planar_kernel as kernel
from rig.virtual.plants.motor_rig import planar_layout as of
from rig.virtual.plants.motor_rig.marks import Encoder, Pickup
from rig.virtual.plants.motor_rig.motor import Motor
from rig.virtual.plants.motor_rig.parts import Individual, refuse_step, settle
from rig.virtual.plants.motor_rig.placed_sensors import (
    PlacedAccelerometer,
    PlacedDisplacement,
    PlacedForce,
    at_start,
    refuse_twice,
    seen_at,
)
from rig.virtual.plants.motor_rig.planar_tables import Linkage, Seen, Stiffness, Turned
from rig.virtual.plants.motor_rig.plant import Channel, DrivenPlant, Mechanics, SpeedDrive
from rig.virtual.plants.motor_rig.sensors import Sensor, Tachometer, TorqueSensor
from rig.virtual.plants.settings import PlantSettings
from rig.virtual.plants.surfaces import Surfaces


@dataclass(frozen=True, kw_only=True)
class Axis:
    """A motor and what turns with it before the shaft."""

    drive: str = field(metadata={"doc": "of the mechanism: what it turns"})
    flywheel: float = field(default=0.03, metadata={"unit": "kg*m^2", "at_least": 0.0, "doc": "before the torque sensor"})
    motor: Motor = field(default_factory=lambda: Motor(gear=1.0, velocity_gain=1.0, velocity_integral=10.0, torque_limit=30.0, brake=20.0))


@dataclass(frozen=True, kw_only=True)
class AxisTorque(TorqueSensor):
    """Between motor and body."""

    name: str
    axis: str


@dataclass(frozen=True, kw_only=True)
class AxisSpeed(Tachometer):
    """On an axis."""

    name: str
    axis: str


@dataclass(frozen=True, kw_only=True)
class Faults:
    """What may be wrong with the specimen: for trying how that is found."""

    wear: float = field(
        default=0.0, metadata={"unit": "m/J", "at_least": 0.0, "doc": "growth of a contact's play by the work that is pressed into it"}
    )


@dataclass(frozen=True, kw_only=True)
class Config(PlantSettings):
    """The mechanism as the drawing has it, and what the laboratory has put around it (assumed). Its drives' speeds count for nothing:
    motors turn it. Clearance and friction are those of the description, the surfaces' behaviour is this plant's own."""

    mechanism: planar.Config = field(
        metadata={"kinds": "model.mechanisms", "doc": "or file = an experiment, whose [mechanism] is meant, and keys to lay over it"}
    )
    axes: tuple[Axis, ...]
    accelerometers: tuple[PlacedAccelerometer, ...] = ()
    displacements: tuple[PlacedDisplacement, ...] = ()
    forces: tuple[PlacedForce, ...] = ()
    torque_sensors: tuple[AxisTorque, ...] = ()
    tachometers: tuple[AxisSpeed, ...] = ()
    encoder: Encoder = field(default_factory=Encoder)
    pickup: Pickup = field(default_factory=Pickup)
    contact: Surfaces = field(default_factory=Surfaces)
    stiffness: Stiffness = field(default_factory=Stiffness)
    speed_drive: SpeedDrive | None = None
    faults: Faults = field(default_factory=Faults)
    perturb: bool = field(default=True, metadata={"doc": "an individual drawn by the bench's seed; false: as the drawing says"})
    step: float = field(default=2e-6, metadata={"unit": "s", "over": 0.0, "at_most": 2e-6, "doc": "a whole share of 1 ms"})
    enable_lines: bool = field(default=True, metadata={"doc": "false: the drives' enable inputs are bridged"})

    def __post_init__(self) -> None:
        refuse_step(self.step)
        if not isinstance(self.mechanism, planar.Config):
            raise ValueError(f"mechanism.kind: expected planar, got {kind_of(self.mechanism)}: this plant is made from a description")
        if not self.axes:
            raise ValueError("axes: expected at least one; nothing would turn it")
        if self.speed_drive is not None and len(self.axes) > 1:
            raise ValueError(f"speed_drive: an analogue drive turns one axis; got {len(self.axes)} axes")
        led = {drive.name: drive for drive in self.mechanism.led}
        for n, axis in enumerate(self.axes):
            if axis.drive not in led or led[axis.drive].row.kind != at.ANGLE:
                turning = ", ".join(name for name, drive in led.items() if drive.row.kind == at.ANGLE) or "it has none"
                expected = f"a drive of the mechanism that turns, and not at speed 0 ({turning})"
                raise ValueError(f"axes.{n}.drive: expected {expected}, got {axis.drive!r}")
        if left := [name for name in led if name not in {axis.drive for axis in self.axes}]:
            raise ValueError(f"axes: nothing moves the drive {', '.join(left)} of the mechanism")
        self._sensors(self._linkage(0))
        refuse_twice(self._all_sensors())

    def create(self, seed: int) -> DrivenPlant:
        """See `PlantSettings`. Raises ValueError where the step is too long for its joints."""
        linkage, one = self._linkage(seed), Individual(seed + 2, self.perturb)
        mounted = Individual(seed + 1, self.perturb)
        rows = {drive.name: drive.row for drive in self.mechanism.led}
        axes = [self._turned(axis, rows[axis.drive], one) for axis in self.axes]
        seen = self._sensors(linkage)
        linkage.refuse_step(self.step)
        p = linkage.parameters(axes, seen)
        values = np.zeros(max(1, len(seen)))
        state = linkage.state(at_start(self.mechanism), axes)
        state[-1] = -math.inf  # time has not begun: motors by their equations are off, loads as they will be
        state = settle(kernel.motion, state, p, values, linkage.rates(len(axes)), self.step)
        state[-1] = 0.0  # time begins
        sensors = self._all_sensors()
        channels = {sensor.name: Channel(sensor, n, mounted.gain()) for n, sensor in enumerate(sensors)}
        pickup = replace(self.pickup, angle=self.pickup.angle + mounted.angle())
        motors = {axis.drive: axis.motor for axis in self.axes}
        mechanics = Mechanics(kernel.motion, self.step, state, p, values, motors, channels, self.encoder, mounted.angle(), pickup)
        return DrivenPlant(mechanics, seed, self.speed_drive, self.enable_lines)

    def shaft_stiffness(self, axis: str) -> float | None:
        """Of the shaft between motor and body, N m/rad, as its drawing has it; None for an axis that there is not."""
        return self.stiffness.shaft if any(one.drive == axis for one in self.axes) else None

    def _linkage(self, seed: int) -> Linkage:
        return Linkage(self.mechanism, self.contact, self.stiffness, Individual(seed, self.perturb), self.faults.wear)

    def _turned(self, axis: Axis, row: Constraint, one: Individual) -> Turned:
        motor = axis.motor
        inertia = one.mass(axis.flywheel + motor.gear**2 * motor.inertia)
        return Turned(row, inertia, one.friction(motor.viscous * motor.gear**2), one.friction(motor.coulomb * motor.gear))

    def _all_sensors(self) -> Sequence[PlacedAccelerometer | PlacedDisplacement | PlacedForce | AxisTorque | AxisSpeed]:
        return (*self.accelerometers, *self.displacements, *self.forces, *self.torque_sensors, *self.tachometers)

    def _sensors(self, linkage: Linkage) -> list[Seen]:
        """In the order of `_all_sensors`. Raises ValueError for a point, joint or axis that there is not."""
        return [self._seen(sensor, linkage) for sensor in self._all_sensors()]

    def _seen(self, sensor: Sensor, linkage: Linkage) -> Seen:
        if isinstance(sensor, (AxisTorque, AxisSpeed)):
            names = [axis.drive for axis in self.axes]
            if sensor.axis not in names:
                raise ValueError(f"axis: {sensor.name}: expected one of {', '.join(names)}, got {sensor.axis!r}")
            return Seen(of.TORQUE if isinstance(sensor, AxisTorque) else of.SPEED, names.index(sensor.axis))
        assert isinstance(sensor, (PlacedAccelerometer, PlacedDisplacement, PlacedForce))
        return seen_at(sensor, linkage)
