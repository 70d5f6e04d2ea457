"""A servo-hydraulic frame at work: terminals in front of the compiled servo loop, valve, actuator and specimen."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants.servo_frame import kernel
from rig.virtual.plants.servo_frame.controller import LINES_IN, LINES_OUT, Controller
from rig.virtual.plants.servo_frame.later_faults import LaterFaults
from rig.virtual.plants.servo_frame.noise import add_noise
from rig.virtual.plants.servo_frame.parameters import draw
from rig.virtual.plants.servo_frame.settings import FrameSettings, LoaderSettings
from rig.virtual.rig_plant import RigPlant

FORCE_MONITOR, STROKE_MONITOR = (kernel.OUTPUTS.index(name) for name in ("force_monitor", "stroke_monitor"))


class AnalogueFrame(RigPlant):
    """A frame behind the terminals of its controller; what it moves is its own business."""

    analogue_inputs: tuple[str, ...] = ("command",)
    digital_inputs: tuple[str, ...] = LINES_IN
    digital_outputs: tuple[str, ...] = LINES_OUT

    def __init__(self, config: LoaderSettings, faults: LaterFaults, seed: int) -> None:
        self.parameters, self._faults = faults.parameters, faults
        self.state = np.zeros(1, kernel.STATE)
        self.heartbeat_timeout = config.heartbeat_timeout
        self._controller = Controller(self.state, self.parameters)
        self._time = 0.0
        self._past = past(config)
        self._seed = seed
        self._rms, self._ages = np.zeros(0), np.zeros(0)
        """Of each analogue output, V and s; to be set."""
        self._swapped, self._dead_cell = config.faults.swapped, config.faults.dead_cell

    @abstractmethod
    def _go(self, times: NDArray[np.float64], command: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Go on to each of `times` (m,), with the command (m,) held until then; fill `out` (m, outputs) in V, without noise."""

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        """See `Plant`. (m,), (m, 1), (6,) -> (m, outputs) V."""
        self._faults.turn(self._time, self.state)
        self._controller.take_lines(self._time, lines)
        out = np.empty((len(times), len(self.analogue_outputs)))
        command = np.ascontiguousarray(volts[:, 0], dtype=np.float64)
        times = np.ascontiguousarray(times, dtype=np.float64)
        self._go(times, command, out)
        if self._dead_cell and self._faults.present:
            out[:, FORCE_MONITOR] = 0.0
        add_noise(out, times, self._rms, self._ages, self._seed)
        if self._swapped and self._faults.present:
            out[:, [FORCE_MONITOR, STROKE_MONITOR]] = out[:, [STROKE_MONITOR, FORCE_MONITOR]]
        if len(times):
            self._time = float(times[-1])
        self._controller.notice()
        return out

    @property
    def armed(self) -> bool:
        """A program runs: only the heartbeat, or the client, keeps the frame from interlocking."""
        return bool(self.state[0]["loop"] == kernel.FOLLOWING)

    def read_lines(self) -> NDArray[np.bool_]:
        """(3,)."""
        return self._controller.lines_out()

    def take_events(self) -> list[tuple[float, str, str]]:
        """What the controller did since the last call."""
        return self._controller.take_events()


class LinkageFrame(AnalogueFrame):
    """With the linkage of hu2016 in it."""

    analogue_outputs: tuple[str, ...] = kernel.OUTPUTS
    alternating = tuple(name for name in kernel.OUTPUTS if name.startswith("accelerometer"))

    def __init__(self, config: FrameSettings, seed: int) -> None:
        super().__init__(config, LaterFaults(config, draw, seed), seed)
        self._rms, self._ages = noise(config, self.parameters)

    def _go(self, times: NDArray[np.float64], command: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        kernel.advance(times, command, out, self.state, self.parameters, self._past)


def past(config: LoaderSettings) -> NDArray[np.float64]:
    """(2, n) ring of the kernel, long enough for the delay of the force."""
    steps = int(config.force_delay / config.step) + 4
    return np.zeros((2, 1 << (steps - 1).bit_length()))


def noise(config: FrameSettings, parameters: NDArray[np.void]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rms in V and age in s of each analogue output's noise."""
    p, sensors = parameters[0], config.sensors
    force = config.monitor_noise * p["force_volts"]
    acceleration = sensors.acceleration_noise * p["acceleration_volts"]
    rms = np.array([force, force, sensors.stroke_noise * p["stroke_volts"], acceleration, acceleration, acceleration, 0.0])
    ages = np.zeros(len(rms))
    ages[0] = config.force_delay
    return rms, ages
