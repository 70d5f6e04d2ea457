"""From the driven slider's configuration to a Stepper: parameters, start, stability limit."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from model.compiled.parameters import packed
from model.contact.force import force
from model.errors import ModelError
from model.floats import Floats
from model.friction import karnopp
from model.integrators.method import Explicit, Integrator, explicit
from model.integrators.tableau import Tableau
from model.mechanisms.slider_bar import driven as led
from model.mechanisms.slider_bar import kernel
from model.mechanisms.slider_bar.config import Config
from model.stepping import inputs
from model.stepping.explicit import Kernels, Motion, Stepper

STEADY = Kernels(kernel.rhs, kernel.guards, kernel.switch, kernel.channels, force)
DRIVEN = Kernels(led.rhs, led.guards, led.switch, led.channels, force)
SCALE = np.array([1e-2, 1e-2])  # small but usual sizes of x and x', against which errors are measured: m, m/s


def stepper(config: Config, integrator: Integrator, rate: float, driven: bool = False) -> Stepper:
    """See `model.mechanisms.slider_bar`."""
    method = suiting(config, integrator, "slider_bar", "dop853 or rk4")
    p = parameters(config)
    motion = Motion(
        kernels=DRIVEN if driven else STEADY,
        parameters=p,
        scale=SCALE,
        guards=kernel.GUARD_COUNT,
        channels=kernel.RIGID_CHANNEL_COUNT,
        published=len(Config.CHANNELS),
        reach=0.0,
    )

    def rest(samples: Floats) -> tuple[Floats, Floats]:
        return resting(config, p, samples, rate) if driven else start(config, p)

    return Stepper(motion, *method.steps, rate, rest)


def suiting(config: Config, integrator: Integrator, mechanism: str, expected: str) -> Explicit:
    """An explicit method. Raises ModelError for another, or an unstable step."""
    method = explicit(integrator, mechanism, expected)
    if method.fixed:
        _refuse_unstable(config, method.tableau, method.longest)
    return method


def places(config: Config) -> dict[int, ArrayLike]:
    """What stands in p of the kernel, up to PLACES."""
    mass = config.bar_mass + config.slider_mass
    return {
        kernel.MASS: mass, kernel.SWING: 0.5 * config.bar_mass * config.bar_length, kernel.SPEED: config.speed,
        kernel.DRIVE: config.drive_force, kernel.DRIVE_SPEED: config.drive_speed,
        kernel.STIFFNESS: config.spring_stiffness, kernel.OFFSET: config.spring_offset, kernel.VISCOUS: config.viscous_friction,
        kernel.WEIGHT: mass * config.gravity, kernel.GRAVITY: config.gravity,
        kernel.LENGTH: config.slider_length, kernel.HEIGHT: config.slider_height, kernel.MOUNTED: config.motor_mount == "slider",
        kernel.FRICTION: karnopp.parameters(config.friction, config.static_friction, config.stick_band),
    }  # fmt: skip


def parameters(config: Config) -> Floats:
    """p of the kernel of the rigid slider."""
    own = {kernel.BAR_INERTIA: config.bar_mass * config.bar_length**2 / 3.0, kernel.PLAY: 0.5 * config.total_clearance}
    return packed(kernel.BAR_PLACES, places(config) | own)


def start(config: Config, p: Floats) -> tuple[Floats, Floats]:
    """(y, s) at t = 0."""
    x, v = config.start_position, config.start_velocity
    return _state(x, v, kernel.first_mode(kernel.loads(0.0, x, v, p), v, p))


def resting(config: Config, p: Floats, samples: Floats, rate: float) -> tuple[Floats, Floats]:
    """(y, s) with the bar where and as fast as the samples have it: a slider that friction holds there sticks."""
    x, v = config.start_position, config.start_velocity
    first = inputs.window(0.0, rate, samples[:4])
    return _state(x, v, kernel.first_mode(led.loads(0.0, x, v, p, first), v, p))


def _state(x: float, v: float, mode: int) -> tuple[Floats, Floats]:
    s = np.zeros(kernel.DISCRETE)
    s[kernel.MODE] = mode
    return np.array([x, v]), s


def _refuse_unstable(config: Config, tableau: Tableau, step: float) -> None:
    mass = config.bar_mass + config.slider_mass
    decay = 0.5 * config.viscous_friction / mass
    root = complex(decay * decay - config.spring_stiffness / mass) ** 0.5
    limit = tableau.stable_step(np.array([-decay + root, -decay - root]))
    if step > limit and math.isfinite(limit):
        raise ModelError(
            f"integrator.step {step:.3g} s is above the stability limit of this method, {limit:.3g} s, for the slider on its spring; "
            "choose a smaller step, or dop853"
        )
