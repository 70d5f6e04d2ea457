"""Value, first and second derivative of a sampled course at any time, outside compiled code: by the cubics of model.stepping.inputs."""

from __future__ import annotations

import numpy as np

from model.floats import Floats
from model.stepping import inputs

AHEAD = 4  # samples with which it begins
KEPT = 8  # samples before the next output sample


class Sampled:
    """Fed with the samples as they come, and asked for times that are not far behind."""

    def __init__(self, rate: float) -> None:
        """rate: of the samples, Hz."""
        self._rate = rate
        self._window = np.empty(0)

    def start(self, samples: Floats) -> None:
        """The first samples."""
        self._window = inputs.begun(self._rate, samples)

    def add(self, samples: Floats) -> None:
        """The next ones; what is far behind is forgotten."""
        kept = self._window[inputs.HEADER :][-KEPT:]
        first = self._window[inputs.FIRST] + len(self._window) - inputs.HEADER - len(kept)
        self._window = inputs.window(first, self._rate, np.concatenate([kept, samples]))

    @property
    def window(self) -> Floats:
        """u of the samples that are kept (model.stepping.inputs)."""
        return self._window

    def at(self, times: Floats) -> tuple[Floats, Floats, Floats]:
        """The course and its two derivatives in time, each as `times` (s)."""
        value, slope, second = np.array([inputs.course(self._window, time) for time in times]).reshape(-1, 3).T
        return value, slope, second
