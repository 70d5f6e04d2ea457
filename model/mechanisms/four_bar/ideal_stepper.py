"""The four-bar without clearance as a stepper: nothing is integrated, every sample is the closed form."""

from __future__ import annotations

import math

import numpy as np

from model.errors import InconsistentStart
from model.floats import Floats
from model.mechanisms.four_bar.config import Config, doubtful_inertias
from model.mechanisms.four_bar.ideal import ideal
from model.stepping.contract import Event, checked_rate
from model.stepping.interruptible import Watched
from model.stepping.sampled import AHEAD, Sampled

FINE = 2e-3  # rad of the crank between the places at which extremes are sought


class Turned:
    """Crank angle, speed and acceleration at any time: constant speed, or as the samples say."""

    def __init__(self, config: Config, rate: float, driven: bool) -> None:
        self._start, self._speed = config.start_angle, config.speed
        self.sampled = Sampled(rate) if driven else None

    def at(self, times: Floats) -> tuple[Floats, Floats, Floats]:
        """rad, rad/s, rad/s^2, each as `times` (s)."""
        if self.sampled is None:
            return self._start + self._speed * times, np.full(len(times), self._speed), np.zeros(len(times))
        turned, speed, acceleration = self.sampled.at(times)
        return self._start + turned, speed, acceleration


class IdealStepper(Watched):
    """As model.stepping.explicit.Stepper, of a mechanism that has no state of its own."""

    def __init__(self, config: Config, rate: float, driven: bool = False) -> None:
        """driven: the input samples are how far the crank has turned, rad. Raises ModelError for a rate that is not positive."""
        self.rate, self._config, self._next = checked_rate(rate), config, 0
        self._turned = Turned(config, rate, driven)
        self.lookahead = AHEAD
        self.events: list[Event] = []
        self.remarks = tuple(doubtful_inertias(config))
        self._parts = max(1, math.ceil(config.speed / rate / FINE))

    def start(self, samples: Floats, state: Floats | None = None) -> None:
        """Put it at the start angle. Raises InconsistentStart when samples are missing, or for a state: it has none."""
        if len(samples) != self.lookahead or state is not None:
            raise InconsistentStart(f"start: expected {self.lookahead} input samples and no state; got {len(samples)}")
        self._next = 0
        if self._turned.sampled is not None:
            self._turned.sampled.start(samples)

    def advance(self, samples: Floats) -> Floats:
        """The next output samples (k, channels) for k input samples, which run `lookahead` ahead."""
        first = self._next
        self._next += len(samples)
        if self._turned.sampled is not None:
            self._turned.sampled.add(samples)
        return self._at((first + np.arange(len(samples))) / self.rate)

    def advance_with_extremes(self, samples: Floats) -> tuple[Floats, Floats, Floats]:
        """(values, lowest, highest): as `advance`, with the extremes since the sample before."""
        first, parts = self._next, self._parts
        values = self.advance(samples)
        before = self._at(max(0.0, (first - 1) / self.rate) * np.ones(1))
        times = (first - 1 + np.arange(1, len(samples) * parts + 1) / parts) / self.rate
        between = self._at(np.maximum(times, 0.0)).reshape(len(samples), parts, -1)
        ends = np.concatenate([before, values])[:-1]
        return values, np.minimum(ends, between.min(axis=1)), np.maximum(ends, between.max(axis=1))

    @property
    def time(self) -> float:
        """Time of the last sample, s."""
        return max(0, self._next - 1) / self.rate

    @property
    def state(self) -> Floats:
        """None, an empty array."""
        return np.empty(0)

    @property
    def work(self) -> dict[str, int]:
        """Nothing is stepped."""
        return {"accepted": 0, "rejected": 0, "evaluations": 0}

    def _at(self, times: Floats) -> Floats:
        """Channels (len(times), channels)."""
        config = self._config
        angle, *rates = self._turned.at(times)
        there = ideal(config, angle, order=2, rates=(rates[0], rates[1]))
        (c1, c2, _), (s1, s2, _) = there.cosine, there.sine
        end = config.crank_length * (c2.value * s1.derivative(2) - s2.value * c1.derivative(2))
        across = config.coupler_length * there.theta2.derivative(2) + end
        columns = (
            there.theta1.value,
            there.theta2.value,
            there.theta3.value,
            there.F.value,
            there.alpha.value,
            np.ones(len(times)),
            across,
        )
        assert len(columns) == len(Config.CHANNELS)
        return np.column_stack(columns)
