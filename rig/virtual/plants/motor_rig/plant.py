"""A plant whose mechanism is driven by motors: time, firmware of the drives, terminals. What the mechanism is comes in as `Mechanics`.

| signal | what |
|---|---|
| speed_reference | analogue in: +-10 V is the largest speed, where the drive is an analogue one (`[plant.speed_drive]`) |
| AXIS_enable | line in, one for each driven axis: low takes its torque away (unless `enable_lines = false`: bridged at the drives) |
| INPUT_enable | line in of an amplifier, as a shaker's: low takes its output away |
| AXIS_reset, AXIS_ok | line in and line out of an analogue drive: clears a fault by its rise; no fault |
| encoder_a, encoder_b, encoder_z, pickup | edges, of those that the mechanism has |

The drives' firmware runs at each millisecond, before the mechanism goes on from there; volts and lines act from the next such tick on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.axes.speed_drive import SpeedDriveSide
from drivers.simulated.plant.shaft import SkewedShaft
from drivers.simulated.serial.serial_device import RESTING, TICK, Drive
from drivers.simulated.serial.serial_side import SerialSide
from model.compiled.pinned import Pinned, entry
from rig.virtual.plants.motor_rig import kernel
from rig.virtual.plants.motor_rig.kernel import Motion
from rig.virtual.plants.motor_rig.marks import Encoder, Pickup, encoder_levels, encoder_record, pickup_level, pickup_record
from rig.virtual.plants.motor_rig.motor import DrivenShaft, Motor, records
from rig.virtual.plants.motor_rig.sensors import Sensor, record
from rig.virtual.plants.servo_frame.noise import add_noise
from rig.virtual.rig_plant import RigPlant

Floats = NDArray[np.float64]

ADVANCE = entry(kernel.advance)
COASTING = 10.0
"""Time (s) for which such a plant is looked at after the death of the program that moved it. Most axes rest within a second; one with a
flywheel, which nothing brakes, may coast for longer."""


@dataclass(frozen=True)
class SpeedDrive:
    """An analogue drive instead of a serial one; of the motor's shaft."""

    max_speed: float = field(default=200.0, metadata={"unit": "rad/s", "over": 0.0, "doc": "at 10 V"})
    acceleration: float = field(default=400.0, metadata={"unit": "rad/s^2", "over": 0.0, "doc": "its ramp"})
    torque: float = field(default=10.0, metadata={"unit": "N*m", "over": 0.0, "doc": "its limit"})
    stall: float = field(default=0.5, metadata={"unit": "s", "over": 0.0, "doc": "time at the limit until it trips"})


@dataclass(frozen=True)
class Channel:
    """One analogue output: its sensor, the place in `seen` that it looks at, and what its sensitivity really is, as a share."""

    sensor: Sensor
    source: int
    gain: float = 1.0


@dataclass
class Mechanics:
    """A mechanism at rest, and what hangs on it. `state`, `parameters`, `seen`, `motion`: see `rig.virtual.plants.motor_rig.kernel`."""

    motion: Motion
    step: float
    state: Floats
    parameters: Floats
    seen: Floats
    motors: Mapping[str, Motor]
    channels: Mapping[str, Channel]
    encoder: Encoder | None = None
    encoder_error: float = 0.0
    pickup: Pickup | None = None
    inputs: tuple[str, ...] = ()
    """Analogue inputs of its own."""
    plays: tuple[int, ...] = ()
    """Places of the radial plays in `parameters`, that wear opens."""
    wear: float = 0.0
    """Growth of them, m a turn of the first axis."""
    zeros: tuple[float, ...] | None = None
    """Angles (rad) of the axes at which their motors' shafts are at 0; None: where they stand at the start."""


class DrivenPlant(RigPlant):
    """Axes with motors, and what marks their turns; `speed_drive` turns the only axis, or serial drives do."""

    heartbeat_timeout = COASTING
    takes_sides = True

    def __init__(self, mechanics: Mechanics, seed: int, speed_drive: SpeedDrive | None = None, enable_lines: bool = True) -> None:
        self.mechanics, self._seed = mechanics, seed
        self._motion = Pinned(mechanics.motion, kernel.MOTION)
        self.state, self._names = mechanics.state, tuple(mechanics.motors)
        self._per_tick = round(TICK / mechanics.step)
        self._steps = self._ticks = 0
        self._angle = float(mechanics.state[0])
        angles = [float(angle) for angle in mechanics.state[: len(self._names)]]
        self._motors = records([*mechanics.motors.values()], mechanics.zeros or angles, mechanics.step)
        self._shafts = {n: DrivenShaft(r, m.torque_limit) for (n, m), r in zip(mechanics.motors.items(), self._motors, strict=True)}
        self._sides: list[SerialSide] = []
        self._drives: dict[str, tuple[SerialSide, Drive]] = {}
        self._wire(speed_drive, enable_lines)
        self._sense(mechanics)
        self._mark(mechanics, angles)
        self._refresh()
        self._torques, self._before = np.zeros(2 * len(self._names)), np.zeros(len(self._names))

    # -- what there is -------------------------------------------------------------------------------------------------------------

    def _wire(self, speed_drive: SpeedDrive | None, enable_lines: bool) -> None:
        self._analogue: SpeedDriveSide | None = None
        self.analogue_inputs = self.mechanics.inputs
        enabled = (*self._names, *self.mechanics.inputs)
        self.digital_inputs: tuple[str, ...] = tuple(f"{name}_enable" for name in enabled) if enable_lines else ()
        self.digital_outputs: tuple[str, ...] = ()
        self.shafts = dict(self._shafts)
        self._lines = dict.fromkeys(self.digital_inputs, False)
        if speed_drive is not None:
            (name,) = self._names
            config, self.shafts = speed_drive, {}
            self._analogue = SpeedDriveSide(self._shafts[name], config.max_speed, config.acceleration, config.torque, config.stall)
            self.analogue_inputs = (*self.mechanics.inputs, "speed_reference")
            self.digital_inputs, self.digital_outputs = (*self.digital_inputs, f"{name}_reset"), (f"{name}_ok",)

    def _sense(self, mechanics: Mechanics) -> None:
        self.analogue_outputs = tuple(mechanics.channels)
        channels, step = mechanics.channels.values(), mechanics.step
        made = [record(c.sensor, c.source, float(mechanics.seen[c.source]), step, c.gain) for c in channels]
        self._sensors = np.concatenate(made) if made else np.zeros(0, kernel.SENSOR)
        working = np.array([c.sensor.noise * c.sensor.sensitivity for c in channels])
        self._rms = np.where(self._sensors["stuck"] != 0, 0.0, working)
        self.alternating = tuple(n for n, c in mechanics.channels.items() if c.sensor.highpass)

    def _mark(self, mechanics: Mechanics, angles: Sequence[float]) -> None:
        self._encoders, self._pickups = np.zeros(0, kernel.ENCODER), np.zeros(0, kernel.PICKUP)
        if mechanics.encoder is not None:
            self._encoders = encoder_record(mechanics.encoder, 0, angles[0], mechanics.encoder_error)
            self.edge_outputs += ("encoder_a", "encoder_b", "encoder_z")
            self.edge_levels += encoder_levels(self._encoders)
        if mechanics.pickup is not None:
            self._pickups = pickup_record(mechanics.pickup, 0, angles[0])
            self.edge_outputs += ("pickup",)
            self.edge_levels += (pickup_level(self._pickups),)
        self._edges = np.zeros((len(self.edge_outputs), kernel.EDGES))
        self._counts = np.zeros(len(self.edge_outputs), np.int64)
        self._kept: list[list[Floats]] = [[] for _ in self.edge_outputs]

    def attach(self, device: SerialSide) -> None:
        """Take the serial side (made with paced=False) along; its enable inputs are this plant's lines. Raises ValueError for a shaft
        that is not this plant's, or turned already."""
        for drive in device.device.drives:
            shaft = drive.shaft.shaft if isinstance(drive.shaft, SkewedShaft) else drive.shaft
            name = next((name for name, own in self.shafts.items() if own is shaft), None)
            if name is None or name in self._drives:
                raise ValueError(
                    f"{device.device.name}: {drive.name} turns {'no shaft of this plant' if name is None else f'{name} already'}"
                )
            self._drives[name] = device, drive
            if f"{name}_enable" in self._lines:
                drive.set_enable(self._lines[f"{name}_enable"])
        self._sides.append(device)

    # -- Plant ---------------------------------------------------------------------------------------------------------------------

    def advance(self, times: Floats, volts: Floats, lines: NDArray[np.bool_]) -> Floats:
        """See `Plant`. (m,), (m, inputs), (lines,) -> (m, outputs) V. Raises RuntimeError where motion has become impossible."""
        out = np.zeros((len(times), len(self.analogue_outputs)))
        if not len(times):
            return out
        self._lines = dict(zip(self.digital_inputs, map(bool, lines), strict=True))
        times, volts = np.ascontiguousarray(times, dtype=np.float64), np.ascontiguousarray(volts, dtype=np.float64)
        off = [i for i, name in enumerate(self.mechanics.inputs) if not self._lines.get(f"{name}_enable", True)]
        if off:
            volts = volts.copy()
            volts[:, off] = 0.0
        step, row = self.mechanics.step, 0
        last = math.floor(times[-1] / step + kernel.EARLY)
        while (tick := (self._ticks + 1) * self._per_tick) <= last:
            at = min(int(np.searchsorted(times, (tick - kernel.EARLY) * step)), len(times) - 1)
            row = self._go(tick, times, row, volts, out)
            self._tick(volts[at])
        self._go(max(last, self._steps), times, row, volts, out)
        add_noise(out, times, self._rms, np.zeros(len(self._rms)), self._seed)
        return out

    def read_lines(self) -> NDArray[np.bool_]:
        """See `Plant`."""
        return np.array([], dtype=np.bool_) if self._analogue is None else self._analogue.read_lines()

    def take_edges(self) -> list[Floats]:
        """Times (s) of the edges since the last call, for each of `edge_outputs`."""
        taken, self._kept = self._kept, [[] for _ in self.edge_outputs]
        return [np.concatenate(parts) if parts else np.empty(0) for parts in taken]

    def take_events(self) -> list[tuple[float, str, str]]:
        """See `Plant`: those of all drives."""
        events = [event for side in self._sides for event in side.take_events()]
        events += self._analogue.take_events() if self._analogue is not None else []
        return sorted(events, key=lambda event: event[0])

    @property
    def armed(self) -> bool:
        """Whether a motor has power, or an axis still turns."""
        return bool(self._motors["powered"].any() or self.turning)

    @property
    def turning(self) -> dict[str, float]:
        """Speed (rad/s) of each axis that turns."""
        k = len(self._names)
        speeds = self.state[k : 2 * k]
        fast = np.abs(speeds) * self._motors["gear"] > RESTING
        return {name: float(speed) for name, speed, turns in zip(self._names, speeds, fast, strict=True) if turns}

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _go(self, end: int, times: Floats, row: int, volts: Floats, out: Floats) -> int:
        """Steps up to `end`, and the samples that they reach; returns the first that is left."""
        m = self.mechanics
        self._counts[:] = 0
        row = ADVANCE(
            self._motion, self._steps, end, m.step, times, row, volts, self.state, m.parameters, self._motors, self._sensors,
            self._encoders, self._pickups, self._torques, self._before, m.seen, out, self._edges, self._counts,
        )  # fmt: skip
        self._steps = end
        for kept, edges, count in zip(self._kept, self._edges, self._counts, strict=True):
            if count:
                kept.append(edges[:count].copy())
        if row == kernel.FULL or not math.isfinite(self.state[0]):
            raise RuntimeError(f"the mechanism has come apart at {end * m.step:.6f} s: state {np.array2string(self.state, precision=4)}")
        return row

    def _refresh(self) -> None:
        """What the drives see of their shafts."""
        k = len(self._names)
        for i, shaft in enumerate(self._shafts.values()):
            shaft.refresh(float(self.state[i]), float(self.state[k + i]))

    def _open_plays(self) -> None:
        """Wear, by the way that the first axis has turned."""
        m = self.mechanics
        if m.wear:
            turned, self._angle = abs(float(self.state[0]) - self._angle), float(self.state[0])
            m.parameters[[*m.plays]] += m.wear * turned / (2.0 * math.pi)

    def _tick(self, volts: Floats) -> None:
        """Firmware: what the drives see, their enable inputs, one tick of each."""
        self._ticks += 1
        self._open_plays()
        now = self._ticks * TICK
        self._refresh()
        for name, (side, drive) in self._drives.items():
            high = self._lines.get(f"{name}_enable", True)
            if high != drive.enable_input:
                with side.lock:
                    drive.set_enable(high)
        for side in self._sides:
            side.update(now)
        if self._analogue is not None:
            name = self._names[0]
            self._analogue.take_lines(self._lines.get(f"{name}_enable", True), self._lines[f"{name}_reset"])
            self._analogue.tick(float(volts[-1]))
