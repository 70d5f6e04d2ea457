"""Limits on predicted channels, on numbers that are estimated, and on what is calculated from them: checked when the prediction comes, on
the sample that it belongs to.

At real pace the bench never waits for it. Of a predictor that is too far behind it is told, once, that these limits act as much later: what
they find is as true then. Samples that were overwritten before they were looked at end the check, which is told as well: what limits keep
from cycle to cycle does not hold over a gap.

In lockstep it always waits (`rig.workers.bench.worker.STRICT`), and the check stays a fixed number of blocks behind what is measured: what
a limit does comes at the same sample, however slow the predictor was. There one that is behind has died.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from rig.calculated.expression import ESTIMATED, LATER, PREDICTED, channels, parse
from rig.checks.channel_limits import ChannelLimits, Memory
from rig.checks.learned_state import LearnedState
from rig.checks.limits import Passed
from rig.checks.trends import Trend
from rig.config.experiment import Calculated, Experiment, Limit
from rig.config.plan import Plan
from rig.errors import StaleStream
from rig.signals.smoothing import Smoothing
from rig.streaming.ring import RingReader, RingWriter
from rig.workers.bench.output import Block

PHASE, CYCLE = 1, 2  # columns of the command
STREAMS = ("command", "measured", "predicted", "predicted_as_measured")  # of a name that two have, the last one's
BEHIND = 2
"""Blocks that what is checked is behind what is measured where the device waits for the program: so far the predictor has always come, as
it may be one block behind (STRICT) when the next one is measured."""
AT_ONCE = 4  # blocks in one turn, at the most


def nobody(name: str) -> bool:
    """Of processes that have ended."""
    return False


def parted(calculated: Sequence[Calculated]) -> tuple[list[Calculated], list[Calculated]]:
    """(those of measured channels and the command alone, those that lean on a predicted or an estimated one)."""
    late: set[str] = set()
    for one in calculated:
        if any(name.startswith(LATER) or name in late for name in channels(parse(one.expression))):
            late.add(one.name)
    return [one for one in calculated if one.name not in late], [one for one in calculated if one.name in late]


def following(experiment: Experiment) -> set[str]:
    """Names that are known only when the prediction has come."""
    of = {name for limit in experiment.limits for name in (limit.channel, limit.of) if name.startswith(LATER)}
    return of | {one.name for one in parted(experiment.calculated)[1]}


class PredictedLimits:
    """Reads the rings of a run, its bench's own among them; ring: takes the calculated channels that lean on the prediction.

    `units`: of the predicted channels, once there are some.
    """

    def __init__(
        self, plan: Plan, limits: Sequence[Limit], rate: float, ring: RingWriter | None, gone: Callable[[str], bool] = nobody
    ) -> None:
        """gone: whether a process has ended."""
        experiment = plan.experiment
        self._plan, self._rate, self._ring = plan, rate, ring
        self._begun: dict[str, int | None] = {}
        self._gone = gone
        self._block = max(1, round(experiment.acquisition.block * experiment.acquisition.rate))
        present, self._late = parted(experiment.calculated)
        self._definitions, self._limits = [*present, *self._late], limits
        used = {name for limit in limits for name in (limit.channel, limit.of)}
        used |= {name for one in self._late for name in channels(parse(one.expression))}
        self._streams = (*STREAMS, "estimated") if any(name.startswith(ESTIMATED) for name in used) else STREAMS
        self._done = not limits and not self._late
        self._lockstep = plan.bench.pace == "lockstep"
        smoothing = 0 if experiment.predictor.source == "command" else Smoothing(experiment.predictor.measured_bandwidth, rate).lookahead
        self._behind = BEHIND * self._block + -(-smoothing // self._block) * self._block
        self._most = experiment.predictor.max_lag * rate + self._behind
        self._readers: dict[str, RingReader] = {}
        self._check: ChannelLimits | None = None
        self._recalled: Memory | None = None
        self._states: deque[tuple[int, str]] = deque([(0, "starting")])
        self._next = 0
        self._told = self._disarmed = self._buried = False
        self._writers = ["predictor", *(["estimator"] if "estimated" in self._streams else [])]
        self._lost = ""  # of which stream
        self._anew: list[tuple[Sequence[Trend], int]] = []
        self.units: dict[str, str] = {}

    def memory(self) -> Memory | None:
        """What another session of the test is to go on with; None while nothing has been predicted."""
        return self._recalled if self._check is None else self._check.memory()

    def recall(self, memory: Memory | None) -> None:
        """Go on with it, as soon as something is predicted."""
        self._recalled = memory

    def states(self) -> list[tuple[Trend, LearnedState]]:
        """Of each limit that judges by what it has learned, once something is predicted; none is armed where nothing more comes."""
        if self._check is None:
            return []
        return [(limit, replace(state, armed=state.armed and not self._disarmed)) for limit, state in self._check.states()]

    def learn_anew(self, limits: Sequence[Trend], sample: int) -> None:
        """See `DerivedLimits.learn_anew`; where nothing has been predicted yet, as soon as something is."""
        if self._check is not None:
            self._check.learn_anew(limits, sample)
        else:
            self._anew = [*self._anew, (limits, sample)]

    def take(self, end: int, state: str) -> tuple[list[Passed], str]:
        """The bench has measured up to sample `end`, in `state`. Returns the limits that newly predicted samples pass, and in words, once,
        that these limits act late, or none does any more."""
        if self._done:
            return [], ""
        if self._states[-1][1] != state:
            self._states.append((end - self._block, state))
        passed = self._checked(end) if self._open() else []
        if self._lost:
            self._disarmed = True
            return passed, f"samples of {self._lost} were overwritten: limits on {', '.join(self._names())} are not armed any more"
        if dead := next((name for name in self._writers if self._gone(name)), ""):
            # What it has left is still looked at; nothing more will come.
            told, self._buried = self._buried, True
            self._disarmed = self._disarmed or self._next + self._block > self._newest()
            return passed, "" if told else f"the {dead} is gone: limits on {', '.join(self._names())} are not armed any more"
        if end - self._next <= self._most:
            return passed, ""
        told, self._told = self._told, True
        self._disarmed = self._lockstep
        behind = (end - self._next) / self._rate
        what = "are not armed any more" if self._lockstep else "act as much later until it has come up"
        return passed, "" if told else f"the prediction is {behind:.3g} s behind: limits on {', '.join(self._names())} {what}"

    def _names(self) -> list[str]:
        return list(dict.fromkeys(limit.channel for limit in self._limits)) or [one.name for one in self._late]

    def _newest(self) -> int:
        """Sample up to which all streams have come."""
        return min((reader.head for reader in self._readers.values()), default=0)

    def _checked(self, end: int) -> list[Passed]:
        newest = self._newest()
        last = min(newest, end - self._behind) if self._lockstep else newest
        found: list[Passed] = []
        turns = 0
        while not self._done and self._next + self._block <= last and (self._lockstep or turns < AT_ONCE):
            found += self._one()
            turns += 1
        return found

    def _one(self) -> list[Passed]:
        """The next block of all streams."""
        values: dict[str, Block] = {}
        command = np.empty((0, 0))
        for stream, reader in self._readers.items():
            first, block = reader.read(self._block)
            if reader.lost or first != self._next or len(block) != self._block:
                self._done, self._lost = True, stream  # a gap: what has been kept from cycle to cycle holds no more
                return []
            if stream == "command":
                values["command"], command = block[:, 0], block
            else:
                before = PREDICTED if stream.startswith("predicted") else ""
                values |= {before + name: block[:, column] for column, name in enumerate(reader.names)}
        assert self._check is not None
        state = self._state(self._next)
        self._look_for_estimates(values)
        calculated, passed = self._check.check(self._next, values, command[:, PHASE], command[:, CYCLE], state, self._begun)
        self._next += self._block
        if self._ring is not None:
            self._ring.append(calculated[:, len(calculated.T) - len(self._late) :])
        return passed

    def _look_for_estimates(self, values: dict[str, Block]) -> None:
        """From which sample on there are some: none before the first cycle was estimated."""
        for name in [name for name, begun in self._begun.items() if begun is None]:
            known = np.flatnonzero(np.isfinite(values[name]))
            if len(known):
                self._begun[name] = self._next + int(known[0])

    def _state(self, sample: int) -> str:
        while len(self._states) > 1 and self._states[1][0] <= sample:
            self._states.popleft()
        return self._states[0][1]

    def _open(self) -> bool:
        """The predictor makes its rings when it has seen the bench's."""
        if self._check is not None:
            return True
        paths = self._plan.streams
        if not all(paths[name].exists() for name in self._streams):
            return False
        try:
            for name in self._streams:
                if name not in self._readers:
                    self._readers[name] = RingReader.open(paths[name], 0.0)
        except StaleStream:
            return False  # it is being made at this moment
        for name in self._streams[2:]:
            reader, before = self._readers[name], PREDICTED if name.startswith("predicted") else ""
            self.units |= {before + channel: unit for channel, unit in zip(reader.names, reader.units, strict=True)}
        self._begun = {name: None for name in self.units if name.startswith(ESTIMATED)}
        names = [*dict.fromkeys(["command", *self._readers["measured"].names, *self.units])]
        self._check = ChannelLimits(self._definitions, self._limits, names, self._rate, {}, {})
        if self._recalled is not None:
            self._check.recall(self._recalled)
        for limits, sample in self._anew:
            self._check.learn_anew(limits, sample)
        return True

    def close(self) -> None:
        """Let go of the rings."""
        for reader in self._readers.values():
            reader.close()
        self._readers.clear()
        self._done = True
