"""Where a counted cycle of a trajectory begins: a test that was broken off goes on there."""

from __future__ import annotations

import math

import numpy as np

from model.paths.course import Timed
from rig.trajectory.blocks import Block, blocks
from rig.trajectory.contract import Trajectory
from rig.trajectory.naming import TrajectorySettings

TURN = 2.0 * math.pi
WITHIN = 1e-3  # of a cycle
FINE = 1e10  # Hz: of a place between two samples


def begin_of_cycle(config: TrajectorySettings | Timed | None, trajectory: Trajectory, cycle: int, rate: float) -> float:
    """Time (s) of the trajectory of `config`, a multiple of 1/rate, at which `cycle` is counted first. Raises ValueError for one that is
    never counted."""
    for block in blocks(config, trajectory):
        if block.first_cycle <= cycle < block.first_cycle + block.cycles:
            return _within(block, trajectory, cycle, rate)
    raise ValueError(f"cycle {cycle} is not one of the {trajectory.cycles} that are counted")


def end_of_cycle(config: TrajectorySettings | Timed | None, trajectory: Trajectory, cycle: int) -> float:
    """Phase (rad) at which a cycle ends. Raises ValueError for one that is never counted."""
    for block in blocks(config, trajectory):
        if block.first_cycle <= cycle < block.first_cycle + block.cycles:
            begin = _within(block, trajectory, cycle, FINE)
            return float(trajectory.evaluate(np.array([begin]))[1][0]) + TURN
    raise ValueError(f"cycle {cycle} is not one of the {trajectory.cycles} that are counted")


def _within(block: Block, trajectory: Trajectory, cycle: int, rate: float) -> float:
    """Cycles of one block rise; what is not counted there lies before the first and behind the last."""
    low, high = math.floor(block.start * rate) - 1, _counted_until(block, trajectory, cycle, rate)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _cycle_at(trajectory, middle, rate) >= cycle else (middle, high)
    return high / rate


def _counted_until(block: Block, trajectory: Trajectory, cycle: int, rate: float) -> int:
    """A sample of the block at which `cycle` or a later one is counted."""
    before = max(WITHIN * block.duration / block.cycles, 2.0 / rate)  # s: neither at the very end, nor before the last cycle
    for end in (block.start + block.duration - block.soft_stop, block.start + block.duration):
        sample = math.floor((end - before) * rate)
        if _cycle_at(trajectory, sample, rate) >= cycle:
            return sample
    raise ValueError(f"cycle {cycle} of {block.text} is never counted")


def _cycle_at(trajectory: Trajectory, sample: int, rate: float) -> float:
    return float(trajectory.evaluate(np.array([max(sample, 0) / rate]))[2][0])
