"""From the flexible driven slider's configuration to a stepper, and its start without inertia across the guide."""

from __future__ import annotations

import numpy as np

from model.contact.force import force
from model.floats import Floats
from model.integrators import newmark
from model.integrators.method import Integrator
from model.mechanisms.slider_bar import kernel as rigid
from model.mechanisms.slider_bar import stepper as slider_bar_motion
from model.mechanisms.slider_bar_flexible import contact, kernel
from model.mechanisms.slider_bar_flexible.condensed import compliance, parameters
from model.mechanisms.slider_bar_flexible.config import Config
from model.mechanisms.slider_bar_flexible.newmark_stepper import NewmarkStepper
from model.stepping.explicit import Kernels, Motion, Stepper


def stepper(config: Config, integrator: Integrator, rate: float) -> Stepper | NewmarkStepper:
    """See `model.mechanisms.slider_bar_flexible`."""
    if isinstance(integrator, newmark.Config):
        return NewmarkStepper(config, integrator, rate)
    method = slider_bar_motion.suiting(config, integrator, "slider_bar_flexible", "dop853, rk4 or newmark")
    p = parameters(config, compliance(config))
    motion = Motion(
        kernels=Kernels(kernel.rhs, kernel.guards, kernel.switch, kernel.channels, force),
        parameters=p,
        scale=slider_bar_motion.SCALE,
        guards=rigid.GUARD_COUNT,
        channels=rigid.CHANNEL_COUNT,
        published=len(Config.CHANNELS),
        reach=0.0,
    )
    return Stepper(motion, *method.steps, rate, lambda _: start(config, p))


def start(config: Config, p: Floats) -> tuple[Floats, Floats]:
    """(y, s) at t = 0."""
    s = np.zeros(rigid.DISCRETE + contact.room(2 * (config.columns + 1)))
    y = np.array([config.start_position, config.start_velocity])
    kernel.begin(0.0, y, p, s)
    return y, s
