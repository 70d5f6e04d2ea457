"""Hardware watchdog timer of a device: puts outputs into their expiration states when nobody resets it in time.

An X Series card guards its digital lines, and ignores writes to them until the expiration is cleared. A chassis guards analogue, digital
and counter outputs of its modules, and refuses every operation until it is reset ("X Series User Manual", "cDAQ-9185/9189 User Manual").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core.task import Task

HIGH, LOW, TRISTATE, NO_CHANGE = (
    ni.WatchdogCOExpirState.HIGH.value, ni.WatchdogCOExpirState.LOW.value, ni.Level.TRISTATE.value,
    ni.WatchdogAOExpirState.NO_CHANGE.value,
)  # fmt: skip
VOLTAGE, CURRENT = ni.WatchdogAOExpirState.VOLTAGE.value, ni.WatchdogAOExpirState.CURRENT.value
NO_TRIGGER, DIGITAL_EDGE = ni.TriggerType.NONE.value, ni.TriggerType.DIGITAL_EDGE.value
RISING, FALLING = ni.Edge.RISING.value, ni.Edge.FALLING.value

CHASSIS_EXPIRED = -201478


@dataclass
class Watchdog:
    """`timeout` in s of bench time (-1: never); `expires`: when it will expire, None while it does not run or has expired.

    Expiration states by terminal: `states` of lines, `levels` of analogue outputs as (V or A, kind), `counters` of counter outputs.
    `trigger`, `source`, `edge`: an edge at a terminal that makes it expire, whether or not the timer runs; `armed`: until it has expired.
    `chassis`: whether it guards a chassis; `members`: the devices that it guards.
    """

    task: Task
    timeout: float
    chassis: bool = False
    members: tuple[str, ...] = ()
    states: dict[str, int] = field(default_factory=dict)
    levels: dict[str, tuple[float, int]] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)
    expires: float | None = None
    expired: bool = False
    armed: bool = False
    trigger: int = NO_TRIGGER
    source: str = ""
    edge: int = RISING
    on_connection_loss: bool = False

    @property
    def awaits_edge(self) -> bool:
        """Whether an edge can make it expire now."""
        return self.armed and self.trigger == DIGITAL_EDGE

    @property
    def held(self) -> set[str]:
        """Lines that it drives, having expired."""
        return {name for name, state in self.states.items() if self.expired and state in (HIGH, LOW)}

    @property
    def let_go(self) -> set[str]:
        """Lines that it stops driving as it expires."""
        return {name for name, state in self.states.items() if state == TRISTATE}

    def arm(self, now: float) -> None:
        """Start counting from `now`, and look out for the edge that makes it expire; what has expired of a card is over with that."""
        self.armed, self.expired = True, self.expired and self.chassis
        self.expires = now + self.timeout if self.timeout >= 0 else None

    def disarm(self) -> None:
        """Stop counting."""
        self.expires, self.armed = None, False

    def expire(self) -> Mapping[str, bool]:
        """Expire: the lines that change, and to what. A line that nobody drives any more is pulled down."""
        self.expired, self.expires, self.armed = True, None, False
        return {name: state == HIGH for name, state in self.states.items() if state != NO_CHANGE}

    def outputs(self) -> Mapping[str, float]:
        """Analogue outputs that change at the expiration, and to what (V)."""
        return {name: level for name, (level, kind) in self.levels.items() if kind == VOLTAGE}
