"""Virtual rig of the 3-RRPaR mechanism (chen2026): three geared servo motors, clearance at the platform joints R1 and R3.

It is the laboratory, not the model of it: arms, bars and platform each with their own coordinates, the joints that hold are stiff springs;
the arms go where motors, gears and their position loops let them; dimensions within workshop tolerances by the bench's seed.

| signal | direction | what |
|---|---|---|
| ax, ay, az | analogue out | accelerometers on the platform, DC coupled |
| axis1_enable, axis2_enable, axis3_enable | line in | low takes the motor's torque away and closes its brake |

Shafts for serial drives: `axis1` .. `axis3`, those of the motors, `motor.gear` turns for one of the arm; 0 where the arm stands at the
start, or where it points along X (`homed`), which is how `rig kinematics` counts. Arms 1 and 3 turn about Y, arm 2 about Z. It starts at
rest with the platform's M13 at `start`, on its brakes, the pins pressed by the weight.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from model.compiled.parameters import packed
from rig.virtual.plants import lumped_bars
from rig.virtual.plants.motor_rig import parallel_kernel as kernel
from rig.virtual.plants.motor_rig import parallel_lumped_kernel as lumped
from rig.virtual.plants.motor_rig.motor import Motor
from rig.virtual.plants.motor_rig.parts import GIVEN_BACK, Individual, refuse_step, settle
from rig.virtual.plants.motor_rig.plant import Channel, DrivenPlant, Mechanics
from rig.virtual.plants.motor_rig.sensors import Accelerometer
from rig.virtual.plants.settings import PlantSettings
from rig.virtual.plants.surfaces import CONTACT_COLUMNS, Surfaces

WITH_CLEARANCE = (0, 2)


@dataclass(frozen=True)
class Place:
    """Of the platform's M13, midway between R1 and R3."""

    x: float = field(default=-0.2, metadata={"unit": "m"})
    y: float = field(default=0.08, metadata={"unit": "m"})
    z: float = field(default=-0.54, metadata={"unit": "m"})


@dataclass(frozen=True)
class Config(PlantSettings):
    """Geometry and bars as in the paper's tables; masses and what the laboratory has put around them are assumed."""

    clearance: float = field(default=0.1e-3, metadata={"unit": "m", "over": 0.0, "doc": "at R1 and R3, radial, as built"})
    bush_radius: float = field(default=7.5e-3, metadata={"unit": "m", "over": 0.0, "doc": "in the short bar"})
    friction: float = field(default=0.05, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient of pin and bush"})
    friction_none_below: float = field(default=1e-6, metadata={"unit": "m/s", "at_least": 0.0, "doc": "sliding speed"})
    friction_whole_above: float = field(default=1e-4, metadata={"unit": "m/s", "over": 0.0, "doc": "sliding speed"})
    gravity: float = field(default=9.81, metadata={"unit": "m/s^2", "doc": "against Z"})
    motor_offset: float = field(default=0.100, metadata={"unit": "m", "over": 0.0, "doc": "motors 1 and 3 at +- this on X"})
    pivot2_x: float = field(default=0.1, metadata={"unit": "m"})
    pivot2_y: float = field(default=0.720, metadata={"unit": "m"})
    pivot2_z: float = field(default=-0.600, metadata={"unit": "m"})
    elbow2: str = field(default="+x", metadata={"choices": ("+x", "-x"), "doc": "side of arm 2"})
    arm_length: float = field(default=0.255, metadata={"unit": "m", "over": 0.0})
    arm_mass: float = field(default=0.551, metadata={"unit": "kg", "over": 0.0, "doc": "its mass centre is in its middle"})
    arm_inertia: float = field(default=3.0e-3, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "about its mass centre"})
    bar_length: float = field(default=0.640, metadata={"unit": "m", "over": 0.0, "doc": "of the six long bars"})
    bar_width: float = field(default=0.016, metadata={"unit": "m", "over": 0.0})
    bar_density: float = field(default=1700.0, metadata={"unit": "kg/m^3", "over": 0.0})
    bars: lumped_bars.Bars = field(default_factory=lumped_bars.Bars)
    short_mass: float = field(default=0.150, metadata={"unit": "kg", "over": 0.0})
    short_inertia: float = field(default=1.0e-5, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "along it"})
    joint_x: float = field(default=0.060, metadata={"unit": "m", "over": 0.0, "doc": "R1 and R3 at +- this from M13"})
    joint_y: float = field(default=0.080, metadata={"unit": "m", "doc": "R2"})
    platform_mass: float = field(default=1.0, metadata={"unit": "kg", "over": 0.0, "doc": "its mass centre is M13"})
    joint_stiffness: float = field(default=1e8, metadata={"unit": "N/m", "over": 0.0, "doc": "of joints without clearance"})
    joint_damping: float = field(default=1e3, metadata={"unit": "N*s/m", "at_least": 0.0, "doc": "of joints without clearance"})
    start: Place = field(default_factory=Place)
    homed: bool = field(default=False, metadata={"doc": "a motor's 0 is where its arm points along X"})
    wear: float = field(default=0.0, metadata={"unit": "m", "at_least": 0.0, "doc": "growth of the play a turn of the first axis"})
    perturb: bool = field(default=True, metadata={"doc": "an individual drawn by the bench's seed; false: as the drawing says"})
    step: float = field(default=5e-6, metadata={"unit": "s", "over": 0.0, "at_most": 5e-6, "doc": "a whole share of 1 ms"})
    enable_lines: bool = field(default=True, metadata={"doc": "false: the drives' enable inputs are bridged"})
    motor: Motor = field(
        default_factory=lambda: Motor(
            gear=50.0, inertia=5e-4, coulomb=0.02, brake=1.0, torque_limit=5.0, velocity_gain=0.3, velocity_integral=10.0,
            position_gain=50.0, current_bandwidth=1000.0,
        )
    )  # fmt: skip
    contact: Surfaces = field(default_factory=lambda: Surfaces(restitution=GIVEN_BACK))
    accelerometer: Accelerometer = field(default_factory=lambda: Accelerometer(sensitivity=0.1, bandwidth=1000.0, coupling=0.0, noise=0.02))

    def __post_init__(self) -> None:
        if not self.clearance < self.bush_radius:
            radius, play = self.bush_radius * 1e3, self.clearance * 1e3
            raise ValueError(f"clearance: expected less than the bush's radius, {radius:g} mm, got {play:g} mm")
        refuse_step(self.step)
        if not self.friction_none_below < self.friction_whole_above:
            raise ValueError(f"friction_none_below: expected less than friction_whole_above, {self.friction_whole_above:g} m/s")
        kernel.placed(_start(self), _elbows(self), parameters(self, 0))
        if self.bars.flexible:
            lumped_bars.refuse(self.bars, self.step, self.bar_length, self.bar_width, self.bar_density)

    def create(self, seed: int) -> DrivenPlant:
        """See `PlantSettings`."""
        p = parameters(self, seed)
        mounted = Individual(seed + 1, self.perturb)
        state, seen = kernel.placed(_start(self), _elbows(self), p), np.zeros(kernel.SEEN)
        motion, rates, gaps = kernel.motion, kernel.RATES, kernel.GAP
        if self.bars.flexible:
            friction = (self.friction, self.friction_none_below, self.friction_whole_above)
            of, one = p, Individual(seed + 2, self.perturb)
            p = lumped_bars.parameters(self.bars, self.bar_width, self.contact, one, of, friction)
            state, seen = lumped_bars.placed(state, p, float(of[kernel.BAR])), np.zeros(lumped.SEEN)
            motion, rates, gaps = lumped.motion, lumped.RATES, lumped.GAP
        state = settle(motion, state, p, seen, rates, self.step)
        channels = {
            name: Channel(self.accelerometer, kernel.ACCELERATION + axis, mounted.gain()) for axis, name in enumerate(("ax", "ay", "az"))
        }
        motors = {f"axis{leg}": self.motor for leg in (1, 2, 3)}
        zeros = tuple(mounted.angle() for _ in motors) if self.homed else None
        mechanics = Mechanics(motion, self.step, state, p, seen, motors, channels, zeros=zeros)
        mechanics.plays, mechanics.wear = (gaps, gaps + 2), self.wear
        return DrivenPlant(mechanics, seed, None, self.enable_lines)


def parameters(config: Config, seed: int) -> NDArray[np.float64]:
    """p of the kernel, for the individual that `seed` draws."""
    one, motor, contact = Individual(seed, config.perturb), config.motor, config.contact
    p: dict[int, float] = {}
    p[kernel.ARM], p[kernel.BAR] = one.length(config.arm_length), one.length(config.bar_length)
    bar = one.mass(config.bar_density * config.bar_width**2 * config.bar_length)
    short, arm = one.mass(config.short_mass), one.mass(config.arm_mass)
    across, length = bar * (config.bar_length**2 + config.bar_width**2) / 12.0, p[kernel.BAR]
    p[kernel.LEG_MASS], p[kernel.FIRST_MOMENT] = 2.0 * (bar + short), (bar + short) * length
    p[kernel.ABOUT] = 2.0 * (across + 0.25 * bar * length**2) + short * length**2
    p[kernel.ALONG], p[kernel.SHORTS] = bar * config.bar_width**2 / 3.0, 2.0 * config.short_inertia
    p[kernel.ARM_MOMENT] = 0.5 * arm * p[kernel.ARM]
    p[kernel.PLATFORM], p[kernel.GRAVITY], p[kernel.BUSH] = one.mass(config.platform_mass), config.gravity, config.bush_radius
    restitution = contact.lossy(one.restitution())
    friction = (one.friction(config.friction), config.friction_none_below, config.friction_whole_above)
    p[kernel.SPRING], p[kernel.SPRING_DAMPING] = config.joint_stiffness, config.joint_damping
    p[kernel.FEELS] = config.accelerometer.feels_gravity
    laws: dict[int, NDArray[np.float64]] = {}
    for leg in range(kernel.LEGS):
        p[kernel.INERTIA + leg] = config.arm_inertia + 0.25 * arm * p[kernel.ARM] ** 2 + one.mass(motor.gear**2 * motor.inertia)
        p[kernel.VISCOUS + leg] = one.friction(motor.viscous * motor.gear**2)
        p[kernel.COULOMB + leg] = one.friction(motor.coulomb * motor.gear)
        gap = one.play(config.clearance) if leg in WITH_CLEARANCE else 0.0
        p[kernel.GAP + leg] = gap
        stiffness = contact.hertz(config.bush_radius, gap) if gap else 1.0  # which a joint without clearance does not look at
        laws[kernel.LAW + CONTACT_COLUMNS * leg] = contact.columns(stiffness, contact.exponent, restitution, friction)
    pivots = [config.motor_offset, 0.0, 0.0, config.pivot2_x, config.pivot2_y, config.pivot2_z, -config.motor_offset, 0.0, 0.0]
    pins = [config.joint_x, 0.0, 0.0, 0.0, config.joint_y, 0.0, -config.joint_x, 0.0, 0.0]
    for at, places in ((kernel.PIVOT, pivots), (kernel.PIN, pins)):
        p |= {at + i: one.length(place) for i, place in enumerate(places)}
    return packed(kernel.PARAMETERS, {**p, **laws})


def _start(config: Config) -> NDArray[np.float64]:
    return np.array([config.start.x, config.start.y, config.start.z])


def _elbows(config: Config) -> NDArray[np.float64]:
    return np.array([-1.0, 1.0 if config.elbow2 == "+x" else -1.0, 1.0])
