"""Sensors of a driven plant: what they turn a quantity into, and what may be wrong with them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants.motor_rig.kernel import SENSOR

STANDARD_GRAVITY = 9.80665
RAIL = 24.0
"""V of a supply, which an open circuit goes to."""
RANGE = 10.0
"""V that conditioners give at the most."""
SPREAD = 0.005
"""Largest error of a sensitivity that is perturbed: what a calibration leaves."""
FAULTS = {"none": None, "open": RAIL, "shorted": 0.0, "out_of_range": 1.5 * RANGE}
"""Volts at which a faulty sensor is stuck."""


class Sensor:
    """What all have. `bandwidth` 0: it follows at once."""

    POLES: ClassVar[int] = 2
    """Of its low-pass."""
    sensitivity: float
    """V for one of its unit."""
    bandwidth: float
    """Hz"""
    noise: float
    """Rms, in its unit."""
    fault: str
    """One of FAULTS."""

    @property
    def highpass(self) -> float:
        """Corner (Hz) of its AC coupling; 0: DC coupled."""
        return 0.0

    @property
    def shift(self) -> float:
        """What it shows of nothing, in its unit."""
        return 0.0


@dataclass(frozen=True)
class Accelerometer(Sensor):
    """One axis of acceleration; IEPE where AC coupled."""

    POLES = 1

    sensitivity: float = field(default=0.010 / STANDARD_GRAVITY, metadata={"unit": "V/(m/s^2)", "over": 0.0})
    bandwidth: float = field(default=5e3, metadata={"unit": "Hz", "at_least": 0.0, "doc": "one pole; 0: none"})
    coupling: float = field(default=0.5, metadata={"unit": "Hz", "at_least": 0.0, "doc": "AC coupling, one pole; 0: DC"})
    noise: float = field(default=0.1, metadata={"unit": "m/s^2", "at_least": 0.0, "doc": "rms"})
    feels_gravity: bool = field(
        default=False, metadata={"doc": "as a real one does, whose axis turns; false: reckoned out by its conditioner"}
    )
    fault: str = field(default="none", metadata={"choices": ("none", "open", "shorted")})

    @property
    def highpass(self) -> float:
        """See `Sensor`."""
        return self.coupling


@dataclass(frozen=True)
class TorqueSensor(Sensor):
    """On the shaft, between gear and mechanism."""

    sensitivity: float = field(default=0.1, metadata={"unit": "V/(N*m)", "over": 0.0})
    bandwidth: float = field(default=1e3, metadata={"unit": "Hz", "at_least": 0.0, "doc": "two poles; 0: none"})
    noise: float = field(default=0.02, metadata={"unit": "N*m", "at_least": 0.0, "doc": "rms"})
    zero: float = field(default=0.0, metadata={"unit": "N*m", "doc": "what it shows without torque"})
    fault: str = field(default="none", metadata={"choices": ("none", "open", "shorted", "out_of_range")})

    @property
    def shift(self) -> float:
        """See `Sensor`."""
        return self.zero


@dataclass(frozen=True)
class ForceSensor(Sensor):
    """A bridge with its amplifier."""

    sensitivity: float = field(default=1.0, metadata={"unit": "V/N", "over": 0.0})
    bandwidth: float = field(default=1e3, metadata={"unit": "Hz", "at_least": 0.0, "doc": "two poles; 0: none"})
    noise: float = field(default=2e-3, metadata={"unit": "N", "at_least": 0.0, "doc": "rms"})
    zero: float = field(default=0.0, metadata={"unit": "N", "doc": "what it shows without force"})
    fault: str = field(default="none", metadata={"choices": ("none", "open", "shorted", "out_of_range")})

    @property
    def shift(self) -> float:
        """See `Sensor`."""
        return self.zero


@dataclass(frozen=True)
class DisplacementSensor(Sensor):
    """Along the guide, or across it, of a small gap."""

    sensitivity: float = field(default=5.0, metadata={"unit": "V/m", "over": 0.0})
    bandwidth: float = field(default=1e3, metadata={"unit": "Hz", "at_least": 0.0, "doc": "two poles; 0: none"})
    noise: float = field(default=1e-5, metadata={"unit": "m", "at_least": 0.0, "doc": "rms"})
    fault: str = field(default="none", metadata={"choices": ("none", "open", "shorted", "out_of_range")})


@dataclass(frozen=True)
class Tachometer(Sensor):
    """A small generator on the axis."""

    POLES = 1

    sensitivity: float = field(default=0.2, metadata={"unit": "V/(rad/s)", "over": 0.0})
    bandwidth: float = field(default=200.0, metadata={"unit": "Hz", "at_least": 0.0, "doc": "one pole; 0: none"})
    noise: float = field(default=0.01, metadata={"unit": "rad/s", "at_least": 0.0, "doc": "rms"})
    fault: str = field(default="none", metadata={"choices": ("none", "open", "shorted")})


def record(sensor: Sensor, source: int, at_rest: float, step: float, gain: float = 1.0) -> NDArray[np.void]:
    """A (1,) record of SENSOR that looks at place `source` and stands at `at_rest`; `gain`: what its sensitivity really is, as a share."""
    made = np.zeros(1, SENSOR)
    one = made[0]
    omega, coupling = 2.0 * math.pi * sensor.bandwidth, 2.0 * math.pi * sensor.highpass
    one["source"], one["poles"] = source, sensor.POLES
    one["omega"], one["low"], one["high"] = omega, 1.0 - math.exp(-omega * step), 1.0 - math.exp(-coupling * step)
    one["gain"], one["range"] = gain * sensor.sensitivity, RANGE
    one["offset"] = sensor.shift * sensor.sensitivity
    one["value"] = at_rest
    one["drift"] = at_rest if coupling else 0.0
    one["shown"] = one["gain"] * (one["value"] - one["drift"]) + one["offset"]
    stuck = FAULTS[sensor.fault]
    if stuck is not None:
        one["stuck"], one["stuck_at"], one["range"] = 1, stuck, RAIL
    return made
