"""The convert clock as it was chosen by `AIConv.Rate` or `AIConv.TimebaseDiv`: a part of 100 MHz, on a chassis of 80 MHz."""

from __future__ import annotations

import math

from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import as_float, as_int

CARD, CHASSIS = 100e6, 80e6
RATE, DIVISOR = "AI_CONV_RATE", "AI_CONV_TIMEBASE_DIV"


def timebase(task: Task) -> float:
    """Frequency (Hz) that the convert clock is divided from."""
    return CHASSIS if task.host else CARD


def chosen_divisor(task: Task) -> int | None:
    """The divisor of the convert clock, None where nobody chose anything: the rate becomes the next one that can be made."""
    if DIVISOR in task.settings:
        return as_int(task.settings[DIVISOR])
    if RATE in task.settings:
        return max(1, math.floor(timebase(task) / as_float(task.settings[RATE]) * (1 + 1e-12)))
    return None


def chosen(task: Task) -> float | None:
    """Conversions in a second, None where nobody chose anything."""
    divisor = chosen_divisor(task)
    return None if divisor is None else timebase(task) / divisor
