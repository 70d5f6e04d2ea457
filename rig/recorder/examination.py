"""A record that comes from anywhere is looked through in a process of its own before this one opens it.

HDF5 trusts what stands in a file: a damaged one may end the program that reads it, or keep it for ever. Whatever that library must walk
through to find samples is walked through there, within limits: links, shapes, the index of the chunks, all attributes and tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import h5py
import numpy as np

from rig.errors import ConfigError
from rig.files.confined_reading import MEGABYTES, SECONDS, ReadingProcess
from rig.recorder.folders import PARTS, RECORD, find_record, remedy
from rig.recorder.journal_checks import MOST_SPARSE
from rig.recorder.opening import LOCKED, why
from rig.recorder.parts import need_parts

MOST_OBJECTS = 20_000
DEEPEST = 4
SLACK = 2**23
"""Samples that a stream may be longer than the file has room for: those of an interrupted record, and what was lost at its end."""
LARGEST_CHUNK = 2**26  # bytes
PART_SECONDS = 0.5  # s more for every part
BYTES_A_SECOND = 2e8  # of a long record, at the least


def run_folder(path: Path) -> Path:
    """The folder of the run that is named by it or by its record, which has been looked through where there is one. Raises ConfigError."""
    folder = path.parent if path.is_file() else path
    if path.is_file() and path.suffix == ".toml" and not (folder / RECORD).exists():
        raise ConfigError(f"{path}: expected the folder of a run, got a file that tests are made of; rig run {path} makes one")
    if (folder / RECORD).exists():
        need_readable(find_record(folder))
    return folder


def need_readable(record: Path) -> None:
    """Raises ConfigError for a record that is in use, damaged, or made to harm."""
    try:
        with ReadingProcess(longest(record), MEGABYTES) as process:
            process.call(examine, str(record))
    except (OSError, ValueError) as error:
        if LOCKED in str(error) or isinstance(error, OSError):
            raise ConfigError(f"{record}: {why(record, str(error))}") from error
        raise ConfigError(f"{record}: not a readable record ({error}); {remedy(record.parent)}") from error


def longest(record: Path) -> float:
    """s of a processor that it may take to look through a record of this size."""
    parts = [*(record.parent / PARTS).glob("*.h5")] if record.name == RECORD else []
    return SECONDS + PART_SECONDS * len(parts) + sum(_size(file) for file in (record, *parts)) / BYTES_A_SECOND


def examine(path: str) -> None:
    """Raises ValueError or OSError. To be called in a process that may come to grief."""
    import hdf5plugin  # noqa: F401  # registers the filters that HDF5 itself has not got

    from rig.recorder.reading import contents

    record = Path(path)
    with h5py.File(path, "r", locking="best-effort") as file:
        if not isinstance(file.get("entry"), h5py.Group):
            raise ValueError("there is no group /entry in it")
        parts = _parts(record, file)
        size = _size(record) + sum(_size(part) for part in parts)
        for part in parts:
            _examine_part(part)
        size = size if file["entry"].attrs.get("samples", "all") == "all" else 8 * MOST_SPARSE
        for dataset in _datasets(file):
            _need_bounded(dataset, size, [part.relative_to(record.parent).as_posix() for part in parts])
            _need_index(dataset)
        contents(record, file["entry"])  # raises ValueError for whatever is wrong in its parts


def _parts(record: Path, file: h5py.File) -> list[Path]:
    """Of a record in parts. Raises ValueError where one is missing: HDF5 itself would show its samples as NaN."""
    count = file["entry"].attrs.get("parts", 0)
    if not isinstance(count, (int, np.integer)) or not 0 <= count <= MOST_OBJECTS:
        raise ValueError(f"/entry: parts is {count!r}, expected their number")
    return need_parts(record, int(count))


def _examine_part(part: Path) -> None:
    try:
        with h5py.File(part, "r", locking="best-effort") as file:
            if not isinstance(file.get("entry"), h5py.Group) or "part" not in file["entry"].attrs:
                raise ValueError("it is no part of a record")
            size = _size(part) if file["entry"].attrs.get("samples", "all") == "all" else 8 * MOST_SPARSE
            for dataset in _datasets(file):
                _need_bounded(dataset, size)
                _need_index(dataset)
    except (OSError, ValueError) as error:
        raise type(error)(f"{part.name}: {error}") from error


def _datasets(file: h5py.File) -> Iterator[h5py.Dataset]:
    """Every dataset; links lead to nowhere but within the file, and not up again."""
    left: list[tuple[h5py.Group, int]] = [(file, 0)]
    seen = 0
    while left:
        group, depth = left.pop()
        _need_attributes(group)
        for name in group:
            seen += 1
            where = f"{group.name.rstrip('/')}/{name}"
            if seen > MOST_OBJECTS or depth > DEEPEST:
                raise ValueError(f"{where}: more objects, or deeper ones, than a record has")
            if not isinstance(group.get(name, getlink=True), h5py.HardLink):
                raise ValueError(f"{where} is a link to another place; a record has its samples itself")
            found = group[name]
            if isinstance(found, h5py.Group):
                left.append((found, depth + 1))
            elif isinstance(found, h5py.Dataset):
                _need_attributes(found)
                yield found


def _need_attributes(of: h5py.HLObject) -> None:
    for key in of.attrs:
        if of.attrs.get_id(key).get_storage_size() > LARGEST_CHUNK:
            raise ValueError(f"{of.name}: its attribute {key} is too large")
        _ = of.attrs[key]


def _need_bounded(dataset: h5py.Dataset, size: int, parts: Sequence[str] = ()) -> None:
    """size: bytes that there are for samples; parts: files that they may lie in beside the record itself."""
    sources = {source.file_name for source in dataset.virtual_sources()} if dataset.is_virtual else set()
    if not sources <= {*parts} or (dataset.is_virtual and not parts) or dataset.external:
        raise ValueError(f"{dataset.name} has its samples in other files; a record has them itself, or in its parts")
    if dataset.ndim > 1:
        raise ValueError(f"{dataset.name} has the shape {dataset.shape}, expected one dimension")
    if dataset.size is None or dataset.size > size // 8 + SLACK:
        raise ValueError(f"{dataset.name} has {dataset.size} samples, for which a file of {size} bytes has no room")
    if dataset.chunks and int(np.prod(dataset.chunks)) * dataset.dtype.itemsize > LARGEST_CHUNK:
        raise ValueError(f"{dataset.name} is stored in pieces of {dataset.chunks[0]} samples; a record has smaller ones")


def _need_index(dataset: h5py.Dataset) -> None:
    """The index of the chunks is gone through, and samples read from both ends; all of them where a filter has to unpack them."""
    if dataset.is_virtual:
        return  # the parts' own have been
    if dataset.chunks and len(dataset):
        dataset.id.get_num_chunks()
    if dataset.ndim and dataset.dtype.kind in "fiu" and len(dataset):
        step = int(dataset.chunks[0]) if dataset.chunks else len(dataset)
        packed = dataset.id.get_create_plist().get_nfilters() > 0
        for first in range(0, len(dataset), step) if packed else (0, len(dataset) - 1):
            _ = dataset[first : first + step]


def _size(path: Path) -> int:
    return path.stat().st_size
