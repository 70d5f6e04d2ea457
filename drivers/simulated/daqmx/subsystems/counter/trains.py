"""The pulses of one counter, in ticks of its timebase.

"X Series User Manual", Counters: after the start a train waits for its initial delay, then active and idle phases take turns; it ends
with its last active phase. Of buffered trains each pulse is its idle phase and then its active one. A change takes effect with the idle
phase of the next pulse. There are at least two ticks between a trigger and the first active edge.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from drivers.simulated.daqmx.subsystems.counter.ticks import Ticks

SHORTEST = 2
"""Ticks of the shortest phase, and from a trigger to the first active edge."""
NO_TICKS: Ticks = np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class Pulse:
    """Ticks of the two phases of a pulse."""

    idle: int
    active: int


class Train:
    """`left` pulses are to come; `generated` have been, `made` counts the changes that have gone out as a whole pulse. Each idle phase
    is `increment` ticks longer than the one before.

    `feed(tick)`: the pulse to generate at that tick, from the buffer; None there when it ran dry.
    """

    def __init__(self, pulse: Pulse, increment: int = 0, feed: Callable[[int], Pulse | None] | None = None) -> None:
        self.pulse, self.increment = pulse, increment
        self.left = 0.0
        self.generated = 0
        self.asked = self.made = 0
        self.active = False
        self.dry = False
        self._feed = feed
        self._next = 0
        self._fresh: int | None = None
        self._pending: Pulse | None = None
        self._turn = 0
        """Pulses of this train that have been."""

    @property
    def going(self) -> bool:
        """Whether pulses are to come."""
        return self.left > 0 and not self.dry

    def ticks_left(self, tick: int) -> int:
        """Ticks from `tick` to the end of the phase."""
        return max(0, self._next - tick) if self.going else 0

    def begin(self, tick: int, delay: int, pulses: float) -> None:
        """Start at a tick, `delay` ticks before the first active phase; with a buffer its first pulse tells when that is."""
        self.left, self.active, self.dry, self._turn = pulses, False, False, 0
        if self._feed is None:
            self._next = tick + max(SHORTEST, delay)
        else:
            self._load(tick)

    def begin_specified(self, tick: int, delay: int) -> None:
        """Start with the pulse of the channel, whatever is in the buffer comes later."""
        self.left, self.active, self.dry = np.inf, False, False
        self._next = tick + max(SHORTEST, delay)

    def change(self, pulse: Pulse) -> int:
        """The next pulse, and those behind it, are these. Its number among the changes."""
        self._pending = pulse
        self.asked += 1
        return self.asked

    def run(self, last: int) -> tuple[Ticks, Ticks]:
        """Ticks up to `last` at which active phases begin, and end."""
        begins, ends = [NO_TICKS], [NO_TICKS]
        while self.going and self._next <= last:
            if self.active:
                ends.append(np.array([self._next]))
                self._end(self._next)
            elif self._uniform and self._next + self.pulse.active <= last:
                begin, end = self._whole(last)
                begins.append(begin)
                ends.append(end)
            else:
                begins.append(np.array([self._next]))
                self.active = True
                self._next += self.pulse.active
        return np.concatenate(begins), np.concatenate(ends)

    @property
    def _uniform(self) -> bool:
        """Whether all pulses to come are alike."""
        return self._feed is None and self._pending is None and not self.increment

    def _whole(self, last: int) -> tuple[Ticks, Ticks]:
        """As many whole pulses as there is time for."""
        period = self.pulse.active + self.pulse.idle
        count = int(min(self.left, (last - self._next - self.pulse.active) // period + 1))
        begins = self._next + period * np.arange(count)
        self.left -= count - 1
        self.generated += count - 1
        end = int(begins[-1]) + self.pulse.active
        self._end(end)
        return begins, begins + self.pulse.active

    def _end(self, tick: int) -> None:
        """An active phase ends."""
        self.active = False
        self.left -= 1
        self.generated += 1
        self._turn += 1
        if self._fresh is not None:
            self.made, self._fresh = self._fresh, None
        if self.left > 0:
            self._load(tick)

    def _load(self, tick: int) -> None:
        if self._feed is not None:
            pulse = self._feed(tick)
            self.dry = pulse is None
            self.pulse = pulse or self.pulse
        elif self._pending is not None:
            self.pulse, self._pending, self._fresh = self._pending, None, self.asked
        self._next = tick + max(SHORTEST, self.pulse.idle + self.increment * self._turn)
