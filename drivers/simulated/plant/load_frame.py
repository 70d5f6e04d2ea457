"""What a simulated loader's controller moves. A plant brings its own; `SmallFrame` is one for tests and for `socket://` on a desk."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol


class LoadFrame(Protocol):
    """Actuator and specimen: m, N."""

    @property
    def stroke(self) -> float:
        """As the controller reads it."""

    @property
    def force(self) -> float:
        """As the controller reads it."""

    @property
    def velocity(self) -> float:
        """Of the actuator, m/s."""

    def tell(self, mode: str, setpoint: float, pressure: bool, rate: float = 0.0) -> None:
        """What the loop closes on from now on: "stroke" (m) or "force" (N). Without pressure the actuator creeps to no force.

        rate: of the setpoint until it is told the next time, unit/s; the controller's loop is faster than its generator.
        """

    def advance(self, to: float) -> None:
        """Go on to bench time `to` (s). A frame that its plant steps does nothing here."""


@dataclass(frozen=True)
class FrameParameters:
    """A spring in a frame, and an actuator that follows with a first-order loop within its largest speed."""

    stiffness: float = 20e6
    """N/m"""
    bandwidth: float = 20.0
    """Hz, of the loop"""
    speed: float = 0.5
    """m/s"""
    leakage: float = 2.0
    """1/s, with which the force bleeds off without pressure"""
    step: float = 5e-4
    """s"""


class SmallFrame:
    """See `FrameParameters`."""

    def __init__(self, parameters: FrameParameters | None = None) -> None:
        self.parameters = parameters or FrameParameters()
        self.stroke = self.velocity = 0.0
        self._steps = 0
        self.tell("stroke", 0.0, False)

    @property
    def force(self) -> float:
        """Of the specimen, N."""
        return self.parameters.stiffness * self.stroke

    def tell(self, mode: str, setpoint: float, pressure: bool, rate: float = 0.0) -> None:
        """See `LoadFrame`; the rate does not matter to a loop as slow as this one."""
        self._target = setpoint if mode == "stroke" else setpoint / self.parameters.stiffness
        self._pressure = pressure

    def advance(self, to: float) -> None:
        """See `LoadFrame`."""
        p = self.parameters
        steps = math.floor(to / p.step + 1e-6)
        for _ in range(steps - self._steps):
            wanted = 2.0 * math.pi * p.bandwidth * (self._target - self.stroke) if self._pressure else -p.leakage * self.stroke
            self.velocity = max(-p.speed, min(p.speed, wanted))
            self.stroke += self.velocity * p.step
        self._steps = max(self._steps, steps)
