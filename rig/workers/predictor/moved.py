"""Where the model's bodies are, beside the prediction: its coordinates some hundred times a second, so that its motion can be drawn.

A block is advanced in pieces, behind each of which the state is looked at: a stepper gives the same samples whatever pieces it is fed with.
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from model.stepping.contract import Prediction
from rig.config.experiment import Experiment
from rig.errors import ConfigError
from rig.motion.drawing import Coordinates, drawing
from rig.prediction.stepper import advance
from rig.streaming import streams
from rig.streaming.ring import RingWriter

SAMPLE = ("sample", "1")
"""Of the record; between two samples where the solver stands there."""

Samples = NDArray[np.float64]


class Stated(Prediction, Protocol):
    """A stepper that tells its state."""

    @property
    def time(self) -> float: ...
    @property
    def state(self) -> Samples: ...


class Moved:
    """One run's ring of coordinates, a row for each moment that the solver has come to."""

    def __init__(self, path: Path, coordinates: Coordinates, rate: float, often: float, first_sample: int, ring: float) -> None:
        """rate: of the input, Hz; often: looks a second; first_sample: of the record, at the begin of this session; ring: s."""
        names, units = zip(SAMPLE, *coordinates, strict=True)
        self._writer = RingWriter.create(path, names, units, streams.capacity(often, ring), often)
        self._count, self._rate, self._first = len(coordinates), rate, first_sample
        self._piece = max(1, round(rate / often))
        self._rows, self._reached = list[Samples](), -1.0

    def advance(self, stepper: Stated, inputs: Samples) -> Samples:
        """As `rig.prediction.stepper.advance`, in pieces."""
        ends = np.linspace(0, len(inputs), max(1, math.ceil(len(inputs) / self._piece)) + 1).astype(int)
        return np.concatenate([self._look(stepper, inputs[begin:end]) for begin, end in itertools.pairwise(ends)])

    def publish(self) -> None:
        """What was looked at since the last time."""
        if self._rows:
            self._writer.append(np.array(self._rows))
            self._rows.clear()

    def close(self) -> None:
        """The stream has ended."""
        self._writer.close()

    def _look(self, stepper: Stated, inputs: Samples) -> Samples:
        predicted = advance(stepper, inputs)
        if stepper.time > self._reached:  # a step may be longer than a piece
            self._reached = stepper.time
            self._rows.append(np.concatenate(([self._first + self._reached * self._rate], stepper.state[: self._count])))
        return predicted


def make(experiment: Experiment, stepper: Prediction, rate: float, path: Path, first_sample: int) -> Moved | None:
    """None where nobody wants it, where nothing is drawn of the mechanism, where its channels say it all, or its state is not told.

    stepper: started.
    """
    often = experiment.predictor.motion_rate
    try:
        coordinates = drawing(experiment.mechanism).coordinates
    except ConfigError:
        return None
    if often == 0.0 or coordinates is None or not hasattr(stepper, "state"):
        return None
    return Moved(path, coordinates, rate, often, first_sample, experiment.acquisition.ring)
