"""Where a running test is, for `rig status` and whoever reads it: values from the rings, limits from the experiment."""

from __future__ import annotations

import contextlib
import getpass
import math
import shutil
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np

from rig.config.plan import Plan
from rig.errors import RigError
from rig.signals.summary_statistics import Statistics, statistics
from rig.streaming.ring import RingReader
from rig.trajectory import create
from rig.workers.messages import EventMessage, Report, recorded

LAGS = 600  # of the newest looks at the lag
EVENTS = 50  # that are told, the newest
STREAMS = ("command", "measured", "predicted_as_measured")


class Value(TypedDict):
    """One channel: its newest value and its limits."""

    unit: str
    value: float | None
    low: float | None
    high: float | None


class LiveStatus:
    """`operator` is who runs the test."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._readers: dict[str, RingReader] = {}
        self._lags: deque[float] = deque(maxlen=LAGS)
        self.operator = getpass.getuser()
        trajectory = plan.experiment.trajectory
        self._cycles = None if trajectory is None else create(trajectory).cycles

    def note_lag(self, lag: float | None) -> None:
        """The newest lag of the prediction, s."""
        if lag is not None:
            self._lags.append(lag)

    def fields(self, state: str, bench: Report, recorder: Report, events: Sequence[EventMessage]) -> dict[str, object]:
        """As `rig status --json` has them."""
        sample, rate = bench.get("sample"), bench.get("rate")
        cycle = bench.get("cycle", -1.0)
        return {
            "run": self._plan.run, "state": state, "sample": sample,
            "time_s": sample / rate if sample is not None and rate else None,
            "cycle": int(cycle) if cycle >= 0.0 else None, "cycles_total": self._cycles,
            "block": next((one["text"] for one in reversed(events) if one["kind"] == "block"), None),
            "phase": bench.get("phase"), "held_s": bench.get("held_s", 0.0), "operator": self.operator,
            "channels": self._channels(), "lag_s": self._lag(), "disk": self._disk(bench, recorder),
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
            _, block = reader.latest(1)
            for name, unit, value in zip(reader.names, reader.units, block[-1].tolist() if len(block) else [], strict=False):
                called = {"command": "command" if name == "value" else f"command.{name}", "measured": name}.get(stream, f"predicted.{name}")
                low, high = self._bounds(called)
                found[called] = {"unit": unit, "value": value if math.isfinite(value) else None, "low": low, "high": high}
        return found

    def _bounds(self, name: str) -> tuple[float | None, float | None]:
        """The narrowest limits on a channel."""
        limits = [limit for limit in self._plan.experiment.limits if limit.channel == name]
        low = [limit.minimum for limit in limits if limit.minimum is not None]
        high = [limit.maximum for limit in limits if limit.maximum is not None]
        return max(low, default=None), min(high, default=None)

    def _reader(self, stream: str) -> RingReader | None:
        if stream not in self._readers:
            path = self._plan.streams[stream]
            if not path.exists():
                return None
            with contextlib.suppress(RigError, OSError):  # its writer is making it at this moment
                self._readers[stream] = RingReader.open(path, timeout_s=0.0)
        return self._readers.get(stream)

    def _disk(self, bench: Report, recorder: Report) -> dict[str, float | None]:
        return {"free_bytes": free_bytes(self._plan.run_dir), "needed_bytes": needed_bytes(bench, recorder)}


def free_bytes(folder: Path) -> int | None:
    """On the disk of a folder; None where the folder is gone."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def needed_bytes(bench: Report, recorder: Report) -> float | None:
    """That the rest of the test will take, as it has done so far; None while nothing tells."""
    sample, end, size = bench.get("sample"), bench.get("end", 0), recorder.get("bytes", 0)
    if not sample or not size:
        return None
    return float(np.ceil(size / sample * max(end - sample, 0)))
