"""Numbers that are none: no property of a task, channel, scale or device is infinite, or not a number."""

from __future__ import annotations

import math
from collections.abc import Sequence

from drivers.simulated.daqmx.core.values import Values
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name


def need(name: str, value: object) -> None:
    """Raise DaqmxError -200077 for a number, or one of a list, that is not finite; `name`: of the property, as the driver writes it."""
    for number in value if isinstance(value, Sequence) and not isinstance(value, str) else (value,):
        if isinstance(number, float) and not math.isfinite(number):
            raise DaqmxError(-200077, Property=name, Requested_Value=number)


def need_all(values: Values, family: str = "CHANNEL") -> None:
    """The same for values by the protocol's names of their properties."""
    for name, value in values.items():
        need(c_name(name, family), value)
