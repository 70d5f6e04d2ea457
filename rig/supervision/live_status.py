"""Where a running test is, for `rig status` and whoever reads it: values from the rings, limits from the experiment."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TypedDict

from rig.config.plan import Plan
from rig.errors import RigError
from rig.host.user import user_name
from rig.recorder.last_samples import STREAMS, called, is_shown, newest, rows_of
from rig.signals.summary_statistics import Statistics, statistics
from rig.streaming.ring import RingReader
from rig.supervision.disk_forecast import Room
from rig.supervision.limit_status import LimitStatus
from rig.trajectory import create
from rig.workers.messages import EventMessage, Report, recorded

LAGS = 600  # of the newest looks at the lag
EVENTS = 50  # that are told, the newest


class Value(TypedDict):
    """One channel: its newest value and its limits."""

    unit: str
    value: float | None
    low: float | None
    high: float | None


class LiveStatus:
    """`operator` is who runs the test; `limits` hears its events."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._readers: dict[str, RingReader] = {}
        self._lags: deque[float] = deque(maxlen=LAGS)
        self.operator, self.limits = user_name(), LimitStatus(plan)
        trajectory = plan.experiment.trajectory
        self._cycles = None if trajectory is None else create(trajectory).cycles

    def note_lag(self, lag: float | None) -> None:
        """The newest lag of the prediction, s."""
        if lag is not None:
            self._lags.append(lag)

    def fields(self, state: str, bench: Report, room: Room | None, events: Sequence[EventMessage]) -> dict[str, object]:
        """As `rig status --json` has them."""
        ours, rate, session = bench.get("sample"), bench.get("rate"), self._plan.resumption.session if self._plan.resumption else 1
        sample = None if ours is None else ours + self._plan.first_sample
        cycle = bench.get("cycle", -1.0)
        return {
            "run": self._plan.run, "state": state, "sample": sample,
            "time_s": sample / rate if sample is not None and rate else None,
            "session": session, "session_time_s": ours / rate if ours is not None and rate else None,
            "cycle": int(cycle) if cycle >= 0.0 else None,
            "cycles_total": None if self._cycles is None else self._cycles + bench.get("repeated", 0),
            "block": next((one["text"] for one in reversed(events) if one["kind"] == "block"), None),
            "phase": bench.get("phase"), "held_s": bench.get("held_s", 0.0), "operator": self.operator,
            "channels": self._channels(), **self.limits.fields(bench.get("learned", [])),
            "lag_s": self._lag(), "disk": room or {"free_bytes": None, "needed_bytes": None},
            "events": [recorded(event) for event in events[-EVENTS:]],
        }  # fmt: skip

    def close(self) -> None:
        """Let go of the rings."""
        for reader in self._readers.values():
            reader.close()
        self._readers.clear()

    def _lag(self) -> Statistics:
        return statistics(list(self._lags))

    def _channels(self) -> Mapping[str, Value]:
        found: dict[str, Value] = {}
        for stream in STREAMS:
            reader = self._reader(stream)
            if reader is None or not reader.head:
                continue
            _, block = reader.latest(rows_of(stream))
            for name, unit, column in zip(reader.names, reader.units, block.T, strict=True):
                if not is_shown(stream, name):
                    continue
                channel, value = called(stream, name), newest(column)
                low, high = bounds(self._plan, channel)
                found[channel] = {"unit": unit, "value": value, "low": low, "high": high}
        return found

    def _reader(self, stream: str) -> RingReader | None:
        if stream not in self._readers:
            path = self._plan.streams[stream]
            if not path.exists():
                return None
            with contextlib.suppress(RigError, OSError):  # its writer is making it at this moment
                self._readers[stream] = RingReader.open(path, timeout_s=0.0)
        return self._readers.get(stream)


def bounds(plan: Plan, channel: str) -> tuple[float | None, float | None]:
    """The narrowest limits on the value of a channel."""
    limits = [limit for limit in plan.experiment.limits if limit.channel == channel]
    low = [limit.minimum for limit in limits if limit.minimum is not None]
    high = [limit.maximum for limit in limits if limit.maximum is not None]
    return max(low, default=None), min(high, default=None)
