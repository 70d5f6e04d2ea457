"""Virtual rig of the driven slider (karnopp): a motor on the slider turns a bar, a shaker pushes along the guide, in which there is play.

It is the laboratory, not the model of it: the slider stands on its corners in the guide, tilts and knocks over from one to the other; dry
friction with a static limit; a geared motor whose speed the bar's weight pulls up and down; dimensions within workshop tolerances by seed.

| signal | direction | what |
|---|---|---|
| shaker | analogue in | +-10 V is the shaker's largest force, along the guide |
| x | analogue out | displacement of the slider |
| friction | analogue out | force of the guide on the slider along it: the guide hangs on a force sensor |
| torque | analogue out | torque sensor between motor and bar |
| lift_rear, lift_front | analogue out | gap sensors: height of the slider's ends above the middle of the guide |
| tachometer | analogue out | speed of the bar |
| encoder_a, encoder_b, encoder_z | edges | encoder on the bar's motor |
| bar_enable | line in | low takes the motor's torque away and closes its brake |
| shaker_enable | line in | low takes the shaker's force away |
| speed_reference, bar_reset, bar_ok | | of an analogue drive (`[plant.speed_drive]`) |

Shaft for a serial drive: `bar`, that is its motor's, 0 where the bar stands at the start, `motor.gear` turns for one of the bar. It starts
at rest at `start_angle` and `start_position`, the bar held by the brake, the slider lying on its guide.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from model.compiled.parameters import packed
from rig.virtual.plants.motor_rig import slider_bar_kernel as kernel
from rig.virtual.plants.motor_rig.marks import Encoder
from rig.virtual.plants.motor_rig.motor import Motor
from rig.virtual.plants.motor_rig.parts import Individual, refuse_step, settle
from rig.virtual.plants.motor_rig.plant import Channel, DrivenPlant, Mechanics, SpeedDrive
from rig.virtual.plants.motor_rig.sensors import DisplacementSensor, ForceSensor, Tachometer, TorqueSensor
from rig.virtual.plants.settings import PlantSettings
from rig.virtual.plants.surfaces import Surfaces

SHAKER_VOLTS = 10.0


@dataclass(frozen=True)
class Config(PlantSettings):
    """Slider, bar, spring and friction as in the paper's section 3, and what the laboratory has put around them (assumed)."""

    bar_mass: float = field(default=2.0, metadata={"unit": "kg", "over": 0.0})
    bar_length: float = field(default=2.0, metadata={"unit": "m", "over": 0.0, "doc": "its mass centre is in its middle"})
    slider_mass: float = field(default=1.0, metadata={"unit": "kg", "over": 0.0})
    slider_length: float = field(default=0.6, metadata={"unit": "m", "over": 0.0, "doc": "along the guide"})
    slider_height: float = field(default=0.5, metadata={"unit": "m", "over": 0.0})
    spring_stiffness: float = field(default=1.0, metadata={"unit": "N/m", "at_least": 0.0})
    spring_offset: float = field(default=0.0, metadata={"unit": "m", "doc": "where the spring is without force"})
    friction: float = field(default=0.03, metadata={"unit": "1", "at_least": 0.0, "doc": "sliding"})
    static_friction: float = field(default=0.04, metadata={"unit": "1", "at_least": 0.0, "doc": "at least the sliding one"})
    viscous_friction: float = field(default=0.0, metadata={"unit": "N*s/m", "at_least": 0.0})
    total_clearance: float = field(default=1e-4, metadata={"unit": "m", "over": 0.0, "doc": "guide's minus slider's height, as built"})
    contact_stiffness: float = field(
        default=1e8, metadata={"unit": "N/m", "over": 0.0, "doc": "of a corner, of the forms power and bilinear"}
    )
    contact_damping: float = field(default=2e3, metadata={"unit": "N*s/m", "at_least": 0.0, "doc": "of a corner, of the form power"})
    contact: Surfaces = field(default_factory=lambda: Surfaces(exponent=1.0))
    motor_mount: str = field(default="slider", metadata={"choices": ("slider", "ground"), "doc": "what takes the motor's reaction"})
    gravity: float = field(default=9.81, metadata={"unit": "m/s^2"})
    start_angle: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the bar at rest"})
    start_position: float = field(default=0.0, metadata={"unit": "m", "doc": "of the slider at rest"})
    shaker_force: float = field(default=10.0, metadata={"unit": "N", "over": 0.0, "doc": "at 10 V"})
    wear: float = field(default=0.0, metadata={"unit": "m", "at_least": 0.0, "doc": "growth of the play a turn of the first axis"})
    perturb: bool = field(default=True, metadata={"doc": "an individual drawn by the bench's seed; false: as the drawing says"})
    step: float = field(default=1e-5, metadata={"unit": "s", "over": 0.0, "at_most": 2e-5, "doc": "a whole share of 1 ms"})
    enable_lines: bool = field(default=True, metadata={"doc": "false: the enable inputs are bridged"})
    motor: Motor = field(
        default_factory=lambda: Motor(gear=100.0, inertia=1e-4, velocity_gain=0.2, velocity_integral=0.2, torque_limit=2.0, brake=1.0)
    )
    speed_drive: SpeedDrive | None = None
    displacement_sensor: DisplacementSensor = field(default_factory=DisplacementSensor)
    force_sensor: ForceSensor = field(default_factory=ForceSensor)
    torque_sensor: TorqueSensor = field(default_factory=TorqueSensor)
    gap_sensor: DisplacementSensor = field(default_factory=lambda: DisplacementSensor(sensitivity=1e4, noise=5e-7))
    tachometer: Tachometer = field(default_factory=lambda: Tachometer(sensitivity=4.0, noise=5e-4))
    encoder: Encoder = field(default_factory=Encoder)

    def __post_init__(self) -> None:
        refuse_step(self.step)
        if not self.friction <= self.static_friction:
            raise ValueError(f"static_friction: expected at least friction, {self.friction:g}, got {self.static_friction:g}")
        if not self.total_clearance < self.slider_height:
            height, play = self.slider_height, self.total_clearance
            raise ValueError(f"total_clearance: expected less than the slider's height, {height:g} m, got {play:g} m")

    def create(self, seed: int) -> DrivenPlant:
        """See `PlantSettings`."""
        p = parameters(self, seed)
        mounted = Individual(seed + 1, self.perturb)
        seen = np.zeros(kernel.SEEN)
        state = kernel.lying(self.start_angle, self.start_position, p)
        state = settle(kernel.motion, state, p, seen, kernel.RATES, self.step)
        channels = {
            "x": Channel(self.displacement_sensor, kernel.POSITION, mounted.gain()),
            "friction": Channel(self.force_sensor, kernel.FRICTION, mounted.gain()),
            "torque": Channel(self.torque_sensor, kernel.TORQUE, mounted.gain()),
            "tachometer": Channel(self.tachometer, kernel.SPEED, mounted.gain()),
            "lift_rear": Channel(self.gap_sensor, kernel.LIFT_REAR, mounted.gain()),
            "lift_front": Channel(self.gap_sensor, kernel.LIFT_FRONT, mounted.gain()),
        }
        mechanics = Mechanics(
            kernel.motion, self.step, state, p, seen, {"bar": self.motor}, channels, self.encoder, mounted.angle(), inputs=("shaker",)
        )
        mechanics.plays, mechanics.wear = (kernel.GAP,), self.wear
        return DrivenPlant(mechanics, seed, self.speed_drive, self.enable_lines)


def parameters(config: Config, seed: int) -> NDArray[np.float64]:
    """p of the kernel, for the individual that `seed` draws."""
    one, motor = Individual(seed, config.perturb), config.motor
    p: dict[int, float] = {}
    bar, slider, length = one.mass(config.bar_mass), one.mass(config.slider_mass), one.length(config.bar_length)
    p[kernel.MASS], p[kernel.MOMENT] = bar + slider, 0.5 * bar * length
    p[kernel.ROTOR] = one.mass(motor.gear**2 * motor.inertia)
    p[kernel.INERTIA] = bar * length**2 / 3.0
    p[kernel.TILT_INERTIA] = slider * (config.slider_length**2 + config.slider_height**2) / 12.0
    p[kernel.SPRING], p[kernel.SPRING_REST] = one.mass(config.spring_stiffness), config.spring_offset
    rough = one.friction(1.0)
    p[kernel.SLIDING], p[kernel.STATIC] = rough * config.friction, rough * config.static_friction
    p[kernel.VISCOUS_GUIDE], p[kernel.GRAVITY] = config.viscous_friction, config.gravity
    p[kernel.HALF_LENGTH], p[kernel.HALF_HEIGHT] = 0.5 * config.slider_length, 0.5 * config.slider_height
    p[kernel.GAP] = 0.5 * one.play(config.total_clearance)
    contact, stiffness = config.contact, one.mass(config.contact_stiffness)
    p[kernel.DAMPING] = config.contact_damping if contact.form == "power" else 0.0
    p[kernel.FORCE_PER_VOLT] = one.gain() * config.shaker_force / SHAKER_VOLTS
    p[kernel.ON_SLIDER] = config.motor_mount == "slider"
    p[kernel.VISCOUS], p[kernel.COULOMB] = one.friction(motor.viscous * motor.gear**2), one.friction(motor.coulomb * motor.gear)
    if contact.form == "bilinear" and contact.stiffness is None:
        contact = replace(contact, stiffness=stiffness)
    law = contact.columns(stiffness, contact.exponent, contact.restitution, (0.0, 0.0, 1.0), steady=0.0)
    return packed(kernel.PARAMETERS, {**p, kernel.LAW: law})
