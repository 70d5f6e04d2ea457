"""The numbers that the kernel of the virtual frame computes with, from its settings.

All values are assumed, found by simulation. `draw` makes one individual: a real frame and specimen differ from their drawing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants.servo_frame import oil
from rig.virtual.plants.servo_frame.settings import FrameSettings, LoaderFaults, LoaderSettings
from rig.virtual.plants.surfaces import CONTACT_COLUMNS

FULL_SCALE_VOLTS = 10.0
SPREAD = 0.02  # standard deviation of a perturbed quantity
CLIP = 2.0  # standard deviations
RESTITUTION_SPREAD = 0.02
CLEARANCE_SPREAD = 2e-6  # m
NO_FRICTION = (0.0, 0.0, 1.0)
"""Nothing slides in the axial chain."""


_NAMES = """
step m1 m2 m3 k_f c_f stiffness_a stiffness_b play_a play_b restitution k_0 c_0
kp_force ki_force kp_stroke ki_stroke integral_limit release_ramp omega_feedback
omega_valve zeta_valve v_max force_supply low_pressure k_oil leakage c_p
force_limit stroke_limit heartbeat_timeout
omega_monitor omega_acceleration omega_coupling force_delay force_volts stroke_volts acceleration_volts
force_gain stroke_gain break_force force_zero
seal_friction deadband valve_play ripple omega_ripple m4 k_4 c_4 loosening wear
pin_friction k_g c_g gripped
"""
CONTACTS = ("contact_a", "contact_b")
PARAMETERS = np.dtype([(name, "f8") for name in _NAMES.split()] + [(name, "f8", (CONTACT_COLUMNS,)) for name in CONTACTS])
"""`contact_a`, `contact_b`: of the joints, see `rig.virtual.plants.contact`; made of stiffness and restitution."""


def draw(config: FrameSettings, seed: int) -> NDArray[np.void]:
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
    individual["restitution"] = min(1.0, config.given_back + rng.uniform(-RESTITUTION_SPREAD, RESTITUTION_SPREAD))
    plays = rng.uniform(-CLEARANCE_SPREAD, CLEARANCE_SPREAD, 2) / 2.0
    if config.clearance > 0.0:
        individual["play_a"] += plays[0]
        individual["play_b"] += plays[1]
    return _at_fault(individual, config)


def contact_stiffness(config: FrameSettings, clearance: float) -> float:
    """K of the pin in its bush, N/m^1.5; the spheres of the paper in internal contact, clearance of both sides together, m."""
    return config.contact.hertz(config.specimen.pin_radius + clearance / 2.0, clearance / 2.0)


def draw_loader(config: LoaderSettings, seed: int) -> NDArray[np.void]:
    """The same of a loader alone, whose specimen has its own numbers elsewhere."""
    record = _record(_of_loader(config))
    if config.perturb:
        rng = np.random.default_rng(seed)
        for name, normal in zip(("k_oil", "v_max"), rng.standard_normal(2), strict=True):
            record[name] *= 1.0 + SPREAD * np.clip(normal, -CLIP, CLIP)
    return _loader_at_fault(record, config.faults)


def _loader_at_fault(record: NDArray[np.void], faults: LoaderFaults) -> NDArray[np.void]:
    record["stroke_gain"] = faults.sign * faults.span
    record["force_gain"] = faults.sign * faults.span * faults.force_span
    record["force_supply"] *= faults.supply
    if faults.valve_stuck:
        record["v_max"] = 0.0
    return record


def _at_fault(record: NDArray[np.void], config: FrameSettings) -> NDArray[np.void]:
    """What the faults make of an individual."""
    faults = config.faults
    _loader_at_fault(record, faults)
    record["break_force"] = math.inf if faults.specimen_breaks_at is None else faults.specimen_breaks_at
    if faults.slack > 0.0:
        if record["play_a"] == 0.0:  # gripped it would be without play
            record["stiffness_a"] = contact_stiffness(config, faults.slack)
        record["play_a"] += faults.slack / 2.0
    contact, restitution = config.contact, float(record["restitution"][0])
    for name, of in zip(CONTACTS, ("stiffness_a", "stiffness_b"), strict=True):
        record[name] = contact.columns(float(record[of][0]), contact.exponent, restitution, NO_FRICTION)
    return record


def _of_loader(config: LoaderSettings) -> dict[str, float]:
    loop, hydraulics, panel, sensors = config.loop, config.hydraulics, config.panel, config.sensors
    stiff, thick = oil.stiffness(hydraulics.oil_warmer), oil.viscosity(hydraulics.oil_warmer)
    return {
        "step": config.step,
        "kp_force": loop.force_proportional, "ki_force": loop.force_integral,
        "kp_stroke": loop.stroke_proportional, "ki_stroke": loop.stroke_integral, "integral_limit": loop.integral_limit,
        "omega_feedback": 2.0 * math.pi * loop.feedback_lowpass, "release_ramp": loop.release_ramp,
        "omega_valve": 2.0 * math.pi * hydraulics.valve_frequency, "zeta_valve": hydraulics.valve_damping_ratio,
        "v_max": hydraulics.full_speed, "force_supply": hydraulics.supply_force,
        "low_pressure": hydraulics.low_pressure, "k_oil": hydraulics.oil_stiffness * stiff,
        "leakage": hydraulics.leakage / thick, "c_p": hydraulics.seal_damping * thick,
        "force_limit": panel.force_limit, "stroke_limit": panel.stroke_limit, "heartbeat_timeout": config.heartbeat_timeout,
        "omega_monitor": 2.0 * math.pi * sensors.monitor_bandwidth, "force_delay": config.force_delay,
        "force_volts": FULL_SCALE_VOLTS / panel.force_full_scale, "stroke_volts": FULL_SCALE_VOLTS / panel.stroke_full_scale,
        "force_gain": 1.0, "stroke_gain": 1.0, "break_force": math.inf,
        "force_zero": sensors.force_zero, "seal_friction": hydraulics.seal_friction, "deadband": hydraulics.valve_deadband,
        "valve_play": 0.5 * hydraulics.valve_hysteresis, "ripple": hydraulics.pump_ripple,
        "omega_ripple": 2.0 * math.pi * hydraulics.ripple_frequency,
    }  # fmt: skip


def _nominal(config: FrameSettings) -> NDArray[np.void]:
    s, sensors = config.specimen, config.sensors
    stiffness = contact_stiffness(config, config.clearance) if config.clearance > 0.0 else 0.0
    omega_4 = 2.0 * math.pi * s.second_mode_frequency
    bent = 1.0 + s.frame_stiffness * s.misalignment**2 / s.bending_stiffness  # softer than straight: its end turns by F e / k
    return _record(_of_loader(config) | {
        "m1": s.upper_mass, "m2": s.middle_mass, "m3": s.lower_mass,
        "k_f": s.frame_stiffness / bent, "c_f": s.frame_damping,
        "stiffness_a": stiffness, "stiffness_b": stiffness, "play_a": config.clearance / 2.0, "play_b": config.clearance / 2.0,
        "restitution": config.given_back, "k_0": s.closed_stiffness,
        "c_0": 2.0 * s.closed_damping_ratio * math.sqrt(s.closed_stiffness * s.upper_mass),
        "omega_acceleration": 2.0 * math.pi * sensors.acceleration_bandwidth,
        "omega_coupling": 2.0 * math.pi * sensors.acceleration_coupling, "acceleration_volts": sensors.acceleration_sensitivity,
        "m4": s.second_mode_mass,
        "k_4": s.second_mode_mass * omega_4**2, "c_4": 2.0 * s.second_mode_damping_ratio * s.second_mode_mass * omega_4,
        "loosening": config.faults.loosening, "wear": config.faults.wear,
        "pin_friction": s.pin_friction, "k_g": s.grip_stiffness, "gripped": s.gripped_share,
        "c_g": 2.0 * s.grip_damping_ratio * math.sqrt(s.grip_stiffness * s.gripped_share * s.lower_mass),
    })  # fmt: skip


def _record(values: Mapping[str, float]) -> NDArray[np.void]:
    record = np.zeros(1, PARAMETERS)
    for name, value in values.items():
        record[name] = value
    return record
