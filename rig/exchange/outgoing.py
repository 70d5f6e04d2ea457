"""What of a record goes into a file: which channels, from when to when, at which rate, and what is known of them."""

from __future__ import annotations

import datetime
import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison.series import Window
from rig.errors import ConfigError
from rig.exchange.course import course
from rig.exchange.series import Held
from rig.formats.event_documents import stored
from rig.formats.table import Column, Stored, Table, Values
from rig.playback.resampling import Resampled
from rig.recorder.description import Gap
from rig.recorder.opening import open_record
from rig.recorder.parts import TIME, need_parts
from rig.recorder.reading import STREAMS, RunData

FILTERED_OF_COMMAND = ("value",)
"""Phase and cycle of the command run back at the end of a cycle: between two samples there is no value of theirs."""
SENSOR = ("serial", "model", "sensitivity", "offset", "tare", "calibrated", "expires", "expired", "certificate", "laboratory",
          "uncertainty", "zero_uncertainty", "accuracy_class", "capacity", "bandwidth", "coupling", "delay", "range",
          "terminal")  # fmt: skip
"""Keys of a sensor's record that go along."""


@dataclass(frozen=True)
class Wanted:
    """channels: names, or streams with names as measured/stroke; empty: all. Times in s of the record, rate in Hz; None: as it is."""

    channels: tuple[str, ...] = ()
    begin: float | None = None
    until: float | None = None
    rate: float | None = None


def table(run: RunData, wanted: Wanted) -> tuple[Table, list[str]]:
    """What is to be written, and what is to be said of it. Raises ConfigError for a channel, a time or a rate that there is not."""
    first, end = _rows(run, wanted)
    rate = _rate(run, wanted.rate)
    columns = [_column(run, stream, name, first, end, rate) for stream, name in _chosen(run, wanted.channels)]
    gaps = _gaps(run, first, end)
    rows: list[dict[str, Json]] = [{"stream": one.stream, "first": one.first, "count": one.count, "reason": one.reason} for one in gaps]
    about = {**_about(run), "samples": f"{run.first_sample + first} to {run.first_sample + end - 1}", "gaps": rows}
    if rate != run.rate:
        about |= {"record_rate_hz": run.rate, "filter": Resampled(np.empty(0), run.rate, rate).words}
    whole = (first, end, rate) == (0, run.samples, run.rate)
    places = _stored(run, columns) if whole else {}
    found = Table(columns, rate, len(columns[0].values), started(run), (run.first_sample + first) / run.rate, about, places, course(run))
    said = [f"{gap.stream}: samples {gap.first} to {gap.first + gap.count - 1} are missing ({gap.reason})" for gap in gaps]
    if rate > run.rate:
        said.append(f"--rate {rate:g}: above the record's {run.rate:.10g} Hz; samples between are computed, nothing is added")
    return found, said


def _stored(run: RunData, columns: Sequence[Column]) -> dict[str, Stored]:
    """Where the rows of each column, and their times, stand in the record as they are; empty where one of them is shorter there."""
    with open_record(run.path) as file:
        found = {label: stored(file, f"/entry/{label}", run.samples) for label in (TIME, *(column.label for column in columns))}
    return {label: place for label, place in found.items() if place} if all(found.values()) else {}


def started(run: RunData) -> datetime.datetime:
    """When the record began, with its zone. Raises ConfigError for a record that does not say it."""
    text = str(run.attributes.get("started", ""))
    try:
        found = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"{run.path}: /entry@started is {text!r}, expected a date and time with its zone") from None
    return found if found.tzinfo else found.replace(tzinfo=datetime.UTC)


def _rows(run: RunData, wanted: Wanted) -> tuple[int, int]:
    """(first, behind the last) row of the window."""
    last = (run.first_sample + run.samples) / run.rate
    for flag, at in (("--from", wanted.begin), ("--until", wanted.until)):
        if at is not None and not 0.0 <= at <= last + 1.0 / run.rate:
            raise ConfigError(f"{flag} {at:g}: the record lasts {last:.6g} s; expected a time from 0 to that")
    first = 0 if wanted.begin is None else max(0, math.ceil(wanted.begin * run.rate - 1e-6) - run.first_sample)
    end = run.samples if wanted.until is None else min(run.samples, math.floor(wanted.until * run.rate + 1e-6) + 1 - run.first_sample)
    if end - first < 2:
        raise ConfigError(
            f"--from {wanted.begin or 0.0:g} --until {last if wanted.until is None else wanted.until:g}: no two samples there"
        )
    return first, end


def _rate(run: RunData, rate: float | None) -> float:
    if rate is None:
        return run.rate
    if not 0.0 < rate < math.inf:
        raise ConfigError(f"--rate {rate:g}: expected a rate above 0 Hz")
    return rate


def _chosen(run: RunData, names: Sequence[str]) -> list[tuple[str, str]]:
    """(stream, channel), in the record's order. Raises ConfigError for a name that there is not."""
    there = [(stream, name) for stream in STREAMS if stream in run.streams for name in run.streams[stream]]
    if not there:
        raise ConfigError(f"{run.path}: there are no samples in it")
    if unknown := [one for one in names if not any(one in (name, f"{stream}/{name}", stream) for stream, name in there)]:
        known = ", ".join(f"{stream}/{name}" for stream, name in there)
        raise ConfigError(f"--channels {unknown[0]}: no such channel; there are {known}")
    return [(stream, name) for stream, name in there if not names or {name, f"{stream}/{name}", stream} & set(names)]


def _column(run: RunData, stream: str, name: str, first: int, end: int, rate: float) -> Column:
    unit = run.units[stream][name]
    window: Values = Window(run.column(stream, name), first, end)
    about: dict[str, Json] = {"stream": stream, "channel": name, **_sensor(run, stream, name)}
    if rate != run.rate:
        held = unit == "1" or (stream == "command" and name not in FILTERED_OF_COMMAND)
        window = Held(window, run.rate, rate) if held else Resampled(window, run.rate, rate)
        about["resampling"] = "the sample at or before" if held else "filtered"
    return Column(stream, name, unit, window, about)


def _sensor(run: RunData, stream: str, name: str) -> dict[str, Json]:
    """What its sensor's record says, of a measured channel."""
    if stream != "measured" or name not in run.sensors:
        return {}
    record: Mapping[str, Json] = run.sensors[name]
    return {f"sensor_{key}": record[key] for key in SENSOR if record.get(key) not in (None, "")}


def _gaps(run: RunData, first: int, end: int) -> list[Gap]:
    """Those within the window, in samples of the record."""
    low, high = run.first_sample + first, run.first_sample + end
    found = []
    for gap in run.gaps:
        begin, behind = max(gap.first, low), min(gap.first + gap.count, high)
        if gap.stream in run.streams and begin < behind:
            found.append(replace(gap, first=begin, count=behind - begin))
    return found


def _about(run: RunData) -> dict[str, Json]:
    """Of the record: what wrote it, which it is, and its SHA-256."""
    text = {key: str(run.attributes.get(key, "")) for key in ("run", "rig_version", "imported_from")}
    return {
        "program": f"clearance-rig {text['rig_version']}", "run": text["run"], "record": run.path.name, "record_sha256": sha256(run),
        **({"imported_from": text["imported_from"]} if text["imported_from"] else {}),
    }  # fmt: skip


def sha256(run: RunData) -> str:
    """Of the record's file; of one in parts that of all their digests, run.h5 first."""
    parts = need_parts(run.path, int(str(run.attributes.get("parts", 0))))
    whole = _digest(run.path)
    return whole if not parts else hashlib.sha256("".join([whole, *map(_digest, parts)]).encode("ascii")).hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
