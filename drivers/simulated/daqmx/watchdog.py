"""Hardware watchdog timer of a device: puts its digital lines into their expiration states when nobody resets it in time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# Members of nidaqmx.constants.Level.
HIGH, LOW, TRISTATE, NO_CHANGE = 10192, 10214, 10310, 10160
LONGEST = 2**32 / 100e3
"""Longest time-out (s) other than -1: a 32-bit counter on the 100 kHz timebase."""


@dataclass
class Watchdog:
    """`timeout` in s of bench time (-1: never); `expires`: when it will expire, None while it does not run or has expired."""

    task: Any
    timeout: float
    states: dict[str, int] = field(default_factory=dict)
    expires: float | None = None
    expired: bool = False

    def arm(self, now: float) -> None:
        """Start counting from `now`."""
        self.expires = now + self.timeout if self.timeout >= 0 else None

    def disarm(self) -> None:
        """Stop counting."""
        self.expires = None

    def expire(self) -> Mapping[str, bool]:
        """Expire: the lines that change, and to what."""
        self.expired, self.expires = True, None
        return {name: state == HIGH for name, state in self.states.items() if state in (HIGH, LOW)}
