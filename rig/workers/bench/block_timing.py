"""What the bench's turns take, a turn being one block: whether this computer keeps up with the device."""

from __future__ import annotations

from collections import deque

from drivers.errors import DriverError
from rig.signals.summary_statistics import Statistics
from rig.signals.tally import Tally

RECENT = 25  # turns
SLOWER = 1.02  # times the block from which turns are behind the device: what is filled ahead is used up within some seconds


class BlockTiming:
    """`block`: time (s) that a block lasts."""

    def __init__(self, block: float) -> None:
        self._block = block
        self._waits, self._works = Tally(), Tally()
        self._recent: deque[float] = deque(maxlen=RECENT)  # s that each of the last turns took

    def passed(self, asked: float, arrived: float, done: float) -> None:
        """One turn: times (s) at which a block was asked for, had arrived, and was done with."""
        self._waits.add(arrived - asked)
        self._works.add(done - arrived)
        self._recent.append(done - asked)

    def figures(self) -> dict[str, Statistics]:
        """s in a read, s of work after it."""
        return {"read_s": self._waits.statistics(), "work_s": self._works.statistics()}

    def explained(self, error: DriverError) -> DriverError:
        """What the device complains of, and the reason where it is this computer: a device knows only that nobody came."""
        took = sum(self._recent) / max(1, len(self._recent))
        if took <= SLOWER * self._block:
            return error
        return type(error)(
            f"{error}; this computer took {took * 1e3:.3g} ms for each of the last blocks of {self._block * 1e3:.3g} ms: it is too "
            "slow for this test, or too busy; use a longer acquisition.block or a lower acquisition.rate, and end other programs"
        )
