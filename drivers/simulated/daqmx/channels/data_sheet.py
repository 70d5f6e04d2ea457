"""A channel as the data sheet of its sensor describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from drivers.simulated.daqmx.core.scaling import Law


@dataclass(frozen=True)
class Described:
    """`fields` for the call; `law` from what the channel would read to what the sensor measures, where the units are the sensor's.
    `unread`: the channel can be made, and not be read, since the scale is not known.
    """

    fields: Mapping[str, Any]
    units: str = ""
    law: Law | None = field(default=None)
    unread: bool = False
