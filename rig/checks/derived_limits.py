"""Limits on what is made of a channel: its RMS, its distance from what it is to follow, its change from cycle to cycle, bounds that are
learned from clean cycles (pure functions of arrays and state)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rig.calculated.evaluation import Evaluation
from rig.calculated.expression import Call, Channel, Node, Number, Operation
from rig.calculated.rows import Rows
from rig.checks.cycle_watch import CycleWatch, Judged, Learned, Turns
from rig.checks.limits import LimitCheck, MadeBound, Moment, Passed, in_order, like
from rig.checks.trends import Drift, Slope, Trend

Floats = NDArray[np.float64]


class Derived(Trend, Protocol):
    """What such a limit says (`rig.config.experiment.Limit`)."""

    @property
    def rms(self) -> float | None: ...
    @property
    def window(self) -> float: ...
    @property
    def following_error(self) -> float | None: ...
    @property
    def of(self) -> str: ...
    @property
    def change(self) -> float | None: ...
    @property
    def relative_change(self) -> float | None: ...
    @property
    def baseline(self) -> float | None: ...
    @property
    def margin(self) -> float | None: ...


class DerivedLimits:
    """Checks blocks in order; rate in Hz."""

    def __init__(self, limits: Sequence[Derived], rate: float) -> None:
        self._definitions: dict[str, Node] = {}
        self._bounds: list[MadeBound] = []
        self._said: dict[str, tuple[str, str]] = {}  # derived series -> what it is, of which channel
        self._watches: list[tuple[str, CycleWatch | LearnedBounds]] = []
        for limit in limits:
            if limit.action != "none":
                self._add(limit)
        self._evaluation = Evaluation(self._definitions.items(), rate)
        self._check = LimitCheck(self._bounds, self._evaluation.names, rate)

    def check(self, first: int, rows: Rows, moment: Moment) -> list[Passed]:
        """The next samples, from `first` on, of all channels that the limits are about; the most severe first."""
        if not self._definitions:
            return []
        table = self._evaluation.take(rows)
        own = dict(zip(self._evaluation.names, self._evaluation.begun, strict=True))
        begun = {name: _later(start, self._channel_begun(name, moment)) for name, start in own.items()}
        series = dict(zip(self._evaluation.names, table.T, strict=True))
        found = [
            Passed(one.sample, self._said[one.channel][1], one.action, self._said[one.channel][0], one.value, one.limit)
            for one in self._check.check(first, table, Moment(moment.state, moment.phase, begun))
        ]
        for name, watch in self._watches:
            found += watch.check(first, series[name], begun[name], rows, moment)
        return in_order(found)

    def memory(self) -> dict[str, list[float]]:
        """What was learned, by limit, for another session of the test."""
        return {name: learned for name, watch in self._watches if (learned := watch.memory())}

    def recall(self, memory: Mapping[str, Sequence[float]]) -> None:
        """Go on with it: what grew before a break is measured against what it was at the very beginning."""
        for name, watch in self._watches:
            if name in memory:
                watch.recall(memory[name])

    def _channel_begun(self, name: str, moment: Moment) -> int | None:
        return moment.begun.get(self._said[name][1], 0) if name in self._said else 0

    def _add(self, limit: Derived) -> None:
        channel = Channel(limit.channel)
        if limit.rms is not None:
            self._bound(limit, "RMS", Call("rms", (channel, Number(limit.window))), limit.rms)
        if limit.following_error is not None:
            distance = Call("abs", (Operation("-", (channel, Channel(limit.of))),))
            self._bound(limit, f"distance from {limit.of}", distance, limit.following_error)
        if limit.change is not None or limit.relative_change is not None:
            self._watches.append((self._define(limit.per_cycle, limit, Call(limit.per_cycle, (channel,))), CycleChange(limit)))
        if limit.slope is not None:
            self._watches.append((self._define(limit.per_cycle, limit, Call(limit.per_cycle, (channel,))), Slope(limit)))
        if limit.drift is not None:
            self._watches.append((self._define(limit.per_cycle, limit, Call(limit.per_cycle, (channel,))), Drift(limit)))
        if limit.margin is not None:
            self._watches.append((self._define("amplitude", limit, Call("amplitude", (channel,))), LearnedBounds(limit)))

    def _define(self, what: str, limit: Derived, node: Node) -> str:
        name = f"{len(self._definitions)} {what} {limit.channel}"  # no channel begins so: a name of its own
        self._definitions[name], self._said[name] = node, (what, limit.channel)
        return name

    def _bound(self, limit: Derived, what: str, node: Node, maximum: float) -> None:
        name = self._define(what, limit, node)
        self._bounds.append(like(limit, name, None, maximum))


class CycleChange(CycleWatch):
    """The value of each cycle against its baseline."""

    def __init__(self, limit: Derived) -> None:
        super().__init__(limit)
        self._of = limit
        self._learned = Learned(limit.settle, limit.learn)

    def memory(self) -> list[float]:
        return self._learned.memory()

    def recall(self, memory: Sequence[float]) -> None:
        self._learned.recall(memory)

    def _value(self, value: float) -> Judged | None:
        baseline = self._learned.mean(value) if self._of.baseline is None else self._of.baseline
        if baseline is None:
            return None
        change, relative = self._of.change, self._of.relative_change
        most = min(math.inf if change is None else change, math.inf if relative is None else relative * abs(baseline))
        return f"change of {self._of.per_cycle} from {baseline:.6g}", value - baseline, most


class LearnedBounds:
    """Smallest and largest of clean cycles, with a margin."""

    def __init__(self, limit: Derived) -> None:
        self._limit = limit
        self._turns = Turns()
        self._left = limit.settle + limit.learn  # cycles until it is armed
        self._low, self._high = math.inf, -math.inf
        self._known: LimitCheck | None = None
        self._from = 0

    def memory(self) -> list[float]:
        """Bounds of the cycles that were learned from, once these are all; what was learned of some is learned anew."""
        return [self._low, self._high] if self._known is not None else []

    def recall(self, memory: Sequence[float]) -> None:
        """Go on with it."""
        self._low, self._high = memory
        self._arm(0)

    def check(self, first: int, series: Floats, begun: int | None, rows: Rows, moment: Moment) -> list[Passed]:
        """See `CycleChange.check`; the samples themselves are judged."""
        values = rows.values[self._limit.channel]
        if self._known is None:
            self._learn(first, values, begun, rows)
        if self._known is None:
            return []
        name, skipped = self._limit.channel, max(0, self._from - first)
        later = Moment(moment.state, None if moment.phase is None else moment.phase[skipped:], moment.begun)
        found = self._known.check(first + skipped, values[skipped:, None], later)
        return [Passed(one.sample, name, one.action, f"learned {one.what}", one.value, one.limit) for one in found]

    def _learn(self, first: int, values: Floats, begun: int | None, rows: Rows) -> None:
        turns = [at for at in self._turns.found(rows.cycle) if begun is not None and first + at >= begun]
        done = 0
        for at in [*turns, len(values)]:
            seen = values[done:at]
            if self._left <= self._limit.learn and len(seen) and rows.cycle[done] >= 0.0:
                self._low, self._high = min(self._low, float(seen.min())), max(self._high, float(seen.max()))
            if at < len(values):
                self._left -= 1
                if self._left == 0:
                    return self._arm(first + at)
            done = at
        return None

    def _arm(self, sample: int) -> None:
        assert self._limit.margin is not None
        margin = self._limit.margin * (self._high - self._low)
        bounds = like(self._limit, self._limit.channel, self._low - margin, self._high + margin)
        self._known, self._from = LimitCheck([bounds], [bounds.channel], 1.0), sample


def _later(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else max(one, other)
