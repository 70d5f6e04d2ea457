"""What the window is told of the test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

ENDED = ("stopped", "tripped", "replay")


@dataclass(frozen=True)
class Event:
    """Something that happened; time in s, None when it belongs to no sample."""

    text: str
    time_s: float | None = None
    source: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Status:
    """What the supervisor tells, about five times a second; `events` are those since the last time."""

    state: str = "starting"
    time_s: float = 0.0
    duration_s: float = 0.0
    cycle: int = -1
    lag_s: float | None = None
    lost: int = 0
    message: str = ""
    events: tuple[Event, ...] = field(default=())

    @classmethod
    def of(cls, data: dict[str, Any]) -> Status:
        """From the supervisor's message; what is not known here is left out."""
        known = {key: value for key, value in data.items() if key in cls.__dataclass_fields__ and key != "events"}
        events = ({key: event.get(key) for key in Event.__dataclass_fields__} for event in data.get("events", ()))
        return cls(**known, events=tuple(Event(**event) for event in events))

    @property
    def ended(self) -> bool:
        """Nothing moves any more."""
        return self.state in ENDED
