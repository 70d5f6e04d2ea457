"""Taking a zero: is the reading small and steady enough, and the file that keeps it."""

from __future__ import annotations

import datetime
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.config import tares
from rig.config.bench import InputChannel, Tare
from rig.config.counter import KINDS
from rig.config.tares import TareRecord
from rig.hardware.shown_units import Shown
from rig.host.user import user_name


@dataclass(frozen=True)
class Reading:
    """One channel at rest, gross, in its own unit: mean, standard deviation, and what the mean moved between the two halves."""

    mean: float
    sd: float
    drift: float
    samples: int
    duration: float

    @classmethod
    def average(cls, values: NDArray[np.float64], duration: float) -> Reading:
        """Of samples (n,) taken over `duration` s."""
        half = len(values) // 2
        return cls(
            float(values.mean()), float(values.std(ddof=1)), float(values[half:].mean() - values[:half].mean()), len(values), duration
        )


def unfit(channel: InputChannel) -> str | None:
    """Why no tare can be taken of a channel at all, in words."""
    if channel.kind in KINDS:
        return f"{channel.name}: counted from the start of a test on, it begins at counter.initial; there is nothing to tare"
    if channel.sensor.capacity is None:
        return f"{channel.name}: its sensor's record has no capacity, so the share of it cannot be told; enter sensor.capacity"
    if channel.sensor.coupling is not None:
        return f"{channel.name}: AC coupled, it shows 0 whatever stands; there is nothing to tare"
    return None


def refused(channel: InputChannel, reading: Reading, rules: Tare, unit: Shown) -> str | None:
    """Why this reading is no zero, in words and in `unit`: too large a share of capacity, out of range, or not steady."""
    capacity = channel.sensor.capacity
    assert capacity is not None
    if not np.isfinite(reading.mean):
        return f"{channel.name}: reads {unit.text(reading.mean)}; look at the wiring"
    if abs(reading.mean) > rules.limit * capacity:
        share = abs(reading.mean) / capacity
        return (
            f"{channel.name}: reads {unit.text(reading.mean)}, {share:.1%} of its capacity of {unit.text(capacity)}; "
            f"at most {rules.limit:.1%} may be tared away (tare.limit). Take the load off, or look at sensor and conditioner"
        )
    allowed = rules.steady * capacity
    for word, value in (("scatters by", reading.sd), ("drifts by", abs(reading.drift))):
        if value > allowed:
            return (
                f"{channel.name}: {word} {unit.text(value, 4)} within {reading.duration:g} s, {value / capacity:.2%} of capacity; "
                f"expected at most {unit.text(allowed, 4)} (tare.steady). Wait until it stands still"
            )
    return None


def author(given: str | None) -> str:
    """Who takes the tare: as given, else whoever is logged in."""
    return given or user_name()


def entry(channel: InputChannel, reading: Reading, by: str, now: datetime.datetime) -> TareRecord:
    """What the file says of one tare."""
    return {
        "tare": reading.mean, "unit": channel.unit, "sd": reading.sd, "drift": reading.drift, "samples": reading.samples,
        "duration_s": reading.duration, "time": now.isoformat(timespec="seconds"), "by": by, "host": platform.node(),
        "of": tares.identity(channel),
    }  # fmt: skip


def keep(bench_path: Path, taken: Mapping[str, TareRecord], cleared: Iterable[str], by: str, now: datetime.datetime) -> Path:
    """Put tares into the bench's file, take others out, and add both to its history; returns the file."""
    told = tares.read(bench_path)
    gone = [name for name in cleared if told["channels"].pop(name, None) is not None]
    told["channels"] |= taken
    line: dict[str, Json] = {"time": now.isoformat(timespec="seconds"), "by": by, "host": platform.node()}
    told["history"] += [{**line, "action": "tare", "channel": name, "tare": one["tare"], "sd": one["sd"]} for name, one in taken.items()]
    told["history"] += [{**line, "action": "clear", "channel": name} for name in gone]
    path = tares.tare_path(bench_path)
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(told, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    new.replace(path)
    return path
