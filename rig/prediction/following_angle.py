"""A stepper that follows an angle as an encoder shows it: counts made smooth, from where the shaft stood at the start."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rig.signals.smoothing import Smoothing

Floats = NDArray[np.float64]


class FollowingAngle:
    """As the stepper in it, whose samples are how far it has turned; `begin` (rad) is the angle at which that is 0.

    count (rad): of the encoder. A count stands for the angles from its own on over one count, so the middle of them is half of it on.
    """

    def __init__(self, stepper: Any, smoothing: Smoothing, begin: float, count: float = 0.0) -> None:
        self._stepper, self._smoothing, self._begin = stepper, smoothing, begin - 0.5 * count
        self.lookahead = int(stepper.lookahead) + smoothing.lookahead

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stepper, name)

    def start(self, samples: Floats, state: Floats | None = None) -> None:
        """See `model.stepping.explicit.Stepper`; samples (lookahead,) are angles in rad."""
        turned = self._turned(samples)
        self._stepper.start(turned) if state is None else self._stepper.start(turned, state)

    def advance(self, samples: Floats) -> Floats:
        """See `model.stepping.explicit.Stepper`; samples (k,) are angles in rad."""
        predicted: Floats = self._stepper.advance(self._turned(samples))
        return predicted

    def _turned(self, samples: Floats) -> Floats:
        return np.ascontiguousarray(self._smoothing.take(samples) - self._begin)
