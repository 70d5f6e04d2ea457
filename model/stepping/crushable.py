"""A stepper that stops where a joint is crushed: looked at after the steps, from the channels, so that it costs the steps nothing."""

from __future__ import annotations

import numpy as np

from model.errors import NotConverged
from model.floats import Floats
from model.integrators.memory import Y
from model.stepping.crushing import Joint
from model.stepping.explicit import Kernels, Stepper


class CrushableStepper(Stepper):
    """`joint`: the one with clearance; none: nothing is looked at. `remarks`: told to whoever simulates."""

    joint: Joint | None = None
    remarks: tuple[str, ...] = ()

    def _advance(self, samples: Floats, watched: bool) -> tuple[Floats, Floats, Floats]:
        first = self._next
        out, low, high = super()._advance(samples, watched)
        if self.joint is not None:
            found = high if watched else out  # a column that is not published is seen with extremes only
            if self.joint.column < found.shape[1]:
                self.joint.check(found[:, self.joint.column], first, self.rate)
        return out, low, high

    def _raise(self, status: int) -> None:
        try:
            super()._raise(status)
        except NotConverged as error:
            if said := self._crushed(self._memory.states[Y]):  # the end of the last step that held
                raise NotConverged(f"{error}: {said}") from None
            raise

    def _crushed(self, state: Floats) -> str:
        if self.joint is None:
            return ""
        values, s = np.zeros(self._motion.channels), np.array(self._s)
        kernels = self._motion.kernels
        assert isinstance(kernels, Kernels)
        kernels.channels(self.time, np.array(state), values, self._motion.parameters, s, self._window, kernels.law)
        return self.joint.said(float(values[self.joint.column]))
