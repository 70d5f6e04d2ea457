"""What outputs have put out, sample by sample, for whoever asserts it: of the terminals that were named, and no more than was asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.edges import TimeSlice
from drivers.simulated.daqmx.core.instants import Times

MOST = 1_000_000
"""Samples that are kept of a terminal unless it is told otherwise: 16 MB."""
Values = NDArray[np.float64] | NDArray[np.bool_]


@dataclass(frozen=True)
class Written:
    """What left an output: `values` (n,) at device `times` (n,) in s, oldest first. V of an analogue output (A of a current output), the
    state of a line; of a counter the level after each edge. `lost`: how many older ones have fallen off."""

    times: Times
    values: Values
    lost: int = 0

    def at(self, times: object) -> Values:
        """What the output held at `times` (k,) in s. Raises ValueError before the first sample that is there."""
        asked = np.atleast_1d(np.asarray(times, dtype=np.float64))
        if not len(self.times) or (len(asked) and asked.min() < self.times[0]):
            begins = f"the first sample is at {self.times[0]:.9g} s" if len(self.times) else "nothing was written"
            raise ValueError(f"asked for the output at {asked.min():.9g} s, {begins}")
        return self.values[np.searchsorted(self.times, asked, "right") - 1]


@dataclass
class _Track:
    most: int
    parts: deque[tuple[Times, Values]] = field(default_factory=deque)
    count: int = 0
    kept: int = 0

    def take(self, times: Times, values: Values) -> None:
        if not len(times):
            return
        self.parts.append((times[-self.most :], values[-self.most :]))
        self.count += len(times)
        self.kept += len(self.parts[-1][0])
        while self.kept - len(self.parts[0][0]) >= self.most:
            self.kept -= len(self.parts.popleft()[0])

    def written(self) -> Written:
        times = np.concatenate([np.empty(0), *(part for part, _ in self.parts)])[-self.most :]
        values = np.concatenate([part for _, part in self.parts])[-self.most :] if self.parts else np.empty(0)
        return Written(times, values, self.count - len(times))


class Recorder:
    """Terminals that are recorded: outputs and lines by their samples, `edges` of counters and other signals by theirs."""

    def __init__(self) -> None:
        self._tracks: dict[str, _Track] = {}
        self._edges: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self._tracks)

    def record(self, name: str, most: int, signal: str = "") -> None:
        """Record a terminal from now on; `signal`: the one whose edges are recorded, where it has no samples."""
        self._tracks[name] = _Track(most)
        self._edges.pop(name, None)
        if signal:
            self._edges[name] = signal

    def written(self, name: str) -> Written | None:
        """None for a terminal that is not recorded."""
        track = self._tracks.get(name)
        return None if track is None else track.written()

    def take(self, piece: TimeSlice) -> None:
        """What has gone out in a piece of time, and its edges."""
        for name, values, at in (*piece.levels, *piece.states):
            if name in self._tracks:
                self._tracks[name].take(at, np.array(values))  # a copy: it may be a view of much more
        if piece.point:
            return
        for name, signal in self._edges.items():
            edges = piece.edges(signal)
            if not edges.steady:
                times = np.concatenate((edges.rises, edges.falls))
                order = np.argsort(times, kind="stable")
                self._tracks[name].take(times[order], order < len(edges.rises))

    def put(self, time: float, states: Mapping[str, float]) -> None:
        """Outputs that take a value at an instant, by software."""
        for name in self._tracks.keys() & states.keys():
            self._tracks[name].take(np.array([time]), np.array([states[name]]))
