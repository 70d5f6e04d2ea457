"""RPC III: time histories of one partition, numbers of 16, 32 or (not in the standard) 64 bits. Layout: rig.formats.rpc3_header."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from drivers.files.plain_values import Json
from rig.formats import rpc3_header as header
from rig.formats.table import Contents, Floats, Found

ORDERS = {"BINARY": "<", "BINARY_IEEE_LITTLE_END": "<", "BINARY_IEEE_BIG_END": ">"}
KINDS = {"SHORT_INTEGER": "i2", "FLOATING_POINT": "f4", "DOUBLE_PRECISION": "f8"}
MOST_CHANNELS = 1024


class Grouped:
    """A channel (N,): its numbers stand in groups, between those of the others."""

    def __init__(self, groups: np.memmap, number: int, samples: int, scale: float) -> None:
        """groups: (groups, channels, points)."""
        self._groups, self._number, self._samples, self._scale = groups, number, samples, scale

    def __len__(self) -> int:
        return self._samples

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(self._samples)
        points = self._groups.shape[2]
        begin, end = first // points, -(-max(first, last) // points)
        values = np.asarray(self._groups[begin:end, self._number], dtype=np.float64).ravel()[first - begin * points : last - begin * points]
        return values * self._scale if self._scale != 1.0 else values


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """See `rig.formats.reading`."""
    size = path.stat().st_size
    with path.open("rb") as file:
        begin = file.read(header.BLOCK)
        known = header.unpacked(begin)
        blocks = header.whole(known, "NUM_HEADER_BLOCKS")
        if not 0 < blocks <= header.MOST_BLOCKS:
            raise ValueError(f"its header says NUM_HEADER_BLOCKS = {blocks}, expected 1 to {header.MOST_BLOCKS}")
        known = header.unpacked(begin + file.read((blocks - 1) * header.BLOCK))
    _need_history(known)
    kind, points, count = _kind(known), header.whole(known, "PTS_PER_GROUP"), header.whole(known, "CHANNELS")
    frame = header.whole(known, "PTS_PER_FRAME")
    if not 0 < count <= MOST_CHANNELS or not points or not frame:
        raise ValueError(f"its header says {count} channels, {points} points a group and {frame} a frame; expected some of each")
    samples = header.whole(known, "FRAMES") * frame
    groups = -(-samples // points)
    due = blocks * header.BLOCK + groups * points * count * kind.itemsize
    if size < due:
        raise ValueError(f"breaks off: by its header it has {due} bytes, there are {size}")
    samples = min(samples, header.whole(known, "SAMPLES", samples))
    if not samples:
        raise ValueError("its header says that there are no samples in it")
    numbers = np.memmap(path, kind, "r", blocks * header.BLOCK, (groups, count, points))
    yield Contents("rpc3", _channels(known, numbers, samples), _start(known), _about(known), _said(known, kind))


def _need_history(known: dict[str, str]) -> None:
    if (kind := known.get("FILE_TYPE", "TIME_HISTORY")) != "TIME_HISTORY":
        raise ValueError(f"is an RPC III file of the type {kind}, expected TIME_HISTORY")
    if (parts := header.whole(known, "PARTITIONS", 1)) > 1:
        raise ValueError(f"has its channels in {parts} partitions, expected one; write it anew with one")
    if not header.real(known, "DELTA_T") > 0.0:
        raise ValueError(f"its header says DELTA_T = {known['DELTA_T']}, expected a time above 0 s")


def _kind(known: dict[str, str]) -> np.dtype:
    order, kind = ORDERS.get(known["FORMAT"]), KINDS.get(known.get("DATA_TYPE", "SHORT_INTEGER"))
    if order is None:
        raise ValueError(f"is an RPC III file in the form {known['FORMAT']}, expected {', '.join(ORDERS)}")
    if kind is None:
        raise ValueError(f"has numbers of the type {known['DATA_TYPE']}, expected {', '.join(KINDS)}")
    return np.dtype(order + kind)


def _channels(known: dict[str, str], numbers: np.memmap, samples: int) -> list[Found]:
    delta = header.real(known, "DELTA_T")
    told = header.real(known, "RIG.RATE", 0.0)
    rate = told if told and abs(told * delta - 1.0) < 1e-9 else 1.0 / delta
    found = []
    for k in range(numbers.shape[1]):
        name = known.get(f"DESC.CHAN_{k + 1}", "") or f"channel_{k + 1}"
        scale = header.real(known, f"SCALE.CHAN_{k + 1}", 1.0) if numbers.dtype.kind == "i" else 1.0
        about: dict[str, Json] = {"number": k + 1}
        values = Grouped(numbers, k, samples, scale)
        found.append(Found(name, known.get(f"UNITS.CHAN_{k + 1}", ""), values, rate, header.real(known, "RIG.BEGIN", 0.0), about=about))
    return found


def _start(known: dict[str, str]) -> datetime.datetime | None:
    for key in ("RIG.START", "DATE"):
        for read in (datetime.datetime.fromisoformat, _as_mts_writes):
            with contextlib.suppress(ValueError):
                return read(known.get(key, ""))
    return None


def _as_mts_writes(text: str) -> datetime.datetime:
    return datetime.datetime.strptime(text, "%d-%b-%Y %H:%M:%S")


def _about(known: dict[str, str]) -> dict[str, Json]:
    return {key.removeprefix("RIG.").lower(): value for key, value in known.items() if key.startswith("RIG.")}


def _said(known: dict[str, str], kind: np.dtype) -> tuple[str, ...]:
    said = [f"{known['FORMAT']}, {kind.itemsize * 8} bits"]
    if header.whole(known, "HALF_FRAMES", 0):
        said.append("its first and last half frame lead in and out, by HALF_FRAMES")
    return tuple(said)
