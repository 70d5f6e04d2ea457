"""Limits on what is made of a channel: its RMS, its distance from what it is to follow, its change from cycle to cycle, bounds that are
learned from clean cycles (pure functions of arrays and state)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rig.calculated.evaluation import Evaluation
from rig.calculated.expression import Call, Channel, Node, Number, Operation
from rig.calculated.rows import Rows
from rig.checks.cycle_watch import UNDER_WAY, CycleWatch, Judged, Learned, Turns
from rig.checks.learned_state import LearnedState
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
        self._watches: list[tuple[str, CycleChange | Slope | Drift | LearnedBounds]] = []
        for limit in limits:
            if limit.action != "none":
                self._add(limit)
        self._evaluation = Evaluation(self._definitions.items(), rate)
        self._check = LimitCheck(self._bounds, self._evaluation.names, rate)

    def check(self, first: int, rows: Rows, moment: Moment) -> list[Passed]:
        """The next samples, from `first` on, of all channels that the limits are about; the most severe first."""
        if not self._definitions:
            return []
        table = self._evaluation.take(rows, moment.begun)
        begun = dict(zip(self._evaluation.names, self._evaluation.begun, strict=True))
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

    def states(self) -> list[tuple[Trend, LearnedState]]:
        """Of each limit that judges by what it has learned."""
        return [(watch.limit, watch.state()) for _, watch in self._watches]

    def learn_anew(self, limits: Sequence[Trend], sample: int) -> None:
        """These, from the cycles that begin at that sample or behind it."""
        for _, watch in self._watches:
            if watch.limit in limits:
                watch.learn_anew(sample)

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
    """The value of each cycle against its baseline: the one that is stated, or learned. Learned anew it is no longer the stated one."""

    def __init__(self, limit: Derived) -> None:
        super().__init__(limit)
        self.limit, self._stated = limit, limit.baseline
        self._learned = Learned(limit.settle, limit.learn)

    def memory(self) -> list[float]:
        given_up = [] if self.limit.baseline == self._stated or self.limit.baseline is None else [self.limit.baseline]
        return [*self._learned.memory(), -1.0 if self._since is None else float(self._since), *given_up]

    def recall(self, memory: Sequence[float]) -> None:
        self._learned.recall(memory[:6])
        since, given_up = [*memory[6:], -1.0][0], memory[7:]
        self._since = int(since) if since >= 0.0 else None
        if [*given_up] == [self.limit.baseline]:
            self._stated = None

    def learn_anew(self, sample: int) -> None:
        super().learn_anew(sample)
        self._stated = None
        self._learned = Learned(self.limit.settle + UNDER_WAY, self.limit.learn)

    @property
    def _what_it_is(self) -> str:
        return f"change of {self.limit.per_cycle}"

    @property
    def _progress(self) -> tuple[int, int, int]:
        return (0, 0, 0) if self._stated is not None else self._learned.progress

    @property
    def _band(self) -> tuple[float | None, float | None, float | None]:
        baseline = self._learned.known if self._stated is None else self._stated
        return (None, None, None) if baseline is None else (baseline, baseline - self._most(baseline), baseline + self._most(baseline))

    def _value(self, value: float) -> Judged | None:
        baseline = self._learned.mean(value) if self._stated is None else self._stated
        if baseline is None:
            return None
        return f"change of {self.limit.per_cycle} from {baseline:.6g}", value - baseline, self._most(baseline)

    def _most(self, baseline: float) -> float:
        change, relative = self.limit.change, self.limit.relative_change
        return min(math.inf if change is None else change, math.inf if relative is None else relative * abs(baseline))


class LearnedBounds:
    """Smallest and largest of clean cycles, with a margin."""

    def __init__(self, limit: Derived) -> None:
        self.limit = limit
        self._turns = Turns()
        self._from = 0
        self._begin(limit.settle, 0)

    def _begin(self, settle: int, sample: int) -> None:
        """Learn from the cycles behind `settle` others, which end behind `sample`."""
        self._left = settle + self.limit.learn  # cycles until it is armed
        self._low, self._high = math.inf, -math.inf
        self._known: LimitCheck | None = None
        self._not_before = sample
        self._since: int | None = None
        self._bounds: tuple[float, float] | None = None
        self._reach, self._last = (math.inf, -math.inf), (math.inf, -math.inf)  # of the cycle that runs, of the last whole one
        self._cycle: int | None = None
        self._armed = self._outside = False

    def learn_anew(self, sample: int) -> None:
        """See `CycleWatch.learn_anew`."""
        self._begin(self.limit.settle + UNDER_WAY, sample)

    def state(self) -> LearnedState:
        """See `CycleWatch.state`; the value is that of the last whole cycle that is nearest to a bound."""
        learn = self.limit.learn
        made = LearnedState("learned bounds", learn - min(self._left, learn), learn, max(0, self._left - learn))
        if self._bounds is None:
            return made
        low, high = self._bounds
        made = replace(made, since=self._since, armed=self._armed, low=low, high=high)
        if self._cycle is None:
            return replace(made, outside=self._outside)
        least, most = self._last
        value = least if low - least > most - high else most
        outside = self._outside or not low <= value <= high
        return replace(made, value=value if math.isfinite(value) else None, cycle=self._cycle, outside=outside)

    def memory(self) -> list[float]:
        """Bounds of the cycles that were learned from, once these are all; what was learned of some is learned anew."""
        return [self._low, self._high, float(self._since or 0)] if self._known is not None else []

    def recall(self, memory: Sequence[float]) -> None:
        """Go on with it."""
        self._low, self._high, *since = memory
        self._since, self._left = int(since[0]) if since else 0, 0
        self._arm(0)

    def check(self, first: int, series: Floats, begun: int | None, rows: Rows, moment: Moment) -> list[Passed]:
        """See `CycleChange.check`; the samples themselves are judged."""
        values = rows.values[self.limit.channel]
        if self._known is None:
            self._learn(first, values, begun, rows)
        if self._known is None:
            return []
        name, skipped = self.limit.channel, max(0, self._from - first)
        self._note(values[skipped:], rows.cycle[skipped:])
        armed = moment.armed(self.limit, first, len(values))
        self._armed = bool(armed[-1]) if len(armed) else self._armed
        later = Moment(moment.state, None if moment.phase is None else moment.phase[skipped:], moment.begun)
        found = self._known.check(first + skipped, values[skipped:, None], later)
        self._outside = bool(found)
        return [Passed(one.sample, name, one.action, f"learned {one.what}", one.value, one.limit) for one in found]

    def _note(self, values: Floats, cycle: Floats) -> None:
        """Smallest and largest of each cycle, to be shown."""
        done = 0
        for at in [*np.flatnonzero(np.diff(cycle) > 0.0) + 1, len(values)]:
            if at > done:
                seen = values[done:at]
                self._reach = min(self._reach[0], float(seen.min())), max(self._reach[1], float(seen.max()))
            if at < len(values):
                self._last, self._reach, self._cycle = self._reach, (math.inf, -math.inf), int(cycle[at]) - 1
            done = at

    def _learn(self, first: int, values: Floats, begun: int | None, rows: Rows) -> None:
        turns = [at for at in self._turns.found(rows.cycle) if begun is not None and first + at >= max(begun, self._not_before)]
        done = 0
        for at in [*turns, len(values)]:
            seen = values[done:at]
            if self._left <= self.limit.learn and len(seen) and rows.cycle[done] >= 0.0:
                self._low, self._high = min(self._low, float(seen.min())), max(self._high, float(seen.max()))
            if at < len(values):
                self._left -= 1
                if self._left == 0:
                    self._since = int(rows.cycle[at])
                    return self._arm(first + at)
            done = at
        return None

    def _arm(self, sample: int) -> None:
        assert self.limit.margin is not None
        margin = self.limit.margin * (self._high - self._low)
        self._bounds = self._low - margin, self._high + margin
        bounds = like(self.limit, self.limit.channel, *self._bounds)
        self._known, self._from = LimitCheck([bounds], [bounds.channel], 1.0), sample
