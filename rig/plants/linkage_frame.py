"""Virtual 250 kN servo-hydraulic frame with the linkage of hu2016 in it, behind analogue and digital terminals.

It is the laboratory, not the model of it: it sees volts and lines, has its own servo loop, time stepping and perturbed parameters.

| analogue in | | analogue out | full scale |
|---|---|---|---|
| command | +-10 V is full scale of the active mode | force_monitor | +-10 V, load cell, delayed by `force_delay` |
| | | actuator_force_monitor | +-10 V as force, from the pressure difference over the piston |
| | | stroke_monitor | +-10 V |
| | | accelerometer_1 .. 3 | IEPE, AC coupled |
| | | command_monitor | the command as it arrives |

Lines: see `rig.plants.frame_controller`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.plants import frame_kernel
from rig.plants.frame_controller import LINES_IN, LINES_OUT, Controller
from rig.plants.frame_noise import add_noise
from rig.plants.frame_parameters import Faults, Hydraulics, Loop, Panel, Sensors, Specimen, draw

FORCE_MONITOR, STROKE_MONITOR = (frame_kernel.OUTPUTS.index(name) for name in ("force_monitor", "stroke_monitor"))


@dataclass(frozen=True)
class Config:
    """One frame with one specimen in it."""

    clearance: float = field(default=0.4e-3, metadata={"unit": "m", "at_least": 0.0, "doc": "total play of each joint; 0: bilateral"})
    restitution: float = field(default=0.7, metadata={"over": 0.0, "at_most": 1.0})
    heartbeat_timeout: float = field(default=0.250, metadata={"unit": "s", "over": 0.0})
    monitor_noise: float = field(default=25.0, metadata={"unit": "N", "at_least": 0.0, "doc": "rms, of both force monitors"})
    force_delay: float = field(
        default=0.0, metadata={"unit": "s", "at_least": 0.0, "at_most": 0.1, "doc": "between load cell conditioner and monitor output"}
    )
    perturb: bool = field(default=True, metadata={"doc": "an individual drawn by the bench's seed; false: as the drawing says"})
    step: float = field(default=1e-6, metadata={"unit": "s", "over": 0.0, "at_most": 2e-6})
    specimen: Specimen = field(default_factory=Specimen)
    loop: Loop = field(default_factory=Loop)
    hydraulics: Hydraulics = field(default_factory=Hydraulics)
    panel: Panel = field(default_factory=Panel)
    sensors: Sensors = field(default_factory=Sensors)
    faults: Faults = field(default_factory=Faults)

    def __post_init__(self) -> None:
        if self.clearance > self.specimen.pin_radius:
            pin = self.specimen.pin_radius
            raise ValueError(f"clearance: {self.clearance * 1e3:g} mm swallows the pin of {pin * 1e3:g} mm radius; give less than that")


class LinkageFrame:
    """A `drivers.simulated.plant.Plant`."""

    analogue_inputs = ("command",)
    analogue_outputs = frame_kernel.OUTPUTS
    alternating = tuple(name for name in frame_kernel.OUTPUTS if name.startswith("accelerometer"))
    digital_inputs = LINES_IN
    digital_outputs = LINES_OUT

    def __init__(self, config: Config, seed: int) -> None:
        self.parameters = draw(config, seed)
        self.state = np.zeros(1, frame_kernel.STATE)
        self.heartbeat_timeout = config.heartbeat_timeout
        self._controller = Controller(self.state, self.parameters)
        self._time = 0.0
        self._past = past(config)
        self._seed = seed
        self._rms, self._ages = noise(config, self.parameters)
        self._swapped = config.faults.swapped

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        """See `Plant`. (m,), (m, 1), (6,) -> (m, 7) V."""
        self._controller.take_lines(self._time, lines)
        out = np.empty((len(times), len(self.analogue_outputs)))
        command = np.ascontiguousarray(volts[:, 0], dtype=np.float64)
        times = np.ascontiguousarray(times, dtype=np.float64)
        frame_kernel.advance(times, command, out, self.state, self.parameters, self._past)
        add_noise(out, times, self._rms, self._ages, self._seed)
        if self._swapped:
            out[:, [FORCE_MONITOR, STROKE_MONITOR]] = out[:, [STROKE_MONITOR, FORCE_MONITOR]]
        if len(times):
            self._time = float(times[-1])
        self._controller.notice()
        return out

    @property
    def armed(self) -> bool:
        """A program runs: only the heartbeat, or the client, keeps the frame from interlocking."""
        return bool(self.state[0]["loop"] == frame_kernel.FOLLOWING)

    def read_lines(self) -> NDArray[np.bool_]:
        """(3,)."""
        return self._controller.lines_out()

    def take_events(self) -> list[tuple[float, str, str]]:
        """What the controller did since the last call."""
        return self._controller.take_events()


def past(config: Config) -> NDArray[np.float64]:
    """(2, n) ring of the kernel, long enough for the delay of the force."""
    steps = int(config.force_delay / config.step) + 4
    return np.zeros((2, 1 << (steps - 1).bit_length()))


def noise(config: Config, parameters: NDArray[np.void]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rms in V and age in s of each analogue output's noise."""
    p, sensors = parameters[0], config.sensors
    force = config.monitor_noise * p["force_volts"]
    acceleration = sensors.acceleration_noise * p["acceleration_volts"]
    rms = np.array([force, force, sensors.stroke_noise * p["stroke_volts"], acceleration, acceleration, acceleration, 0.0])
    ages = np.zeros(len(rms))
    ages[0] = config.force_delay
    return rms, ages


def create(config: Config, seed: int) -> LinkageFrame:
    """The individual that `seed` draws, at rest, interlocked, pressure off."""
    return LinkageFrame(config, seed)
