"""The two messages that carry the samples, coded by hand: NumPy arrays go in and out as they lie in memory (little-endian doubles)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Request = TypeVar("Request")
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def pack_read_analog(status: int, data: NDArray[np.float64], samples: int) -> bytes:
    """ReadAnalogF64Response: status = 1, read_array = 2 (packed), samps_per_chan_read = 3."""
    raw = np.ascontiguousarray(data, dtype="<f8")
    head = b"\x08" + _varint(status) if status else b""
    return b"".join((head, b"\x12", _varint(raw.nbytes), raw.data, b"\x18", _varint(samples)))


def unpack_write_analog(message: bytes, parse: Callable[[bytes], Request]) -> tuple[Request, NDArray[np.float64]]:
    """WriteAnalogF64Request: (the request without its samples, samples as sent). `parse` makes a request of bytes.

    Raises ValueError for bytes that are no message.
    """
    rest, chunks = [], []
    for number, kind, start, value, end in _fields(message):
        if number == 7 and kind in (_BYTES, _FIXED64):
            chunks.append(message[value:end])
        else:
            rest.append(message[start:end])
    raw = chunks[0] if len(chunks) == 1 else b"".join(chunks)
    if len(raw) % 8:
        raise ValueError(f"write_array: {len(raw)} bytes are no whole number of doubles")
    return parse(b"".join(rest)), np.frombuffer(raw, dtype="<f8")


def _fields(message: bytes) -> Iterator[tuple[int, int, int, int, int]]:
    at = 0
    while at < len(message):
        start = at
        tag, at = _read_varint(message, at)
        kind = tag & 7
        value = at
        if kind == _VARINT:
            _, at = _read_varint(message, at)
        elif kind == _FIXED64:
            at += 8
        elif kind == _FIXED32:
            at += 4
        elif kind == _BYTES:
            length, value = _read_varint(message, at)
            at = value + length
        else:
            raise ValueError(f"wire type {kind} at byte {start}")
        if at > len(message):
            raise ValueError(f"message ends within the field at byte {start}")
        yield tag >> 3, kind, start, value, at


def _read_varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(message) or shift > 63:
            raise ValueError(f"number at byte {at} has no end")
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _varint(value: int) -> bytes:
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
