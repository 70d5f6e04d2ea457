"""Contact loss of the mechanism itself, journal and bearing elastic: the run of model.mechanisms.four_bar, and where the joint opens."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from model.floats import Floats
from model.integrators.method import Integrator
from model.mechanisms.four_bar import Config
from model.mechanisms.four_bar.kernel import CRANK_ANGLE, FORCE

SAMPLES = 7200  # a revolution, of the force
KEPT = math.radians(5.0)  # contact over less of the crank's turn belongs to the bounces after a loss


@dataclass(frozen=True)
class Run:
    """From the start angle on: crank angles (rad) and largest force since the one before (N); every opening of the joint, and the losses.

    A loss is an opening after contact over at least KEPT.
    """

    angle: Floats
    force: Floats
    openings: Floats
    losses: list[float]


def run(config: Config, integrator: Integrator, revolutions: float) -> Run:
    """Raises ModelError and InconsistentStart as `four_bar.create` does, NotConverged when the motion diverges."""
    rate = SAMPLES * config.speed / (2.0 * math.pi)
    stepper = config.create(integrator, rate)
    stepper.start(np.zeros(stepper.lookahead))
    values, _, high = stepper.advance_with_extremes(np.zeros(math.ceil(SAMPLES * revolutions) + 1))
    angle = values[:, CRANK_ANGLE]
    events = [(config.start_angle + config.speed * event.time, event.noted > 0.0) for event in stepper.events]
    openings = np.array([at for at, closes in events if not closes and at <= angle[-1]])
    closings = [config.start_angle, *(at for at, closes in events if closes)]
    losses = [at for at, closed in zip(openings.tolist(), closings, strict=False) if at - closed >= KEPT]
    return Run(angle, high[:, FORCE], openings, losses)
