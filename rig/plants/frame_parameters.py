"""What the virtual frame is made of: tables of its configuration, and the numbers that the kernel computes with.

All values are assumed, found by simulation. `draw` makes one individual: a real frame and specimen differ from their drawing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rig.plants.linkage_frame import Config

FULL_SCALE_VOLTS = 10.0
STANDARD_GRAVITY = 9.80665
SPREAD = 0.02  # standard deviation of a perturbed quantity
CLIP = 2.0  # standard deviations
RESTITUTION_SPREAD = 0.02
CLEARANCE_SPREAD = 2e-6  # m


@dataclass(frozen=True)
class Specimen:
    """Three links in series, two clearance pins, in a fixture (hu2016)."""

    upper_mass: float = field(default=60.0, metadata={"unit": "kg", "over": 0.0, "doc": "upper link, grip, load cell"})
    middle_mass: float = field(default=3.0, metadata={"unit": "kg", "over": 0.0})
    lower_mass: float = field(default=60.0, metadata={"unit": "kg", "over": 0.0, "doc": "lower link, grip, piston"})
    frame_stiffness: float = field(default=1.5e8, metadata={"unit": "N/m", "over": 0.0, "doc": "of the fixture above the upper link"})
    frame_damping: float = field(default=1.2e4, metadata={"unit": "N*s/m", "at_least": 0.0})
    pin_radius: float = field(default=0.015, metadata={"unit": "m", "over": 0.0})
    youngs_modulus: float = field(default=207e9, metadata={"unit": "Pa", "over": 0.0})
    poisson_ratio: float = field(default=0.3, metadata={"at_least": 0.0, "below": 0.5})
    approach_floor: float = field(default=1e-3, metadata={"unit": "m/s", "over": 0.0, "doc": "smallest approach speed of a contact"})
    closed_stiffness: float = field(default=2e9, metadata={"unit": "N/m", "over": 0.0, "doc": "of a joint without clearance"})
    closed_damping_ratio: float = field(default=0.05, metadata={"at_least": 0.0})


@dataclass(frozen=True)
class Loop:
    """The controller's PI loops; the spool is a fraction of its stroke."""

    force_proportional: float = field(
        default=2.5e-5, metadata={"unit": "1/N", "at_least": 0.0, "doc": "spool (1 = fully open) for the error of force"}
    )
    force_integral: float = field(default=1e-4, metadata={"unit": "1/(N*s)", "at_least": 0.0, "doc": "the same for its integral"})
    stroke_proportional: float = field(default=150.0, metadata={"unit": "1/m", "at_least": 0.0, "doc": "spool for the error of stroke"})
    stroke_integral: float = field(default=300.0, metadata={"unit": "1/(m*s)", "at_least": 0.0, "doc": "the same for its integral"})
    integral_limit: float = field(
        default=0.2, metadata={"at_least": 0.0, "at_most": 1.0, "doc": "most that the integral may ask of the spool"}
    )
    feedback_lowpass: float = field(default=1000.0, metadata={"unit": "Hz", "over": 0.0, "doc": "two-pole Butterworth"})
    release_ramp: float = field(default=0.2, metadata={"unit": "s", "over": 0.0, "doc": "force setpoint to zero when the program goes off"})


@dataclass(frozen=True)
class Hydraulics:
    """Valve, oil column and actuator."""

    valve_frequency: float = field(default=150.0, metadata={"unit": "Hz", "over": 0.0, "doc": "of the spool, second order"})
    valve_damping_ratio: float = field(default=0.8, metadata={"at_least": 0.0})
    full_speed: float = field(default=0.2, metadata={"unit": "m/s", "over": 0.0, "doc": "unloaded, spool fully open"})
    supply_force: float = field(default=260e3, metadata={"unit": "N", "over": 0.0, "doc": "of the piston at full pressure"})
    low_pressure: float = field(
        default=1.0, metadata={"over": 0.0, "at_most": 1.0, "doc": "share of the supply while `hydraulics_high` is low; 1: one pressure"}
    )
    oil_stiffness: float = field(default=2e8, metadata={"unit": "N/m", "over": 0.0, "doc": "of the oil column behind the piston"})
    leakage: float = field(default=5e-8, metadata={"unit": "m/(s*N)", "at_least": 0.0, "doc": "past the piston: speed for a force"})
    seal_damping: float = field(default=2000.0, metadata={"unit": "N*s/m", "at_least": 0.0, "doc": "friction of the seals"})


@dataclass(frozen=True)
class Panel:
    """What the controller's operator has set: full scales, and the limits at which it interlocks by itself."""

    force_full_scale: float = field(default=250e3, metadata={"unit": "N", "over": 0.0, "doc": "10 V of command and monitor"})
    stroke_full_scale: float = field(default=0.050, metadata={"unit": "m", "over": 0.0, "doc": "10 V of command and monitor"})
    force_limit: float = field(default=245e3, metadata={"unit": "N", "over": 0.0, "doc": "the controller's own: beyond it it interlocks"})
    stroke_limit: float = field(default=0.045, metadata={"unit": "m", "over": 0.0, "doc": "the controller's own, each way"})


@dataclass(frozen=True)
class Sensors:
    """Conditioners behind the monitor outputs, and the IEPE accelerometers."""

    monitor_bandwidth: float = field(default=5000.0, metadata={"unit": "Hz", "over": 0.0, "doc": "two-pole Butterworth"})
    force_zero: float = field(default=0.0, metadata={"unit": "N", "doc": "what the load cell shows without load, as of a grip's weight"})
    stroke_noise: float = field(default=0.5e-6, metadata={"unit": "m", "at_least": 0.0, "doc": "rms"})
    acceleration_sensitivity: float = field(default=0.010 / STANDARD_GRAVITY, metadata={"unit": "V/(m/s^2)", "over": 0.0})
    acceleration_bandwidth: float = field(default=10e3, metadata={"unit": "Hz", "over": 0.0, "doc": "one pole"})
    acceleration_coupling: float = field(default=0.5, metadata={"unit": "Hz", "over": 0.0, "doc": "AC coupling, one pole"})
    acceleration_noise: float = field(default=0.5, metadata={"unit": "m/s^2", "at_least": 0.0, "doc": "rms"})


@dataclass(frozen=True)
class Faults:
    """What may be wrong with a frame or with what is mounted in it: for trying how that is found."""

    span: float = field(default=1.0, metadata={"at_least": 0.0, "doc": "gain of the external command, as set at the controller's panel"})
    force_span: float = field(default=1.0, metadata={"at_least": 0.0, "doc": "another gain, in force mode only"})
    sign: int = field(default=1, metadata={"choices": (-1, 1), "doc": "-1: the external command is inverted"})
    swapped: bool = field(default=False, metadata={"doc": "force and stroke monitor exchanged"})
    slack: float = field(default=0.0, metadata={"unit": "m", "at_least": 0.0, "doc": "play beyond the clearance: not gripped"})
    valve_stuck: bool = field(default=False, metadata={"doc": "the spool stays in its middle"})
    specimen_breaks_at: float | None = field(default=None, metadata={"unit": "N", "over": 0.0, "doc": "force that parts the upper joint"})


_NAMES = """
step m1 m2 m3 k_f c_f stiffness_a stiffness_b play_a play_b damping approach_floor k_0 c_0
kp_force ki_force kp_stroke ki_stroke integral_limit release_ramp omega_feedback
omega_valve zeta_valve v_max force_supply low_pressure k_oil leakage c_p
force_limit stroke_limit heartbeat_timeout
omega_monitor omega_acceleration omega_coupling force_delay force_volts stroke_volts acceleration_volts
force_gain stroke_gain break_force force_zero
"""
PARAMETERS = np.dtype([(name, "f8") for name in _NAMES.split()])


def draw(config: Config, seed: int) -> NDArray[np.void]:
    """One individual as a (1,) record of PARAMETERS; with `perturb` off it is the drawing itself.

    Perturbed: normal with 2 % standard deviation clipped at two of them, independent, for masses, stiffnesses and valve speed;
    restitution and both clearances uniform. A joint without clearance stays without.
    """
    nominal = _nominal(config)
    if not config.perturb:
        return _at_fault(nominal, config)
    rng = np.random.default_rng(seed)
    names = ("m1", "m2", "m3", "k_f", "k_oil", "stiffness_a", "stiffness_b", "k_0", "v_max")
    individual = nominal.copy()
    for name, normal in zip(names, rng.standard_normal(len(names)), strict=True):
        individual[name] *= 1.0 + SPREAD * np.clip(normal, -CLIP, CLIP)
    restitution = min(1.0, config.restitution + rng.uniform(-RESTITUTION_SPREAD, RESTITUTION_SPREAD))
    individual["damping"] = damping_factor(restitution)
    plays = rng.uniform(-CLEARANCE_SPREAD, CLEARANCE_SPREAD, 2) / 2.0
    if config.clearance > 0.0:
        individual["play_a"] += plays[0]
        individual["play_b"] += plays[1]
    return _at_fault(individual, config)


def damping_factor(restitution: float) -> float:
    """a of F = K delta^1.5 (1 + a delta'/v0) for the law of the paper (hu2016 eq 29)."""
    return 1.5 * (1.0 - restitution) / restitution


def contact_stiffness(specimen: Specimen, clearance: float) -> float:
    """K of the pin in its bush, N/m^1.5; the spheres of the paper in internal contact."""
    pin, bush = specimen.pin_radius, specimen.pin_radius + clearance / 2.0
    modulus = specimen.youngs_modulus / (2.0 * (1.0 - specimen.poisson_ratio**2))
    return 4.0 / 3.0 * modulus * math.sqrt(pin * bush / (bush - pin))


def _at_fault(record: NDArray[np.void], config: Config) -> NDArray[np.void]:
    """What the faults make of an individual."""
    faults = config.faults
    record["stroke_gain"] = faults.sign * faults.span
    record["force_gain"] = faults.sign * faults.span * faults.force_span
    record["break_force"] = math.inf if faults.specimen_breaks_at is None else faults.specimen_breaks_at
    if faults.valve_stuck:
        record["v_max"] = 0.0
    if faults.slack > 0.0:
        if record["play_a"] == 0.0:  # gripped it would be without play
            record["stiffness_a"] = contact_stiffness(config.specimen, faults.slack)
        record["play_a"] += faults.slack / 2.0
    return record


def _nominal(config: Config) -> NDArray[np.void]:
    s, loop, hydraulics, panel, sensors = config.specimen, config.loop, config.hydraulics, config.panel, config.sensors
    stiffness = contact_stiffness(s, config.clearance) if config.clearance > 0.0 else 0.0
    values = {
        "step": config.step, "m1": s.upper_mass, "m2": s.middle_mass, "m3": s.lower_mass,
        "k_f": s.frame_stiffness, "c_f": s.frame_damping,
        "stiffness_a": stiffness, "stiffness_b": stiffness, "play_a": config.clearance / 2.0, "play_b": config.clearance / 2.0,
        "damping": damping_factor(config.restitution), "approach_floor": s.approach_floor,
        "k_0": s.closed_stiffness, "c_0": 2.0 * s.closed_damping_ratio * math.sqrt(s.closed_stiffness * s.upper_mass),
        "kp_force": loop.force_proportional, "ki_force": loop.force_integral,
        "kp_stroke": loop.stroke_proportional, "ki_stroke": loop.stroke_integral, "integral_limit": loop.integral_limit,
        "omega_feedback": 2.0 * math.pi * loop.feedback_lowpass, "release_ramp": loop.release_ramp,
        "omega_valve": 2.0 * math.pi * hydraulics.valve_frequency, "zeta_valve": hydraulics.valve_damping_ratio,
        "v_max": hydraulics.full_speed, "force_supply": hydraulics.supply_force,
        "low_pressure": hydraulics.low_pressure, "k_oil": hydraulics.oil_stiffness,
        "leakage": hydraulics.leakage, "c_p": hydraulics.seal_damping,
        "force_limit": panel.force_limit, "stroke_limit": panel.stroke_limit, "heartbeat_timeout": config.heartbeat_timeout,
        "omega_monitor": 2.0 * math.pi * sensors.monitor_bandwidth,
        "omega_acceleration": 2.0 * math.pi * sensors.acceleration_bandwidth,
        "omega_coupling": 2.0 * math.pi * sensors.acceleration_coupling, "force_delay": config.force_delay,
        "force_volts": FULL_SCALE_VOLTS / panel.force_full_scale, "stroke_volts": FULL_SCALE_VOLTS / panel.stroke_full_scale,
        "acceleration_volts": sensors.acceleration_sensitivity, "force_gain": 1.0, "stroke_gain": 1.0, "break_force": math.inf,
        "force_zero": sensors.force_zero,
    }  # fmt: skip
    record = np.zeros(1, PARAMETERS)
    for name in PARAMETERS.names or ():
        record[name] = values[name]
    return record
