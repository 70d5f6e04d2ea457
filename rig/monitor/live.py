"""What a running test shows at this moment: read from its rings, which its processes do not notice."""

from __future__ import annotations

import contextlib
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.config.plan import Plan
from rig.errors import RigError
from rig.monitor.envelope import Floats, envelope
from rig.monitor.trend import Span, joined
from rig.recorder.last_samples import STREAMS, called, is_shown
from rig.streaming.ring import RingReader

WINDOW = 2.0  # s of the test in the picture of a signal whose cycles are not known; else CYCLES of them, WINDOW_MOST s at most
CYCLES, WINDOW_MOST = 3.0, 8.0
STRETCHES = 400
SPAN_MOST = 1.0  # s of the test that one look takes, the newest
CYCLE, CYCLE_MOST = 1.0, 60.0  # s that spans cover: a cycle, where that is known; part of one would look like a smaller amplitude
OF_MEASURED, OF_PREDICTED = "measured", "predicted_as_measured"


@dataclass(frozen=True)
class Picture:
    """Of one channel: times (s of the test), and per stream smallest and largest in each stretch."""

    times: tuple[float, ...]
    curves: dict[str, tuple[list[float | None], list[float | None]]]


class Live:
    """The rings of one run; they are opened as they appear."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._readers: dict[str, RingReader] = {}
        self._seen: dict[str, int] = {}
        trajectory = plan.experiment.trajectory
        frequency = getattr(trajectory, "frequency", None) if trajectory is not None else None
        period = 1.0 / frequency if isinstance(frequency, (int, float)) and frequency > 0.0 else None
        self._window = WINDOW if period is None else min(WINDOW_MOST, CYCLES * period)
        self._cycle = CYCLE if period is None else min(CYCLE_MOST, max(CYCLE, period))
        self._recent: deque[tuple[float, dict[str, Span]]] = deque()

    def spans(self) -> tuple[float | None, dict[str, Span]]:
        """(s of the test, smallest and largest of every channel in the last cycle, as far as it was looked at)."""
        at, found = self._new()
        if at is None:
            return None, {}
        self._recent.append((at, found))
        while self._recent[0][0] < at - self._cycle:
            self._recent.popleft()
        names = {name for _, spans in self._recent for name in spans}
        return at, {name: joined([spans[name] for _, spans in self._recent if name in spans]) for name in names}

    def _new(self) -> tuple[float | None, dict[str, Span]]:
        """The same since this was asked the last time, SPAN_MOST s at most."""
        found: dict[str, Span] = {}
        at = None
        for stream in STREAMS:
            if (reader := self._reader(stream)) is None:
                continue
            least = reader.head - max(1, round(SPAN_MOST * reader.rate))
            first, block = reader.since(max(self._seen.get(stream, 0), least))
            if not len(block):
                continue
            self._seen[stream] = first + len(block)
            if stream == OF_MEASURED and len(block):
                at = (first + len(block)) / reader.rate
            low, high = envelope(block, 1)
            for i, name in enumerate(reader.names if len(low) else ()):
                if is_shown(stream, name) and math.isfinite(low[0, i]) and math.isfinite(high[0, i]):
                    found[called(stream, name)] = float(low[0, i]), float(high[0, i])
        return at, found

    def picture(self, channel: str) -> Picture | None:
        """The newest course of a measured channel and of its prediction; None where there is none."""
        measured = self._reader(OF_MEASURED)
        name = channel if measured is not None and channel in measured.names else None
        if measured is None or name is None:
            return None
        predicted = self._reader(OF_PREDICTED)
        quantity = next((one.quantity for one in self._plan.bench.channels if one.name == name), name)
        wanted = round(self._window * measured.rate)
        end = measured.head
        both = predicted is not None and quantity in predicted.names
        if predicted is not None and both:
            end = min(end, predicted.head)
        first = max(0, end - wanted)
        curves = {OF_MEASURED: _part(measured, name, first, end)}
        if predicted is not None and both:
            curves["predicted"] = _part(predicted, quantity, first, end)
        begin = max(start for start, _ in curves.values())
        until = min(start + len(values) for start, values in curves.values())
        if until <= begin:
            return None
        drawn = {key: envelope(values[begin - start : until - start], STRETCHES) for key, (start, values) in curves.items()}
        points = len(next(iter(drawn.values()))[0])
        times = (begin + (np.arange(points) * (until - begin)) // max(1, points)) / measured.rate
        return Picture(tuple(times.tolist()), {key: (_plain(low), _plain(high)) for key, (low, high) in drawn.items()})

    def close(self) -> None:
        """Let go of the rings."""
        for reader in self._readers.values():
            reader.close()
        self._readers.clear()

    def _reader(self, stream: str) -> RingReader | None:
        if stream not in self._readers and self._plan.streams[stream].exists():
            with contextlib.suppress(RigError, OSError):  # its writer is making it at this moment
                self._readers[stream] = RingReader.open(self._plan.streams[stream], timeout_s=0.0)
        return self._readers.get(stream)


def _part(reader: RingReader, name: str, first: int, end: int) -> tuple[int, Floats]:
    """(n of its first, samples) of first .. end - 1, as far as they are there."""
    start, block = reader.since(first, [reader.names.index(name)])
    return start, block[: max(0, end - start), 0]


def _plain(values: Sequence[float] | Floats) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in np.asarray(values).tolist()]
