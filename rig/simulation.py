"""The model alone on a steady trajectory: samples, the solver's own extremes between them, contact events."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelError
from rig.config.experiment import Experiment
from rig.errors import ConfigError

Floats = NDArray[np.float64]

FINEST_INPUT = 50e3  # Hz: the command is given to the model at least as finely
BLOCK = 20_000  # samples at a time
MOST_ROWS = 20_000_000  # of a table: some 2 GB in memory
SMALLEST_PERIOD = 64  # input samples a period of a sine, at least


@dataclass(frozen=True)
class Simulated:
    """Result on the grid t = n/rate, n = 0..N-1. `low`, `high`: extremes since the sample before, in the last column of F_tr - F_cmd."""

    rate: float
    command: Floats  # (N,)
    cycle: Floats  # (N,)
    channels: tuple[tuple[str, str], ...]  # name, unit
    values: Floats  # (N, channels)
    low: Floats  # (N, channels + 1)
    high: Floats
    events: list[dict[str, Any]]
    frequency: float | None
    rtf: float

    @property
    def time(self) -> Floats:
        """t, s."""
        return np.arange(len(self.command), dtype=np.float64) / self.rate


def simulate(experiment: Experiment) -> Simulated:
    """Run the mechanism from rest on the trajectory without its soft start and stop.

    Raises ConfigError for settings that cannot be run (a step above the stability limit), NotConverged when the motion diverges.
    """
    mechanism = sys.modules[type(experiment.mechanism).__module__]
    trajectory = sys.modules[type(experiment.trajectory).__module__].create(experiment.trajectory).steady()
    duration = experiment.simulate.duration or trajectory.duration
    rate = experiment.simulate.output_rate
    samples = math.floor(duration * rate + 1e-6) + 1
    if samples > MOST_ROWS:
        raise ConfigError(
            f"simulate: {duration:g} s at {rate:g} Hz is a table of {samples:.3g} rows, more than {MOST_ROWS:.3g};"
            " lower simulate.output_rate or simulate.duration"
        )
    finest = max(FINEST_INPUT, SMALLEST_PERIOD * (trajectory.frequency or 0.0))
    part = max(1, math.ceil(finest / rate - 1e-9))  # input samples an output sample
    source = "stroke" if experiment.command.mode == "stroke" else "command"
    try:
        stepper = mechanism.create(experiment.mechanism, experiment.integrator, rate * part, source)
    except ModelError as error:
        raise ConfigError(str(error)) from error
    inputs = np.arange((samples - 1) * part + 1 + stepper.lookahead, dtype=np.float64) / (rate * part)
    value, _, cycle = trajectory.evaluate(inputs)
    value, cycle = np.asarray(value, dtype=np.float64), np.asarray(cycle)[: len(inputs) - stepper.lookahead : part]
    stepper.start(value[: stepper.lookahead])
    spent, blocks = 0.0, []
    for first in range(stepper.lookahead, len(value), BLOCK * part):
        begun = time.perf_counter()
        block = stepper.advance_with_extremes(value[first : first + BLOCK * part])
        spent += time.perf_counter() - begun
        blocks.append(block)
    values, low, high = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    return Simulated(
        rate=rate,
        command=value[: len(values) : part],
        cycle=cycle,
        channels=mechanism.CHANNELS,
        values=values[::part],
        low=_folded(low, part, np.minimum),
        high=_folded(high, part, np.maximum),
        events=[_event(event, mechanism.CONTACT_NAMES) for event in stepper.events if event.time <= inputs[-1 - stepper.lookahead]],
        frequency=trajectory.frequency,
        rtf=spent / max(duration, 1.0 / rate),
    )


def _folded(extremes: Floats, part: int, take: np.ufunc) -> Floats:
    """From the input's grid to the output's: row n holds what happened since output sample n - 1."""
    if part == 1:
        return extremes
    rest = extremes[1:].reshape(-1, part, extremes.shape[1])
    return np.concatenate([extremes[:1], np.asarray(take.reduce(rest, axis=1))])


def _event(event: Any, contacts: tuple[str, ...]) -> dict[str, Any]:
    """One contact event."""
    began = event.noted > 0.0
    return {
        "time_s": event.time,
        "kind": "contact_start" if began else "contact_end",
        "where": contacts[event.guard],
        "approach_speed": event.noted if began else None,
    }
