"""What a property is: how it is read, and how it is set where it can be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from drivers.simulated.daqmx.core.channel import Channel
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Value
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.status.not_served import NotServed as NotServed

Subject = TypeVar("Subject")
"""What has the property: a task, a channel of a task, a device, a physical channel, a scale."""
ChannelOfTask = tuple[Task, Channel]


@dataclass(frozen=True)
class Property(Generic[Subject]):
    """`get(engine, subject)`; `set(engine, subject, value)` where it can be set; `default` that a reset sets, or how it is reset."""

    get: Callable[[Engine, Subject], Value]
    set: Callable[[Engine, Subject, Value], object] | None = None
    default: Value = None
    reset: Callable[[Engine, Subject], object] | None = None
