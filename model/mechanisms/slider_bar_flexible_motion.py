"""From the flexible driven slider's configuration to a stepper, and its start without inertia across the guide."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.contact.force import force
from model.integrators import newmark
from model.mechanisms import slider_bar_flexible_contact as contact
from model.mechanisms import slider_bar_flexible_kernel as kernel
from model.mechanisms import slider_bar_kernel as rigid
from model.mechanisms import slider_bar_motion
from model.mechanisms.slider_bar_flexible import CHANNELS, Config
from model.mechanisms.slider_bar_flexible_condensed import compliance, parameters
from model.mechanisms.slider_bar_flexible_newmark import NewmarkStepper
from model.stepper import Kernels, Motion, Stepper

Floats = NDArray[np.float64]


def stepper(config: Config, integrator: Any, rate: float) -> Any:
    """See `model.mechanisms.slider_bar_flexible.create`."""
    if isinstance(integrator, newmark.Config):
        return NewmarkStepper(config, integrator, rate)
    tableau, tolerance, longest = slider_bar_motion.explicit(config, integrator, "slider_bar_flexible", "dop853, rk4 or newmark")
    p = parameters(config, compliance(config))
    motion = Motion(
        kernels=Kernels(kernel.rhs, kernel.guards, kernel.switch, kernel.channels, force),
        parameters=p,
        scale=slider_bar_motion.SCALE,
        guards=rigid.GUARD_COUNT,
        channels=rigid.CHANNEL_COUNT,
        published=len(CHANNELS),
        reach=0.0,
    )
    return Stepper(motion, tableau, tolerance, longest, rate, lambda _: start(config, p))


def start(config: Config, p: Floats) -> tuple[Floats, Floats]:
    """(y, s) at t = 0."""
    s = np.zeros(rigid.DISCRETE + contact.room(2 * (config.columns + 1)))
    y = np.array([config.start_position, config.start_velocity])
    kernel.begin(0.0, y, p, s)
    return y, s
