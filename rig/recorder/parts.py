"""The parts of a record: where they lie, what is in them, and how run.h5 shows them as one.

RUN/run.h5          the whole: what was run, events, gaps, and every channel as a virtual dataset over the parts, made at the end
RUN/parts/00001.h5  a record of its own, closed as soon as the next one has begun and nothing is missing in it
RUN/journal.bin     journal of the first part, RUN/parts/00002.bin that of the second ...

Test streams have the same rows in a part: row r is sample first_sample + r. A stream with rows of its own (`axes`) begins in a part where
it ended in the one before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import h5py
import numpy as np

from rig.recorder.cycles.layout import WHOLE
from rig.recorder.folders import JOURNAL, PARTS
from rig.streaming.streams import APART, RECORDED

TIME = "time"
LINKED = (*RECORDED, TIME)


@dataclass(frozen=True)
class Beginning:
    """Of what a recording goes on with: number of its first part, that part's first sample, and rows that streams with rows of their own
    have already; `resumed`: parts before it are those of sessions that were broken off."""

    number: int = 1
    first: int = 0
    apart: Mapping[str, int] = field(default_factory=dict)

    @property
    def resumed(self) -> bool:
        """Whether there is something before it."""
        return self.number > 1

    def of(self, stream: str) -> int:
        """First sample of a stream."""
        return self.apart.get(stream, 0) if stream in APART else self.first


def part_file(number: int) -> str:
    """Relative to the run's folder."""
    return f"{PARTS}/{number:05d}.h5"


def journal_file(number: int) -> str:
    """Relative to the run's folder."""
    return JOURNAL if number == 1 else f"{PARTS}/{number:05d}.bin"


def numbers(folder: Path, suffix: str) -> list[int]:
    """Of the parts (".h5") or journals (".bin") in a run's folder, in order; those of a record in one file are not counted."""
    found = [int(path.stem) for path in (folder / PARTS).glob(f"[0-9]*{suffix}") if path.stem.isdigit()]
    first = [1] if suffix == ".bin" and (folder / JOURNAL).is_file() else []
    return sorted([*first, *found])


def need_parts(record: Path, count: int) -> list[Path]:
    """The parts that a record of `count` of them rests on. Raises ValueError for one that is missing: HDF5 shows its samples as NaN."""
    files = [record.parent / part_file(number) for number in range(1, count + 1)]
    if missing := [file for file in files if not file.is_file()]:
        raise ValueError(f"{missing[0].relative_to(record.parent)}, a part of it, is missing")
    return files


@dataclass
class _Source:
    """One dataset as it goes through the parts."""

    attributes: dict[str, object]
    pieces: list[tuple[int, int, str]] = field(default_factory=list)  # first, count, file

    @property
    def end(self) -> int:
        return max((first + count for first, count, _ in self.pieces), default=0)


def link(entry: h5py.Group, folder: Path, files: Sequence[str], end: int | None = None) -> None:
    """Put virtual datasets over the parts `files` into /entry of a record; of the cycles those that end before sample `end`, where samples
    end there that are not all yet. Raises OSError for a part that cannot be opened."""
    sources: dict[str, _Source] = {}
    groups: dict[str, dict[str, object]] = {}
    for file in files:
        with h5py.File(folder / file, "r", locking="best-effort") as part:
            for name, data in _datasets(part["entry"]):
                source = sources.setdefault(name, _Source({**data.attrs, "first_sample": 0}))
                source.pieces.append((int(data.attrs["first_sample"]), len(data), file))
            groups |= {name: dict(part["entry"][name].attrs) for name in RECORDED if name in part["entry"]}
    for name, attributes in groups.items():
        entry.require_group(name).attrs.update(attributes)
    _link_cycles(entry, folder, files, end)
    length = max((source.end for name, source in sources.items() if name == TIME), default=0)
    for name, source in sources.items():
        _virtual(entry, name, source, source.end if _is_apart(name) else length)


def _link_cycles(entry: h5py.Group, folder: Path, files: Sequence[str], end: int | None) -> None:
    """The tables of cycles one behind the other; without the column `whole` where a part of an older version has none."""
    pieces: dict[str, list[tuple[str, int]]] = {}
    kinds: dict[str, tuple[np.dtype[np.void], dict[str, object]]] = {}
    for file in files:
        with h5py.File(folder / file, "r", locking="best-effort") as part:
            for stream, table in part["entry"].get("cycles", {}).items():
                pieces.setdefault(stream, []).append((file, _ended(table, end)))
                if stream not in kinds or WHOLE not in (table.dtype.names or ()):
                    kinds[stream] = (table.dtype, dict(table.attrs))
    for stream, found in pieces.items():
        kind, attributes = kinds[stream]
        layout, row = h5py.VirtualLayout((sum(count for _, count in found),), kind), 0
        for file, count in found:
            if count:
                layout[row : row + count] = h5py.VirtualSource(file, f"entry/cycles/{stream}", (count,), kind)
            row += count
        entry.require_group("cycles").attrs["NX_class"] = "NXcollection"
        entry.create_virtual_dataset(f"cycles/{stream}", layout).attrs.update(attributes)


def _ended(table: h5py.Dataset, end: int | None) -> int:
    """How many of its rows are of cycles that end before sample `end`; a cycle stands in the part that was the newest when it was whole."""
    if end is None or not len(table):
        return len(table)
    rows = table.fields(["first_sample", "count"])[:]
    return int(np.searchsorted(rows["first_sample"] + rows["count"], end, side="right"))


def _datasets(entry: h5py.Group) -> list[tuple[str, h5py.Dataset]]:
    streams = [(f"{stream}/{name}", data) for stream in RECORDED for name, data in entry.get(stream, {}).items()]
    return streams + ([(TIME, entry[TIME])] if TIME in entry else [])


def _virtual(entry: h5py.Group, name: str, source: _Source, length: int) -> None:
    layout = h5py.VirtualLayout((length,), "<f8")
    for first, count, file in source.pieces:
        if count:
            layout[first : first + count] = h5py.VirtualSource(file, f"entry/{name}", (count,), "<f8")
    dataset = entry.create_virtual_dataset(name, layout, fillvalue=np.nan)
    dataset.attrs.update(source.attributes)


def _is_apart(name: str) -> bool:
    return name.partition("/")[0] in APART
