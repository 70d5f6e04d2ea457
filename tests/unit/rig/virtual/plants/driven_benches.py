"""Driven plants as the tests turn them: by serial sides attached to them, or by their analogue drive; what encoders tell of the angle."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfiltfilt

from drivers.simulated.clock import BenchClock
from drivers.simulated.serial.serial_side import SerialSide
from rig.config.bench import SerialEntry
from rig.virtual.plants.motor_rig.plant import DrivenPlant
from rig.virtual.serial_lines import close, sides

Floats = NDArray[np.float64]

RATE = 51200.0
BLOCK = 512


class Turned:
    """A plant whose time is passed in blocks at RATE; analogue inputs hold `volts`, all lines `lines`."""

    def __init__(self, plant: DrivenPlant) -> None:
        self.plant, self.n = plant, 0
        self.volts = np.zeros(len(plant.analogue_inputs))
        self.lines = dict.fromkeys(plant.digital_inputs, True)
        if any(name.endswith("_reset") for name in self.lines):
            self.lines |= {name: False for name in self.lines if name.endswith("_reset")}

    @property
    def time(self) -> float:
        """Bench time, s."""
        return self.n / RATE

    def run(self, duration: float) -> Floats:
        """(m, outputs) V at the samples after the present one."""
        end, parts = self.n + round(duration * RATE), []
        while self.n < end:
            times = np.arange(self.n + 1, min(self.n + BLOCK, end) + 1) / RATE
            volts = np.tile(self.volts, (len(times), 1))
            parts.append(self.plant.advance(times, volts, np.array([*self.lines.values()], dtype=np.bool_)))
            self.n += len(times)
        return np.concatenate(parts)


@contextlib.contextmanager
def serial(plant: DrivenPlant, *entries: SerialEntry) -> Iterator[dict[str, SerialSide]]:
    """The sides of these lines, attached to the plant, in lockstep."""
    made = sides(entries, plant, BenchClock("lockstep"))
    try:
        yield made
    finally:
        close(made)


def turn(line: SerialSide, speed: float) -> None:
    """Let the ODrive on a line, which has one axis, turn its motor at a speed (turns a second)."""
    (axis,) = line.device.drives
    with line.lock:
        axis.values |= {"controller.config.control_mode": 2, "controller.config.vel_limit": 30.0}
        axis.write("requested_state", 8)
        axis.values["controller.input_vel"] = speed


def turned_angle(plant: DrivenPlant, start: float, samples: int) -> Floats:
    """(samples,) rad: how far the encoder's axis has turned from `start`, at n / RATE from 0 on, from the edges of A and B; forwards only.

    Between edges linear, and then smooth below 300 Hz: what any such measurement gives.
    """
    edges = np.sort(np.concatenate(plant.take_edges()[:2]))
    encoder = plant.mechanics.encoder
    assert encoder is not None
    quarter = 2.0 * math.pi / (4 * encoder.lines)
    begun = (start - encoder.index_angle - plant.mechanics.encoder_error) / quarter % 1.0
    angles = quarter * (1.0 - begun + np.arange(len(edges)))
    raw = np.interp(np.arange(samples) / RATE, np.concatenate([[0.0], edges]), np.concatenate([[0.0], angles]))
    return np.asarray(sosfiltfilt(butter(2, 300.0, fs=RATE, output="sos"), raw, padlen=4000))


def nrms(measured: Floats, predicted: Floats, corner: float) -> float:
    """RMS of the difference as a share of the RMS of what is predicted, both below `corner` (Hz)."""
    lowpass = butter(2, corner, fs=RATE, output="sos")
    measured, predicted = sosfiltfilt(lowpass, measured), sosfiltfilt(lowpass, predicted)
    return float(np.sqrt(np.mean((measured - predicted) ** 2) / np.mean(predicted**2)))
