"""How many cycles of a test that was broken off were run, by what its record holds, and by how many that may be wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import h5py
import numpy as np
from numpy.typing import NDArray

from rig.errors import ConfigError
from rig.recorder.cycles.layout import WHOLE
from rig.recorder.folders import RECORD

LOOK_BACK = 2**16  # samples that are read at once
TURN = 2.0 * math.pi
LAST_ROWS = 5  # of a table of cycles: one with a hold in it tells no step
NEAR = 1e-3  # of a sample: rounding

Column: TypeAlias = "h5py.Dataset | NDArray[np.float64]"


@dataclass(frozen=True)
class Place:
    """sample: the last one that was commanded and measured; cycle: the last one of the trajectory that was counted by then (None: none
    was begun); left: share of that cycle that was to come; repeated: cycles that the command has counted beyond those of the trajectory.
    """

    sample: int
    cycle: int | None
    left: float
    rate: float
    repeated: int = 0
    exact: bool = True
    """Whether nothing was acquired behind that sample, but for what was on its way to the record."""

    @property
    def whole(self) -> int:
        """Cycles that were run from beginning to end."""
        return 0 if self.cycle is None else self.cycle + (self.left == 0.0)


def last_place(folder: Path, end_of: Callable[[int], float]) -> Place:
    """Where the record ends. end_of: phase (rad) at which a cycle ends. Raises ConfigError for a record without commanded cycles."""
    with h5py.File(folder / RECORD, "r", locking="best-effort") as file:
        entry = file["entry"]
        if "command" not in entry or "cycle" not in entry["command"]:
            raise ConfigError(f"{folder}: nothing of its test is recorded, so there is nothing to go on with; begin it anew with rig run")
        cycle, phase = entry["command/cycle"], entry["command/phase"]
        rate = float(cycle.attrs["rate"])
        tabled = _tabled(entry, rate, end_of)
        end = _recorded(entry)
        if tabled is not None and tabled.sample >= end:  # not all samples are kept
            return tabled
        found = place_in(cycle, phase, entry["command"].get("repeated"), end, rate, end_of)
        return replace(found, exact=entry.attrs.get("samples", "all") == "all")


def place_in(cycle: Column, phase: Column, repeated: Column | None, end: int, rate: float, end_of: Callable[[int], float]) -> Place:
    """Where the command was at sample `end` - 1, by its columns (N,) at `rate` (Hz). end_of: see `last_place`."""
    number, at = _last_counted(cycle, end)
    if number is None:
        return Place(end - 1, None, 1.0, rate)
    more = 0 if repeated is None else int(repeated[at])
    left = _left(cycle, phase, number, at, end_of(number - more) + more * TURN)
    return Place(end - 1, number - more, left, rate, more)


def _tabled(entry: h5py.Group, rate: float, end_of: Callable[[int], float]) -> Place | None:
    """Where the table of cycles ends: a row is there once its cycle is over, also of cycles whose samples are not kept."""
    tables = entry.get("cycles", {})
    if not all(name in tables and len(tables[name]) for name in ("command", "measured")):
        return None
    rows = tables["command"][-LAST_ROWS:]
    row = rows[rows["first_sample"] <= tables["measured"][-1]["first_sample"]][-1]
    steps = (rows["phase_max"] - rows["phase_min"]) / np.maximum(rows["count"] - 1, 1)
    number = int(row["cycle"])
    more = int(row["repeated_max"]) if "repeated_max" in (rows.dtype.names or ()) else 0
    left = (end_of(number - more) + more * TURN - float(row["phase_max"]) - float(steps.max())) / TURN
    whole = bool(row[WHOLE]) if WHOLE in (rows.dtype.names or ()) else left <= NEAR * float(steps.max()) / TURN
    left = 0.0 if whole else min(max(left, NEAR), 1.0)
    return Place(int(row["first_sample"] + row["count"]) - 1, number - more, left, rate, more, False)


def uncertainty(place: Place, period: float, blind: float) -> int:
    """Cycles, each `period` s long, that may have been run to their end in the `blind` s behind the last sample that is recorded."""
    if place.cycle is None or not period > 0.0 or not blind > 0.0:
        return 0
    more, left = blind / period, (place.left or 1.0) if place.exact else 0.0
    return math.floor(more - left) + 1 if more >= left else 0


def _recorded(entry: h5py.Group) -> int:
    """n behind the last sample that was both commanded and measured."""
    ends = [_end(next(iter(entry[name].values()))) for name in ("command", "measured") if name in entry]
    return min(ends)


def _end(data: h5py.Dataset) -> int:
    """n behind the last sample that is a number."""
    end = len(data)
    while end:
        first = max(0, end - LOOK_BACK)
        there = np.flatnonzero(np.isfinite(data[first:end]))
        if len(there):
            return first + int(there[-1]) + 1
        end = first
    return 0


def _last_counted(cycle: Column, end: int) -> tuple[int | None, int]:
    """(the last cycle that was counted before sample `end`, its last sample)."""
    while end:
        first = max(0, end - LOOK_BACK)
        part = cycle[first:end]
        counted = np.flatnonzero(np.nan_to_num(part, nan=-1.0) >= 0.0)
        if len(counted):
            at = int(counted[-1])
            return int(part[at]), first + at
        end = first
    return None, 0


def _left(cycle: Column, phase: Column, number: int, at: int, end: float) -> float:
    """Share of cycle `number` that was to come behind sample `at`, by the phase at which it ends; 1 where no phase goes on."""
    begin = _begin(cycle, number, at)
    if at == begin:
        return 1.0
    first, before, last = (float(phase[n]) for n in (begin, at - 1, at))
    step = max(last - before, (last - first) / (at - begin))
    left = (end - last - step) / TURN  # the next sample would have been of the next cycle
    return 0.0 if left <= NEAR * step else min(left, 1.0)


def _begin(cycle: Column, number: int, at: int) -> int:
    """The first sample of the cycle that sample `at` is in, without a break."""
    end = at + 1
    while end:
        first = max(0, end - LOOK_BACK)
        other = np.flatnonzero(~(cycle[first:end] == number))
        if len(other):
            return first + int(other[-1]) + 1
        end = first
    return 0
