"""What a property is: how it is read, and how it is set where it can be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.status.not_served import NotServed as NotServed


@dataclass(frozen=True)
class Property:
    """`get(engine, subject)`; `set(engine, subject, value)` where it can be set; `default` that a reset sets, or how it is reset."""

    get: Callable[[Engine, Any], Any]
    set: Callable[[Engine, Any, Any], None] | None = None
    default: Any = None
    reset: Callable[[Engine, Any], None] | None = None
