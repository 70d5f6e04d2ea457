"""What steppers have in common that take a whole number of fixed steps between two output samples."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from model.errors import NotConverged
from model.floats import Floats
from model.stepping.contract import Event, checked_rate
from model.stepping.crushing import Joint
from model.stepping.explicit import EVENT_ROOM, taken
from model.stepping.interruptible import Watched
from model.stepping.sampled import AHEAD
from model.stepping.sampled_parameters import SampledParameters


def shortened(asked: float, taken: float) -> tuple[str, ...]:
    """A remark where the steps taken (s) are not those that were asked for."""
    if taken > 0.999 * asked:
        return ()
    return (
        f"integrator.step: {taken * 1e6:.4g} us is taken in place of {asked * 1e6:.4g} us: "
        "steps fit a whole number of times between two output samples (simulate.output_rate)",
    )


class FixedSteps(Watched, ABC):
    """Predicts sample after sample; its input is not read, unless samples `lead` it.

    joint: looked at for being crushed; remarks: what its user should know.

    A stepper's own: `_fill`, `_reason`, and `_clock` with the numbers of steps and of events at the places STEPS and EVENTS.
    """

    STEPS: ClassVar[int]
    EVENTS: ClassVar[int]
    FULL: ClassVar[int]
    """The status that asks to be called again after the events have been taken; 0 is the one that all is well."""

    lookahead = 1
    _samples: SampledParameters | None = None
    joint: Joint | None = None
    events: list[Event]
    _clock: Floats

    def __init__(self, rate: float, longest: float, channels: int) -> None:
        """longest: largest step, s. Raises ModelError for a rate that is not positive."""
        self.rate, self._channels = checked_rate(rate), channels
        self._part = math.ceil(1.0 / (rate * longest) - 1e-9)
        self.step = 1.0 / (rate * self._part)
        self._events = np.zeros((EVENT_ROOM, 3))

    def lead(self, samples: SampledParameters) -> None:
        """Its input samples are to be taken so, before it starts."""
        self._samples, self.lookahead = samples, AHEAD

    @abstractmethod
    def start(self, samples: Floats) -> None:
        """A stepper's own: see `model.stepping.contract.Stepper`."""

    @property
    @abstractmethod
    def work(self) -> dict[str, int]:
        """A stepper's own."""

    def advance(self, samples: Floats) -> Floats:
        """The next len(samples) output samples, (k, channels). Raises NotConverged with time and reason."""
        return self._follow(samples, watched=False)[0]

    def advance_with_extremes(self, samples: Floats) -> tuple[Floats, Floats, Floats]:
        """(values, lowest, highest): as `advance`, with the extremes at the steps' ends since the sample before."""
        return self._follow(samples, watched=True)

    def _follow(self, samples: Floats, watched: bool) -> tuple[Floats, Floats, Floats]:
        if self._samples is None:
            return self._advance(len(samples), watched)
        found = [self._advance(count, watched) for count in self._samples.pieces(samples, self._next + AHEAD)]
        values, low, high = (np.concatenate(parts) for parts in zip(*(found or [self._advance(0, watched)]), strict=True))
        return values, low, high

    def _advance(self, count: int, watched: bool) -> tuple[Floats, Floats, Floats]:
        out = np.empty((count, self._channels))
        low, high = (np.empty((count if watched else 0, self._channels)) for _ in range(2))
        status = self.FULL
        while status == self.FULL:
            status = self._fill(out, low, high)
            self.events += taken(self._events, self._clock, self.EVENTS)
            self._looked_at()
        if status != 0:
            raise NotConverged(f"stopped at {self.time:.6g} s: {self._reason(status)}")
        if self.joint is not None:
            self.joint.check((high if watched else out)[:, self.joint.column], self._next, self.rate)
        self._next += count
        return out, low, high

    def _take_first(self, samples: Floats) -> None:
        """Of those that lead it, before it begins."""
        if self._samples is not None:
            self._samples.start(samples)

    def _begin(self, clock: Floats) -> None:
        """At sample 0."""
        self._clock, self._next, self.events = clock, 0, []

    @abstractmethod
    def _fill(self, out: Floats, low: Floats, high: Floats) -> int:
        """Samples from `_next` on, `_part` steps apart, as far as it comes in one call; the status."""

    @abstractmethod
    def _reason(self, status: int) -> str:
        """Why it has stopped. Raises ModelError where that is for its settings."""

    @property
    def time(self) -> float:
        """Time that the solver has reached, s."""
        return float(self._clock[self.STEPS] * self.step)
