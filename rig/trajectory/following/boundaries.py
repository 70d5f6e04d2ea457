"""Where a counted cycle of a trajectory begins: a test that was broken off goes on there."""

from __future__ import annotations

import math

import numpy as np

from model.paths.course import Timed
from rig.trajectory.blocks import Block, blocks
from rig.trajectory.contract import Trajectory
from rig.trajectory.naming import TrajectorySettings

TURN = 2.0 * math.pi
SHARES = (0.5, *(number / 64.0 for number in range(64)))
"""Of a block: places that are looked at for a cycle."""
FINE = 1e10  # Hz: of a place between two samples


def begin_of_cycle(config: TrajectorySettings | Timed | None, trajectory: Trajectory, cycle: int, rate: float) -> float:
    """Time (s) of the trajectory of `config`, a multiple of 1/rate, at which `cycle` is counted first. Raises ValueError for one that is
    never counted."""
    for block in blocks(config, trajectory):
        if block.first_cycle <= cycle < block.first_cycle + block.cycles:
            return _within(block, trajectory, cycle, rate)
    raise ValueError(f"cycle {cycle} is not one of the {trajectory.cycles} that are counted")


def first_of_block(config: TrajectorySettings | Timed | None, trajectory: Trajectory, cycle: int) -> int:
    """The cycle that is counted first in the block that counts `cycle`. Raises ValueError for one that is never counted."""
    for block in blocks(config, trajectory):
        if block.first_cycle <= cycle < block.first_cycle + block.cycles:
            return block.first_cycle
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
    low, high = math.floor(block.start * rate) - 1, _last_counted(block, trajectory, rate)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _cycle_at(trajectory, middle, rate) >= cycle else (middle, high)
    return high / rate


def _last_counted(block: Block, trajectory: Trajectory, rate: float) -> int:
    """The last sample of the block at which a cycle of its own is counted, however long its soft start and stop are."""
    first, behind = math.floor(block.start * rate), math.ceil((block.start + block.duration) * rate) + 1
    places = (first + round(share * (behind - first)) for share in SHARES)
    low = next((at for at in places if _counts(block, trajectory, at, rate)), None)
    if low is None:
        raise ValueError(f"none of the cycles of {block.text} is ever counted")
    while behind - low > 1:
        middle = (low + behind) // 2
        low, behind = (middle, behind) if _counts(block, trajectory, middle, rate) else (low, middle)
    return low


def _counts(block: Block, trajectory: Trajectory, sample: int, rate: float) -> bool:
    """Whether a cycle of the block is counted at a sample. By its bounds: a range looks for a float among all of its cycles."""
    return block.first_cycle <= _cycle_at(trajectory, sample, rate) < block.first_cycle + block.cycles


def _cycle_at(trajectory: Trajectory, sample: int, rate: float) -> float:
    return float(trajectory.evaluate(np.array([max(sample, 0) / rate]))[2][0])
