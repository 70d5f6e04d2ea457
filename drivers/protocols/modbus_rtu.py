"""Modbus RTU: messages to bytes and bytes to messages, for both ends of the line. Nothing here reads or writes a port.

A frame is address, function, data and a CRC-16 (polynomial A001h, initial value FFFFh, low byte first); words are big-endian.
Source: MODBUS over Serial Line, Specification and Implementation Guide V1.02, and MODBUS Application Protocol V1.1b3 (modbus.org).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from drivers.errors import BadReply
from drivers.protocols import no_frame

READ_HOLDING, READ_INPUT, WRITE_ONE, WRITE_MANY = 0x03, 0x04, 0x06, 0x10
FUNCTIONS = (READ_HOLDING, READ_INPUT, WRITE_ONE, WRITE_MANY)
EXCEPTION = 0x80
"""Added to the function of a request that is refused."""
MOST_READ = 125
ILLEGAL_FUNCTION, ILLEGAL_ADDRESS, ILLEGAL_VALUE, DEVICE_FAILURE = 1, 2, 3, 4
EXCEPTIONS = {
    ILLEGAL_FUNCTION: "illegal function",
    ILLEGAL_ADDRESS: "illegal data address: no such register",
    ILLEGAL_VALUE: "illegal data value: value not allowed",
    DEVICE_FAILURE: "server device failure",
    5: "acknowledge: accepted, still working on it",
    6: "server device busy",
    7: "negative acknowledge",
    8: "memory parity error",
    10: "gateway path unavailable",
    11: "gateway target device failed to respond",
}
"""By the names of the application protocol, section 7 (7: of older versions)."""
REMEDIES = {
    DEVICE_FAILURE: "look at its panel",
    8: "look at its panel",
    10: "look at the settings of the gateway between",
    11: "the gateway is there and the drive behind it is silent: look at that line, and at the address",
}
"""For those that say nothing about the map of registers."""
SURE = 5
"""Bytes from which on what came is known: as many as the shortest answer has."""
LATER = (5, 6)
"""Exceptions after which the same request is to be sent again later."""


def crc(data: bytes) -> int:
    """CRC-16 of a frame without its last two bytes."""
    value = 0xFFFF
    for byte in data:
        value = (value >> 8) ^ _CRC[(value ^ byte) & 0xFF]
    return value


def _crc_of_byte(value: int) -> int:
    for _ in range(8):
        value = (value >> 1) ^ (0xA001 if value & 1 else 0)
    return value


_CRC = tuple(_crc_of_byte(byte) for byte in range(256))


def framed(body: bytes) -> bytes:
    """A frame: address, function and data with their CRC."""
    return body + struct.pack("<H", crc(body))


LENGTHS = {0x07: 4, 0x0B: 4, 0x0C: 4, 0x11: 4, 0x16: 10, 0x18: 6, 0x2B: 7}
"""Of requests that do not have that of a read, 8 bytes, checksum included."""
COUNTED = {0x0F: 6, WRITE_MANY: 6, 0x14: 2, 0x15: 2, 0x17: 10}
"""Place of the number of bytes in requests that say how long they are."""


def sound(frame: bytes) -> bool:
    """Whether the CRC of a frame is right."""
    return len(frame) >= 4 and crc(frame[:-2]) == int.from_bytes(frame[-2:], "little")


@dataclass(frozen=True)
class Request:
    """Registers from `first`: `count` of them to read, or `values` (words, 0..65535) to write."""

    address: int
    function: int
    first: int
    count: int = 1
    values: tuple[int, ...] = ()

    def encode(self) -> bytes:
        """The frame."""
        head = struct.pack(">BBH", self.address, self.function, self.first)
        if self.function == WRITE_ONE:
            return framed(head + struct.pack(">H", self.values[0]))
        if self.function == WRITE_MANY:
            data = struct.pack(f">HB{len(self.values)}H", len(self.values), 2 * len(self.values), *self.values)
            return framed(head + data)
        return framed(head + struct.pack(">H", self.count))


def read(address: int, first: int, count: int = 1, function: int = READ_HOLDING) -> Request:
    """A request for `count` registers from `first`."""
    return Request(address, function, first, count)


def write(address: int, first: int, *values: int) -> Request:
    """A request to write words (0..65535): function 06 for one, 10h for several."""
    return Request(address, WRITE_ONE if len(values) == 1 else WRITE_MANY, first, len(values), values)


def words(*values: int) -> tuple[int, ...]:
    """Numbers as the words that stand for them, signed or not. Raises ValueError for one that 16 bits do not hold."""
    if beyond := [value for value in values if not -0x8000 <= value <= 0xFFFF]:
        raise ValueError(f"{beyond[0]} is no word of 16 bits")
    return tuple(value & 0xFFFF for value in values)


def signed(word: int) -> int:
    """The 16-bit number (two's complement) that a word stands for."""
    return word - 0x10000 if word & 0x8000 else word


@dataclass(frozen=True)
class Reply:
    """What answers a request: words read, or the code of an exception."""

    values: tuple[int, ...] = ()
    exception: int | None = None

    @property
    def refusal(self) -> str | None:
        """The exception in words; None: it was done."""
        return None if self.exception is None else f"{EXCEPTIONS.get(self.exception, 'exception')} (Modbus exception {self.exception})"

    def encode(self, request: Request) -> bytes:
        """The frame that answers `request`."""
        if self.exception is not None:
            return framed(bytes((request.address, request.function | EXCEPTION, self.exception)))
        if request.function in (READ_HOLDING, READ_INPUT):
            data = struct.pack(f">B{len(self.values)}H", 2 * len(self.values), *self.values)
            return framed(bytes((request.address, request.function)) + data)
        if request.function == WRITE_ONE:
            return request.encode()
        return framed(struct.pack(">BBHH", request.address, WRITE_MANY, request.first, len(request.values)))


def parse_reply(data: bytes, request: Request) -> Reply | None:
    """The reply to `request`, None while it is incomplete. Raises BadReply: checksum, another address, another question's answer."""
    if why := _no_frame(data, request):
        raise BadReply(why)
    if len(data) < 5:
        return None
    refused = data[1] == request.function | EXCEPTION
    reading = request.function in (READ_HOLDING, READ_INPUT)
    length = 5 if refused else 5 + 2 * request.count if reading else 8
    if len(data) < length:
        return None
    frame = data[:length]
    if not sound(frame):
        raise BadReply(f"wrong checksum: expected {framed(frame[:-2])[-2:].hex(' ')}, got {frame[-2:].hex(' ')}")
    if frame[0] != request.address:
        raise BadReply(f"address {frame[0]} answered, address {request.address} was asked; no two devices may have one address")
    if refused:
        return Reply(exception=frame[2])
    if frame[1] != request.function or (reading and frame[2] != 2 * request.count) or (not reading and frame[2:6] != _echo(request)):
        raise BadReply(f"that answers another request than {request.encode().hex(' ')}")
    return Reply(struct.unpack(f">{request.count}H", frame[3:-2]) if reading else ())


def _no_frame(data: bytes, request: Request) -> str:
    """Why `data` cannot be a frame, nor a spoilt one; empty where it may be: what begins as an answer is judged by its checksum."""
    if len(data) < SURE or data[0] == request.address or data[1] & ~EXCEPTION == request.function:
        return ""
    return no_frame.told(data, "Modbus")


def _echo(request: Request) -> bytes:
    """Bytes 2 to 5 of the answer to a write."""
    return struct.pack(">HH", request.first, request.values[0] if request.function == WRITE_ONE else len(request.values))


def parse_request(data: bytes) -> tuple[Request | None, int]:
    """The request at the beginning of `data` and its length; (None, 0) while it is incomplete, (None, 1) where none begins.

    Functions that are not among FUNCTIONS have no values here; those that the specification does not name have the length of a read.
    """
    length = _request_length(data)
    if length is None or len(data) < length:
        return None, 0
    if not sound(data[:length]):
        return None, 1
    function = data[1]
    if length < 8:
        return Request(data[0], function, 0), length
    first, number = struct.unpack(">HH", data[2:6])
    if function == WRITE_ONE:
        return Request(data[0], function, first, 1, (number,)), length
    if function == WRITE_MANY:
        values = struct.unpack(f">{number}H", data[7 : 7 + 2 * number]) if data[6] == 2 * number else ()
        return Request(data[0], function, first, number, values), length
    return Request(data[0], function, first, number), length


def _request_length(data: bytes) -> int | None:
    """Of the frame that begins `data`, checksum included (Modbus application protocol V1.1b3, section 6); None while it is unknown."""
    if len(data) < 2:
        return None
    if (place := COUNTED.get(data[1])) is not None:  # as many bytes follow on their own number as it says
        return None if len(data) <= place else place + 3 + data[place]
    return LENGTHS.get(data[1], 8)


def seconds_of_silence(baud: int) -> float:
    """Silence (s) that ends a frame: 3.5 characters, 1.75 ms above 19200 baud."""
    return 1.75e-3 if baud > 19200 else 3.5 * 11 / baud
