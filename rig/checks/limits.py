"""Limits on channels, checked on every block (pure functions of arrays)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

SEVERITY = {"none": 0, "indicate": 1, "hold": 2, "stop": 3, "unload": 4, "interlock": 5}
SATURATED = "saturated"
END = 1e-3
"""Share of a channel's range from its end that still is the end: offset and gain of a converter are not exact."""
RATE_WINDOW = 1e-3  # s over which a rate is taken: from sample to sample it would be a limit on noise


class Bound(Protocol):
    """What a limit says (`rig.config.experiment.Limit`)."""

    @property
    def channel(self) -> str: ...
    @property
    def minimum(self) -> float | None: ...
    @property
    def maximum(self) -> float | None: ...
    @property
    def rate(self) -> float | None: ...
    @property
    def action(self) -> str: ...
    @property
    def debounce(self) -> int: ...
    @property
    def states(self) -> tuple[str, ...]: ...
    @property
    def phase_from(self) -> float | None: ...
    @property
    def phase_to(self) -> float | None: ...


@dataclass(frozen=True)
class MadeBound:
    """A `Bound` that follows from another one."""

    channel: str
    minimum: float | None
    maximum: float | None
    action: str
    debounce: int
    states: tuple[str, ...]
    phase_from: float | None
    phase_to: float | None
    rate: float | None = None


def like(limit: Bound, channel: str, minimum: float | None, maximum: float | None) -> MadeBound:
    """Other values of another channel, armed and answered as `limit`; without a rate."""
    return MadeBound(channel, minimum, maximum, limit.action, limit.debounce, limit.states, limit.phase_from, limit.phase_to)


@dataclass(frozen=True)
class Moment:
    """What arms limits in a block: the bench's state, the command's phase (k,) in rad (none before the test), and of channels that have no
    value at the beginning the sample from which on they have one (None: not yet)."""

    state: str = ""
    phase: NDArray[np.float64] | None = None
    begun: Mapping[str, int | None] = field(default_factory=dict)

    def armed(self, limit: Bound, first: int, count: int, settled: int = 0) -> NDArray[np.bool_]:
        """(k,): whether a limit is armed at each sample from `first` on; `settled`: samples that its value needs from its first one on."""
        armed = np.full(count, self.state in limit.states or not limit.states)
        if limit.phase_from is not None and limit.phase_to is not None:
            width = (limit.phase_to - limit.phase_from) % math.tau or math.tau
            armed &= False if self.phase is None else (self.phase - limit.phase_from) % math.tau <= width
        if limit.channel in self.begun:
            begun = self.begun[limit.channel]
            armed[: count if begun is None else max(0, begun + settled - first)] = False
        return armed


class Debounce:
    """Says where the last `count` samples in a row were outside, over the borders of blocks."""

    def __init__(self, count: int) -> None:
        self._count, self._run = count, 0

    def hits(self, outside: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(k,) -> (k,)."""
        if self._count == 1 or not len(outside):
            return outside
        place = np.arange(len(outside))
        inside = np.maximum.accumulate(np.where(outside, -1, place))
        run = np.where(inside < 0, place + 1 + self._run, place - inside)
        self._run = int(run[-1])
        return run >= self._count


ALWAYS = Moment()


@dataclass(frozen=True)
class Passed:
    """A limit that was passed: where first, by what value."""

    sample: int
    channel: str
    action: str
    what: str  # "maximum", "minimum", "rate"; of a derived limit, as "rms", what stands before the name
    value: float
    limit: float
    gross: bool = False  # of the value without its tare

    def text(self, unit: str) -> str:
        """In words, as `transmitted_force 31200 N exceeds maximum 30000 N at sample 48210`."""
        unit = f"{unit}/s" if self.what == "rate" else f"{unit}/1000 cycles" if self.what.startswith("slope ") else unit
        verb = "falls below" if self.what.endswith("minimum") else "exceeds"
        name = f"{self.channel} (gross)" if self.gross else self.channel
        if self.what == SATURATED:
            return f"{name} is at the end of its range, {self.value:.6g} {unit}, at sample {self.sample}: what is beyond is inside no limit"
        if self.what not in ("maximum", "minimum", "rate", "learned maximum", "learned minimum"):
            return f"{self.what} of {name} {self.value:.6g} {unit} exceeds {self.limit:.6g} {unit} at sample {self.sample}"
        return f"{name} {self.value:.6g} {unit} {verb} {self.what} {self.limit:.6g} {unit} at sample {self.sample}"


class LimitCheck:
    """Checks blocks in order; remembers the end of the block before for rates, and what is being indicated already.

    ends: (lowest, highest) that a channel can show, in its unit; at an end it may be anything beyond.
    """

    def __init__(
        self, limits: Sequence[Bound], names: Sequence[str], rate: float, ends: Mapping[str, tuple[float, float]] | None = None
    ) -> None:
        self._limits = [(limit, list(names).index(limit.channel)) for limit in limits if limit.action != "none"]
        self._ends = {name: _inner(*both) for name, both in (ends or {}).items() if math.isfinite(both[1] - both[0])}
        self._window = max(1, round(RATE_WINDOW * rate))
        self._per_second = rate / self._window
        self._before: NDArray[np.float64] | None = None
        self._indicated: set[int] = set()
        self._debounced = [{what: Debounce(limit.debounce) for what in _WORDS} for limit, _ in self._limits]

    def check(self, first: int, block: NDArray[np.float64], moment: Moment = ALWAYS) -> list[Passed]:
        """Limits passed in block (k, channels) whose first sample is `first`, the most severe first; an indication once."""
        if self._before is None:
            self._before = np.repeat(block[:1], self._window, axis=0)
        longer = np.concatenate([self._before, block])
        self._before = longer[-self._window :].copy()
        found = []
        for index, (limit, column) in enumerate(self._limits):
            passed = self._first_passed(index, limit, first, longer[:, column], moment)
            if limit.action == "indicate":
                if passed and index in self._indicated:
                    passed = None
                elif passed:
                    self._indicated.add(index)
                else:
                    self._indicated.discard(index)
            if passed:
                found.append(passed)
        return in_order(found)

    def _first_passed(self, index: int, limit: Bound, first: int, longer: NDArray[np.float64], moment: Moment) -> Passed | None:
        # A comparison that a NaN fails counts as passed: an unreadable channel must not look like a safe one.
        values = longer[self._window :]
        low, high = self._ends.get(limit.channel, (-math.inf, math.inf))
        candidates: list[tuple[str, NDArray[np.bool_], NDArray[np.float64], float]] = []
        if limit.maximum is not None:
            candidates.append(("maximum", ~(values <= limit.maximum), values, limit.maximum))
            candidates.append((SATURATED, values >= high, values, limit.maximum))
        if limit.minimum is not None:
            candidates.append(("minimum", ~(values >= limit.minimum), values, limit.minimum))
            candidates.append((SATURATED_LOW, values <= low, values, limit.minimum))
        if limit.rate is not None:
            speed = (values - longer[: -self._window]) * self._per_second
            candidates.append(("rate", ~(np.abs(speed) <= limit.rate), speed, limit.rate))
        hits = []
        for what, outside, series, bound in candidates:
            armed = moment.armed(limit, first, len(values), self._window if what == "rate" else 0)
            bad = self._debounced[index][what].hits(outside & armed)
            if bad.any():
                at = int(np.argmax(bad))
                said = SATURATED if what == SATURATED_LOW else what
                hits.append(Passed(first + at, limit.channel, limit.action, said, float(series[at]), bound))
        return min(hits, key=lambda passed: passed.sample) if hits else None


def in_order(found: Sequence[Passed]) -> list[Passed]:
    """The most severe first, of those the earliest."""
    return sorted(found, key=lambda passed: (-SEVERITY[passed.action], passed.sample))


SATURATED_LOW = "saturated below"
_WORDS = ("maximum", "minimum", "rate", SATURATED, SATURATED_LOW)


def _inner(low: float, high: float) -> tuple[float, float]:
    margin = END * (high - low)
    return low + margin, high - margin


class ReadingLimits:
    """Limits on what is read now and then, in order; `rate`: of the samples that readings belong to, Hz. A rate is that from one reading to
    the next, however far apart these are."""

    def __init__(self, limits: Sequence[Bound], rate: float) -> None:
        self._limits, self._rate = tuple(one for one in limits if one.action != "none"), rate
        self._before: tuple[float, float] | None = None
        self._indicated: set[int] = set()

    def check(self, sample: float, value: float) -> list[Passed]:
        """Limits that a reading passes, which belongs to `sample` (a fraction of one, too); an indication once."""
        found = []
        for index, limit in enumerate(self._limits):
            passed = self._passed(limit, sample, value)
            if limit.action == "indicate" and passed and index in self._indicated:
                continue
            (self._indicated.add if passed else self._indicated.discard)(index)
            found += passed[:1]
        self._before = sample, value
        return found

    def _passed(self, limit: Bound, sample: float, value: float) -> list[Passed]:
        speed = 0.0
        if self._before is not None and sample > self._before[0]:
            speed = (value - self._before[1]) * self._rate / (sample - self._before[0])
        candidates = (
            ("maximum", limit.maximum, value, limit.maximum is not None and not value <= limit.maximum),
            ("minimum", limit.minimum, value, limit.minimum is not None and not value >= limit.minimum),
            ("rate", limit.rate, speed, limit.rate is not None and not abs(speed) <= limit.rate),
        )
        where = int(sample), limit.channel, limit.action
        return [Passed(*where, what, got, bound) for what, bound, got, bad in candidates if bad and bound is not None]
