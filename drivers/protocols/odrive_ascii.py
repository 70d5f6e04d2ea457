"""Lines of the ODrive ASCII protocol, for both ends. Nothing here reads or writes a port.

A line is `command[*checksum][;comment]` and ends with a line feed; the checksum is the exclusive or of all characters before the asterisk,
in decimal. An answer carries one if and only if its request did, and ends with CR LF; a request whose checksum is wrong is ignored.
Source: ODrive documentation, "ASCII Protocol" (docs/ascii-protocol.md and Firmware/communication/ascii_protocol.cpp, fw-v0.5.1 to 0.5.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import xor

from drivers.errors import BadReply
from drivers.protocols.plain_number import plain_number

LONGEST = 256
"""Characters of a line; a longer one is thrown away."""
ENDS = b"\r\n!"
COMPLAINTS = ("invalid", "unknown command", "not implemented")
"""How answers begin with which the drive refuses something."""


def checksum(text: bytes) -> int:
    """Exclusive or of all characters."""
    return reduce(xor, text, 0)


def encoded(*commands: str) -> bytes:
    """Commands as lines with their checksums, to go out in one burst."""
    return b"".join(b"%s*%d\n" % (text, checksum(text)) for text in (command.encode("ascii") for command in commands))


@dataclass(frozen=True)
class Command:
    """A line as the drive reads it; `checked`: it carried a checksum, so its answer gets one."""

    text: str
    checked: bool

    def answered(self, *lines: str) -> bytes:
        """Answers as the drive sends them."""
        texts = [line.encode("ascii") for line in lines]
        return b"".join(text + (b"*%d" % checksum(text) if self.checked else b"") + b"\r\n" for text in texts)


def parse_command(line: bytes) -> Command | None:
    """A line without its end; None where no command is in it, or its checksum is wrong or no number."""
    body, star, told = line.partition(b";")[0].partition(b"*")
    text = body.decode("ascii", "replace")
    if not star:
        return Command(text.strip(), False) if text.strip() else None
    told = told.strip()
    if not text.strip() or not told.isdigit() or len(told) > 3 or int(told) != checksum(body):
        return None
    return Command(text.strip(), True)


def parse_answers(data: bytes, count: int) -> tuple[str, ...] | None:
    """`count` answers with checksums, None while they are incomplete. Raises BadReply; a complaint of the drive is an answer as well,
    after which no further is waited for."""
    found = []
    for line in data.split(b"\n")[:-1]:
        found.append(_checked(line.rstrip(b"\r")))
        if found[-1].startswith(COMPLAINTS) or len(found) == count:
            return tuple(found)
    if len(data) > LONGEST * (count + 1):
        raise BadReply("that is no answer of an ODrive")
    return None


def _checked(line: bytes) -> str:
    body, star, told = line.rpartition(b"*")
    if not star or not told.isdigit() or len(told) > 3:
        raise BadReply("an answer without a checksum, though one was asked for")
    if int(told) != checksum(body):
        raise BadReply(f"wrong checksum: expected {checksum(body)}, got {int(told)}")
    try:
        return body.decode("ascii")
    except UnicodeDecodeError:
        raise BadReply("an answer that is not ASCII") from None


def numbers(answer: str, count: int) -> tuple[float, ...]:
    """The numbers of an answer. Raises BadReply."""
    try:
        found = tuple(plain_number(part) for part in answer.split())
    except ValueError:
        found = ()
    if len(found) != count or any(value != value or abs(value) == float("inf") for value in found):
        raise BadReply(f"expected {count} finite number{'s' if count > 1 else ''}, got {answer!r}")
    return found
