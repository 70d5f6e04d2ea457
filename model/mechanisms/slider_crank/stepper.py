"""From the slider-crank's configuration to a Stepper: parameters and stability limit."""

from __future__ import annotations

import math

import numpy as np

from model.compiled.parameters import packed
from model.compiled.signatures import Compiled
from model.contact import laws
from model.errors import ModelError
from model.floats import Floats
from model.friction import velocity_window
from model.integrators import by_address
from model.integrators.method import Integrator, explicit
from model.integrators.tableau import Tableau
from model.joints import translational
from model.mechanisms.slider_crank import equations, ideal, kernel
from model.mechanisms.slider_crank.config import Config, contact_stiffness, guide_stiffness, joint
from model.mechanisms.slider_crank.start import begun, places, resting
from model.stepping.crushable import CrushableStepper
from model.stepping.explicit import Kernels, Motion, Stepper

# Small but usual sizes of phi, x, y, psi and their rates, against which errors are measured: rad, m; rad/s, m/s. Work: J.
SCALE = np.array([1e-3, 1e-4, 1e-4, 1e-3]), np.array([1.0, 0.1, 0.1, 1.0])
WORK_SCALE = 1.0
STABLE_FORCE = 20e3  # N: contact that a fixed step must at least bear; what the first impact of the paper's case comes to


def stepper(config: Config, integrator: Integrator, rate: float, work: bool = False, driven: bool = False) -> Stepper:
    """See `model.mechanisms.slider_crank`; `work`: the drive's work (J) is the last state; `driven`: samples turn the crank."""
    method = explicit(integrator, "the rigid slider-crank, which takes explicit steps", "dop853 or rk4")
    if method.fixed:
        _refuse_unstable(config, method.tableau, method.longest)
    p, kernels = parameters(config), _equations(config, driven)
    q = places(config)
    scale = np.concatenate([SCALE[0][q], SCALE[1][q], [WORK_SCALE] * (work or not q)])
    guards = kernel.GUARD_COUNT if config.guide_clearance > 0.0 else 1
    motion = Motion(kernels, p, scale, guards, kernel.CHANNEL_COUNT, len(Config.CHANNELS), 0.0, _loop(config, driven))

    def rest(samples: Floats) -> tuple[Floats, Floats]:
        return resting(config, len(scale), samples, rate) if driven else begun(config, p, len(scale))

    made = CrushableStepper(motion, *method.steps, rate, rest)
    made.joint = joint(config)
    return made


def _equations(config: Config, driven: bool = False) -> Kernels:
    if not places(config):
        rhs, channels = (ideal.rhs_driven, ideal.channels_driven) if driven else (ideal.rhs, ideal.channels)
        return Kernels(rhs, ideal.guards, ideal.switch, channels, config.contact.force)
    if driven:
        return Kernels(equations.rhs_driven, kernel.guards_driven, kernel.switch_driven, equations.channels_driven, config.contact.force)
    rhs = equations.rhs_on_slider if _hinged_to_slider(config) else equations.rhs_on_crank
    return Kernels(rhs, kernel.guards, kernel.switch, equations.channels, config.contact.force)


def _hinged_to_slider(config: Config) -> bool:
    """Whether the ideal pin of the rod is the slider's."""
    return config.clearance_joint == "crank_rod" and config.clearance > 0.0


def _loop(config: Config, driven: bool) -> Compiled[..., int]:
    """The solver's loop with these equations and the family's law built in; an ideal linkage would not need it, a driven one has time."""
    if driven or not places(config) or not laws.of_family(config.contact.law):
        return by_address.advance
    return equations.advance_on_slider if _hinged_to_slider(config) else equations.advance_on_crank


def parameters(config: Config) -> Floats:
    """p of the kernel."""
    rod, slider, on_rod = config.rod, config.slider, config.clearance == 0.0
    total = rod.mass
    if _hinged_to_slider(config):
        arm, total = rod.length - rod.centre, rod.mass + slider.mass
        swing, turning, sign = rod.mass * arm, rod.inertia + rod.mass * arm**2, 1.0
    else:
        swing, turning, sign = rod.mass * rod.centre, rod.inertia + rod.mass * rod.centre**2, -1.0
    if on_rod:
        swing, turning, total = swing + slider.mass * rod.length, turning + slider.mass * rod.length**2, rod.mass + slider.mass
        sign = 1.0 if config.clearance_joint == "crank_rod" else -1.0
    friction = velocity_window.parameters(config)
    guide = translational.parameters(
        slider.length, slider.height, config.guide_clearance, guide_stiffness(config), config.guide_damping, friction
    )
    return packed(kernel.PARAMETERS, {
        kernel.SPEED: config.speed, kernel.R: config.crank.length, kernel.L: rod.length, kernel.S: rod.centre,
        kernel.M3: rod.mass, kernel.J3: rod.inertia, kernel.M4: slider.mass, kernel.PER_M4: 1.0 / slider.mass,
        kernel.PER_J4: 1.0 / slider.inertia, kernel.CRANK_WEIGHT: 0.5 * config.crank.mass * config.crank.length * config.gravity,
        kernel.GRAVITY: config.gravity, kernel.SWING: swing, kernel.TURNING: turning, kernel.PER_TURNING: 1.0 / turning,
        kernel.TOTAL: total, kernel.CLEARANCE: config.clearance,
        kernel.RADIUS_I: config.journal_radius + config.clearance, kernel.RADIUS_J: config.journal_radius,
        kernel.V_FLOOR: config.contact.approach_floor, kernel.SIGN: sign, kernel.FREEDOMS: len(places(config)),
        kernel.WITH_PIN: config.clearance > 0.0, kernel.WITH_GUIDE: config.guide_clearance > 0.0,
        kernel.FRICTION: friction, kernel.GUIDE: guide,
        kernel.CRANK_INERTIA: config.crank.inertia + config.crank.mass * (0.5 * config.crank.length) ** 2,
        kernel.HINGED_TO_SLIDER: _hinged_to_slider(config),
    })  # fmt: skip


def _refuse_unstable(config: Config, tableau: Tableau, step: float) -> None:
    fastest = max(_frequencies(config), default=0.0)
    limit = tableau.stable_step(np.array([1j * fastest, -1j * fastest]))
    if step > limit:
        raise ModelError(
            f"integrator.step {step:.3g} s is above the stability limit of this method, {limit:.3g} s, "
            f"for contact in the joints at {STABLE_FORCE / 1e3:g} kN; choose a smaller step, or dop853"
        )


def _frequencies(config: Config) -> list[float]:
    """Circular frequencies of the contacts while they are closed, 1/s: the pin's along the guide, the slider's on one face."""
    found = []
    if config.clearance > 0.0:
        n, stiffness = config.contact.exponent, contact_stiffness(config)
        slope = n * stiffness * (STABLE_FORCE / stiffness) ** (1.0 - 1.0 / n)
        found.append(math.sqrt(slope * (1.0 / config.slider.mass + _lightness(config))))
    if config.guide_clearance > 0.0:
        stiffness = guide_stiffness(config)
        found.append(math.sqrt(2.0 * stiffness / config.slider.mass))
        found.append(math.sqrt(stiffness * config.slider.length**2 / (2.0 * config.slider.inertia)))
    return found


def _lightness(config: Config) -> float:
    """Reciprocal of the largest and smallest mass that the rod's end can show, the larger: across the rod about its mass centre, 1/kg."""
    rod = config.rod
    arm = max(rod.centre, rod.length - rod.centre)
    return 1.0 / rod.mass + arm**2 / rod.inertia
