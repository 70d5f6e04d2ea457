"""The flexible slider-crank moved by the leapfrog: the interface of model.stepping.explicit.Stepper."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from model.contact.force import force
from model.errors import ModelError, NotConverged
from model.mechanisms.slider_crank_flexible import kernel, leapfrog
from model.stepping.contract import Event
from model.stepping.crushing import Joint
from model.stepping.explicit import EVENT_ROOM
from model.stepping.implicit import shortened
from model.stepping.interruptible import Watched

Floats = NDArray[np.float64]


class LeapfrogStepper(Watched):
    """Predicts sample after sample; its input is not read. joint: looked at for being crushed; remarks: what its user should know."""

    lookahead = 1
    joint: Joint | None = None

    def __init__(self, parameters: Floats, lines: Floats, begin: tuple[Floats, Floats], step: float, rate: float) -> None:
        """parameters: p of the kernel; lines: of the inverse mass matrix (4, 2 nodes); begin: (y, s) at t = 0; step: the largest, s.

        Raises ModelError for a rate that is not positive.
        """
        if not 0.0 < rate < math.inf:
            raise ModelError(f"sample rate must be more than 0 Hz and finite, got {rate:g}")
        self.rate, self._p, self._lines, self._begin = rate, parameters, lines, begin
        self._friction = np.array(parameters[kernel.FRICTION : kernel.FACTOR])
        self._smooth = np.array(parameters)
        self._smooth[kernel.FRICTION] = 0.0
        self._part = math.ceil(1.0 / (rate * step) - 1e-9)
        self.step = 1.0 / (rate * self._part)
        self.remarks = shortened(step, self.step)
        self._events = np.zeros((EVENT_ROOM, 3))

    def start(self, samples: Floats) -> None:
        """Put it at t = 0."""
        self._y, self._s = (np.array(part) for part in self._begin)
        n = len(self._y) // 2
        rates = np.zeros(2 * n)
        kernel.rhs(0.0, self._y, rates, self._smooth, self._s, rates, force)
        self._rows = np.zeros((3, n))
        self._rows[leapfrog.SMOOTH] = rates[n:]
        self._marks, self._trace = np.zeros((2, kernel.CONTACTS)), np.zeros((3, kernel.CHANNEL_COUNT))
        self._trace[leapfrog.LOW], self._trace[leapfrog.HIGH] = np.inf, -np.inf
        self._clock = np.zeros(leapfrog.CLOCK)
        self._clock[leapfrog.STEP] = self.step
        self._next = 0
        self.events: list[Event] = []

    def advance(self, samples: Floats) -> Floats:
        """The next len(samples) output samples, (k, channels). Raises NotConverged with time and reason."""
        return self._advance(len(samples), watched=False)[0]

    def advance_with_extremes(self, samples: Floats) -> tuple[Floats, Floats, Floats]:
        """(values, lowest, highest): as `advance`, with the extremes at the steps' ends since the sample before."""
        return self._advance(len(samples), watched=True)

    def _advance(self, count: int, watched: bool) -> tuple[Floats, Floats, Floats]:
        out = np.empty((count, kernel.CHANNEL_COUNT))
        low, high = (np.empty((count if watched else 0, kernel.CHANNEL_COUNT)) for _ in range(2))
        status = leapfrog.EVENTS_FULL
        while status == leapfrog.EVENTS_FULL:
            status = leapfrog.advance(
                self._y, self._rows, self._p, self._smooth, self._s, self._lines, self._friction, self._marks, self._events, self._clock,
                force, self._next, self._part, self._trace, out, low, high,
            )  # fmt: skip
            found = self._events[: int(self._clock[leapfrog.EVENTS])].tolist()
            self.events += [Event(t, int(guard), noted) for t, guard, noted in found]
            self._clock[leapfrog.EVENTS] = 0.0
            self._looked_at()
        if status != leapfrog.OK:
            raise NotConverged(f"stopped at {self.time:.6g} s: the motion grew beyond all bounds; choose a smaller step")
        if self.joint is not None:
            self.joint.check((high if watched else out)[:, self.joint.column], self._next, self.rate)
        self._next += count
        return out, low, high

    @property
    def time(self) -> float:
        """Time that the solver has reached, s."""
        return float(self._clock[leapfrog.STEPS] * self.step)

    @property
    def state(self) -> Floats:
        """(q, v) at `time`."""
        return np.array(self._y)

    @property
    def work(self) -> dict[str, int]:
        """Steps and evaluations of the equations of motion since the start."""
        steps = int(self._clock[leapfrog.STEPS])
        return {"accepted": steps, "rejected": 0, "evaluations": steps + 1}
