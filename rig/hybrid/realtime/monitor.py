"""Whether a test that is running has begun to feed itself.

The actuator gives the specimen the work f dx_measured and takes f dx_target from the structure. What it gives and did not
take is spurious: a late actuator works as a negative damping (Horiuchi et al. 1999). The indicator is the spurious energy over the energy
that the structure's damping took, both over a fading window:

    I_k = S_k / (D_k + E_0)      S_k = q S_k-1 + f dx_measured - f dx_target      D_k = q D_k-1 + v.C_n v h      q = exp(-h/T)

Above 1 more energy comes in by the actuator than the damping takes: free vibration grows. Energy methods for an online indicator: Galmez,
Fermandois, Online stability analysis for real-time hybrid simulation testing, Front. Built Environ. 6 (2020) 134; this one, its window
and its limit of 1 are our own. E_0 keeps noise from being taken for energy while nothing moves. The specimen's own damping counts as
none: the indicator is on the safe side by it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Monitor:
    """The indicator's window, floor and limit; our own (docs/real_time_hybrid.md)."""

    window: float = field(default=1.0, metadata={"unit": "s", "over": 0.0, "doc": "over which energies fade"})
    floor: float = field(default=0.05, metadata={"unit": "J", "at_least": 0.0, "doc": "E_0: energies below it do not count"})
    limit: float = field(default=1.0, metadata={"unit": "1", "over": 0.0, "doc": "an indicator above it stops the loader"})


class EnergyMonitor:
    """The indicator sample by sample, for a loop that is not compiled; `rig.hybrid.realtime.loop` has the same within its own."""

    def __init__(self, monitor: Monitor, damping: Floats, step: float) -> None:
        """damping: (n, n) of the computed structure, N s/m; step: s."""
        self._monitor, self._damping, self._step = monitor, damping, step
        self._kept = math.exp(-step / monitor.window)
        self._fading = [0.0, 0.0]
        self._force = self._measured = self._target = 0.0
        self.spurious = self.dissipated = self.largest = 0.0
        self.tripped = False

    def add(self, target: float, measured: float, force: float, used: float, velocity: Floats) -> float:
        """The indicator after this sample. used: force that brought the structure here since the last, N; velocity: (n,) m/s."""
        given = 0.5 * (force + self._force) * (measured - self._measured)
        spurious = given - used * (target - self._target)
        lost = float(velocity @ self._damping @ velocity) * self._step
        self._force, self._measured, self._target = force, measured, target
        self.spurious, self.dissipated = self.spurious + spurious, self.dissipated + lost
        self._fading = [self._kept * self._fading[0] + spurious, self._kept * self._fading[1] + lost]
        below = self._fading[1] + self._monitor.floor
        indicator = self._fading[0] / below if below > 0.0 else 0.0
        self.largest = max(self.largest, indicator)
        self.tripped = self.tripped or indicator > self._monitor.limit
        return indicator
