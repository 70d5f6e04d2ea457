"""The bench clock: one time for every device-side timer of a simulated bench.

Paces: `real` follows the wall clock; `lockstep` stands still until somebody moves it, so that a run is exact, repeatable and as fast as
it is read.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

from drivers import host_clock

PACES = ("real", "lockstep")
LONGEST_GAP = 0.01
"""Longest time (s) between two looks at the clock that counts as device time; what is beyond it is a stall of the host."""
LONGEST_GAP_WITHOUT_PLANT = 0.025
"""The same where no control loop closes over a plant: there a late look does no harm, and device time keeps up with the wall's when
much is read."""
SHARE = 0.8
"""Part of the time that passes that can make up for what the host was late by; the rest passes all the same, or a host that is late all the
time would hold the clock for ever."""
LEAST = 1e-6  # s to be made up for that count
BACKLOG = 0.020
"""How far (s) bench time may be beyond what a plant has been worked out to: more than a pacer lets come together by itself, and less than
a program takes notice of."""
OWED = 0.1
"""Time (s) to be made up for at the most; what is older than that the program has seen the worst of."""


class BenchClock:
    """Bench time in s from 0.

    With pace `real` somebody has to look at the clock every few milliseconds once `start` was called (the engine's pacer does). A gap
    between two looks that is longer than `longest_gap` means that the process was not running: the bench clock then slips by the
    excess instead of jumping, since a stalled simulator host is not a property of a device. Slips are counted.

    With `go_with` it also goes on only as its host does, with `wait_for` only as its plant does.
    """

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
        self._works_until: Callable[[float], float] | None = None
        self._late: Callable[[], float] | None = None
        self._made_up = 0.0  # of `late`
        self._reached: Callable[[], float] | None = None

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
                self._looked = host_clock.now()
                self._owed(0.0)

    def now(self) -> float:
        """Bench time in s; never goes back."""
        with self._lock:
            self._look()
            return self._now

    def move(self, to: float) -> None:
        """Advance a lockstep clock to `to` (s); an earlier time than the present one changes nothing."""
        if not self.lockstep:
            raise RuntimeError("a clock with pace 'real' cannot be moved")
        with self._lock:
            self._now = max(self._now, to)

    def go_with(self, works_until: Callable[[float], float] | None, late: Callable[[], float] | None) -> None:
        """The host, or None: no longer. Once this returns nobody asks the one before.

        `works_until(wall)`: time up to `wall` until which the whole of it worked (`host_pulse`): a host that has lost one processor runs
        the device or the program in front of it, not both, so bench time slips until it has them all again. `late()`: for how long (s) in
        all its processors were away in spells that were over before that was seen: bench time slips by as much afterwards, which gives
        the program what it was without.
        """
        with self._lock:
            self._works_until, self._late, self._made_up = works_until, late, 0.0
            self._owed(0.0)

    def wait_for(self, reached: Callable[[], float]) -> None:
        """`reached()`: bench time (s) up to which the plant has been worked out. A simulator with more to do than it can makes time pass
        more slowly; a program in front of it would find samples that come late, and answers to a question before they do."""
        with self._lock:
            self._reached = reached

    def _owed(self, most: float = OWED) -> float:
        """What is to be made up for, s; what is more than `most` is forgiven."""
        if self._late is None:
            return 0.0
        late = self._late()
        self._made_up = max(self._made_up, late - most)
        return max(0.0, late - self._made_up)

    def _room(self) -> float:
        """How far (s) bench time can go on."""
        return math.inf if self._reached is None else max(0.0, self._reached() + BACKLOG - self._now)

    def _look(self) -> None:
        if self._looked is not None:
            self._follow(host_clock.now())

    def _follow(self, wall: float) -> None:
        assert self._looked is not None
        gap = wall - self._looked
        soon = wall + self.longest_gap
        until = soon if self._works_until is None else self._works_until(soon)
        worked = gap if until >= wall else max(0.0, until - self._looked)
        room = self._room()
        passed = min(gap, worked, self.longest_gap, room)
        owed = self._owed()
        made_up = min(SHARE * passed, owed)
        passed, self._made_up = passed - made_up, self._made_up + made_up
        self._looked = wall
        self._now += passed
        self._slipped += gap - passed
        # Many looks fall into the time that a processor is away: that is one slip.
        away = min(worked, room) < gap or owed > LEAST
        self._slips += gap > self.longest_gap or (away and not self._away)
        self._away = away
