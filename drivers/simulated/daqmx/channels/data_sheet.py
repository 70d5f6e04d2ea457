"""A channel as the data sheet of its sensor describes it."""

from __future__ import annotations

from dataclasses import dataclass, field

from drivers.simulated.daqmx.core.scaling import Law
from drivers.simulated.daqmx.core.values import Fields


@dataclass(frozen=True)
class Described:
    """`fields` for the call; `law` from what the channel would read to what the sensor measures, where the units are the sensor's.
    `unread`: the channel can be made, and not be read, since the scale is not known.
    """

    fields: Fields
    units: str = ""
    law: Law | None = field(default=None)
    unread: bool = False
