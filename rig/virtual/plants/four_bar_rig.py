"""Virtual four-bar rig (zhang1995): a motor with its gear turns the crank; between coupler and rocker there is a clearance.

It is the laboratory, not the model of it: three free angles, a contact of its own, a motor that slips and is held back by the links, so
the crank does not turn at exactly constant speed; dimensions within workshop tolerances by the bench's seed.

| signal | direction | what |
|---|---|---|
| acceleration | analogue out | of the coupler's end at the clearance, perpendicular to the coupler; IEPE, AC coupled |
| tachometer | analogue out | speed of the crank |
| encoder_a, encoder_b, encoder_z | edges | encoder on the crank |
| pickup | edges | one pulse a turn, up at 180 deg of the crank |
| crank_enable | line in | low takes the motor's torque away |
| speed_reference, crank_reset, crank_ok | | of an analogue drive (`[plant.speed_drive]`) |

Shaft for a serial drive: `crank`, that is its motor's, 0 where the crank stands at the start, `motor.gear` turns for one of the crank. It
starts at rest at `start_angle`, held by the motor's friction; coupler and rocker lean on each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from model.compiled.parameters import packed
from rig.virtual.plants.motor_rig import four_bar_kernel as kernel
from rig.virtual.plants.motor_rig.marks import Encoder, Pickup
from rig.virtual.plants.motor_rig.motor import Motor
from rig.virtual.plants.motor_rig.parts import GIVEN_BACK, Individual, refuse_step
from rig.virtual.plants.motor_rig.plant import Channel, DrivenPlant, Mechanics, SpeedDrive
from rig.virtual.plants.motor_rig.sensors import Accelerometer, Tachometer
from rig.virtual.plants.settings import PlantSettings
from rig.virtual.plants.surfaces import Surfaces

WHOLE_ABOVE = 1e-3
"""Sliding speed (m/s) of the joint above which its friction is whole."""


@dataclass(frozen=True)
class Config(PlantSettings):
    """The links as in the paper's section 2, and what the laboratory has put around them (assumed)."""

    crank_length: float = field(default=0.050, metadata={"unit": "m", "over": 0.0})
    coupler_length: float = field(default=0.160, metadata={"unit": "m", "over": 0.0})
    rocker_length: float = field(default=0.160, metadata={"unit": "m", "over": 0.0})
    ground_length: float = field(default=0.200, metadata={"unit": "m", "over": 0.0})
    coupler_mass: float = field(default=0.4, metadata={"unit": "kg", "over": 0.0})
    rocker_mass: float = field(default=0.4, metadata={"unit": "kg", "over": 0.0})
    coupler_centre: float = field(default=0.080, metadata={"unit": "m", "doc": "mass centre from the crank's end"})
    rocker_centre: float = field(default=0.080, metadata={"unit": "m", "doc": "mass centre from the clearance"})
    coupler_inertia: float = field(default=3444e-6, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "about the crank's end"})
    rocker_inertia: float = field(default=3444e-6, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "about the ground's pivot"})
    gravity: float = field(default=9.81, metadata={"unit": "m/s^2"})
    clearance: float = field(default=0.2e-3, metadata={"unit": "m", "over": 0.0, "doc": "radial, as built (paper: 0.2 mm measured)"})
    bearing_radius: float = field(default=0.010, metadata={"unit": "m", "over": 0.0})
    friction: float = field(default=0.05, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient in the joint, oiled"})
    pin_viscous: float = field(default=1e-5, metadata={"unit": "N*m*s/rad", "at_least": 0.0, "doc": "of the other two pins"})
    start_angle: float = field(default=math.radians(240.0), metadata={"unit": "rad", "doc": "of the crank at rest"})
    flywheel: float = field(default=0.01, metadata={"unit": "kg*m^2", "at_least": 0.0, "doc": "crank and flywheel"})
    wear: float = field(default=0.0, metadata={"unit": "m", "at_least": 0.0, "doc": "growth of the play a turn of the first axis"})
    perturb: bool = field(default=True, metadata={"doc": "an individual drawn by the bench's seed; false: as the drawing says"})
    step: float = field(default=2e-6, metadata={"unit": "s", "over": 0.0, "at_most": 5e-6, "doc": "a whole share of 1 ms"})
    enable_lines: bool = field(default=True, metadata={"doc": "false: the drive's enable input is bridged"})
    motor: Motor = field(default_factory=lambda: Motor(velocity_gain=0.1))
    speed_drive: SpeedDrive | None = None
    contact: Surfaces = field(default_factory=lambda: Surfaces(restitution=GIVEN_BACK))
    accelerometer: Accelerometer = field(default_factory=Accelerometer)
    tachometer: Tachometer = field(default_factory=Tachometer)
    encoder: Encoder = field(default_factory=Encoder)
    pickup: Pickup = field(default_factory=Pickup)

    def __post_init__(self) -> None:
        if not self.clearance < self.bearing_radius:
            raise ValueError(
                f"clearance: expected less than the bearing's radius, {self.bearing_radius * 1e3:g} mm, got {self.clearance * 1e3:g} mm"
            )
        refuse_step(self.step)
        spare = self.coupler_length + self.rocker_length - self.ground_length - self.crank_length
        folded = abs(self.ground_length - self.crank_length) - abs(self.coupler_length - self.rocker_length)
        if min(spare, folded) <= self.clearance:
            raise ValueError("crank_length: the crank cannot turn all round with these lengths; choose a shorter crank")

    def create(self, seed: int) -> DrivenPlant:
        """See `PlantSettings`."""
        p = parameters(self, seed)
        mounted = Individual(seed + 1, self.perturb)
        state = kernel.resting(self.start_angle, p)
        seen = np.zeros(kernel.SEEN)
        seen[kernel.ACCELERATION] = p[kernel.FEELS] * p[kernel.GRAVITY] * math.cos(state[kernel.COUPLER])
        channels = {
            "acceleration": Channel(self.accelerometer, kernel.ACCELERATION, mounted.gain()),
            "tachometer": Channel(self.tachometer, kernel.SPEED, mounted.gain()),
        }
        pickup = replace(self.pickup, angle=self.pickup.angle + mounted.angle())
        mechanics = Mechanics(
            kernel.motion, self.step, state, p, seen, {"crank": self.motor}, channels, self.encoder, mounted.angle(), pickup
        )
        mechanics.plays, mechanics.wear = (kernel.GAP,), self.wear
        return DrivenPlant(mechanics, seed, self.speed_drive, self.enable_lines)


def parameters(config: Config, seed: int) -> NDArray[np.float64]:
    """p of the kernel, for the individual that `seed` draws."""
    one, motor = Individual(seed, config.perturb), config.motor
    p: dict[int, float] = {}
    p[kernel.L1], p[kernel.L2], p[kernel.L3], p[kernel.L4] = (
        one.length(getattr(config, f"{name}_length")) for name in ("crank", "coupler", "rocker", "ground")
    )
    p[kernel.J1] = one.mass(config.flywheel + motor.gear**2 * motor.inertia)
    shapes = one.shape(), one.shape()
    p[kernel.M2], p[kernel.M3] = one.mass(config.coupler_mass), one.mass(config.rocker_mass)
    p[kernel.J2B] = config.coupler_inertia * shapes[0] * p[kernel.M2] / config.coupler_mass
    p[kernel.J3D] = config.rocker_inertia * shapes[1] * p[kernel.M3] / config.rocker_mass
    p[kernel.S2], p[kernel.S3] = one.length(config.coupler_centre), one.length(config.rocker_length - config.rocker_centre)
    p[kernel.GAP] = one.play(config.clearance)
    stiffness = one.mass(config.contact.hertz(config.bearing_radius, p[kernel.GAP]))
    restitution = config.contact.lossy(one.restitution())
    p[kernel.VISCOUS], p[kernel.COULOMB] = one.friction(motor.viscous * motor.gear**2), one.friction(motor.coulomb * motor.gear)
    friction, p[kernel.PIN_VISCOUS] = one.friction(config.friction), one.friction(config.pin_viscous)
    p[kernel.GRAVITY], p[kernel.RADIUS] = config.gravity, config.bearing_radius
    p[kernel.FEELS] = config.accelerometer.feels_gravity
    law = config.contact.columns(stiffness, config.contact.exponent, restitution, (friction, 0.0, WHOLE_ABOVE))
    return packed(kernel.PARAMETERS, {**p, kernel.LAW: law})
