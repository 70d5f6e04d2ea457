"""From the flexible 3-RRPaR's configuration and a path to an ImplicitStepper: parameters; and its energy."""

from __future__ import annotations

import math

import numpy as np

from model.bodies.ancf_beam3d.hinged import matrices
from model.compiled.parameters import Places, packed
from model.contact import laws
from model.contact.force import force
from model.errors import ModelError
from model.floats import Floats
from model.integrators import generalized_alpha
from model.integrators.method import Integrator
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar import pin_loads as pressing
from model.mechanisms.parallel_3rrpar import stepper as rigid_motion
from model.mechanisms.parallel_3rrpar.config import remarks_of
from model.mechanisms.parallel_3rrpar_flexible import bodies, kernel, outputs
from model.mechanisms.parallel_3rrpar_flexible import contact as pins
from model.mechanisms.parallel_3rrpar_flexible import feasibility as bearing
from model.mechanisms.parallel_3rrpar_flexible import one_way as led
from model.mechanisms.parallel_3rrpar_flexible import start as begin
from model.mechanisms.parallel_3rrpar_flexible.bodies import IDEAL, WITH_CLEARANCE
from model.mechanisms.parallel_3rrpar_flexible.config import ONE_WAY, REDUCED, Config
from model.mechanisms.parallel_3rrpar_flexible.led import implicit
from model.mechanisms.parallel_3rrpar_flexible.reduced import stepper as reduced
from model.paths.course import Course
from model.stepping.contract import checked_rate
from model.stepping.implicit import Constrained, ImplicitStepper, Kernels
from model.stepping.sampled_parameters import with_room

ADVISED = 0.4  # of the pins' period: as much as the steps of the experiment are


def stepper(config: Config, integrator: Integrator, rate: float, path: Course, lasting: float, driven: bool = False) -> ImplicitStepper:
    """See `model.mechanisms.parallel_3rrpar_flexible`; `driven`: samples are the path's time."""
    if not isinstance(integrator, generalized_alpha.Config):
        kind = type(integrator).__module__.rpartition(".")[2]
        raise ModelError(f"integrator.kind {kind!r} does not suit the flexible 3-RRPaR, whose bars are stiff; expected generalized_alpha")
    step = 1.0 / (rate * math.ceil(1.0 / (checked_rate(rate) * integrator.step) - 1e-9))  # as ImplicitStepper fits it to the samples
    bearing.refuse(config, step, path, lasting, driven)
    leading = not config.ideal and config.coupling == ONE_WAY
    if leading and driven:
        raise ModelError("mechanism.coupling: one_way moves in the path's own time alone; expected together where samples lead")
    if not config.ideal and not leading and not laws.of_family(config.contact.law):
        known = ", ".join(laws.LAWS)
        raise ModelError(f"contact.law = {config.contact.law!r}: this method takes the slope of the force, which is known of {known} only")
    if not config.ideal and not leading:
        _refuse_coarse(config, step, pressing.force(config, path, lasting))
    followed, led_for = lasting + step + rigid_motion.MARGIN, lasting if driven else None
    if config.bars.formulation == REDUCED:
        drives = rigid_motion.parameters(config, path, followed)
        whole = reduced.stepper(config, integrator, rate, path, drives, usual_force(config), led_for)
        whole.remarks = (*whole.remarks, *remarks_of(config))
        whole.floor, whole.advice = bearing.rounding(config, usual_force(config)), bearing.advice(config, path)
        return whole
    p = with_room(parameters(config, path, followed, factors(step, integrator.rho_inf)), driven)
    if leading:
        p = np.concatenate([p, led.table(config, integrator.tolerance, step, path, followed)])
    size = coordinates(config)
    motion = Constrained(
        kernels=Kernels(kernel.residual, kernel.tangent, pins.guards, pins.switch, outputs.channels, force, kernel.solved),
        parameters=p,
        coordinates=size,
        constraints=0,
        guards=rigid.PINS,
        channels=rigid.CHANNEL_COUNT,
        force=usual_force(config),
        length=config.bars.length,
        mass=config.platform.mass,
        scratch=1,
    )

    def start(path: Course, p: Floats) -> tuple[Floats, Floats, Floats]:
        return begin.start(config, path, p, room(config))

    made = implicit(motion, integrator, rate, path, start, led_for)
    made.remarks = (*made.remarks, *remarks_of(config))
    made.floor, made.advice = bearing.rounding(config, usual_force(config)), bearing.advice(config, path)
    if leading:
        made.remarks = (*made.remarks, led.REMARK)
    return made


def coordinates(config: Config) -> int:
    """Number of q."""
    return kernel.BARS * 12 * config.bars.elements + (IDEAL if config.ideal else WITH_CLEARANCE)


def usual_force(config: Config) -> float:
    """Weight of all that the bars carry, and of themselves, N."""
    mass = config.platform.mass + 6.0 * (config.short.mass + config.bars.mass)
    return float(mass * max(abs(config.gravity), 1.0))


def factors(step: float, rho_inf: float) -> tuple[float, float]:
    """(c_a, c_v) of generalised-alpha."""
    alpha_m, alpha_f, gamma, beta = generalized_alpha.coefficients(rho_inf)
    return (1.0 - alpha_m) / (step * step * beta * (1.0 - alpha_f)), gamma / (step * beta)


def parameters(config: Config, path: Course, lasting: float, of_step: tuple[float, float]) -> Floats:
    """p of the kernel; of_step: (c_a, c_v)."""
    return np.concatenate([rigid_motion.parameters(config, path, lasting), own_parameters(config, of_step)])


def own_parameters(config: Config, of_step: tuple[float, float]) -> Floats:
    """What the kernel has behind p of the rigid mechanism."""
    short, platform, beam = config.short, config.platform, config.bars.beam
    weight = beam.gravity(np.array([0.0, 0.0, -config.gravity]))
    condensed = matrices(beam, *of_step)
    places: Places = {
        bodies.SHORT_MASS: short.mass, bodies.PLATFORM_MASS: platform.mass, bodies.J_NEAR: short.jx,
        bodies.I_SHORT: _natural(short.jy, short.jz, short.jx),  # its axes x' and n are its own y and z, a its x
        bodies.I_PLATFORM: _natural(platform.jx, platform.jy, platform.jz),
        bodies.HALF: 0.5 * config.geometry.short_length, bodies.WEIGHT: config.gravity, bodies.TURNS: platform.motion == "free",
        kernel.C_A: of_step[0], kernel.C_V: of_step[1], kernel.ELEMENTS: beam.elements, kernel.BAR: beam.parameters,
        kernel.WEIGHTS: weight, kernel.WEIGHTS + len(weight): condensed,
    }  # fmt: skip
    return packed(kernel.WEIGHTS + len(weight) + len(condensed), places)


def _natural(x: float, y: float, z: float) -> tuple[float, float, float]:
    """I_k of a body from its moments of inertia."""
    half = 0.5 * (x + y + z)
    return half - x, half - y, half - z


def room(config: Config) -> Floats:
    """s: contacts open, or joints ideal."""
    return pins.opened(config, kernel.room_size(config.bars.elements))


def _refuse_coarse(config: Config, step: float, pressed: float) -> None:
    """Steps that cannot follow a pin in its bush."""
    if pressed == 0.0:
        return
    period = 2.0 * math.pi / pressing.vibration(config, pressed)
    if step > period:
        raise ModelError(
            f"integrator.step {step:.3g} s is too large for the contact: pins that press with {pressed:.3g} N, as on this path, vibrate in "
            f"their bushes with a period of {period:.3g} s; choose at most that, {ADVISED * period:.1g} s follows it well"
        )
