"""The prediction once more, of another mechanism or under another contact law, over the input that was recorded."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np

from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from model.stepping.contract import Prediction
from rig.comparison.series import Series, ends
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.prediction.stepper import advance, counted, stepper
from rig.report.signals import Floats, Signals
from rig.sensors.transfer import Sensed

SPAN = 65536
"""Samples that are read, or written, at once where they are taken in order."""


class Laid:
    """Samples laid aside in a file without a name, (N,): as long as a record they need not fit into memory. Threads may read them."""

    def __init__(self, folder: Path) -> None:
        # Open as long as this is asked for samples.
        self._file, self._length = tempfile.TemporaryFile(dir=folder, buffering=8 * SPAN), 0  # noqa: SIM115

    def append(self, samples: Floats) -> None:
        self._file.write(np.ascontiguousarray(samples).data)
        self._length += len(samples)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> Floats:
        first, last = ends(part, self._length)
        self._file.flush()
        return np.frombuffer(os.pread(self._file.fileno(), 8 * (last - first), 8 * first))


def predicted_under(law: str, plan: Plan, signals: Signals, folder: Path, unsensed: Collection[str] = ()) -> dict[str, Series]:
    """Return channel -> prediction as measured (N,), as the predictor would have made it with `mechanism.contact.law` = law.

    unsensed, folder: see `predicted_by`. Raises ConfigError when the mechanism has no contact law, or none of that name.
    """
    mechanism = plan.experiment.mechanism
    if not mechanism.contact_law:
        raise ConfigError(f"comparison.alternative_law = {law!r}: this mechanism has no contact law")
    try:
        return predicted_by(mechanism.with_contact_law(law), plan, signals, folder, unsensed)
    except (ValueError, LookupError, ModelError) as error:
        raise ConfigError(f"comparison.alternative_law = {law!r}: {error}") from None


def predicted_by(
    mechanism: Mechanism, plan: Plan, signals: Signals, folder: Path, unsensed: Collection[str] = (), given: Series | None = None
) -> dict[str, Series]:
    """Return channel -> prediction as measured (N,), as the predictor would have made it of another mechanism, over the recorded input.

    unsensed: channels of the mechanism that are wanted too, and as it has them, without any sensor.
    folder: takes the samples meanwhile; nothing is left there. given: samples (N,) that it follows in place of those that were recorded.
    Raises ModelError or ValueError for a mechanism that cannot be followed.
    """
    source = plan.experiment.predictor.source
    made = stepper(plan.experiment, signals.rate, mechanism, counted(plan.experiment, plan.bench))
    given = recorded_input(plan, signals) if given is None else given
    inputs = {channel.name: channel for channel in plan.bench.channels}
    sensed = Sensed(mechanism, inputs, signals.rate, without={source, *unsensed})
    raw = {name: k for k, (name, _) in enumerate(mechanism.channels) if name in unsensed}
    laid = {name: Laid(folder) for name in (*raw, *(name for name, _ in sensed.channels))}
    for part in advanced(made, given, max(1, round(plan.experiment.acquisition.block * signals.rate))):
        shown = sensed.apply(part)
        for name, k in raw.items():
            laid[name].append(part[:, k])
        for k, (name, _) in enumerate(sensed.channels):
            laid[name].append(shown[:, k])
    return dict(laid)


def recorded_input(plan: Plan, signals: Signals) -> Series:
    """What the prediction was fed with, (N,): the command, or the measured channel that it followed."""
    source = plan.experiment.predictor.source
    followed = plan.bench.showing(source)
    return signals.command.value if followed is None or source == "command" else signals.measured[followed.name]


def _blocks(ahead: int, count: int, block: int) -> Iterator[slice]:
    """The parts in which the predictor takes `count` samples behind the first `ahead`: to the end of each block, then what is left over."""
    begin = ahead
    while begin < count:
        end = min(begin + block - begin % block, count)
        yield slice(begin, end)
        begin = end
    if ahead:
        yield slice(begin, begin + min(ahead, count + ahead - begin))


class _InOrder:
    """Samples (N,) for who takes them in order, a few at a time; what is none is a number, too (np.nan_to_num)."""

    def __init__(self, given: Series) -> None:
        self._given, self._first, self._read = given, 0, np.empty(0)

    def between(self, first: int, last: int) -> Floats:
        if not self._first <= first <= last <= self._first + len(self._read):
            self._first, self._read = first, np.nan_to_num(self._given[first : min(max(last, first + SPAN), len(self._given))])
        return self._read[first - self._first : last - self._first]


def advanced(made: Prediction, given: Series, block: int) -> Iterator[Floats]:
    """All output samples, (k, channels) at a time, for the input samples (N,), in the predictor's own manner, its blocks included."""
    ahead, count, samples = made.lookahead, len(given), _InOrder(given)
    made.start(samples.between(0, min(ahead, count)))
    for part in _blocks(ahead, count, block):
        inputs = samples.between(min(part.start, count), min(part.stop, count))
        if part.stop > count:  # the last sample is held
            last = samples.between(count - 1, count) if count else np.zeros(1)
            inputs = np.concatenate((inputs, np.full(part.stop - max(part.start, count), last[0])))
        yield advance(made, np.ascontiguousarray(inputs))
