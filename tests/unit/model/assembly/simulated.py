"""A described mechanism, run: its channels over time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from model.integrators import dop853
from model.mechanisms.planar import Config

Floats = NDArray[np.float64]
RATE = 1e3


def run(config: Config, seconds: float) -> dict[str, Floats]:
    """Channels (k,) at 1 kHz, to a tolerance that no test is near to."""
    stepper = config.create(dop853.Config(tolerance=1e-10, longest_step=1e-2), RATE)
    stepper.start(np.zeros(stepper.lookahead))
    values = stepper.advance(np.zeros(round(seconds * RATE) + 1))
    return {name: values[:, k] for k, (name, _) in enumerate(config.channels)}


def times(seconds: float) -> Floats:
    """Of its rows, s."""
    return np.arange(round(seconds * RATE) + 1) / RATE
