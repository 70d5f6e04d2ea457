"""The virtual frame with the linkage of hu2016 in it under a controller of the Instron kind: commanded on a serial line.

The frame is that of `rig.virtual.plants.linkage_frame`: same servo loop, valve, actuator, specimen and sensors. Its setpoint comes from the
controller's own generator, which looks once in a millisecond; the loop goes on with the setpoint's rate in between.

| signal | what |
|---|---|
| run | analogue in, the run/hold input: over 2.5 V the waveform runs, below it holds; its edges are captured when they come |
| loader_enable | line in, the interlock input: low takes the pressure away (unless `enable_input = false`: bridged at the controller) |
| run_monitor | analogue out: `run` as it arrives |
| the others | analogue out, as in `rig.virtual.plants.linkage_frame` |
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from drivers.protocols import instron_ascii as ascii_
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.serial.serial_device import TICK
from drivers.simulated.serial.serial_side import SerialSide
from rig.virtual.plants import linkage_frame
from rig.virtual.plants.servo_frame import frame, kernel
from rig.virtual.plants.servo_frame.controller import passed
from rig.virtual.plants.servo_frame.later_faults import LaterFaults
from rig.virtual.plants.servo_frame.noise import add_noise
from rig.virtual.plants.servo_frame.parameters import draw
from rig.virtual.rig_plant import RigPlant

RUN_VOLTS = 2.5
CHUNK = 30.0
"""Longest time (s) in which a controller is waited for that goes on after the death of the program that commands it."""


@dataclass(frozen=True)
class Config(linkage_frame.Config):
    """One frame with one specimen in it; `heartbeat_timeout` means nothing to this controller, nor do faults of the analogue command."""

    enable_input: bool = field(default=True, metadata={"doc": "false: the interlock input is bridged at the controller"})

    def create(self, seed: int) -> RigPlant:
        """See `PlantSettings`."""
        return SerialFrame(self, seed)


class ServoFrame:
    """The frame as its controller sees it: see `LoadFrame`. The plant steps it."""

    def __init__(self, state: NDArray[np.void], parameters: NDArray[np.void]) -> None:
        self._state, self._zero = state[0], float(parameters[0]["force_zero"])

    @property
    def stroke(self) -> float:
        """See `LoadFrame`."""
        return float(self._state["x3"])

    @property
    def force(self) -> float:
        """See `LoadFrame`."""
        return float(self._state["feedback"]) + self._zero

    @property
    def velocity(self) -> float:
        """See `LoadFrame`."""
        return float(self._state["v3"])

    def tell(self, mode: str, setpoint: float, pressure: bool, rate: float = 0.0) -> None:
        """See `LoadFrame`."""
        state, stroke_mode = self._state, int(mode == "stroke")
        if not pressure:
            state["loop"] = kernel.SHUT
            return
        if state["loop"] == kernel.SHUT or state["stroke_mode"] != stroke_mode:
            state["integral"] = 0.0
        state["loop"], state["stroke_mode"] = kernel.HOLDING, stroke_mode
        state["setpoint"], state["setpoint_end"], state["setpoint_rate"] = setpoint, setpoint + rate * TICK, abs(rate)

    def advance(self, to: float) -> None:
        """See `LoadFrame`."""


class SerialFrame(RigPlant):
    """Its controller is on a serial line."""

    analogue_inputs: tuple[str, ...] = ("run",)
    analogue_outputs: tuple[str, ...] = (*kernel.OUTPUTS[:-1], "run_monitor")
    alternating = frame.LinkageFrame.alternating
    digital_outputs: tuple[str, ...] = ()
    heartbeat_timeout = CHUNK
    takes_sides = True

    def __init__(self, config: Config, seed: int) -> None:
        self.digital_inputs: tuple[str, ...] = ("loader_enable",) if config.enable_input else ()
        self._faults = LaterFaults(config, draw, seed)
        self.parameters, self._dead_cell = self._faults.parameters, config.faults.dead_cell
        self.state = np.zeros(1, kernel.STATE)
        self.state[0]["pressure"] = self.state[0]["speed"] = 1.0
        self.load_frames = {"frame": ServoFrame(self.state, self.parameters)}
        self._side: SerialSide | None = None
        self._controller: Instron | None = None
        self._past, self._seed = frame.past(config), seed
        self._rms, self._ages = frame.noise(config, self.parameters)
        self._time, self._ticks = 0.0, 0
        self._runs, self._enabled = False, not self.digital_inputs
        self._edges: deque[tuple[float, bool]] = deque()  # of the run/hold input, not captured yet

    def attach(self, side: SerialSide) -> None:
        """Take the serial side (made with paced=False) of the controller along. Raises ValueError for another device, or a second one."""
        device = side.device
        if not isinstance(device, Instron) or device.frame is not self.load_frames["frame"]:
            raise ValueError(f"{device.name}: expected the controller of this plant's frame")
        if self._side is not None:
            raise ValueError(f"{device.name}: frame has a controller already")
        self._side, self._controller = side, device
        device.run_input = self._runs
        device.set_enable(self._enabled)

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        """See `Plant`. (m,), (m, 1), (lines,) -> (m, 7) V."""
        out = np.empty((len(times), len(self.analogue_outputs)))
        if not len(times):
            return out
        self._faults.turn(self._time, self.state)
        self._enabled = bool(lines.all())
        times, run = np.ascontiguousarray(times, dtype=np.float64), np.ascontiguousarray(volts[:, 0], dtype=np.float64)
        self._see_edges(times, run)
        row = 0
        while (tick := (self._ticks + 1) * TICK) <= times[-1]:
            before = int(np.searchsorted(times, tick))
            self._go(times[row:before], run[row:before], out[row:before])
            self._go(np.array([tick]), run[before : before + 1], np.empty((1, out.shape[1])))
            self._tick(tick)
            row = before
        self._go(times[row:], run[row:], out[row:])
        if self._dead_cell and self._faults.present:
            out[:, frame.FORCE_MONITOR] = 0.0
        add_noise(out, times, self._rms, self._ages, self._seed)
        self._time = float(times[-1])
        return out

    @property
    def armed(self) -> bool:
        """Whether the actuator moves, or will by itself."""
        controller = self._controller
        return controller is not None and (controller.moving or (controller.actuator and controller.wave_state == ascii_.RUNNING))

    def read_lines(self) -> NDArray[np.bool_]:
        """See `Plant`: none."""
        return np.empty(0, dtype=np.bool_)

    def take_events(self) -> list[tuple[float, str, str]]:
        """See `Plant`: the controller's."""
        return self._side.take_events() if self._side is not None else []

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _go(self, times: NDArray[np.float64], run: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        if len(times):
            kernel.advance(times, run, out, self.state, self.parameters, self._past)

    def _see_edges(self, times: NDArray[np.float64], run: NDArray[np.float64]) -> None:
        """A level holds from the instant before its row on."""
        high = run > RUN_VOLTS
        for row in np.flatnonzero(np.diff(high, prepend=self._runs)):
            self._edges.append((float(times[row - 1]) if row else self._time, bool(high[row])))
        self._runs = bool(high[-1])

    def _tick(self, now: float) -> None:
        """Terminals of the controller, its limits, and one tick of its firmware."""
        self._ticks += 1
        if self._side is None or self._controller is None:
            return
        with self._side.lock:
            while self._edges and self._edges[0][0] <= now:
                at, high = self._edges.popleft()
                self._controller.take_run(high, at)
            if self._enabled != self._controller.enable_input:
                self._controller.set_enable(self._enabled)
            if trip := int(self.state[0]["trip"]):
                self.state[0]["trip"] = 0
                self._controller.pass_limit(passed(trip, self.state[0], self.parameters[0]))
        self._side.update(now)
