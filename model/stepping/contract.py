"""What a mechanism in motion does, whichever method moves it."""

from __future__ import annotations

import math
from collections.abc import Callable, MutableSequence
from typing import NamedTuple, Protocol

from model.errors import ModelError
from model.floats import Floats


class Event(NamedTuple):
    """A guard that was passed: when (s), which, and what the mechanism noted (contact: approach speed in m/s, 0 at its end)."""

    time: float
    guard: int
    noted: float


def checked_rate(rate: float) -> float:
    """The rate of samples, Hz. Raises ModelError for one that is not positive."""
    if not 0.0 < rate < math.inf:
        raise ModelError(f"sample rate must be more than 0 Hz and finite, got {rate:g}")
    return rate


class Prediction(Protocol):
    """A mechanism in motion, as little of it as a run in step with a bench needs."""

    watch: Callable[[Stepper], None] | None
    """Called with the stepper after every piece, a small part of a second."""

    @property
    def lookahead(self) -> int:
        """Input samples needed beyond the last output sample."""

    @property
    def events(self) -> MutableSequence[Event]:
        """Guards that were passed since the start."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What its user should know."""

    def start(self, samples: Floats) -> None:
        """Put it at rest at sample 0, given the first `lookahead` input samples (k,). Raises InconsistentStart."""

    def advance(self, samples: Floats) -> Floats:
        """The next output samples (k, channels), for the next k input samples (k,). Raises NotConverged with time and reason."""


class Stepper(Prediction, Protocol):
    """Input samples in, output samples out, at any block size with the same result."""

    rate: float
    """Of both, Hz."""
    events: list[Event]
    slow_since: str
    """What would make it slow, in words."""

    def advance_with_extremes(self, samples: Floats) -> tuple[Floats, Floats, Floats]:
        """(values, lowest, highest): as `advance`, with the extremes since the sample before."""

    @property
    def time(self) -> float:
        """Time that the solver has reached, s."""

    @property
    def work(self) -> dict[str, int]:
        """Accepted and rejected steps and evaluations of the equations of motion since the start."""
