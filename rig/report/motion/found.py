"""The motion of a recorded test: which part of it is looked at, and how it is found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.comparison.preparation import Counted
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.motion.drawing import drawing
from rig.motion.parts import Motion
from rig.recorder.reading import RunData
from rig.report.motion.traced import along, published
from rig.report.signals import Signals, signals

CYCLES = 3.0
"""That are shown where nothing else is asked for."""
FALLBACK = 1.0
"""s that are shown of a command without a period."""
MOST = 2_000_000
"""Samples of one picture, in which the model is looked at one by one."""


@dataclass(frozen=True)
class Found:
    """A motion and the test that it is of."""

    plan: Plan
    signals: Signals
    motion: Motion
    window: range


def find(
    plan: Plan, record: RunData, at: float | None = None, span: float | None = None, cycles: float = CYCLES, again: bool = True
) -> Found:
    """The motion in the last `span` s (else `cycles` cycles) up to `at` s, else up to the end of what counts.

    again: the model may be run along the record again where that does not have the places itself.
    Raises ConfigError where there is nothing of the kind, with the reason.
    """
    drawn = drawing(plan.experiment.mechanism)
    given = signals(record, plan)
    window = part(plan, given, at, span, cycles)
    traced = None if drawn.coordinates is not None else published(record, drawn.channels, window)
    if traced is None and not again:
        raise ConfigError("the record does not have the places of the pins")
    traced = along(plan, given, window) if traced is None else traced
    if not len(traced.time):
        raise ConfigError(f"from {window.start / given.rate:g} to {window.stop / given.rate:g} s nothing was predicted")
    return Found(plan, given, drawn.motion(traced), window)


def part(plan: Plan, given: Signals, at: float | None, span: float | None, cycles: float) -> range:
    """Samples that are looked at. Raises ConfigError for a time outside the record, or too long a part of it."""
    count, rate = len(given.command.cycle), given.rate
    counts = Counted(given.command.cycle, plan.experiment.comparison.discard_cycles).extent
    if at is not None and not 0.0 < at <= count / rate:
        raise ConfigError(f"--at {at:g}: the record lasts from 0 to {count / rate:.3f} s")
    end = (counts.stop if len(counts) else count) if at is None else round(at * rate)
    lasting = span or (cycles / given.command.frequency if given.command.frequency else FALLBACK)
    begin = max(0, end - int(np.ceil(lasting * rate)))
    if end - begin > MOST:
        raise ConfigError(f"--span {lasting:g}: {end - begin} samples are more than {MOST} that one picture shows; choose a shorter time")
    return range(begin, end)
