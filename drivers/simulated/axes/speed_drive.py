"""Device side of an analogue speed drive, as a plant behind a DAQ device: reference and lines in, tachometer and fault relay out."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.plant.shaft import Shaft
from drivers.simulated.serial.serial_device import RESTING, TICK, ramped

FULL_SCALE_VOLTS = 10.0


class SpeedDriveSide:
    """One drive. max_speed: rad/s at 10 V, of reference and tachometer; acceleration: its ramp, rad/s^2; stall: s at the torque limit
    until it trips."""

    analogue_inputs: tuple[str, ...] = ("speed_reference",)
    analogue_outputs: tuple[str, ...] = ("tachometer",)
    digital_inputs: tuple[str, ...] = ("drive_enable", "drive_reset")
    digital_outputs: tuple[str, ...] = ("drive_ok",)

    def __init__(
        self, shaft: Shaft, max_speed: float = 100.0, acceleration: float = 200.0, torque: float = 10.0, stall: float = 0.5
    ) -> None:
        self.shaft, self.max_speed, self.acceleration, self.torque, self.stall = shaft, max_speed, acceleration, torque, stall
        self.ok = True
        self.events: list[tuple[float, str, str]] = []
        self._taken = 0
        self._enabled = self._reset = False
        self._speed = 0.0
        self._stalled = 0.0
        self._ticks = 0
        self._resting = True

    @property
    def resting(self) -> bool:
        """Whether the shaft stood still at the last tick."""
        return self._resting

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        """See `Plant`. The reference is looked at once a millisecond, as such drives do."""
        self.take_lines(bool(lines[0]), bool(lines[1]))
        out = np.empty((len(times), 1))
        for row, time in enumerate(times):
            while (self._ticks + 1) * TICK <= time + 1e-9:
                self.tick(float(volts[row, 0]))
            out[row, 0] = np.clip(self.shaft.velocity / self.max_speed * FULL_SCALE_VOLTS, -FULL_SCALE_VOLTS, FULL_SCALE_VOLTS)
        return out

    def take_lines(self, enabled: bool, reset: bool) -> None:
        """The lines as they are from now on; a rise of `reset` clears a fault."""
        if enabled != self._enabled:
            self._note(self._ticks * TICK, f"enable {'high' if enabled else 'low'}")
        if reset and not self._reset:
            self.ok, self._stalled = True, 0.0
        self._enabled, self._reset = enabled, reset

    def read_lines(self) -> NDArray[np.bool_]:
        """See `Plant`."""
        return np.array([self.ok])

    def take_events(self) -> list[tuple[float, str, str]]:
        """See `Plant`."""
        new, self._taken = self.events[self._taken :], len(self.events)
        return new

    def fail(self, why: str) -> None:
        """A fault: power off until it is reset."""
        self.ok = False
        self._note(self._ticks * TICK, why)

    def tick(self, volts: float) -> None:
        """One step of the firmware, with the reference as it is: ramp, what the shaft is told, overload."""
        self._ticks += 1
        now = self._ticks * TICK
        running = self._enabled and self.ok
        wanted = volts / FULL_SCALE_VOLTS * self.max_speed
        self._speed = ramped(self._speed, wanted, self.acceleration * TICK) if running else self.shaft.velocity
        self.shaft.limit(self.torque)
        self.shaft.tell("velocity", self._speed, running)
        self.shaft.advance(now)
        self._stalled = self._stalled + TICK if running and abs(self.shaft.torque) >= self.torque * (1.0 - 1e-9) else 0.0
        if self.ok and self._stalled > self.stall:
            self.fail("overload")
        resting = math.fabs(self.shaft.velocity) < RESTING
        if resting != self._resting:
            self._resting = resting
            self._note(now, "at rest" if resting else "moving")

    def _note(self, now: float, text: str) -> None:
        self.events.append((now, "drive", text))
