"""Input samples of a mechanism whose method hands its functions none: they stand at the end of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from model.errors import InconsistentStart, ModelError
from model.floats import Floats
from model.stepping import inputs
from model.stepping.sampled import AHEAD, KEPT, Sampled

PIECE = 256
"""Samples taken at a time."""
ROOM = inputs.HEADER + 1 + KEPT + AHEAD + PIECE
"""Places at the end of p."""
Check = Callable[[Floats, int], None]
"""check(samples, index of the first) raises ModelError for what a mechanism cannot follow."""


def with_room(p: Floats, driven: bool, more: int = 0) -> Floats:
    """p with places for the samples, if any lead the mechanism; more: samples of which a step of any length keeps hold."""
    return np.concatenate([p, np.zeros(ROOM + more)]) if driven else p


def with_window(p: Floats, place: int, window: Floats) -> Floats:
    """p, in place, with a window of model.stepping.inputs at its end and its size at `place`."""
    p[place] = len(window)
    p[len(p) - len(window) :] = window
    return p


class SampledParameters:
    """Takes the samples piece by piece; `first`: the first of them (AHEAD,)."""

    first: Floats

    def __init__(self, rate: float, place: int, *parameters: Floats, check: Check | None = None) -> None:
        """rate: of the samples, Hz; parameters: each ends with ROOM places, and tells at `place` how many of them hold something."""
        self._sampled, self._place, self._parameters, self._check = Sampled(rate), place, parameters, check

    def start(self, samples: Floats) -> None:
        """The first samples. Raises InconsistentStart when some are missing or not finite."""
        if len(samples) != AHEAD or not np.all(np.isfinite(samples)):
            raise InconsistentStart(f"start: expected the first {AHEAD} input samples, all finite; got {len(samples)}")
        if self._check is not None:
            self._check(samples, 0)
        self.first = np.array(samples)
        self._sampled.start(samples)
        self._hand_over()

    def pieces(self, samples: Floats, first: int) -> Iterator[int]:
        """How many output samples each piece of the next samples allows, once it has been taken; first: index of the first sample."""
        if not np.all(np.isfinite(samples)):
            raise ModelError(f"input sample {first + int(np.argmin(np.isfinite(samples)))} is not finite")
        if self._check is not None:
            self._check(samples, first)
        for begin in range(0, len(samples), PIECE):
            piece = samples[begin : begin + PIECE]
            self._sampled.add(piece)
            self._hand_over()
            yield len(piece)

    def _hand_over(self) -> None:
        for p in self._parameters:
            with_window(p, self._place, self._sampled.window)
