"""What a simulated drive turns. A plant brings its own shafts; `SmallShaft` is one for tests and for `socket://` on a desk."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol


class Shaft(Protocol):
    """The motor's shaft as its drive sees it: rad, rad/s, N m of the motor."""

    @property
    def position(self) -> float:
        """How far it has turned."""

    @property
    def velocity(self) -> float:
        """How fast it turns."""

    @property
    def torque(self) -> float:
        """What the motor puts on it."""

    def tell(self, mode: str, setpoint: float, enabled: bool, rate: float = 0.0, effort: float = 0.0) -> None:
        """What the drive's inner loop is to do from now on: mode "position" (rad), "velocity" (rad/s) or "torque" (N m).

        rate, effort: fed forward. Not enabled: the power stage is off and the shaft coasts.
        """

    def limit(self, torque: float) -> None:
        """Largest torque that the drive lets the motor have, N m."""

    def advance(self, to: float) -> None:
        """Go on to bench time `to` (s). A shaft that its plant steps does nothing here."""


class SkewedShaft:
    """A shaft as a drive sees it whose clock makes `pace` seconds of one: what it takes for a speed is that much off."""

    def __init__(self, shaft: Shaft, pace: float) -> None:
        self.shaft, self._pace = shaft, pace

    @property
    def position(self) -> float:
        """See `Shaft`."""
        return self.shaft.position

    @property
    def velocity(self) -> float:
        """See `Shaft`; per second of the drive."""
        return self.shaft.velocity / self._pace

    @property
    def torque(self) -> float:
        """See `Shaft`."""
        return self.shaft.torque

    def tell(self, mode: str, setpoint: float, enabled: bool, rate: float = 0.0, effort: float = 0.0) -> None:
        """See `Shaft`; rates are per second of the drive."""
        self.shaft.tell(mode, setpoint * self._pace if mode == "velocity" else setpoint, enabled, rate * self._pace, effort)

    def limit(self, torque: float) -> None:
        """See `Shaft`."""
        self.shaft.limit(torque)

    def advance(self, to: float) -> None:
        """See `Shaft`; `to` is a time of the drive."""
        self.shaft.advance(to / self._pace)


@dataclass(frozen=True)
class ShaftParameters:
    """A motor with its load. `velocity_gain` is also the slip: an asynchronous motor turns torque / velocity_gain slower than its field."""

    inertia: float = 0.01
    """kg m^2"""
    viscous: float = 0.002
    """N m s/rad"""
    coulomb: float = 0.2
    """N m; holds the shaft at rest"""
    torque_limit: float = 10.0
    """N m"""
    velocity_gain: float = 2.0
    """N m s/rad"""
    velocity_integral: float = 0.0
    """N m/rad; a servo has one, so that it does not slip"""
    position_gain: float = 30.0
    """1/s"""
    step: float = 2.5e-4
    """s"""


SERVO = ShaftParameters(velocity_integral=60.0)
"""A servo motor instead of an asynchronous one."""


class SmallShaft:
    """One inertia with friction under a cascade of position and velocity loops; semi-implicit Euler at its own step."""

    def __init__(self, parameters: ShaftParameters | None = None, load: float = 0.0) -> None:
        self.parameters = parameters or ShaftParameters()
        self.position = self.velocity = self.torque = 0.0
        self.load = load
        self._limit = self.parameters.torque_limit
        self._steps = 0
        self._integral = 0.0
        self.tell("velocity", 0.0, False)

    def tell(self, mode: str, setpoint: float, enabled: bool, rate: float = 0.0, effort: float = 0.0) -> None:
        """See `Shaft`."""
        self._mode, self._setpoint, self._enabled, self._rate, self._effort = mode, setpoint, enabled, rate, effort

    def limit(self, torque: float) -> None:
        """See `Shaft`; the motor's own limit stays."""
        self._limit = min(torque, self.parameters.torque_limit)

    def advance(self, to: float) -> None:
        """See `Shaft`."""
        steps = math.floor(to / self.parameters.step + 1e-6)
        for _ in range(steps - self._steps):
            self._step(self.parameters.step)
        self._steps = max(self._steps, steps)

    def _step(self, dt: float) -> None:
        p = self.parameters
        self.torque = max(-self._limit, min(self._limit, self._wanted(dt)))
        drive = self.torque - self.load - p.viscous * self.velocity
        free = self.velocity + drive * dt / p.inertia
        brake = p.coulomb * dt / p.inertia
        self.velocity = math.copysign(max(0.0, abs(free) - brake), free)
        self.position += self.velocity * dt

    def _wanted(self, dt: float) -> float:
        if not self._enabled or self._mode == "torque":
            self._integral = 0.0
            return self._setpoint if self._enabled else 0.0
        wanted = self._setpoint
        if self._mode == "position":
            wanted = self._rate + self.parameters.position_gain * (self._setpoint - self.position)
        error = wanted - self.velocity
        held = max(-self._limit, min(self._limit, self._integral + self.parameters.velocity_integral * error * dt))
        self._integral = held
        return self.parameters.velocity_gain * error + held + self._effort
