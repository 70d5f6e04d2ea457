"""The flexible 3-RRPaR led along its path by samples of the path's time: where it starts, and what takes the samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from model.floats import Floats
from model.integrators import generalized_alpha
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar.stepper import refuse_beyond
from model.paths.course import Course
from model.stepping import inputs
from model.stepping.implicit import Constrained, ImplicitStepper
from model.stepping.sampled_parameters import SampledParameters, with_window

Start = Callable[[Course, Floats], tuple[Floats, Floats, Floats]]
"""start(path, p) -> (y, s, jerk) at t = 0 of a mechanism that follows the path in the clock's time, with its drives in p."""
SPARSE = 1e3  # Hz: of the samples that lead it about the start


@dataclass(frozen=True)
class Beginning(Course):
    """The path as the samples begin to go along it: its own time is s + s' t + s'' t^2/2."""

    begin: tuple[float, float, float]

    @classmethod
    def along(cls, path: Course, samples: Floats, rate: float) -> Beginning:
        """samples: the first of them (k,), of the path's time in s."""
        value, speed, change = inputs.course(inputs.window(0.0, rate, samples[:4]), 0.0)
        return cls(path.curve, path.frequency, path.cycles, path.blend, path.lag, (value, speed, change))

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """See Course."""
        _, speed, change = self.begin
        place, along, bend = super().evaluate(self.way(t))
        rate = (speed + change * np.asarray(t))[:, None]
        return place, along * rate, along * change + bend * rate**2

    def way(self, t: Floats) -> Floats:
        """The path's time at t (N,), s."""
        value, speed, change = self.begin
        return np.asarray(value + t * (speed + 0.5 * change * t))

    def drives(self, p: Floats) -> Floats:
        """p whose samples are those of this motion."""
        window = inputs.window(-8.0, SPARSE, self.way(np.arange(-8.0, 9.0) / SPARSE))
        return with_window(np.array(p), rigid.SAMPLES, window)


def implicit(
    motion: Constrained, config: generalized_alpha.Config, rate: float, path: Course, start: Start, led_for: float | None
) -> ImplicitStepper:
    """Along the path in the clock's time, or as the samples go along it, from 0 to `led_for` (s). Raises ModelError for a rate that is not
    positive."""
    if led_for is None:
        return ImplicitStepper(motion, config, rate, lambda: start(path, motion.parameters))
    samples = SampledParameters(rate, rigid.SAMPLES, motion.parameters, check=partial(refuse_beyond, lasting=led_for))

    def rest() -> tuple[Floats, Floats, Floats]:
        beginning = Beginning.along(path, samples.first, rate)
        return start(beginning, beginning.drives(motion.parameters))

    made = ImplicitStepper(motion, config, rate, rest)
    made.lead(samples)
    return made
