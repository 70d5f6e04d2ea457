"""The frame of `rig.virtual.plants.planar_frame` at work: a described mechanism between its piston and its load cell."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants.motor_rig.kernel import SENSOR
from rig.virtual.plants.motor_rig.parts import SETTLING
from rig.virtual.plants.motor_rig.plant import Channel
from rig.virtual.plants.motor_rig.sensors import record
from rig.virtual.plants.servo_frame import described_kernel as kernel
from rig.virtual.plants.servo_frame.frame import AnalogueFrame
from rig.virtual.plants.servo_frame.kernel import OUTPUTS
from rig.virtual.plants.servo_frame.later_faults import LaterFaults
from rig.virtual.plants.servo_frame.parameters import draw_loader
from rig.virtual.plants.servo_frame.settings import LoaderSettings

Floats = NDArray[np.float64]


@dataclass
class Mounted:
    """A mechanism in the frame. `state`, `parameters`, `seen`: of `rig.virtual.plants.motor_rig.planar_kernel`; `piston`: of
    `rig.virtual.plants.servo_frame.described_kernel`; `rates`: places of all speeds in the state."""

    state: Floats
    parameters: Floats
    seen: Floats
    piston: Floats
    rates: Floats
    channels: Mapping[str, Channel]


class DescribedFrame(AnalogueFrame):
    """Monitors of the frame, and what is mounted on the mechanism."""

    def __init__(self, config: LoaderSettings, mounted: Mounted, seed: int) -> None:
        super().__init__(config, LaterFaults(config, draw_loader, seed), seed)
        self.mounted, m = mounted, mounted
        m.state[-1] = -math.inf  # time has not begun: motors by their equations are off, loads as they will be
        holding = kernel.mount(SETTLING, config.step, m.state, m.parameters, m.piston, m.rates, kernel.NONE, m.seen)
        m.state[m.rates.astype(np.int64)] = m.state[-1] = 0.0  # at rest, and time begins
        record_, channels = self.state[0], m.channels.values()
        record_["f_h"] = record_["actuator"] = holding
        record_["f_tr"] = record_["feedback"] = record_["force"] = m.seen[kernel.CELL]
        self._past[0] = m.seen[kernel.CELL]
        made = [record(c.sensor, c.source, float(m.seen[c.source]), config.step, c.gain) for c in channels]
        self._monitors = np.zeros(len(OUTPUTS))
        self._sensors = np.concatenate(made) if made else np.zeros(0, SENSOR)
        self.analogue_outputs = (*(OUTPUTS[k] for k in kernel.MONITORS), *m.channels)
        self.alternating = tuple(name for name, c in m.channels.items() if c.sensor.highpass)
        p = self.parameters[0]
        force, own = config.monitor_noise * p["force_volts"], [c.sensor.noise * c.sensor.sensitivity for c in channels]
        working = np.where(self._sensors["stuck"] != 0, 0.0, own)
        self._rms = np.array([force, force, config.sensors.stroke_noise * p["stroke_volts"], 0.0, *working])
        self._ages = np.zeros(len(self._rms))
        self._ages[0] = config.force_delay

    def _go(self, times: Floats, command: Floats, out: Floats) -> None:
        m = self.mounted
        kernel.advance(
            times, command, out, self.state, self.parameters, self._past, m.state, m.parameters, m.piston, kernel.NONE, m.seen,
            self._sensors, self._monitors,
        )  # fmt: skip
        if not np.isfinite(self.state[0]["x3"]):
            raise RuntimeError(f"the mechanism has come apart: state {np.array2string(m.state, precision=4)}")
