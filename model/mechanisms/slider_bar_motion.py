"""From the driven slider's configuration to a Stepper: parameters, start, stability limit."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.contact.force import force
from model.errors import ModelError
from model.integrators.tableau import Tableau
from model.mechanisms import slider_bar_kernel as kernel
from model.mechanisms.slider_bar import CHANNELS, Config
from model.stepper import Kernels, Motion, Stepper

Floats = NDArray[np.float64]

SCALE = np.array([1e-2, 1e-2])  # small but usual sizes of x and x', against which errors are measured: m, m/s


def stepper(config: Config, integrator: Any, rate: float) -> Stepper:
    """See `model.mechanisms.slider_bar.create`."""
    tableau, tolerance, longest = explicit(config, integrator, "slider_bar", "dop853 or rk4")
    p = parameters(config)
    motion = Motion(
        kernels=Kernels(kernel.rhs, kernel.guards, kernel.switch, kernel.channels, force),
        parameters=p,
        scale=SCALE,
        guards=kernel.GUARD_COUNT,
        channels=kernel.CHANNEL_COUNT,
        published=len(CHANNELS),
        reach=0.0,
    )
    return Stepper(motion, tableau, tolerance, longest, rate, lambda _: start(config, p))


def explicit(config: Config, integrator: Any, mechanism: str, expected: str) -> tuple[Tableau, float, float]:
    """(tableau, tolerance, longest step in s) of an explicit method. Raises ModelError for another, or an unstable step."""
    module = sys.modules[type(integrator).__module__]
    tableau: Tableau | None = getattr(module, "TABLEAU", None)
    if tableau is None:
        kind = module.__name__.rpartition(".")[2]
        raise ModelError(f"integrator.kind {kind!r} does not suit {mechanism}; expected {expected}")
    if not hasattr(integrator, "step"):
        return tableau, integrator.tolerance, integrator.longest_step
    _refuse_unstable(config, tableau, integrator.step)
    return tableau, 1.0, integrator.step


def parameters(config: Config) -> Floats:
    """p of the kernel, in its order."""
    mass = config.bar_mass + config.slider_mass
    return np.array(
        [
            mass, 0.5 * config.bar_mass * config.bar_length, config.speed, config.drive_force, config.drive_speed,
            config.spring_stiffness, config.spring_offset, config.viscous_friction, mass * config.gravity, config.gravity,
            config.slider_length, config.slider_height, config.motor_mount == "slider",
            config.friction, config.static_friction, config.stick_band,
        ],
        dtype=np.float64,
    )  # fmt: skip


def start(config: Config, p: Floats) -> tuple[Floats, Floats]:
    """(y, s) at t = 0."""
    s = np.zeros(kernel.DISCRETE)
    s[kernel.MODE] = kernel.first_mode(0.0, config.start_position, config.start_velocity, p)
    return np.array([config.start_position, config.start_velocity]), s


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
