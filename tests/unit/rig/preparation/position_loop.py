"""A stroke that follows its command as a position loop does, sample by sample, and a probe of it from the beginning to the end.

The loop is the one that a proportional valve makes: y' = a (G u - y), stepped exactly within each sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from rig.preparation.settings import Reading
from rig.preparation.stroke_probe import StrokeProbe
from tests.unit.rig.preparation.stage_readings import BLOCK, FORCE_FULL_SCALE, RATE, STROKE_FULL_SCALE, TOUCH, settings

PROBE, STEP, AT = 0.1e-3, 1e-5, 0.02e-3  # m: the probe, 1 mm/s for 10 ms, where the stroke is before
FAST = 60.0  # 1/s


class Loop:
    """A stroke behind its command; `gain` G, `crossed`: the monitors are exchanged, `resists` (m): stroke at which a specimen pushes;
    `force` (N): what the force monitor reads besides;
    `at` (m): where it is at rest; `fast` (1/s); `off` (m): what is out there beyond what was told. `wait` (samples): after these a value
    goes out, in the first block that it is meant for."""

    wait = 0

    def __init__(
        self, gain: float = 1.0, crossed: bool = False, resists: float = math.inf, noise: float = 0.0, force: float = 0.0, at: float = AT,
        fast: float = FAST, off: float = 0.0,
    ) -> None:  # fmt: skip
        self.gain, self.crossed, self.resists, self.noise, self.force, self.at = gain, crossed, resists, noise, force, at
        self.fast, self.off = fast, off
        self.y, self.before, self.dice = 0.0, at, np.random.default_rng(1)

    def block(self, setpoint: float, blocks: int = 1, sure: bool = True) -> Reading:
        count = blocks * BLOCK
        command = np.where(np.arange(count) < self.wait, self.before, setpoint)
        stroke = np.empty(count)
        for n in range(count):
            self.y += (self.gain * (command[n] + self.off - self.at) - self.y) * -math.expm1(-self.fast / RATE)
            stroke[n] = self.y
        self.before = setpoint
        stroke += self.noise * self.dice.standard_normal(count)
        force = np.where(stroke > self.resists, 2.0 * TOUCH, 0.0)
        if self.crossed:
            stroke, force = np.zeros(count), stroke * FORCE_FULL_SCALE / STROKE_FULL_SCALE
        return Reading(setpoint, command, force + self.force, stroke + self.at, 5, np.full(count, sure))


def through(
    loop: Loop, stage: StrokeProbe | None = None, answer: Callable[[float, int], Reading] | None = None, most: int = 400
) -> list[float]:
    """Every setpoint that it asks for, less where the stroke was, m. `answer`: what is read at the setpoint of a number, from 1 on."""
    stage = stage or StrokeProbe(settings())
    setpoint: float | None = stage.begin(loop.block(AT))
    asked = []
    while setpoint is not None:
        asked.append(setpoint - AT)
        assert len(asked) < most
        setpoint = stage.next(answer(setpoint, len(asked)) if answer else loop.block(setpoint))
    return asked


class Overshooting(Loop):
    """With an integral part: y' = a (G u - y) + b int (G u - y), a 16 1/s, b 32 1/s^2, as the simulated frame under low pressure."""

    charge = 0.0

    def block(self, setpoint: float, blocks: int = 1, sure: bool = True) -> Reading:
        stroke = np.empty(blocks * BLOCK)
        for n in range(len(stroke)):
            error = self.gain * (setpoint - self.at) - self.y
            self.charge += 32.0 / RATE * error
            self.y += (16.0 * error + self.charge) / RATE
            stroke[n] = self.y
        count = len(stroke)
        return Reading(setpoint, np.full(count, setpoint), np.zeros(count), stroke + self.at, 5, np.full(count, sure))
