"""How the model moves, from what a source has of it: the motion that is drawn in the window, live and of a record by the same lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rig.config.plan import Plan
from rig.display.sources.source import Floats, Source, Trace
from rig.errors import ConfigError
from rig.motion.drawing import Drawing, drawing
from rig.motion.parts import Motion
from rig.motion.traced import Traced

STREAM = "motion"
SAMPLE = "sample"
LONGEST = 2**17
"""Samples at one time: of a record they are read from its file."""
MOST = 6000
"""Moments of one picture."""


class Moving:
    """Motions of one mechanism; `measured`: channels of the bench by the quantity that they show."""

    def __init__(self, drawn: Drawing, measured: dict[str, str]) -> None:
        self._drawn = drawn
        self._predicted = {name: Trace("predicted", name) for name in drawn.channels}
        told = {name: Trace("measured", measured[name]) for name in drawn.channels if name in measured}
        self._measured = told if drawn.channels and len(told) == len(drawn.channels) and drawn.coordinates is None else {}

    @property
    def mechanism(self) -> object:
        """Its keys."""
        return self._drawn.mechanism

    @property
    def traces(self) -> tuple[Trace, ...]:
        """What it asks a source for."""
        return (*self._predicted.values(), *self._measured.values())

    def motion(self, source: Source, first: int, last: int) -> Motion | None:
        """Of samples first .. last - 1, or of what is known of them; None where nothing is."""
        traced = self._told(source, self._predicted, first, last) if self._drawn.coordinates is None else self._looked(source, first, last)
        return None if traced is None else self._drawn.motion(traced)

    def as_measured(self, source: Source, now: int) -> Motion | None:
        """Where the bodies were measured last before sample `now`; None on a bench that does not measure it all."""
        traced = self._told(source, self._measured, now - round(0.05 * source.rate), now) if self._measured else None
        return None if traced is None else self._drawn.motion(traced)

    def _told(self, source: Source, traces: dict[str, Trace], first: int, last: int) -> Traced | None:
        """Where channels say it all."""
        begin, columns = _common(source, tuple(traces.values()), max(first, last - LONGEST), last)
        step = max(1, len(columns) // MOST)
        columns = columns[(len(columns) - 1) % step :: step] if len(columns) else columns  # the newest is among them
        there = np.flatnonzero(np.isfinite(columns).all(axis=1))
        if not len(there):
            return None
        newest = begin + (len(columns) - 1) * step
        time = (newest - (len(columns) - 1 - there) * step) / source.rate
        return Traced(time, dict(zip(traces, columns[there].T, strict=True)), np.empty((len(there), 0)))

    def _looked(self, source: Source, first: int, last: int) -> Traced | None:
        """Where the predictor looks at the model's state beside its channels."""
        begin, columns = _common(source, tuple(self._predicted.values()), max(first, last - LONGEST), last)
        if self._predicted:
            first, last = begin, begin + len(columns)
        names, rows = source.rows(STREAM, first, last - 1)
        rows = rows[:: max(1, len(rows) // MOST)]
        if not len(rows):
            return None
        sample = rows[:, names.index(SAMPLE)]
        channels = {
            name: np.interp(sample, np.arange(first, last), column) for name, column in zip(self._predicted, columns.T, strict=True)
        }
        state = rows[:, [names.index(name) for name, _ in self._drawn.coordinates or ()]]
        return Traced(np.asarray(sample / source.rate, dtype=np.float64), channels, np.asarray(state, dtype=np.float64))


def _common(source: Source, traces: tuple[Trace, ...], first: int, last: int) -> tuple[int, Floats]:
    """(n of the first, (k, traces)) of what all of them have."""
    if not traces:
        return first, np.empty((0, 0))
    pieces = [source.samples(trace, max(0, first), last) for trace in traces]
    begin = max(first for first, _ in pieces)
    end = min(first + len(values) for first, values in pieces)
    if end <= begin:
        return begin, np.empty((0, len(traces)))
    return begin, np.stack([values[begin - first : end - first] for first, values in pieces], axis=1)


def moving(folder: Path | None, measured: dict[str, str]) -> Moving:
    """Of the run in this folder. Raises ConfigError where no motion of it is drawn."""
    if folder is None or not (folder / "plan.json").is_file():
        raise ConfigError("beside this record there is no plan.json, which tells what was tested")
    return Moving(drawing(Plan.read(folder, "motion").experiment.mechanism), measured)
