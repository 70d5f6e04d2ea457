"""The bench clock: one time for every device-side timer of a simulated bench.

Paces: `real` follows the wall clock; `lockstep` stands still until somebody moves it, so that a run is exact, repeatable and as fast as
it is read.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PACES = ("real", "lockstep")
LONGEST_GAP = 0.01
"""Longest time (s) between two looks at the clock that counts as device time; what is beyond it is a stall of the host."""
LONGEST_GAP_WITHOUT_PLANT = 0.025
"""The same where no control loop closes over a plant: there a late look does no harm, and device time keeps up with the wall's when
much is read."""


class BenchClock:
    """Bench time in s from 0.

    With pace `real` somebody has to look at the clock every few milliseconds once `start` was called (the engine's pacer does). A gap
    between two looks that is longer than `longest_gap` means that the process was not running: the bench clock then slips by the
    excess instead of jumping, since a stalled simulator host is not a property of a device. Slips are counted.

    `works_until(wall)`, where it is given, tells the time up to `wall` until which the whole host worked (`host_pulse`): a host that has
    lost one processor runs the device or the program in front of it, not both, and bench time slips until it has them all again.
    """

    works_until: Callable[[float], float] | None = None

    def __init__(self, pace: str = "real", longest_gap: float = LONGEST_GAP) -> None:
        if pace not in PACES:
            raise ValueError(f"pace: expected one of {', '.join(PACES)}, got {pace!r}")
        self.pace = pace
        self.longest_gap = longest_gap
        self._lock = threading.Lock()
        self._now = 0.0
        self._looked: float | None = None
        self._slips = 0
        self._slipped = 0.0
        self._away = False

    @property
    def lockstep(self) -> bool:
        """True when time stands still until it is moved."""
        return self.pace == "lockstep"

    @property
    def slips(self) -> int:
        """How often the clock slipped."""
        return self._slips

    @property
    def slipped(self) -> float:
        """Time (s) the clock has slipped by in all."""
        return self._slipped

    def start(self) -> None:
        """Let a `real` clock run from its present time; nothing to do in lockstep or when it runs already."""
        with self._lock:
            if not self.lockstep and self._looked is None:
                self._looked = time.monotonic()

    def now(self) -> float:
        """Bench time in s; never goes back."""
        with self._lock:
            if self._looked is not None:
                self._follow(time.monotonic())
            return self._now

    def move(self, to: float) -> None:
        """Advance a lockstep clock to `to` (s); an earlier time than the present one changes nothing."""
        if not self.lockstep:
            raise RuntimeError("a clock with pace 'real' cannot be moved")
        with self._lock:
            self._now = max(self._now, to)

    def _follow(self, wall: float) -> None:
        assert self._looked is not None
        gap = wall - self._looked
        worked = gap if self.works_until is None else max(0.0, self.works_until(wall) - self._looked)
        passed = min(gap, worked, self.longest_gap)
        self._looked = wall
        self._now += passed
        self._slipped += gap - passed
        # Many looks fall into the time that a processor is away: that is one slip.
        self._slips += gap > self.longest_gap or (worked < gap and not self._away)
        self._away = worked < gap
