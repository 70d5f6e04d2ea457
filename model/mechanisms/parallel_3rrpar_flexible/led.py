"""The flexible 3-RRPaR led along its path by samples of the path's time: where it starts, and the stepper that takes the samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from model.floats import Floats
from model.integrators import generalized_alpha
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar.stepper import refuse_beyond
from model.paths.course import Course
from model.stepping import inputs
from model.stepping.implicit import Constrained
from model.stepping.sampled_implicit import ROOM, SampledImplicit

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
        changed = np.array(p)
        changed[rigid.SAMPLES] = len(window)
        changed[len(p) - len(window) :] = window
        return changed


class LedStepper(SampledImplicit):
    """Its samples are the path's time, from 0 to `lasting` (s)."""

    def __init__(
        self, motion: Constrained, config: generalized_alpha.Config, rate: float, path: Course, lasting: float, start: Start
    ) -> None:
        """Raises ModelError for a rate that is not positive."""
        self._lasting = lasting

        def rest(samples: Floats) -> tuple[Floats, Floats, Floats]:
            beginning = Beginning.along(path, samples, rate)
            return start(beginning, beginning.drives(motion.parameters))

        super().__init__(motion, config, rate, rigid.SAMPLES, rest)

    def start(self, samples: Floats) -> None:
        """As SampledImplicit.start. Raises ModelError for samples beyond the path's time."""
        refuse_beyond(samples, 0, self._lasting)
        super().start(samples)

    def _led(self, samples: Floats, watched: bool) -> tuple[Floats, Floats, Floats]:
        refuse_beyond(samples, self._next + self.lookahead, self._lasting)
        return super()._led(samples, watched)


def with_room(p: Floats, driven: bool) -> Floats:
    """p with places for the samples, if any lead the mechanism."""
    return np.concatenate([p, np.zeros(ROOM)]) if driven else p
