"""What the stages of a preparation work with: SI units, and the block just read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivers.loaders.preparation import Preparation

STAGES = ("stroke probe", "seating", "force probe", "unloading")
"""By the numbers that they have in the record."""
TAIL = 0.25  # share of a block, at its end, whose mean says where a channel is now

Samples = NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """Lengths in m, forces in N, times in s; `block` is the time between two decisions, at the least. `preload` has a sign."""

    block: float
    rate: float
    force_full_scale: float
    stroke_full_scale: float
    zero_within: float
    stroke_probe: float
    speed: float
    travel: float
    preload: float
    force_probe: float
    force_guard: float
    touch: float
    stroke_bound: float
    tolerance: float
    patience: float

    @classmethod
    def from_shares(cls, shares: Preparation, force_full_scale: float, stroke_full_scale: float, block: int, rate: float) -> Settings:
        """From the loader's `preparation` table, whose forces are shares of full scale; a block of `block` samples at `rate` (Hz)."""
        return cls(
            block=block / rate,
            rate=rate,
            force_full_scale=force_full_scale,
            stroke_full_scale=stroke_full_scale,
            zero_within=shares.zero_within,
            stroke_probe=shares.stroke_probe,
            speed=shares.speed,
            travel=shares.travel,
            preload=shares.preload * force_full_scale,
            force_probe=shares.force_probe * force_full_scale,
            force_guard=shares.force_guard * force_full_scale,
            touch=shares.touch * force_full_scale,
            stroke_bound=shares.stroke_bound,
            tolerance=shares.tolerance,
            patience=shares.patience,
        )

    @property
    def tail(self) -> int:
        """Samples at the end of a reading that say where a channel is now."""
        return max(1, round(TAIL * self.block * self.rate))

    @property
    def side(self) -> float:
        """+1: seated in tension, -1: in compression."""
        return 1.0 if self.preload >= 0.0 else -1.0

    def blocks(self, duration: float) -> int:
        """Blocks in `duration` s, at least one."""
        return max(1, round(duration / self.block))


@dataclass(frozen=True)
class Reading:
    """What was read since the last decision: `setpoint` is what was sent last, `command` (k,) what was really out there, force and
    stroke (k,) what was measured, `tail` how many samples at the end say where they are now. `sure` (k,): False where a value went out
    at a time that is not known."""

    setpoint: float
    command: Samples
    force: Samples
    stroke: Samples
    tail: int
    sure: NDArray[np.bool_]

    @property
    def force_now(self) -> float:
        return float(np.mean(self.force[-self.tail :]))

    @property
    def stroke_now(self) -> float:
        return float(np.mean(self.stroke[-self.tail :]))

    def pieces(self, size: int) -> Iterator[Reading]:
        """As many readings of `size` samples as it holds; the first takes what is over. Who stood still sees what happened meanwhile."""
        ends = range(len(self.force) % size + size, len(self.force) + 1, size) if len(self.force) > size else [len(self.force)]
        begin = 0
        for end in ends:
            part = slice(begin, end)
            yield Reading(self.setpoint, self.command[part], self.force[part], self.stroke[part], self.tail, self.sure[part])
            begin = end


def towards(value: float, target: float, reach: float) -> float:
    """One step of at most `reach` from `value` to `target`."""
    return value + min(max(target - value, -reach), reach)
