"""The flexible slider-crank moved by the leapfrog: the interface of model.stepping.explicit.Stepper."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from model.compiled.pinned import Pinned, entry
from model.compiled.signatures import LAW, ContactLaw
from model.floats import Floats
from model.integrators.samples import trace
from model.mechanisms.slider_crank_flexible import kernel, leapfrog
from model.stepping.fixed_steps import FixedSteps, shortened

Start = Callable[[], tuple[Floats, Floats]]


class LeapfrogStepper(FixedSteps):
    """Moves it from `rest` on."""

    STEPS, EVENTS, FULL = leapfrog.STEPS, leapfrog.EVENTS, leapfrog.EVENTS_FULL

    def __init__(self, parameters: Floats, lines: Floats, rest: Start, law: ContactLaw, step: float, rate: float) -> None:
        """parameters: p of the kernel; lines: of the inverse mass matrix (4, 2 nodes); rest: (y, s) at t = 0; step: the largest, s.

        Raises ModelError for a rate that is not positive.
        """
        super().__init__(rate, step, kernel.CHANNEL_COUNT)
        self._p, self._lines, self._rest, self._law = parameters, lines, rest, law
        self._friction = np.array(parameters[kernel.FRICTION : kernel.FACTOR])
        self._smooth = np.array(parameters)
        self._smooth[kernel.FRICTION] = 0.0
        self._advanced, self._pinned = entry(leapfrog.advance), Pinned(law, LAW)
        self.remarks = shortened(step, self.step)

    def start(self, samples: Floats) -> None:
        """Put it at t = 0. Raises InconsistentStart where samples lead it and are missing."""
        self._take_first(samples)
        self._y, self._s = (np.array(part) for part in self._rest())
        n = len(self._y) // 2
        rates = np.zeros(2 * n)
        kernel.rhs(0.0, self._y, rates, self._smooth, self._s, rates, self._law)
        self._rows = np.zeros((3, n))
        self._rows[leapfrog.SMOOTH] = rates[n:]
        self._marks, self._trace = np.zeros((2, kernel.CONTACTS)), trace(kernel.CHANNEL_COUNT)
        self._begin(np.zeros(leapfrog.CLOCK))
        self._clock[leapfrog.STEP] = self.step

    @property
    def parameters(self) -> tuple[Floats, Floats]:
        """Both, at whose end samples that lead it are to stand."""
        return self._p, self._smooth

    def _fill(self, out: Floats, low: Floats, high: Floats) -> int:
        return self._advanced(
            self._y, self._rows, self._p, self._smooth, self._s, self._lines, self._friction, self._marks, self._events, self._clock,
            self._pinned, self._next, self._part, self._trace, out, low, high,
        )  # fmt: skip

    def _reason(self, status: int) -> str:
        return "the motion grew beyond all bounds; choose a smaller step"

    @property
    def state(self) -> Floats:
        """(q, v) at `time`."""
        return np.array(self._y)

    @property
    def work(self) -> dict[str, int]:
        """Steps and evaluations of the equations of motion since the start."""
        steps = int(self._clock[leapfrog.STEPS])
        return {"accepted": steps, "rejected": 0, "evaluations": steps + 1}
