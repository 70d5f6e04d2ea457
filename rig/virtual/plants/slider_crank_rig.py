"""Virtual slider-crank rig (wang2017): a servo motor turns the crank; clearance in the slider's pin and in its guide.

It is the laboratory, not the model of it: crank, rod and a slider that is free in its guide, contacts of its own, a motor with a flywheel
that the slider's inertia slows and speeds; dimensions within workshop tolerances by the bench's seed.

| signal | direction | what |
|---|---|---|
| crank_torque | analogue out | torque sensor between flywheel and crank: what goes into the mechanism |
| slider_acceleration | analogue out | along the guide; IEPE, AC coupled |
| tachometer | analogue out | speed of the crank |
| encoder_a, encoder_b, encoder_z | edges | encoder on the crank |
| pickup | edges | one pulse a turn |
| crank_enable | line in | low takes the motor's torque away |
| speed_reference, crank_reset, crank_ok | | of an analogue drive (`[plant.speed_drive]`) |

Shaft for a serial drive: `crank`, that is its motor's, 0 where the crank stands at the start, `motor.gear` turns for one of the crank. It
starts at rest at `start_angle`, where crank and rod are in line at 0: journal and slider in the middle, or down where there is gravity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from model.compiled.parameters import packed
from rig.virtual.plants import lumped_rod
from rig.virtual.plants.motor_rig import slider_crank_kernel as kernel
from rig.virtual.plants.motor_rig import slider_crank_lumped_kernel as lumped
from rig.virtual.plants.motor_rig.marks import Encoder, Pickup
from rig.virtual.plants.motor_rig.motor import Motor
from rig.virtual.plants.motor_rig.parts import GIVEN_BACK, Individual, refuse_step, settle
from rig.virtual.plants.motor_rig.plant import Channel, DrivenPlant, Mechanics, SpeedDrive
from rig.virtual.plants.motor_rig.sensors import Accelerometer, Tachometer, TorqueSensor
from rig.virtual.plants.settings import PlantSettings
from rig.virtual.plants.surfaces import Surfaces


@dataclass(frozen=True)
class Config(PlantSettings):
    """The bodies as in the paper's tables 1 and 2, and what the laboratory has put around them (assumed)."""

    crank_length: float = field(default=0.050, metadata={"unit": "m", "over": 0.0})
    crank_mass: float = field(default=0.30, metadata={"unit": "kg", "over": 0.0, "doc": "uniform"})
    crank_inertia: float = field(default=1.0e-4, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "behind the torque sensor"})
    rod_length: float = field(default=0.120, metadata={"unit": "m", "over": 0.0})
    rod_mass: float = field(default=0.21, metadata={"unit": "kg", "over": 0.0})
    rod_inertia: float = field(default=2.5e-4, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "about its mass centre"})
    rod_centre: float = field(default=0.060, metadata={"unit": "m", "doc": "mass centre from the crank pin"})
    rod: lumped_rod.Rod = field(default_factory=lumped_rod.Rod)
    slider_length: float = field(default=5.0e-3, metadata={"unit": "m", "over": 0.0})
    slider_height: float = field(default=8.0e-3, metadata={"unit": "m", "over": 0.0})
    slider_mass: float = field(default=0.14, metadata={"unit": "kg", "over": 0.0})
    slider_inertia: float = field(default=2.5e-4, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "about its mass centre"})
    clearance: float = field(default=0.05e-3, metadata={"unit": "m", "over": 0.0, "doc": "of the slider's pin, radial, as built"})
    guide_clearance: float = field(default=0.05e-3, metadata={"unit": "m", "at_least": 0.0, "doc": "each side, as built; 0: none"})
    journal_radius: float = field(default=0.010, metadata={"unit": "m", "over": 0.0})
    guide_half_perimeter: float = field(default=0.013, metadata={"unit": "m", "over": 0.0, "doc": "of the contact of slider and guide"})
    guide_damping: float = field(
        default=1.0, metadata={"unit": "s/m", "at_least": 0.0, "doc": "of the form power: N = K_s d (1 + this * d')"}
    )
    friction: float = field(default=0.05, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient in pin and guide, oiled"})
    friction_none_below: float = field(default=1e-3, metadata={"unit": "m/s", "at_least": 0.0, "doc": "sliding speed"})
    friction_whole_above: float = field(default=1e-2, metadata={"unit": "m/s", "over": 0.0, "doc": "sliding speed"})
    gravity: float = field(default=0.0, metadata={"unit": "m/s^2", "doc": "across the guide; 0: it lies in a level plane"})
    start_angle: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the crank at rest"})
    flywheel: float = field(default=0.03, metadata={"unit": "kg*m^2", "at_least": 0.0, "doc": "before the torque sensor"})
    wear: float = field(default=0.0, metadata={"unit": "m", "at_least": 0.0, "doc": "growth of the play a turn of the first axis"})
    perturb: bool = field(default=True, metadata={"doc": "an individual drawn by the bench's seed; false: as the drawing says"})
    step: float = field(default=2e-6, metadata={"unit": "s", "over": 0.0, "at_most": 2e-6, "doc": "a whole share of 1 ms"})
    enable_lines: bool = field(default=True, metadata={"doc": "false: the drive's enable input is bridged"})
    motor: Motor = field(default_factory=lambda: Motor(gear=1.0, velocity_gain=1.0, velocity_integral=10.0, torque_limit=30.0))
    speed_drive: SpeedDrive | None = None
    contact: Surfaces = field(default_factory=lambda: Surfaces(restitution=GIVEN_BACK))
    torque_sensor: TorqueSensor = field(default_factory=TorqueSensor)
    accelerometer: Accelerometer = field(default_factory=Accelerometer)
    tachometer: Tachometer = field(default_factory=lambda: Tachometer(sensitivity=0.015))
    encoder: Encoder = field(default_factory=Encoder)
    pickup: Pickup = field(default_factory=Pickup)

    def __post_init__(self) -> None:
        if not self.clearance < self.journal_radius:
            radius, play = self.journal_radius * 1e3, self.clearance * 1e3
            raise ValueError(f"clearance: expected less than the journal's radius, {radius:g} mm, got {play:g} mm")
        refuse_step(self.step)
        if self.rod.flexible:
            self.rod.refuse(self.step, self.rod_length, self.rod_mass, self.rod_centre)
        slack = self.clearance + self.guide_clearance
        if self.rod_length <= self.crank_length + slack:
            least, length = (self.crank_length + slack) * 1e3, self.rod_length * 1e3
            raise ValueError(f"rod_length: expected more than the crank's and the clearances, {least:g} mm, got {length:g} mm")
        if not self.friction_none_below < self.friction_whole_above:
            raise ValueError(f"friction_none_below: expected less than friction_whole_above, {self.friction_whole_above:g} m/s")
        spare = 0.5 * (math.hypot(self.slider_length, self.slider_height) - self.slider_height)
        if self.guide_clearance >= spare:
            raise ValueError(f"guide_clearance: expected less than {spare * 1e3:.4g} mm: the slider could turn over in its guide")

    def create(self, seed: int) -> DrivenPlant:
        """See `PlantSettings`."""
        p = parameters(self, seed)
        mounted = Individual(seed + 1, self.perturb)
        seen = np.zeros(kernel.SEEN)
        state = kernel.centred(self.start_angle, p)
        motion, rates, gap = kernel.motion, kernel.RATES, kernel.GAP
        if self.rod.flexible:
            state, p = self._flexible(state, p, Individual(seed + 2, self.perturb))
            motion, rates, gap, seen = lumped.motion, lumped.RATES, lumped.GAP, np.zeros(lumped.SEEN)
        if self.gravity != 0.0:
            state = settle(motion, state, p, seen, rates, self.step)
        channels = {
            "crank_torque": Channel(self.torque_sensor, kernel.TORQUE, mounted.gain()),
            "slider_acceleration": Channel(self.accelerometer, kernel.SLIDER_ACCELERATION, mounted.gain()),
            "tachometer": Channel(self.tachometer, kernel.SPEED, mounted.gain()),
        }
        pickup = replace(self.pickup, angle=self.pickup.angle + mounted.angle())
        mechanics = Mechanics(motion, self.step, state, p, seen, {"crank": self.motor}, channels, self.encoder, mounted.angle(), pickup)
        mechanics.plays, mechanics.wear = (gap,), self.wear
        return DrivenPlant(mechanics, seed, self.speed_drive, self.enable_lines)

    def _flexible(self, state: NDArray[np.float64], of: NDArray[np.float64], one: Individual) -> tuple[NDArray[np.float64], ...]:
        """(state, p) of the kernel with a rod that gives way, from those of the rigid one."""
        contact, friction = self.contact, (self.friction, self.friction_none_below, self.friction_whole_above)
        face = self.guide_half_perimeter / (0.475 * 2.0 * (1.0 - contact.poisson_ratio**2) / contact.youngs_modulus)
        p = lumped_rod.parameters(self.rod, contact, one, of, (face, self.guide_damping), friction)
        return lumped_rod.placed(state, p, float(of[kernel.L])), p


def parameters(config: Config, seed: int) -> NDArray[np.float64]:
    """p of the kernel, for the individual that `seed` draws."""
    one, motor, contact = Individual(seed, config.perturb), config.motor, config.contact
    p: dict[int, float] = {}
    p[kernel.R], p[kernel.L], p[kernel.S] = (one.length(x) for x in (config.crank_length, config.rod_length, config.rod_centre))
    p[kernel.J_UP] = one.mass(config.flywheel + motor.gear**2 * motor.inertia)
    p[kernel.J1] = p[kernel.J_UP] + one.mass(config.crank_inertia)
    p[kernel.M3], p[kernel.M4] = one.mass(config.rod_mass), one.mass(config.slider_mass)
    p[kernel.J3] = config.rod_inertia * one.shape() * p[kernel.M3] / config.rod_mass + p[kernel.M3] * p[kernel.S] ** 2
    p[kernel.J4] = config.slider_inertia * one.shape() * p[kernel.M4] / config.slider_mass
    p[kernel.WEIGHT_1], p[kernel.GRAVITY] = 0.5 * config.crank_mass * p[kernel.R], config.gravity
    p[kernel.GAP], p[kernel.JOURNAL] = one.play(config.clearance), config.journal_radius
    bearing = config.journal_radius + p[kernel.GAP]
    stiffness, restitution = one.mass(contact.hertz(bearing, p[kernel.GAP])), contact.lossy(one.restitution())
    friction = (one.friction(config.friction), config.friction_none_below, config.friction_whole_above)
    p[kernel.GUIDED], p[kernel.GUIDE_GAP] = config.guide_clearance == 0.0, one.play(config.guide_clearance)
    p[kernel.HALF_LENGTH], p[kernel.HALF_HEIGHT] = 0.5 * config.slider_length, 0.5 * config.slider_height
    softness = 2.0 * (1.0 - contact.poisson_ratio**2) / contact.youngs_modulus
    face = config.guide_half_perimeter / (0.475 * softness)
    laws = {
        kernel.LAW: contact.columns(stiffness, contact.exponent, restitution, friction),
        kernel.GUIDE_LAW: contact.columns(face, 1.0, restitution, friction, config.guide_damping),
    }
    p[kernel.VISCOUS], p[kernel.COULOMB] = one.friction(motor.viscous * motor.gear**2), one.friction(motor.coulomb * motor.gear)
    return packed(kernel.PARAMETERS, {**p, **laws})
