"""What a kill left behind of a record goes, once the record that was made of its journal holds every bit of it.

Nothing goes in doubt: a file that cannot be read, a sample, event or row that the new one does not have as it was, a file that had been
sealed and was changed since. What goes is told in the chain of evidence first, with its size and SHA-256.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from rig.errors import ConfigError
from rig.files.confined_reading import ReadingProcess
from rig.files.output_files import names_to_the_disk
from rig.recorder import chain
from rig.recorder.chain import CHAIN, ChainWriter, Removed
from rig.recorder.description import Gap
from rig.recorder.folders import PARTS, RECORD
from rig.recorder.reading import gaps_of
from rig.recorder.replay import Recovered

ROWS = 2**18  # that are compared at once
START, SPEED = 30.0, 5e6  # s for any file; bytes of it a second, on a slow disk
OWN = ("complete", "recovered", "parts", "started")
"""Attributes of /entry that tell of a file, not of what it holds."""
ORIGIN, GAPS = "first_sample", "/entry/gaps"


@dataclass(frozen=True)
class Left:
    """A file that recovery has put aside, of so many bytes; why it stays, empty where it has gone; what holds its samples."""

    file: str
    bytes: int
    stays: str
    by: str

    @property
    def words(self) -> str:
        """For whoever lets the test go on."""
        size = f"{self.bytes / 1e6:.3g} MB"
        if self.stays:
            return f"{self.file}, {size}, left by the kill, stays: {self.stays}"
        return f"{self.file}, {size}, left by the kill, was removed: {self.by} holds all of it, which was compared sample for sample"


def remove_superseded(folder: Path, recovered: Recovered) -> list[Left]:
    """Of the files that a recovery has put aside those that are superseded; what became of each. Raises OSError for a disk that fails."""
    return [_left(folder, by, file) for by, file in recovered.aside.items()]


def _left(folder: Path, by: str, file: str) -> Left:
    path = folder / file
    stays = _doubt(folder, by, file)
    entry = chain.entry_of(folder, file)
    if not stays:
        try:
            ChainWriter(folder).remove(Removed(file, entry.bytes, entry.sha256, by))
        except ConfigError as error:
            stays = str(error)
    if not stays:
        names_to_the_disk(path.parent)
        path.unlink()
    return Left(file, entry.bytes, stays, by)


def _doubt(folder: Path, by: str, file: str) -> str:
    """Why it has to stay, in words; empty where it need not."""
    try:
        links_only = by == RECORD and (folder / PARTS).is_dir()  # made anew by each session
        if not links_only and (folder / CHAIN).exists() and by in chain.read(folder).entries:
            return f"{by} had been sealed, and was changed since"
        size = (folder / file).stat().st_size
        with ReadingProcess(START + size / SPEED) as process:
            return process.call(difference, str(folder / file), str(folder / by))
    except (ConfigError, OSError, ValueError) as error:
        return f"it cannot be compared with {by} ({error})"


def difference(old: str, new: str) -> str:
    """What of the record `old` the record `new` does not have, in words; empty: it has all of it.

    To be called in a process that may come to grief. Raises OSError, ValueError for a file that cannot be read.
    """
    with h5py.File(old, "r", locking="best-effort") as mine, h5py.File(new, "r", locking="best-effort") as other:
        names: list[str] = []
        mine.visit(names.append)
        for name in names:
            if name not in other or type(mine[name]) is not type(other[name]):
                return f"/{name} is not in {Path(new).name}"
            found = next(_unlike(mine[name], other[name]), "")
            if found:
                return f"/{name} is not as in {Path(new).name}: {found}"
    return ""


def _unlike(mine: h5py.HLObject, other: h5py.HLObject) -> Iterator[str]:
    own: tuple[str, ...] = OWN if mine.name == "/entry" else ()
    if isinstance(mine, h5py.Dataset) and mine.shape == (0,):
        own = (ORIGIN,)  # of no sample at all
    for key, value in mine.attrs.items():
        if key not in own and (key not in other.attrs or not np.array_equal(value, other.attrs[key])):
            yield f"attribute {key}"
    if not isinstance(mine, h5py.Dataset):
        return
    if mine.name == GAPS:
        yield from _unlike_gaps(gaps_of(mine.parent), gaps_of(other.parent))
    elif mine.shape == ():
        yield from () if mine[()] == other[()] else ("its text",)
    elif mine.dtype.names is not None:
        had = {_key(row) for row in _rows(other)} if mine.dtype == other.dtype else set()
        missing = sum(_key(row) not in had for row in _rows(mine))
        yield from [f"{missing} rows of it"] if missing else []
    else:
        yield from _unlike_samples(mine, other)


def _unlike_gaps(mine: list[Gap], other: list[Gap]) -> Iterator[str]:
    """One that is told in two pieces, as the border of two parts lies in it, is the same."""
    spans: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for gap in sorted(other, key=lambda gap: gap.first):
        known = spans.setdefault((gap.stream, gap.reason), [])
        first, end = gap.first, gap.first + gap.count
        if known and first <= known[-1][1]:
            first, end = known[-1][0], max(end, known.pop()[1])
        known.append((first, end))
    missing = [
        gap
        for gap in mine
        if not any(first <= gap.first and gap.first + gap.count <= end for first, end in spans.get((gap.stream, gap.reason), ()))
    ]
    yield from [f"{len(missing)} of them"] if missing else []


def _rows(table: h5py.Dataset) -> Iterator[np.void]:
    for first in range(0, len(table), ROWS):
        yield from table[first : first + ROWS]


def _key(row: np.void) -> object:
    """By which two rows are the same, to the bit; a time that is no number is the same as another one."""
    return repr(row.item()) if row.dtype.hasobject else row.tobytes()


def _unlike_samples(mine: h5py.Dataset, other: h5py.Dataset) -> Iterator[str]:
    """Samples (N,): what is none there (NaN) may be one now."""
    if mine.dtype != other.dtype or mine.ndim != 1:
        yield "its type"
        return
    for first in range(0, len(mine), ROWS):
        was = mine[first : first + ROWS]
        now = other[first : first + len(was)]
        there = ~np.isnan(was)
        if there[len(now) :].any() or not np.array_equal(was[: len(now)][there[: len(now)]], now[there[: len(now)]]):
            yield f"samples from row {first} on"
            return
