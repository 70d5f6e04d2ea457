"""A mechanism moved by generalised-alpha as input samples lead it, which stand at the end of its parameters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from model.errors import InconsistentStart, ModelError
from model.floats import Floats
from model.integrators.generalized_alpha import Config
from model.stepping import inputs
from model.stepping.implicit import Constrained, ImplicitStepper
from model.stepping.sampled import AHEAD, KEPT, Sampled

PIECE = 256
"""Samples taken at a time."""
ROOM = inputs.HEADER + 1 + KEPT + AHEAD + PIECE
"""Places at the end of p."""


class SampledImplicit(ImplicitStepper):
    """As ImplicitStepper, fed with input samples `lookahead` of them ahead; any block size gives the same."""

    lookahead = AHEAD

    def __init__(
        self, motion: Constrained, config: Config, rate: float, place: int, rest: Callable[[Floats], tuple[Floats, Floats, Floats]]
    ) -> None:
        """motion.parameters end with ROOM places for the samples; at `place` of p the mechanism reads how many of them hold some.

        rest(samples) -> (y, s, jerk) at t = 0 from the first samples (lookahead,).
        """
        super().__init__(motion, config, rate, lambda: rest(self._first))
        self._place, self._sampled, self._first = place, Sampled(rate), np.zeros(AHEAD)

    def start(self, samples: Floats) -> None:
        """Put it at sample 0. Raises InconsistentStart when samples are missing or not finite, or no start is found."""
        if len(samples) != AHEAD or not np.all(np.isfinite(samples)):
            raise InconsistentStart(f"start: expected the first {AHEAD} input samples, all finite; got {len(samples)}")
        self._first = np.array(samples)
        self._sampled.start(samples)
        self._hand_over()
        super().start(samples)

    def advance(self, samples: Floats) -> Floats:
        """See model.stepping.contract.Stepper."""
        return self._led(samples, watched=False)[0]

    def advance_with_extremes(self, samples: Floats) -> tuple[Floats, Floats, Floats]:
        """See model.stepping.contract.Stepper; the extremes are those at the steps' ends."""
        return self._led(samples, watched=True)

    def _led(self, samples: Floats, watched: bool) -> tuple[Floats, Floats, Floats]:
        if not np.all(np.isfinite(samples)):
            raise ModelError(f"input sample {self._next + AHEAD + int(np.argmin(np.isfinite(samples)))} is not finite")
        found = [self._advance(0, watched)]
        for first in range(0, len(samples), PIECE):
            piece = samples[first : first + PIECE]
            self._sampled.add(piece)
            self._hand_over()
            found.append(self._advance(len(piece), watched))
        values, low, high = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return values, low, high

    def _hand_over(self) -> None:
        """The samples that are kept to the end of p."""
        p, window = self._motion.parameters, self._sampled.window
        p[self._place] = len(window)
        p[len(p) - len(window) :] = window
