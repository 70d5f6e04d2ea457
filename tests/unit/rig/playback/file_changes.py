"""Random changes of a file, as a bad disk, a bad transfer and a bad program make them: a seed is a change."""

from __future__ import annotations

import random
from collections.abc import Callable

PIECE = 200  # bytes


def changed(data: bytes, seed: int) -> bytes:
    """The file with one to four changes."""
    chance = random.Random(seed)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(CHANGES)(data, chance)
    return data


def _bits(data: bytes, chance: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 20))):
        if found:
            found[chance.randrange(len(found))] ^= 1 << chance.randrange(8)
    return bytes(found)


def _head(data: bytes, chance: random.Random) -> bytes:
    """Bits of the first kilobyte, where the description is."""
    return _bits(data[:1024], chance) + data[1024:]


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _doubled(data: bytes, chance: random.Random) -> bytes:
    at, to = _place(data, chance)
    return data[:to] + data[at:to] * chance.choice((1, 1, 5, 100)) + data[to:]


def _left_out(data: bytes, chance: random.Random) -> bytes:
    at, to = _place(data, chance)
    return data[:at] + data[to:]


def _moved(data: bytes, chance: random.Random) -> bytes:
    at, to = _place(data, chance)
    rest = data[:at] + data[to:]
    target = chance.randrange(len(rest) + 1)
    return rest[:target] + data[at:to] + rest[target:]


def _overwritten(data: bytes, chance: random.Random) -> bytes:
    """By zeros, ones, or what is extreme as a number or a length."""
    at, _ = _place(data, chance)
    by = chance.choice(
        (b"\0" * 8, b"\xff" * 8, b"\xff" * 7 + b"\x7f", b"\0\0\0\x80", b"1e999", b"-1", b"\n", b'"', b";", b"#", b"nan", b"999999999")
    )
    return data[:at] + by + data[at + len(by) :]


def _lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) > 1:
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _place(data: bytes, chance: random.Random) -> tuple[int, int]:
    at = chance.randrange(len(data) + 1)
    return at, min(len(data), at + chance.randrange(1, PIECE))


CHANGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(_bits, _head, _head, _cut, _doubled, _left_out, _moved, _overwritten, _lines),
)
