"""What an input sees that is played to: a function of time, samples of a file, edges at known times. Times are in s, amounts electrical."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Block = NDArray[np.float64]
HOLD, REPEAT, STOP = "hold", "repeat", "stop"
ENDS = (HOLD, REPEAT, STOP)
LINEAR, STEPS = "linear", "steps"
BETWEEN = (LINEAR, STEPS)
DEVICE, TASK = "device", "task"
BEGINS = (DEVICE, TASK)
SAME = 1e-6
"""Part of the time between two samples of a file within which an instant is that of a sample: clocks of the same rate meet every one."""


class BadSignal(ValueError):
    """What is played cannot be had, fails or ends; says which signal, what was expected and what came."""


@dataclass(frozen=True)
class Samples:
    """Samples of a signal: `times` (n,) in s increase, `values` (n,). `between` them: a line, or the one before.

    Before the first the first holds. At the `end` the last holds, or all comes again after `period` (s), or BadSignal is raised.
    """

    name: str
    times: Block
    values: Block
    period: float
    between: str = LINEAR
    end: str = HOLD

    def __call__(self, times: Block) -> Block:
        """Values (k,) at `times` (k,). Raises BadSignal beyond the end where it stops."""
        first, last = float(self.times[0]), float(self.times[-1])
        step = self.period / len(self.times)
        if self.end == STOP and len(times) and times[-1] > last + SAME * step:
            raise BadSignal(f'{self.name}: ends at {last:.9g} s, a sample at {float(times[-1]):.9g} s was asked for; end = "hold" or '
                            '"repeat" goes on')  # fmt: skip
        at = np.where(times > first, first + (times - first) % self.period, first) if self.end == REPEAT else times
        return self._between(at, step)

    def _between(self, at: Block, step: float) -> Block:
        at = at + SAME * step  # an instant that rounding has put a trifle before a sample is the sample's
        left = np.clip(np.searchsorted(self.times, at, side="right") - 1, 0, len(self.times) - 1)
        if self.between == STEPS:
            return np.asarray(self.values[left])
        times, values = self._closed()
        right = np.minimum(left + 1, len(times) - 1)
        gap = np.where(right > left, times[right] - times[left], 1.0)
        part = (at - SAME * step - times[left]) / gap
        part[np.abs(part) <= SAME] = 0.0
        np.clip(part, 0.0, 1.0, out=part)
        return np.asarray(values[left] + part * (values[right] - values[left]))

    def _closed(self) -> tuple[Block, Block]:
        """The samples, and where they repeat the first one behind the last."""
        if self.end != REPEAT:
            return self.times, self.values
        return np.append(self.times, self.times[0] + self.period), np.append(self.values, self.values[0])


@dataclass(frozen=True)
class Played:
    """What an analogue input sees: `volts` at its terminal at `times` (k,), or V/V of a bridge, of whose excitation they are then.

    `begin`: time 0 is that of the device, or the first sample of each run of a task; it begins `delay` (s) after that.
    """

    volts: Callable[[Block], Block]
    of_excitation: bool = False
    begin: str = DEVICE
    delay: float = 0.0


@dataclass(frozen=True)
class PlayedEdges:
    """What a digital input sees: `times` (n,) in s increase, at each the level changes; before the first it is `high` or not.

    With a finite `period` (s) the level and its changes come again.
    """

    times: Block
    high: bool = False
    period: float = np.inf

    def level(self, at: float) -> bool:
        """Level at an instant, with an edge that comes there."""
        return bool(self.high ^ bool(self._count(at) % 2))

    def between(self, start: float, end: float) -> Block:
        """Edges after `start`, up to `end`."""
        if not np.isfinite(self.period) or end < 0.0:
            return np.asarray(self.times[np.searchsorted(self.times, start, "right") : np.searchsorted(self.times, end, "right")])
        rounds = np.arange(max(0, int(start // self.period)), int(end // self.period) + 1)
        found = self._round()[None, :] + rounds[:, None] * self.period
        return np.asarray(found[(found > start) & (found <= end)])

    def later(self, at: float) -> bool:
        """Whether edges come after an instant."""
        return bool(np.isfinite(self.period) and len(self._round())) or bool(len(self.times) and self.times[-1] > at)

    def _count(self, at: float) -> int:
        if not np.isfinite(self.period) or at < 0.0:
            return int(np.searchsorted(self.times, at, "right"))
        rounds = int(at // self.period)
        return rounds * len(self._round()) + int(np.searchsorted(self._round(), at - rounds * self.period, "right"))

    def _round(self) -> Block:
        """Edges of one period, with the one at its end that leads back to the first level."""
        return np.append(self.times, self.period) if len(self.times) % 2 else self.times


def of_function(name: str, function: Callable[[Block], object]) -> Played:
    """What a function of device time plays: it takes times (k,) in s and gives volts, (k,) or one for all. BadSignal is raised for what
    are no volts, and from its errors, with their traceback in the text."""

    def volts(times: Block) -> Block:
        try:
            found = np.asarray(function(times.copy()), dtype=np.float64)
        except Exception as error:
            told = "".join(traceback.format_exception(type(error), error, error.__traceback__ and error.__traceback__.tb_next))
            raise BadSignal(f"signal of {name}: failed, asked for {_span(times)}\n{told}") from error
        if found.shape not in ((), times.shape):
            raise BadSignal(f"signal of {name}: expected volts of shape {times.shape} for {_span(times)}, got shape {found.shape}")
        wrong = np.flatnonzero(~np.isfinite(found))
        if len(wrong):
            raise BadSignal(f"signal of {name}: expected finite volts, got {found.flat[wrong[0]]} at "
                            f"{times[wrong[0] if found.shape else 0]:.9g} s")  # fmt: skip
        return np.broadcast_to(found, times.shape)

    return Played(volts)


def of_times(name: str, times: object, high: bool = False) -> PlayedEdges:
    """Edges at given times in s. Raises BadSignal."""
    found = np.asarray(times, dtype=np.float64)
    if found.ndim != 1 or not np.isfinite(found).all() or np.any(np.diff(found) <= 0.0) or (len(found) and found[0] < 0.0):
        raise BadSignal(f"signal of {name}: expected times of edges in s, from 0 on and increasing; got an array of shape {found.shape}")
    return PlayedEdges(found, high)


def of_states(samples: Samples) -> PlayedEdges:
    """Edges where the states (0 or 1) of samples change. Raises BadSignal."""
    values = samples.values
    if not np.isin(values, (0.0, 1.0)).all():
        raise BadSignal(f"{samples.name}: expected states 0 and 1, got {values[~np.isin(values, (0.0, 1.0))][0]:g}")
    at = samples.times[1:][np.diff(values) != 0.0]
    if samples.end == STOP:
        raise BadSignal(f'{samples.name}: a digital input holds its last state or repeats; expected end = "hold" or "repeat"')
    if samples.end == REPEAT and samples.times[0] != 0.0:
        raise BadSignal(f"{samples.name}: states that repeat begin at time 0, these at {samples.times[0]:g} s")
    high = bool(values[0])
    if samples.end == REPEAT:
        return PlayedEdges(at, high, samples.period)
    return PlayedEdges(at, high)


def _span(times: Block) -> str:
    return f"{len(times)} instants, {times[0]:.9g} s to {times[-1]:.9g} s" if len(times) else "no instants"
