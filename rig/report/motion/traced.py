"""Samples and states of the model along a recorded test: as the predictor published them, or by running it along the record again."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from model.errors import ModelError
from model.stepping.contract import Stepper
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.motion.parts import Floats
from rig.motion.traced import Traced
from rig.prediction.stepper import advance, counted, stepper
from rig.recorder.reading import RunData
from rig.report.alternative import recorded_input
from rig.report.signals import Signals

BLOCK = 0.02
"""s at a time up to where it is looked at."""


class Stated(Protocol):
    """A stepper that tells its state."""

    @property
    def time(self) -> float: ...
    @property
    def state(self) -> Floats: ...


class _Look:
    """Keeps the state of a stepper each time that it has gone on."""

    def __init__(self) -> None:
        self.times, self.states = list[float](), list[Floats]()

    def __call__(self, moved: Stepper | Stated) -> None:
        if not hasattr(moved, "state"):
            raise ConfigError("this integrator does not tell the state of the mechanism; no motion can be drawn")
        if not self.times or moved.time > self.times[-1]:
            self.times.append(moved.time)
            self.states.append(moved.state)


def published(record: RunData, names: tuple[str, ...], window: range) -> Traced | None:
    """Channels as the predictor published them, without the samples that are missing; None where the record has not all of them."""
    if not set(names) <= set(record.streams.get("predicted", ())):
        return None
    columns = np.stack([record.channel("predicted", name, window.start, len(window)) for name in names])
    there = np.flatnonzero(np.isfinite(columns).all(axis=0))
    time = (window.start + there) / record.rate
    return Traced(time, dict(zip(names, columns[:, there], strict=True)), np.empty((len(there), 0)))


def along(plan: Plan, signals: Signals, window: range) -> Traced:
    """The model along the recorded input once more, as the predictor ran: its state at the solver's own times within the window.

    Only up to the end of the window; channels are interpolated. Raises ConfigError for a mechanism that cannot be followed.
    """
    try:
        return _along(plan, signals, window)
    except (ModelError, ValueError) as error:
        raise ConfigError(f"the model cannot be run along this record: {error}") from error


def _along(plan: Plan, signals: Signals, window: range) -> Traced:
    made = stepper(plan.experiment, signals.rate, None, counted(plan.experiment, plan.bench))
    given, ahead, rate = recorded_input(plan, signals), made.lookahead, signals.rate
    end, block = min(window.stop, len(given) - ahead), max(1, round(BLOCK * signals.rate))
    made.start(np.nan_to_num(given[:ahead]))
    begin = min(window.start, end)
    for first in range(0, begin, block):
        advance(made, np.nan_to_num(given[first + ahead : min(first + block, begin) + ahead]))
    made.watch = look = _Look()
    inputs, rows = np.nan_to_num(given[begin + ahead : end + ahead]), list[Floats]()
    for n in range(end - begin):
        rows.append(advance(made, inputs[n : n + 1]))
    if not rows:
        raise ConfigError("nothing was recorded in that time")
    values, samples = np.concatenate(rows), np.arange(begin, end) / rate
    time = np.array(look.times)
    kept = (time >= samples[0]) & (time <= samples[-1])
    names = [name for name, _ in plan.experiment.mechanism.channels]
    channels = {name: np.interp(time[kept], samples, values[:, k]) for k, name in enumerate(names)}
    return Traced(time[kept], channels, np.array(look.states)[kept])
