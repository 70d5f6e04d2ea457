"""From the flexible slider-crank's configuration to a Stepper: parameters, factored mass matrix, start state, stability limit."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from model.bodies.ancf_beam2d.beam import NODE
from model.bodies.ancf_beam2d.mass import factors
from model.compiled.parameters import packed
from model.errors import ModelError
from model.floats import Floats
from model.friction import velocity_window
from model.integrators import generalized_alpha, leapfrog
from model.integrators.method import Integrator, explicit
from model.integrators.tableau import Tableau
from model.joints import revolute, translational
from model.mechanisms.slider_crank.config import contact_stiffness, guide_stiffness, joint
from model.mechanisms.slider_crank_flexible import constrained, kernel
from model.mechanisms.slider_crank_flexible.config import Config
from model.mechanisms.slider_crank_flexible.leapfrog_stepper import LeapfrogStepper
from model.mechanisms.slider_crank_flexible.led import LedStepper
from model.mechanisms.slider_crank_flexible.start import resting, start
from model.stepping.crushable import CrushableStepper
from model.stepping.explicit import Kernels, Motion
from model.stepping.implicit import Constrained, ImplicitStepper
from model.stepping.implicit import Kernels as ConstrainedKernels
from model.stepping.sampled_parameters import SampledParameters, with_room

# Small but usual sizes of r and r_x, of x, y, phi, and of their rates, against which errors are measured.
NODE_SCALE, SLIDER_SCALE = [1e-5, 1e-5, 1e-4, 1e-4], [1e-5, 1e-5, 1e-4]
RATES = 1e3  # 1/s: of the rates' sizes to those of the states
# Contact that a fixed step must at least bear.
STABLE_FORCE = 10e3  # N
MOST_STEPS = 1e8  # for a second: half a minute for two revolutions at 5000 r/min
STEPS_IN_CONTACT = 10.0  # at least, of a method that does not locate contacts
LEAP_MARGIN = 0.8  # the leapfrog has no damping at its limit that would bear a harder impact


def stepper(
    config: Config, integrator: Integrator, rate: float, driven: bool = False
) -> CrushableStepper | ImplicitStepper | LeapfrogStepper:
    """See `model.mechanisms.slider_crank_flexible`; `driven`: samples turn the crank."""
    if isinstance(integrator, generalized_alpha.Config):
        return _implicit(config, integrator, rate, driven)
    if isinstance(integrator, leapfrog.Config):
        return _leaping(config, integrator, rate, driven)
    method = explicit(integrator, "slider_crank_flexible", "dop853, rk4, leapfrog or generalized_alpha")
    if method.fixed:
        _refuse_unstable(config, method.tableau.stable_step(fastest_modes(config)), method.longest)
    else:
        _refuse_hopeless(config, method.tableau)
    size = np.array(NODE_SCALE * (config.rod.elements + 1) + SLIDER_SCALE)

    def rest(samples: Floats) -> tuple[Floats, Floats]:
        return resting(config, motion.parameters, samples, rate) if driven else start(config)

    motion = Motion(
        kernels=Kernels(kernel.rhs, kernel.guards, kernel.switch, kernel.channels, config.contact.force),
        parameters=with_room(parameters(config), driven, 2 * math.ceil(method.longest * rate)),
        scale=np.concatenate([size, RATES * size]),
        guards=kernel.CONTACTS,
        channels=len(Config.CHANNELS),
        published=len(Config.CHANNELS),
        reach=0.0,
    )
    made = (LedStepper if driven else CrushableStepper)(motion, *method.steps, rate, rest)
    made.joint = joint(config)
    return made


def _implicit(config: Config, integrator: generalized_alpha.Config, rate: float, driven: bool) -> ImplicitStepper:
    p = with_room(parameters(config), driven)
    samples = SampledParameters(rate, kernel.SAMPLES, p)

    def rest() -> tuple[Floats, Floats, Floats]:
        return constrained_start(config, p, resting(config, p, samples.first, rate)) if driven else constrained_start(config, p)

    motion = Constrained(
        kernels=ConstrainedKernels(
            constrained.residual, constrained.system, kernel.guards, kernel.switch, constrained.channels, config.contact.force
        ),
        parameters=p,
        coordinates=NODE * (config.rod.elements + 1) + kernel.SLIDER,
        constraints=constrained.count_constraints(p),
        guards=kernel.CONTACTS,
        channels=len(Config.CHANNELS),
        force=config.slider.mass * config.speed**2 * config.crank.length,
        length=config.rod.length,
        mass=config.rod.mass,
    )
    made = ImplicitStepper(motion, integrator, rate, rest)
    if driven:
        made.lead(samples)
    made.joint, made.remarks = joint(config), (*made.remarks, *_unresolved(config, made.step))
    return made


def _unresolved(config: Config, step: float) -> tuple[str, ...]:
    """A remark where a step (s) is too long for the contacts."""
    lasting = contact_time(config)
    if step * STEPS_IN_CONTACT <= lasting:
        return ()
    return (
        f"integrator.step: a contact at {STABLE_FORCE / 1e3:g} kN lasts some {lasting * 1e6:.3g} us, {lasting / step:.2g} steps of "
        f"{step * 1e6:.4g} us: impacts are not resolved; choose at most {lasting / STEPS_IN_CONTACT * 1e6:.2g} us, or dop853",
    )


def contact_time(config: Config) -> float:
    """Half a period of the fastest contact, s, with the masses that it meets at first; infinite where no joint has clearance."""
    fastest = 0.0
    if which_pin(config) != kernel.NONE:
        crank_rod = which_pin(config) == kernel.CRANK_ROD
        place = 0 if crank_rod else -2
        lightness = np.linalg.inv(minimal_mass(config, 0))[place, place] + (0.0 if crank_rod else 1.0 / config.slider.mass)
        fastest = math.sqrt(pin_stiffness(config) * lightness)
    if config.guide_clearance > 0.0:
        fastest = max(fastest, math.sqrt(2.0 * guide_stiffness(config) / config.slider.mass))
    return math.pi / fastest if fastest > 0.0 else math.inf


def _leaping(config: Config, integrator: leapfrog.Config, rate: float, driven: bool) -> LeapfrogStepper:
    _refuse_unstable(config, leap_limit(config), integrator.step)
    place = 0 if which_pin(config) == kernel.CRANK_ROD else -2
    lines = [np.linalg.inv(minimal_mass(config, direction))[[place, place + 1]] for direction in (0, 1)]
    inverse = np.ascontiguousarray(np.concatenate(lines))
    p = with_room(parameters(config), driven)

    def rest() -> tuple[Floats, Floats]:
        return resting(config, p, samples.first, rate) if driven else start(config)

    made = LeapfrogStepper(p, inverse, rest, config.contact.force, integrator.step, rate)
    samples = SampledParameters(rate, kernel.SAMPLES, *made.parameters)
    if driven:
        made.lead(samples)
    made.joint = joint(config)
    return made


def leap_limit(config: Config) -> float:
    """Largest step of the leapfrog, s; a mode's damping is beta omega^2."""
    omega = np.abs(fastest_modes(replace(config, rod=replace(config.rod, damping=0.0))))
    margin = 1.0 if which_pin(config) == kernel.NONE else LEAP_MARGIN
    return margin * leapfrog.stable_step(omega, config.rod.damping * omega**2)


def constrained_start(config: Config, p: Floats, begin: tuple[Floats, Floats] | None = None) -> tuple[Floats, Floats, Floats]:
    """(y, s, jerk) at t = 0: the start, or `begin`, with the accelerations of the minimal coordinates, and the multipliers that go with
    them; p: of the kernel."""
    y, s = start(config) if begin is None else begin
    n = len(y) // 2
    rates, later, unused = np.zeros_like(y), np.zeros_like(y), np.zeros(1)
    kernel.rhs(0.0, y, rates, p, s, unused, config.contact.force)
    moment = 1e-9 / config.speed
    kernel.rhs(moment, y + moment * rates, later, p, s, unused, config.contact.force)
    jerk = (later[n:] - rates[n:]) / moment
    rows = constrained.count_constraints(p)
    full, rest, border = np.concatenate([y, rates[n:], np.zeros(rows)]), np.zeros(n + rows), np.zeros((n + rows, n + rows))
    constrained.residual(0.0, full, rest, p, s, config.contact.force)
    constrained.bind(p, border)
    full[3 * n :] = np.linalg.lstsq(border[:n, n:], -rest[:n], rcond=None)[0]
    return full, s, jerk


def which_pin(config: Config) -> int:
    """Of the kernel's NONE, ROD_SLIDER, CRANK_ROD."""
    if config.clearance == 0.0:
        return kernel.NONE
    return kernel.ROD_SLIDER if config.clearance_joint == "rod_slider" else kernel.CRANK_ROD


def parameters(config: Config) -> Floats:
    """p of the kernel."""
    rod, slider = config.rod, config.slider
    mass = rod.beam.mass_matrix()
    friction = velocity_window.parameters(config)
    inertia = factors(minimal_mass(config, 0), minimal_mass(config, 1))
    guide = translational.parameters(
        slider.length, slider.height, config.guide_clearance, guide_stiffness(config), config.guide_damping, friction
    )
    bearing, journal = revolute.radii(config.journal_radius + config.clearance, config.clearance)
    places = {
        kernel.NODES: rod.elements + 1, kernel.OMEGA: config.speed, kernel.CRANK: config.crank.length, kernel.PIN: which_pin(config),
        kernel.GUIDE: config.guide_clearance > 0.0, kernel.R_I: bearing, kernel.R_J: journal,
        kernel.V_FLOOR: config.contact.approach_floor, kernel.SLIDER_MASS: slider.mass, kernel.SLIDER_INERTIA: slider.inertia,
        kernel.GRAVITY: config.gravity, kernel.CRANK_WEIGHT: 0.5 * config.crank.mass * config.crank.length * config.gravity,
        kernel.CRANK_INERTIA: config.crank.inertia + config.crank.mass * (0.5 * config.crank.length) ** 2,
        kernel.ELEMENT_MASS: rod.mass / rod.elements, kernel.SAMPLES: 0,
        kernel.M_00: mass[0, 0], kernel.M_01: mass[0, 2], kernel.M_02: mass[0, 4], kernel.M_03: mass[0, 6],
        kernel.BEAM: rod.beam.parameters, kernel.CORNERED: guide, kernel.FRICTION: friction, kernel.FACTOR: inertia,
    }  # fmt: skip
    return packed(kernel.FACTOR + inertia.size, places)


def minimal_mass(config: Config, direction: int) -> Floats:
    """Mass matrix of one direction (0: x, 1: y), a row of the identity for a coordinate that is held; (2 nodes, 2 nodes)."""
    mass = np.array(config.rod.beam.mass_matrix()[direction::2, direction::2])
    held = [] if which_pin(config) == kernel.CRANK_ROD else [0]
    if which_pin(config) != kernel.ROD_SLIDER:
        mass[-2, -2] += config.slider.mass
        held += [len(mass) - 2] if direction == 1 and config.guide_clearance == 0.0 else []
    for place in held:
        mass[place, :] = mass[:, place] = 0.0
        mass[place, place] = 1.0
    return mass


def fastest_modes(config: Config) -> NDArray[np.complex128]:
    """Eigenvalues of the straight rod, 1/s, but those of its rigid motion; pin (under STABLE_FORCE, along it) and guide are closed."""
    beam = config.rod.beam
    e = beam.straight(np.zeros(2), np.array([1.0, 0.0]))
    stiffness, damping, found = beam.stiffness(e), beam.damping_matrix(e), []
    for direction in (0, 1):
        mass = np.linalg.inv(minimal_mass(config, direction))
        k, c = stiffness[direction::2, direction::2].copy(), damping[direction::2, direction::2].copy()
        if direction == 0 and which_pin(config) != kernel.NONE:
            at = 0 if which_pin(config) == kernel.CRANK_ROD else len(k) - 2
            k[at, at] += pin_stiffness(config)
        if direction == 1 and config.guide_clearance > 0.0 and which_pin(config) != kernel.ROD_SLIDER:
            k[-2, -2] += 2.0 * guide_stiffness(config)
        system = np.block([[np.zeros_like(k), np.eye(len(k))], [-mass @ k, -mass @ c]])
        found.append(np.linalg.eigvals(system))
    values = np.concatenate(found).astype(np.complex128)
    moving: NDArray[np.complex128] = values[np.abs(np.minimum(values.real, 0.0) + 1j * values.imag) > 1e-6 * np.max(np.abs(values))]
    return moving


def pin_stiffness(config: Config) -> float:
    """Of the contact in the pin under STABLE_FORCE, N/m."""
    n, stiffness = config.contact.exponent, contact_stiffness(config)
    return float(n * stiffness * (STABLE_FORCE / stiffness) ** (1.0 - 1.0 / n))


def _refuse_unstable(config: Config, limit: float, step: float) -> None:
    if step > limit:
        raise ModelError(
            f"integrator.step {step:.3g} s is above the stability limit of this method, {limit:.3g} s, which the fastest mode of the rod's "
            f"{config.rod.elements} elements sets at {config.rod.youngs_modulus / 1e9:g} GPa; choose a smaller step, or dop853"
        )


def _refuse_hopeless(config: Config, tableau: Tableau) -> None:
    """Raise ModelError where the rod's damping alone keeps an adaptive explicit method at steps with which it would not arrive."""
    if config.rod.damping == 0.0:
        return
    limit = tableau.stable_step(fastest_modes(config))
    if limit * MOST_STEPS < 1.0:
        raise ModelError(
            f"mechanism.rod.damping: {config.rod.damping:g} s is so stiff that explicit steps have to stay below {limit:.2g} s, "
            f"{1.0 / limit:.2g} steps for a second; choose integrator.kind = generalized_alpha with a step of some "
            f"{min(1e-6, contact_time(config) / STEPS_IN_CONTACT) * 1e6:.2g} us, which has no such limit, or less damping"
        )


def energy(config: Config, y: Floats) -> float:
    """Kinetic and strain energy and that of the weight, J; without what is stored in closed contacts."""
    size = NODE * (config.rod.elements + 1)
    e, v, slider = y[:size], y[size + kernel.SLIDER : 2 * size + kernel.SLIDER], config.slider
    x, rate = y[size : size + kernel.SLIDER], y[2 * size + kernel.SLIDER :]
    mass, up = config.rod.beam.mass_matrix(), np.tile([0.0, 1.0, 0.0, 0.0], config.rod.elements + 1)
    kinetic = 0.5 * (v @ mass @ v + slider.mass * (rate[0] ** 2 + rate[1] ** 2) + slider.inertia * rate[2] ** 2)
    weight = config.gravity * (up @ mass @ e + slider.mass * x[1])
    return float(kinetic + config.rod.beam.strain_energy(e) + weight)
