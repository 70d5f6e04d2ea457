"""What a test went through before anybody looked: from its closed record, or from those parts of it that are closed while it goes on."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np

from rig.monitor.envelope import Floats, envelope
from rig.monitor.trend import MOST, Span
from rig.recorder.folders import RECORD
from rig.recorder.last_samples import STREAMS, UNREADABLE, called, is_closed
from rig.recorder.parts import numbers, part_file
from rig.recorder.reading import events_of
from rig.streaming.interruptions import Told

Step = tuple[float, dict[str, Span]]
"""s of the test, and what each channel went through until then."""
FROM_SAMPLES = 2**21
"""Samples of a file up to which all of them are looked at; of a longer one without a table of its cycles, as many, evenly spread."""
POINTS = MOST // 2


def new_parts(folder: Path, known: int) -> list[int]:
    """Numbers of the closed parts behind number `known`, in order."""
    found = []
    for number in numbers(folder, ".h5"):
        if number > known:
            if not is_closed(folder / part_file(number)):
                break
            found.append(number)
    return found


def of_part(folder: Path, number: int) -> list[Step]:
    """Of one closed part."""
    return steps(folder / part_file(number))


def of_record(folder: Path) -> list[Step]:
    """Of a record that was closed; empty where it was not."""
    return steps(folder / RECORD) if is_closed(folder / RECORD) else []


def told(folder: Path) -> list[Told]:
    """Events of all sessions of a test that ended, or of its closed parts."""
    files = [folder / RECORD] if is_closed(folder / RECORD) else [folder / part_file(number) for number in new_parts(folder, 0)]
    found = []
    for file in files:
        with contextlib.suppress(ValueError, *UNREADABLE), h5py.File(file, "r", locking=False) as record:
            found += [Told(event.time, event.kind, event.text) for event in events_of(record["entry"])]
    return found


def steps(file: Path) -> list[Step]:
    """Of a closed file; empty where it cannot be read."""
    with contextlib.suppress(*UNREADABLE), h5py.File(file, "r", locking=False) as record:
        entry = record["entry"]
        return [*(_of_cycles(entry) if "cycles" in entry else _of_samples(entry))]
    return []


def _of_cycles(entry: h5py.Group) -> Iterator[Step]:
    """By the tables of its cycles: every peak and valley is in it."""
    found: dict[float, dict[str, Span]] = {}
    for stream, table in entry["cycles"].items():
        rows, rate = table[()], _rate(entry, stream)
        names = [name.removesuffix("_min") for name in rows.dtype.names if name.endswith("_min")]
        for row in rows:
            spans = {called(stream, name): (float(row[f"{name}_min"]), float(row[f"{name}_max"])) for name in names}
            at = (int(row["first_sample"]) + int(row["count"])) / rate
            found.setdefault(at, {}).update({name: span for name, span in spans.items() if all(map(math.isfinite, span))})
    yield from sorted(found.items())


def _of_samples(entry: h5py.Group) -> Iterator[Step]:
    measured = entry["measured"]
    length = min(len(data) for data in measured.values())
    first = int(next(iter(measured.values())).attrs["first_sample"])
    rate, points = _rate(entry, "measured"), min(POINTS, length)
    found: list[dict[str, Span]] = [{} for _ in range(points)]
    for stream in STREAMS[:-1]:
        for name, data in entry.get(stream, {}).items():
            for spans, low, high in zip(found, *_envelope(data, length, points), strict=False):
                if np.isfinite(low) and np.isfinite(high):
                    spans[called(stream, name)] = float(low), float(high)
    for point, spans in enumerate(found):
        yield (first + ((point + 1) * length) // points) / rate, spans


def _envelope(data: h5py.Dataset, length: int, points: int) -> tuple[Floats, Floats]:
    """Of the first `length` samples, in so many stretches; of a long one only the beginning of each."""
    if length <= FROM_SAMPLES:
        return envelope(data[:length], points)
    starts = [(point * length) // points for point in range(points)]
    parts = [envelope(data[start : start + FROM_SAMPLES // points], 1) for start in starts]
    return np.concatenate([low for low, _ in parts]), np.concatenate([high for _, high in parts])


def _rate(entry: h5py.Group, stream: str) -> float:
    return float(next(iter(entry[stream].values())).attrs["rate"])
