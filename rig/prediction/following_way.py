"""A stepper that follows an angle as an encoder shows it, or a stroke: made smooth, from where it stood at the start."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from model.stepping.contract import Event, Stepper
from rig.signals.smoothing import Smoothing

Floats = NDArray[np.float64]


@runtime_checkable
class FreeStart(Protocol):
    """A stepper that may start from another state than at rest, some share of `usual` away from it."""

    usual: Floats

    def start(self, samples: Floats, state: Floats) -> None: ...


class FollowingWay:
    """As the stepper in it, whose samples are how far it has turned (rad) or come (m); `begin` is the angle or place at which that is 0.

    count (rad): of the encoder. A count stands for the angles from its own on over one count, so the middle of them is half of it on.
    """

    def __init__(self, stepper: Stepper, smoothing: Smoothing, begin: float = 0.0, count: float = 0.0) -> None:
        self.begin = begin
        self._stepper, self._smoothing, self._begin = stepper, smoothing, begin - 0.5 * count
        self.lookahead = stepper.lookahead + smoothing.lookahead

    @property
    def watch(self) -> Callable[[Stepper], None] | None:
        """Of the stepper in it."""
        return self._stepper.watch

    @watch.setter
    def watch(self, look: Callable[[Stepper], None] | None) -> None:
        self._stepper.watch = look

    @property
    def events(self) -> MutableSequence[Event]:
        """Of the stepper in it."""
        return self._stepper.events

    @property
    def remarks(self) -> tuple[str, ...]:
        """Of the stepper in it."""
        return self._stepper.remarks

    def __getattr__(self, name: str) -> object:
        return getattr(self._stepper, name)

    def start(self, samples: Floats, state: Floats | None = None) -> None:
        """See `model.stepping.explicit.Stepper`; samples (lookahead,) are as measured."""
        turned = self._turned(samples)
        if state is None:
            self._stepper.start(turned)
        else:
            assert isinstance(self._stepper, FreeStart)
            self._stepper.start(turned, state)

    def advance(self, samples: Floats) -> Floats:
        """See `model.stepping.explicit.Stepper`; samples (k,) are as measured."""
        return self._stepper.advance(self._turned(samples))

    def _turned(self, samples: Floats) -> Floats:
        return np.ascontiguousarray(self._smoothing.take(samples) - self._begin)
