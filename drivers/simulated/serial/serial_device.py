"""The device side of one serial instrument: bytes in, bytes out, timers on the bench clock, a log of what happened."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from drivers.simulated.plant.shaft import Shaft

TICK = 1e-3
"""Step (s) of a device's firmware; a fixed grid, so that it does not matter how often somebody looks."""
RESTING = 1e-3
"""Speed (rad/s) below which a shaft counts as at rest."""


@dataclass(frozen=True)
class Event:
    """What happened on the device side, at bench time (s)."""

    time: float
    text: str


class SerialDevice(ABC):
    """One instrument. `receive` and `advance` are called one at a time (see `serial_side`)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.now = 0.0
        self.pace = 1.0
        """Seconds of its own clock, which all its times are of, in one of bench time."""
        self.heard = -math.inf
        """Bench time of the last request that was meant for this device."""
        self.log: list[Event] = []
        self._buffer = b""
        self._ticks = 0
        self._taken = 0

    def advance(self, to: float) -> None:
        """Let the firmware and its timers go on to `to` (s of its own clock); it looks once in each millisecond of bench time, so that
        what its clock is off by shows in every step and not in one step more or less."""
        step = TICK * self.pace
        for tick in range(self._ticks + 1, math.floor(to / step + 1e-6) + 1):
            self._ticks, self.now = tick, tick * step
            self.tick(step)

    def keep_time(self, pace: float) -> None:
        """Go by a clock of that pace, with all that is in it."""
        self.pace = pace
        for drive in self.drives:
            if drive is not self:
                drive.keep_time(pace)

    @property
    def drives(self) -> tuple[Drive, ...]:
        """What there is in it that turns shafts."""
        return ()

    @abstractmethod
    def tick(self, step: float) -> None:
        """One step of the firmware, ending at `now`."""

    @abstractmethod
    def receive(self, data: bytes) -> bytes:
        """Bytes from the line; returns the answer, which may be empty."""

    def from_another(self, reply: bytes) -> bytes:
        """`reply` as it would come from a device with another address; the same for protocols without addresses."""
        return reply

    def overhear(self, reply: bytes) -> bytes:
        """What another one on the same pair of wires answers; returns what this one says to it: nothing, where frames tell whose."""
        del reply
        return b""

    def silence(self) -> None:
        """The line was silent long enough to end a frame: what came so far of one is forgotten."""
        self._buffer = b""

    def note(self, text: str) -> None:
        """Add to the log."""
        self.log.append(Event(self.now, text))

    def take_events(self) -> list[tuple[float, str, str]]:
        """Events since the last call: (bench time in s, source, text), as a plant hands them on."""
        new, self._taken = self.log[self._taken :], len(self.log)
        return [(event.time, self.name, event.text) for event in new]

    def since(self, text: str) -> float | None:
        """Bench time of the last event with that text."""
        return next((event.time for event in reversed(self.log) if event.text == text), None)


class Drive(SerialDevice):
    """A device that turns a shaft. `enable_input`: state of its enable (STO) terminal; low takes the torque away at once."""

    def __init__(self, name: str, shaft: Shaft) -> None:
        super().__init__(name)
        self.shaft = shaft
        self.enable_input = True
        self._resting = True

    @property
    def drives(self) -> tuple[Drive, ...]:
        """See `SerialDevice`: itself."""
        return (self,)

    def set_enable(self, high: bool) -> None:
        """The enable terminal, by a digital output of the bench."""
        if high != self.enable_input:
            self.note(f"enable input {'high' if high else 'low'}")
        self.enable_input = high

    def tick(self, step: float) -> None:
        """Firmware, then the shaft; its coming to rest and its setting off are noted."""
        self.firmware(step)
        self.shaft.advance(self.now)
        resting = abs(self.shaft.velocity) < RESTING
        if resting != self._resting:
            self._resting = resting
            self.note("at rest" if resting else "moving")

    @property
    def resting(self) -> bool:
        """Whether the shaft stood still at the last tick."""
        return self._resting

    @abstractmethod
    def firmware(self, step: float) -> None:
        """One step of the drive: timers, ramps, and what the shaft is told."""


class DriveModule(SerialDevice):
    """A device with several drives behind one line, whose enable terminals are one."""

    def __init__(self, name: str, drives: tuple[Drive, ...]) -> None:
        super().__init__(name)
        self._drives = drives

    @property
    def drives(self) -> tuple[Drive, ...]:
        """See `SerialDevice`."""
        return self._drives

    def set_enable(self, high: bool) -> None:
        """The enable terminal, of all drives."""
        for drive in self._drives:
            drive.set_enable(high)

    def tick(self, step: float) -> None:
        """All drives."""
        for drive in self._drives:
            drive.advance(self.now)

    def take_events(self) -> list[tuple[float, str, str]]:
        """Those of the drives."""
        return [event for drive in self._drives for event in drive.take_events()]


def ramped(present: float, target: float, change: float) -> float:
    """`present` moved towards `target` by `change` at the most."""
    return present + max(-change, min(change, target - present))
