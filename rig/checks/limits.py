"""Limits on measured channels, checked on every block (pure functions of arrays)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

SEVERITY = {"indicate": 0, "hold": 1, "stop": 2, "interlock": 3}
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


@dataclass(frozen=True)
class Passed:
    """A limit that was passed: where first, by what value."""

    sample: int
    channel: str
    action: str
    what: str  # "maximum", "minimum", "rate"
    value: float
    limit: float
    gross: bool = False  # of the value without its tare

    def text(self, unit: str) -> str:
        """In words, as `transmitted_force 31200 N exceeds maximum 30000 N at sample 48210`."""
        unit = f"{unit}/s" if self.what == "rate" else unit
        verb = "falls below" if self.what == "minimum" else "exceeds"
        name = f"{self.channel} (gross)" if self.gross else self.channel
        return f"{name} {self.value:.6g} {unit} {verb} {self.what} {self.limit:.6g} {unit} at sample {self.sample}"


class LimitCheck:
    """Checks blocks in order; remembers the end of the block before for rates, and what is being indicated already."""

    def __init__(self, limits: Sequence[Bound], names: Sequence[str], rate: float) -> None:
        self._limits = [(limit, list(names).index(limit.channel)) for limit in limits]
        self._window = max(1, round(RATE_WINDOW * rate))
        self._per_second = rate / self._window
        self._before: NDArray[np.float64] | None = None
        self._indicated: set[int] = set()

    def check(self, first: int, block: NDArray[np.float64]) -> list[Passed]:
        """Limits passed in block (k, channels) whose first sample is `first`, the most severe first; an indication once."""
        if self._before is None:
            self._before = np.repeat(block[:1], self._window, axis=0)
        longer = np.concatenate([self._before, block])
        self._before = longer[-self._window :].copy()
        found = []
        for index, (limit, column) in enumerate(self._limits):
            passed = self._first_passed(limit, first, longer[:, column])
            if limit.action == "indicate":
                if passed and index in self._indicated:
                    passed = None
                elif passed:
                    self._indicated.add(index)
                else:
                    self._indicated.discard(index)
            if passed:
                found.append(passed)
        return sorted(found, key=lambda passed: (-SEVERITY[passed.action], passed.sample))

    def _first_passed(self, limit: Bound, first: int, longer: NDArray[np.float64]) -> Passed | None:
        # A comparison that a NaN fails counts as passed: an unreadable channel must not look like a safe one.
        values = longer[self._window :]
        candidates = []
        if limit.maximum is not None:
            candidates.append(("maximum", ~(values <= limit.maximum), values, limit.maximum))
        if limit.minimum is not None:
            candidates.append(("minimum", ~(values >= limit.minimum), values, limit.minimum))
        if limit.rate is not None:
            speed = (values - longer[: -self._window]) * self._per_second
            candidates.append(("rate", ~(np.abs(speed) <= limit.rate), speed, limit.rate))
        hits = [
            Passed(first + int(np.argmax(bad)), limit.channel, limit.action, what, float(series[np.argmax(bad)]), bound)
            for what, bad, series, bound in candidates
            if bad.any()
        ]
        return min(hits, key=lambda passed: passed.sample) if hits else None


class ReadingLimits:
    """Limits on what is read now and then, in order; `rate`: of the samples that readings belong to, Hz. A rate is that from one reading to
    the next, however far apart these are."""

    def __init__(self, limits: Sequence[Bound], rate: float) -> None:
        self._limits, self._rate = tuple(limits), rate
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
