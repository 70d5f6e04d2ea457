"""From the four-bar's configuration to a stepper: parameters, smooth start, stability limit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from model.compiled.parameters import Places, packed
from model.contact import force as law
from model.errors import InconsistentStart, ModelError
from model.floats import Floats
from model.friction import velocity_window
from model.integrators.method import Integrator, explicit
from model.integrators.tableau import Tableau
from model.joints import revolute
from model.mechanisms.four_bar import kernel, massless_link
from model.mechanisms.four_bar.angles import grid
from model.mechanisms.four_bar.config import Config, contact_stiffness, doubtful_inertias
from model.mechanisms.four_bar.ideal import ideal
from model.mechanisms.four_bar.ideal_stepper import IdealStepper
from model.stepping.crushable import CrushableStepper
from model.stepping.crushing import Joint
from model.stepping.explicit import Kernels, Motion

STANDSTILL = 1e-9  # rad/s: a speed at which only gravity is left
SCALE = np.array([1e-7, 1e-7, 1e-3, 1e-3])  # small but usual sizes of the state and its rate: m, m/s


def stepper(config: Config, integrator: Integrator, rate: float, driven: bool = False) -> CrushableStepper | IdealStepper:
    """See `model.mechanisms.four_bar`."""
    if config.clearance == 0.0:
        return IdealStepper(config, rate, driven)
    method = explicit(integrator, "the four-bar, which takes explicit steps", "dop853 or rk4")
    if method.fixed:
        _refuse_unstable(config, method.tableau, method.longest)
    rhs, channels = (kernel.rhs_driven, kernel.channels_driven) if driven else (kernel.rhs, kernel.channels)
    motion = Motion(
        kernels=Kernels(rhs, kernel.guards, kernel.switch, channels, config.contact.force),
        parameters=parameters(config),
        scale=SCALE,
        guards=kernel.GUARD_COUNT,
        channels=kernel.CHANNEL_COUNT,
        published=len(Config.CHANNELS),
        reach=0.0,
    )
    if driven:
        made = CrushableStepper(motion, *method.steps, rate, lambda samples: resting(config, float(samples[0])))
    else:
        begun = start(config)
        made = CrushableStepper(motion, *method.steps, rate, lambda _: (np.array(begun[0]), np.array(begun[1])))
    made.joint, made.remarks = joint(config), tuple(doubtful_inertias(config))
    return made


def joint(config: Config) -> Joint:
    """The joint with clearance."""
    return Joint("coupler-rocker joint", config.bearing_radius, kernel.PENETRATION)


def parameters(config: Config) -> Floats:
    """p of the kernel."""
    radius_i, radius_j = revolute.radii(config.bearing_radius, config.clearance)
    swing = config.coupler_mass * config.coupler_centre
    places: Places = {
        kernel.L1: config.crank_length, kernel.L2: config.coupler_length, kernel.L3: config.rocker_length, kernel.L4: config.ground_length,
        kernel.PER_L2: 1.0 / config.coupler_length, kernel.PER_L3: 1.0 / config.rocker_length,
        kernel.PER_J2: 1.0 / config.coupler_inertia, kernel.PER_J3: 1.0 / config.rocker_inertia,
        kernel.SWING_2: swing * config.crank_length, kernel.WEIGHT_2: swing * config.gravity,
        kernel.WEIGHT_3: config.rocker_mass * config.gravity * (config.rocker_length - config.rocker_centre),
        kernel.SPEED: config.speed, kernel.START: config.start_angle, kernel.GAP: config.clearance, kernel.PER_GAP: 1.0 / config.clearance,
        kernel.RADIUS_I: radius_i, kernel.RADIUS_J: radius_j, kernel.V_FLOOR: config.contact.approach_floor,
        kernel.FRICTION: velocity_window.parameters(config),
    }  # fmt: skip
    return packed(kernel.PARAMETERS, places)


def start(config: Config) -> tuple[Floats, Floats]:
    """(y, s) in smooth contact at the start angle: pressed as deep as the force there wants, turning with the corrected alpha.

    Raises InconsistentStart where there is no such contact, or where it would crush the joint.
    """
    begun, stiffness, n = massless_link.start(config), contact_stiffness(config), config.contact.exponent
    depth = (begun.force / stiffness) ** (1.0 / n)
    if said := joint(config).said(depth):
        raise InconsistentStart(f"at the start (0 s), under the {begun.force:.3g} N of the ideal linkage, {said}")
    deeper = depth * begun.force_rate / (n * begun.force)
    state = np.array([depth, config.clearance * begun.alpha, deeper, config.clearance * begun.alpha_rate])
    return state, law.parameters(stiffness, n, config.contact.damping, config.contact.approach_floor)


def resting(config: Config, turned: float) -> tuple[Floats, Floats]:
    """(y, s) with the crank at rest, `turned` (rad) from the start angle: pressed as gravity wants it, or in the middle without any."""
    there = ideal(replace(config, speed=STANDSTILL), np.array(config.start_angle + turned), order=2)
    stiffness, n, pull = contact_stiffness(config), config.contact.exponent, float(there.F.value)
    if config.gravity == 0.0 or not pull > 0.0:
        return np.zeros(kernel.STATES), law.parameters(stiffness, n, config.contact.damping)
    depth = (pull / stiffness) ** (1.0 / n)
    if said := joint(config).said(depth):
        raise InconsistentStart(f"at rest, under the {pull:.3g} N of gravity, {said}")
    s = law.parameters(stiffness, n, config.contact.damping, config.contact.approach_floor)
    return np.array([depth, config.clearance * float(there.alpha.value), 0.0, 0.0]), s


def _refuse_unstable(config: Config, tableau: Tableau, step: float) -> None:
    load = float(ideal(config, grid(360), order=2).F.value.max())
    limit = tableau.stable_step(np.linalg.eigvals(closed_joint(config, load)).astype(np.complex128))
    if step > limit:
        raise ModelError(
            f"integrator.step {step:.3g} s is above the stability limit of this method, {limit:.3g} s, for contact at "
            f"{load:.3g} N, the largest of the ideal joint, and the slowest approach; choose a smaller step, or dop853"
        )


def closed_joint(config: Config, load: float) -> Floats:
    """System matrix (2, 2) of the penetration in contact under `load` (N), with the links as light as they can be there."""
    n, stiffness = config.contact.exponent, contact_stiffness(config)
    k = n * stiffness * (load / stiffness) ** (1.0 - 1.0 / n)
    c = load * config.contact.damping / config.contact.approach_floor
    lightness = config.coupler_length**2 / config.coupler_inertia + config.rocker_length**2 / config.rocker_inertia
    return np.array([[0.0, 1.0], [-k * lightness, -c * lightness]])
