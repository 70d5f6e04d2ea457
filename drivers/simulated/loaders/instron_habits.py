"""What an Instron-class controller may do otherwise than its driver expects: settings that its panel has left or keeps, a counter that ends
nothing, a generator that somebody else has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from drivers.protocols import instron_ascii as ascii_

SPOKEN = {
    "event action kept": "what its event does stays as the panel left it: nothing",
    "event action actuator off": "the panel has set its event to take the pressure; it stays so",
    "goes on after its count": "it takes every setting, and its event does nothing",
    "counts nothing": "its counter stays at 0",
    "generator disabled": "its generator is disabled at the panel",
    "generator slaved": "its generator follows another one",
    "frequency as it likes": "it takes another frequency than it is told",
}
"""Habits by their names in a bench file, and what they are."""


@dataclass(frozen=True)
class Habits:
    """`event_action`: as the panel left it; `deaf`: commands that change nothing; `instead`: command -> last number that it takes whatever
    it is told; `ends`: whether its event does what it is set to; `counts`: whether quarter cycles are counted; `generator`: state in which
    it stays whatever it is told, where that is not STOPPED."""

    event_action: int = ascii_.NOTHING
    deaf: frozenset[str] = frozenset()
    instead: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    ends: bool = True
    counts: bool = True
    generator: int = ascii_.STOPPED

    def taken(self, name: str, values: tuple[float, ...]) -> tuple[float, ...]:
        """The numbers of a command as it takes them; none: it takes nothing."""
        if name in self.deaf or not values:
            return ()
        return (*values[:-1], self.instead[name]) if name in self.instead else values


def of(names: Sequence[str]) -> Habits:
    """Those of the names, which are in `SPOKEN`."""
    action = ascii_.ACTUATOR_OFF if "event action actuator off" in names else ascii_.NOTHING
    kept = any(name.startswith("event action") for name in names)
    state = {"generator disabled": ascii_.DISABLED, "generator slaved": ascii_.SLAVED}
    return Habits(
        event_action=action,
        deaf=frozenset({"C213"} if kept else ()),
        instead=MappingProxyType({"C202": 2.5} if "frequency as it likes" in names else {}),
        ends="goes on after its count" not in names,
        counts="counts nothing" not in names,
        generator=next((state[name] for name in names if name in state), ascii_.STOPPED),
    )
