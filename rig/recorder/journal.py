"""The append-only journal beside a record: enough to rebuild it after a kill or a power cut.

File: frames one after the other, each | marker, kind, stream, sequence, first sample, rows, payload length, CRC-32 | payload |.
The CRC covers header and payload, so that a torn or damaged frame is known as such, and reading goes on at the next marker behind
which a CRC is right. What the samples mean (description, streams) is said again every few seconds, so that no single damaged
place makes the rest unreadable.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.errors import ConfigError, RigError
from rig.recorder.description import Description, Event, Gap, StreamShape

MARKER = b"RJ\xf3\x01"
KINDS = DESCRIPTION, STREAM, SAMPLES, EVENT, GAP, END, SEALED, CYCLES = range(1, 9)
PIECE = 2**20
MOST_PAYLOAD = 2**27
"""Bytes: what a full ring of 32 channels at 51.2 kHz holds, written at once."""

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

    def block(self) -> NDArray[np.float64]:
        """Samples (rows, channels). Raises ValueError for a payload that is none."""
        return np.frombuffer(self.payload, "<f8").reshape(self.rows, len(self.payload) // (8 * max(1, self.rows)))


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

    def cycles(self, stream: str, rows: NDArray[np.void]) -> None:
        """Rows of the table of cycles of a declared stream."""
        self._frame(CYCLES, self._number(stream), int(rows[0]["cycle"]), len(rows), rows.tobytes())

    def sealed(self, file: str, sha256: str) -> None:
        """Say how a file of the run is that was closed before this."""
        self._write(SEALED, {"file": file, "sha256": sha256})

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

    def _write(self, kind: int, data: Mapping[str, Json], stream: int = 0, first: int = 0) -> None:
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
        if not path.is_file():
            raise ConfigError(f"{path}: no such journal")
        with path.open("rb", buffering=PIECE) as file:
            yield from _scan(_Bytes(file, path))
    except OSError as error:
        raise ConfigError(f"{path}: the journal cannot be read: {error.strerror}") from error


class _Bytes:
    """A file as bytes, read piece by piece: it may be larger than the memory."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self.path = file, path
        self.size = file.seek(0, os.SEEK_END)
        self.left = 2 * self.size + MOST_PAYLOAD
        """Bytes that may be checked in vain: each place that looks like a frame costs what it says that it holds."""

    def part(self, position: int, count: int) -> bytes:
        self._file.seek(position)
        return self._file.read(count)

    def find(self, marker: bytes, start: int) -> int:
        """Offset of the first marker from `start` on; the size when there is none."""
        while start < self.size:
            piece = self.part(start, PIECE)
            if (found := piece.find(marker)) >= 0:
                return start + found
            start += max(1, len(piece) - len(marker) + 1)
        return self.size


def _scan(data: _Bytes) -> Iterator[Frame | Damage]:
    position = 0
    while position < data.size:
        frame = _frame_at(data, position)
        if frame is None:
            resume, frame = _next_frame(data, position + 1)
            yield Damage(position, resume - position, torn=resume == data.size)
            position = resume
        if frame is not None:
            yield frame
            position += OVERHEAD + len(frame.payload)


def _next_frame(data: _Bytes, start: int) -> tuple[int, Frame | None]:
    """Offset of the first whole frame from `start` on; the end of the file when there is none."""
    while (start := data.find(MARKER, start)) < data.size:
        if (frame := _frame_at(data, start)) is not None:
            return start, frame
        start += 1
    return data.size, None


def _frame_at(data: _Bytes, position: int) -> Frame | None:
    if data.size - position < OVERHEAD:
        return None
    header = data.part(position, OVERHEAD)
    marker, kind, stream, sequence, first, rows, length = _HEADER.unpack(header[: _HEADER.size])
    body = position + OVERHEAD
    if marker != MARKER or kind not in KINDS or length > min(MOST_PAYLOAD, data.size - body):
        return None
    payload = data.part(body, length)
    if zlib.crc32(payload, zlib.crc32(header[: _HEADER.size])) != _CRC.unpack(header[_HEADER.size :])[0]:
        data.left -= length
        if data.left < 0:
            raise ConfigError(f"{data.path}: looks like a journal at too many places and is none at any of them; it is damaged")
        return None
    return Frame(kind, stream, sequence, first, rows, payload)
