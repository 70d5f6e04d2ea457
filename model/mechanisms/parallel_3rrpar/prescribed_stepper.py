"""The 3-RRPaR mechanism with ideal joints along a path: nothing is left to integrate, every sample is computed (chen2026)."""

from __future__ import annotations

import numpy as np

from model.errors import InconsistentStart
from model.floats import Floats
from model.mechanisms.parallel_3rrpar import ideal
from model.mechanisms.parallel_3rrpar.config import Config
from model.paths.course import Course
from model.stepping.contract import Event, checked_rate
from model.stepping.interruptible import Watched
from model.stepping.sampled import AHEAD, Sampled


class Prescribed(Watched):
    """See model.stepping.explicit.Stepper."""

    def __init__(self, config: Config, rate: float, path: Course, driven: bool = False) -> None:
        """path: as for model.mechanisms.parallel_3rrpar.stepper; driven: the input samples are its time, else they are not read.

        Raises ModelError for a rate that is not positive.
        """
        self.rate, self._config, self._path, self._next = checked_rate(rate), config, path, 0
        self._sampled = Sampled(rate) if driven else None
        self.lookahead = AHEAD if driven else 1
        self.events: list[Event] = []

    def start(self, samples: Floats) -> None:
        """Put it at t = 0. Raises InconsistentStart when samples are missing."""
        if len(samples) != self.lookahead:
            raise InconsistentStart(f"start: expected the first {self.lookahead} input samples; got {len(samples)}")
        self._next = 0
        if self._sampled is not None:
            self._sampled.start(samples)

    def advance(self, samples: Floats) -> Floats:
        """The next len(samples) output samples, (k, channels)."""
        first = self._next
        self._next += len(samples)
        if self._sampled is not None:
            self._sampled.add(samples)
        return self._at(first, len(samples))

    def _at(self, first: int, count: int) -> Floats:
        """Channels of `count` samples from `first` on."""
        times = (first + np.arange(count)) / self.rate
        if self._sampled is None:
            point, velocity, acceleration = self._path.evaluate(times)
        else:
            way, speed, change = self._sampled.at(times)
            point, along, bend = self._path.evaluate(way)
            velocity, acceleration = along * speed[:, None], along * change[:, None] + bend * speed[:, None] ** 2
        loads = ideal.loads(self._config, point, velocity, acceleration)
        still = np.zeros((len(times), 6))
        values = np.column_stack([point, velocity, acceleration, loads.motion.theta, loads.torque, loads.radial, still])
        assert values.shape[1] == len(self._config.CHANNELS)
        return values

    def advance_with_extremes(self, samples: Floats) -> tuple[Floats, Floats, Floats]:
        """(values, lowest, highest): as `advance`, with the extremes at the samples."""
        before = self._next
        values = self.advance(samples)
        first = self._at(before - 1, 1) if before > 0 and len(values) else values[:1]
        earlier = np.concatenate([first, values[:-1]]) if len(values) else values
        return values, np.minimum(earlier, values), np.maximum(earlier, values)

    @property
    def time(self) -> float:
        """Of the last sample, s."""
        return max(0, self._next - 1) / self.rate

    @property
    def work(self) -> dict[str, int]:
        """Nothing is integrated."""
        return {"accepted": 0, "rejected": 0, "evaluations": self._next}
