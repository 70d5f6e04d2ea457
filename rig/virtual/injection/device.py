"""A DAQ device that fails: its buffer overflows, its output runs dry, it is gone, its clock is off."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.channel import ANALOG_INPUT, ANALOG_OUTPUT, COUNTER_INPUT
from drivers.simulated.daqmx.core.timeline import Timeline
from rig.config.injection import Injection

Floats = NDArray[np.float64]

OVERRUN, UNDERFLOW, GONE = -200279, -200290, -200220
SAMPLED = (ANALOG_INPUT, ANALOG_OUTPUT, COUNTER_INPUT)
PPM = 1e-6
ROUNDED = 1e-6
"""Of a sample: what is lost of a time by reckoning with it."""


def end_tasks(engine: Bench, injection: Injection) -> None:
    """What runs on the device ends with the error that the driver gives then."""
    status = {"overrun": OVERRUN, "underflow": UNDERFLOW, "gone": GONE}[injection.what]
    kinds = {"overrun": (ANALOG_INPUT,), "underflow": (ANALOG_OUTPUT,), "gone": SAMPLED}[injection.what]
    for task in engine.tasks.values():
        if task.ended is None and any(channel.kind in kinds for channel in task.channels):
            engine.end(task, status)


def input_sample(engine: Bench, time: float) -> int | None:
    """Number of the first sample of the running input task, of those not yet taken, at bench time `time` (s) or later; None where none
    runs. What comes at the very moment of the last one taken comes too late for it."""
    clock = _sample_clock(engine)
    return None if clock is None else max(math.ceil((time - clock.start) * clock.rate - ROUNDED), clock.ticks)


def sampled_since(engine: Bench) -> float | None:
    """s of the bench's clock at which the running input task began; None where none runs."""
    clock = _sample_clock(engine)
    return None if clock is None else clock.start


def _sample_clock(engine: Bench) -> Timeline | None:
    for task in engine.tasks.values():
        if task.channels and task.channels[0].kind == ANALOG_INPUT and isinstance(task.clock, Timeline):
            return task.clock
    return None


class WrongClock:
    """The device's clock is off from `begin` on: what it takes for t is another time in the laboratory."""

    def __init__(self, injection: Injection) -> None:
        self._begin, self._rate = injection.begin, 1.0 / (1.0 + injection.value * PPM)

    def true(self, times: Floats) -> Floats:
        """Instants of the laboratory (m,), s."""
        return np.where(times <= self._begin, times, self._begin + (times - self._begin) * self._rate)

    def shown(self, times: Floats) -> Floats:
        """The device's instants (m,), s."""
        return np.where(times <= self._begin, times, self._begin + (times - self._begin) / self._rate)
