"""The flexible slider-crank led by samples of its crank's angle, moved by explicit steps with located contacts."""

from __future__ import annotations

import numpy as np

from model.floats import Floats
from model.mechanisms.slider_crank_flexible import kernel
from model.stepping import inputs
from model.stepping.crushable import CrushableStepper
from model.stepping.sampled_parameters import PIECE, with_window


class LedStepper(CrushableStepper):
    """Its kernel finds the samples at the end of the parameters, as that of the other methods does."""

    def start(self, samples: Floats, state: Floats | None = None) -> None:
        """As Stepper.start."""
        if len(samples) == self.lookahead:
            with_window(self._motion.parameters, kernel.SAMPLES, inputs.begun(self.rate, samples))
        super().start(samples, state)

    def _advance(self, samples: Floats, watched: bool) -> tuple[Floats, Floats, Floats]:
        found = []
        for first in range(0, max(len(samples), 1), PIECE):
            piece = samples[first : first + PIECE]
            with_window(self._motion.parameters, kernel.SAMPLES, np.concatenate([self._window, piece]))
            found.append(super()._advance(piece, watched))
        values, low, high = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return values, low, high
