"""Frames of Trinamic's TMCL, for both ends of the line. Nothing here reads or writes a port.

Nine bytes each way, values 32-bit big-endian, the last byte the sum of the others & FFh. Request: module address, command, type, motor,
value. Reply: host address, module address, status, command, value. Source: TMCL reference and firmware manual, "Binary command format".
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from drivers.errors import BadReply
from drivers.protocols import no_frame

LENGTH = 9
ROR, ROL, MST, MVP, SAP, GAP, RFS, VERSION = 1, 2, 3, 4, 5, 6, 13, 136
ABSOLUTE, RELATIVE = 0, 1
"""Types of MVP."""
START, STOP, STATUS = 0, 1, 2
"""Types of RFS."""
OK, WRONG_CHECKSUM, WRONG_COMMAND, WRONG_TYPE, WRONG_VALUE, LOCKED, NOT_AVAILABLE = 100, 1, 2, 3, 4, 5, 6
STATUSES = {
    WRONG_CHECKSUM: "wrong checksum", WRONG_COMMAND: "invalid command", WRONG_TYPE: "wrong type", WRONG_VALUE: "invalid value",
    LOCKED: "configuration EEPROM locked", NOT_AVAILABLE: "command not available",
}  # fmt: skip


def framed(head: bytes) -> bytes:
    """Eight bytes with their sum."""
    return head + bytes((sum(head) & 0xFF,))


def sound(frame: bytes) -> bool:
    """Whether a frame's sum is right."""
    return len(frame) == LENGTH and sum(frame[:-1]) & 0xFF == frame[-1]


@dataclass(frozen=True)
class Request:
    """One command; value is a signed 32-bit number."""

    module: int
    command: int
    type: int = 0
    motor: int = 0
    value: int = 0

    def encode(self) -> bytes:
        """The frame."""
        return framed(struct.pack(">BBBBi", self.module, self.command, self.type, self.motor, self.value))


@dataclass(frozen=True)
class Reply:
    """What answers a command."""

    host: int
    module: int
    status: int
    command: int
    value: int

    @property
    def refusal(self) -> str | None:
        """The status in words; None: it was done."""
        return None if self.status == OK else f"{STATUSES.get(self.status, 'status')} (TMCL status {self.status})"

    def encode(self) -> bytes:
        """The frame."""
        value = (self.value + 0x80000000) % 0x100000000 - 0x80000000  # a position counter goes round
        return framed(struct.pack(">BBBBi", self.host, self.module, self.status, self.command, value))


def parse_request(data: bytes) -> Request | None:
    """The command in nine bytes; None where their sum is wrong."""
    return Request(*struct.unpack(">BBBBi", data[:-1])) if sound(data) else None


def parse_reply(data: bytes, request: Request) -> Reply | None:
    """The answer to `request`, None while it is incomplete. Raises BadReply: sum, another module, another command's answer."""
    if len(data) < LENGTH:
        return None
    frame = data[:LENGTH]
    if (not sound(frame) or not any(frame)) and (why := no_frame.told(frame, "TMCL")):
        raise BadReply(why)
    if not sound(frame):
        raise BadReply(f"wrong checksum: expected {sum(frame[:-1]) & 0xFF:02x}, got {frame[-1]:02x}")
    reply = Reply(*struct.unpack(">BBBBi", frame[:-1]))
    if reply.module != request.module:
        raise BadReply(f"module {reply.module} answered, module {request.module} was asked; no two modules may have one address")
    if reply.command != request.command and reply.status != WRONG_CHECKSUM:
        raise BadReply(f"that answers command {reply.command}, not {request.command}")
    return reply
