"""A channel of a record as it rings down behind a tap: from when to when, and what was found, for JSON and for a person."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.errors import ConfigError
from rig.identification.ring_down import Mode, RingDown, ring_down
from rig.recorder.folders import RECORD
from rig.recorder.reading import read_run
from rig.report.table import aligned
from rig.signals.engineering_units import shown

Floats = NDArray[np.float64]

BLOCKS = 100
"""Parts of what lies behind the tap in which it is looked at whether anything rings still."""
STILL = 2.0
"""Times the rms of the last tenth, above which something does."""
MOST = 500_000
"""Samples that are fitted."""


@dataclass(frozen=True)
class Tapped:
    """x: (N,) samples of the channel from `begin` (s of the record) on, in `unit`."""

    run: str
    channel: str
    unit: str
    rate: float
    begin: float
    x: Floats
    found: RingDown

    @property
    def end(self) -> float:
        """s of the record."""
        return self.begin + (len(self.x) - 1) / self.rate

    def to_json(self) -> dict[str, Json]:
        """SI units."""
        found, parts = self.found, {"begin": self.found.begin, "rest": self.found.rest}
        return {
            "run": self.run, "channel": self.channel, "unit": self.unit, "from_s": self.begin, "to_s": self.end,
            "modes": [_json(one) for one in found.modes], "offset": found.offset, "left_rms": found.left,
            "lacks_a_mode": found.lacks_a_mode, "changes": found.changes,
            **{f"largest_{name}": None if one is None else _json(one) for name, one in parts.items()},
        }  # fmt: skip

    def text(self) -> str:
        """A table of the modes, and what there is to say of them."""
        unit, factor = shown(self.unit)
        rows = [
            (f"{one.frequency:.5g} Hz", _between(one.frequency_interval, 1.0, "Hz"), f"{100.0 * one.damping:.4g} %",
             _between(one.damping_interval, 100.0, "%"), f"{factor * one.amplitude:.4g} {unit}")
            for one in self.found.modes
        ]  # fmt: skip
        table = aligned([("frequency", "95 % interval", "damping", "95 % interval", f"amplitude at {self.begin:.4g} s"), *rows], 0)
        said = f"{self.channel} from {self.begin:.4g} to {self.end:.4g} s of {self.run}; left: {factor * self.found.left:.3g} {unit} rms"
        return "\n\n".join([table, "\n".join([said, *self._doubts()])])

    def _doubts(self) -> list[str]:
        begin, rest = self.found.begin, self.found.rest
        if self.found.lacks_a_mode:
            more = len(self.found.modes) + 1
            return [f"what is left dies away as well: more rings than that; try --modes {more}, or begin later (--from)"]
        if not self.found.changes or begin is None or rest is None:
            return []
        first, then = (f"{one.frequency:.5g} Hz, {100.0 * one.damping:.3g} %" for one in (begin, rest))
        return [
            f"it does not ring as one sine that dies away: {first} while it loses its first half, {then} behind that; its intervals do not "
            "hold. Dry friction or play do that; so does a second mode nearby (--modes), or something that acts on it still (--from)"
        ]


def tapped(folder: Path, channel: str, begin: float | None, end: float | None, modes: int) -> Tapped:
    """Of a measured channel, from `begin` to `end` (s of the record; None: from its largest sample on, until nothing rings any more).
    Raises ConfigError."""
    record = read_run(folder / RECORD)
    x = np.asarray(record.channel("measured", channel), dtype=np.float64)
    rate, origin = record.rate, record.first_sample / record.rate
    first = 0 if begin is None else math.ceil((begin - origin) * rate - 1e-6)
    last = len(x) if end is None else math.floor((end - origin) * rate + 1e-6) + 1
    where = f"{folder}: {channel}"
    if not 0 <= first < last <= len(x):
        asked = f"{origin if begin is None else begin:g} to {origin + (len(x) - 1) / rate if end is None else end:g} s"
        raise ConfigError(f"{where}: expected a window within {origin:g} to {origin + (len(x) - 1) / rate:g} s, got {asked}")
    first, last = _window(x, first, last, begin is None, end is None)
    if last - first > MOST:
        raise ConfigError(f"{where}: {last - first} samples are too many to fit at once; expected {MOST} at the most: give --from and --to")
    try:
        found = ring_down(x[first:last], rate, modes)
    except ValueError as error:
        raise ConfigError(f"{where} from {origin + first / rate:.4g} to {origin + (last - 1) / rate:.4g} s: {error}") from error
    return Tapped(folder.resolve().name, channel, record.units["measured"][channel], rate, origin + first / rate, x[first:last], found)


def _window(x: Floats, first: int, last: int, find_begin: bool, find_end: bool) -> tuple[int, int]:
    """From behind the largest sample on, until what is left is as small as in the last tenth."""
    part = x[first:last]
    if not np.isfinite(part).any():
        return first, last
    tail = part[-max(len(part) // 10, 1) :]
    away = np.abs(part - np.nanmean(tail)) if np.isfinite(tail).any() else np.abs(part)
    if find_begin:
        first += int(np.nanargmax(away))
        away = away[int(np.nanargmax(away)) :]
    if find_end and len(away) >= 2 * BLOCKS:
        length = len(away) // BLOCKS
        rms = np.sqrt(np.nanmean(away[: length * BLOCKS].reshape(BLOCKS, length) ** 2, axis=1))
        rings = np.flatnonzero(rms > STILL * float(np.median(rms[-BLOCKS // 10 :])))
        last = first + length * (int(rings[-1]) + 1 if len(rings) else BLOCKS)
    return first, last


def _json(mode: Mode) -> dict[str, Json]:
    return {
        "frequency_hz": mode.frequency, "frequency_interval_hz": list(mode.frequency_interval), "damping": mode.damping,
        "damping_interval": list(mode.damping_interval), "amplitude": mode.amplitude,
    }  # fmt: skip


def _between(interval: tuple[float, float], factor: float, unit: str) -> str:
    low, high = (factor * one for one in interval)
    return f"{low:.5g} to {high:.5g} {unit}"
