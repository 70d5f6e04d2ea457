"""The append-only journal beside a record: enough to rebuild it after a kill or a power cut.

File: frames one after the other, each | marker, kind, stream, sequence, first sample, rows, payload length, CRC-32 | payload |.
The CRC covers header and payload, so that a torn or damaged frame is known as such, and reading goes on at the next marker behind
which a CRC is right. What the samples mean (description, streams) is said again every few seconds, so that no single damaged
place makes the rest unreadable.
"""

from __future__ import annotations

import json
import mmap
import struct
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rig.errors import ConfigError, RigError
from rig.recorder.description import Description, Event, Gap, StreamShape

MARKER = b"RJ\xf3\x01"
DESCRIPTION, STREAM, SAMPLES, EVENT, GAP, END = range(1, 7)

_HEADER = struct.Struct("<4sHHQqII")
_CRC = struct.Struct("<I")
OVERHEAD = _HEADER.size + _CRC.size  # bytes a frame costs besides its payload


@dataclass(frozen=True)
class Frame:
    """One frame; `stream` counts the streams in the order in which they were declared, `payload` is JSON or float64."""

    kind: int
    stream: int
    sequence: int
    first: int
    rows: int
    payload: bytes

    def data(self) -> Any:
        return json.loads(self.payload)

    def block(self) -> NDArray[np.float64]:
        """Samples (rows, channels)."""
        return np.frombuffer(self.payload, "<f8").reshape(self.rows, -1)


@dataclass(frozen=True)
class Damage:
    """A stretch of the file where no frame could be read."""

    offset: int
    size: int
    torn: bool  # it reaches to the end of the file: a frame that was being written


class JournalWriter:
    """Appends frames, unbuffered: what was written survives the process. Raises RigError when the disk does not take it."""

    def __init__(self, path: Path, description: Description) -> None:
        self._path = path
        self._file = path.open("xb", buffering=0)
        self._sequence = 0
        self.size = 0  # bytes so far
        self._description = description
        self._streams: list[StreamShape] = []
        self._write(DESCRIPTION, asdict(description))

    def stream(self, shape: StreamShape) -> None:
        """Declare a stream before its first samples."""
        self._streams.append(shape)
        self._write(STREAM, asdict(shape), stream=len(self._streams) - 1)

    def samples(self, stream: str, first: int, block: NDArray[np.float64]) -> None:
        """Samples first .. of a declared stream, block (k, channels)."""
        self._frame(SAMPLES, self._number(stream), first, len(block), np.ascontiguousarray(block, "<f8").tobytes())

    def event(self, event: Event) -> None:
        self._write(EVENT, asdict(event))

    def gap(self, gap: Gap) -> None:
        self._write(GAP, asdict(gap), stream=self._number(gap.stream), first=gap.first)

    def restate(self) -> None:
        """Say again what the samples mean."""
        self._write(DESCRIPTION, asdict(self._description))
        for number, shape in enumerate(self._streams):
            self._write(STREAM, asdict(shape), stream=number)

    def complete(self) -> None:
        """Say that nothing is missing behind this."""
        self.restate()
        self._write(END, {})

    def close(self) -> None:
        self._file.close()

    def _number(self, stream: str) -> int:
        return next(number for number, shape in enumerate(self._streams) if shape.name == stream)

    def _write(self, kind: int, data: dict[str, Any], stream: int = 0, first: int = 0) -> None:
        self._frame(kind, stream, first, 0, json.dumps(data).encode())

    def _frame(self, kind: int, stream: int, first: int, rows: int, payload: bytes) -> None:
        header = _HEADER.pack(MARKER, kind, stream, self._sequence, first, rows, len(payload))
        frame = memoryview(b"".join((header, _CRC.pack(zlib.crc32(payload, zlib.crc32(header))), payload)))
        self.size += len(frame)
        try:
            while frame:
                frame = frame[self._file.write(frame) :]
        except OSError as error:
            raise RigError(f"recorder: {self._path} cannot be written: {error.strerror}") from error
        self._sequence += 1


def read(path: Path) -> Iterator[Frame | Damage]:
    """The frames of a journal in order, and the damaged stretches between them. Raises ConfigError when it cannot be opened."""
    try:
        with path.open("rb") as file:
            if path.stat().st_size == 0:
                return
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                yield from _scan(data)
    except OSError as error:
        raise ConfigError(f"{path}: the journal cannot be read: {error.strerror}") from error


def _scan(data: mmap.mmap) -> Iterator[Frame | Damage]:
    position = 0
    while position < len(data):
        frame = _frame_at(data, position)
        if frame is None:
            resume = _next_frame(data, position + 1)
            yield Damage(position, resume - position, torn=resume == len(data))
            position = resume
        else:
            yield frame
            position += OVERHEAD + len(frame.payload)


def _next_frame(data: mmap.mmap, start: int) -> int:
    """Offset of the first whole frame from `start` on; the end of the file when there is none."""
    while (start := data.find(MARKER, start)) >= 0:
        if _frame_at(data, start) is not None:
            return start
        start += 1
    return len(data)


def _frame_at(data: mmap.mmap, position: int) -> Frame | None:
    if len(data) - position < OVERHEAD:
        return None
    header = data[position : position + _HEADER.size]
    marker, kind, stream, sequence, first, rows, length = _HEADER.unpack(header)
    body = position + OVERHEAD
    if marker != MARKER or length > len(data) - body:
        return None
    payload = data[body : body + length]
    if zlib.crc32(payload, zlib.crc32(header)) != _CRC.unpack(data[body - _CRC.size : body])[0]:
        return None
    return Frame(kind, stream, sequence, first, rows, payload)
