"""Seeded random changes of files, as damage, typing and other programs make them: of bytes, of lines, of values."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

EXTREMES = (
    "0", "-0.0", "-1", "1", "2147483648", "-9223372036854775808", "9223372036854775807", "9" * 40, "9" * 5000, "0x" + "f" * 70,
    "1e-320", "-1e-9", "1e6", "1e18", "1e308", "1e400", "inf", "-inf", "nan", "true", "false", "2026-05-31", "07:32:00",
    "1979-05-27T07:32:00Z",
    '""', '" "', '"15"', '"-15"', '"0 N"', '"-3 mm"', '"1e308 kN"', '"nan s"', '"inf Hz"', '"5 parsec"', '"3 furlong/fortnight"',
    '"20 degC"',
    '"1 N/V"', '"4 mA"', '"0.5 %"', '"1,5 mm"', '"10 kN kN kN"', '"none"', '"\\u0000"', '"\\u001b[31m"', '"\\n"', '"."', '".."', '"a/b"',
    '"/dev/zero"', '"/"', '"nowhere.toml"', '"linkage"', '"sine"', '"command"', '"kind"', '"' + "x" * 5000 + '"', '"\u00e9e\u0301"',
    '"\U0001f600"',
    "[]", "[1, 2]", '["a", "b"]', "[[[[]]]]", "{}", '{kind = "sine"}', "{a = {b = {c = 1}}}", "[{}]", "[[" * 40 + "]]" * 40,
)  # fmt: skip
"""As they stand in a TOML file. JSON has some of them; what it has not is a fault of its own."""
KEYS = ("kind", "name", "unit", "title", "file", "channel", "a.b.c", '""', '"."', "a" * 300, "rate", "channels", "limits", "__class__")
_VALUE = re.compile(r'(?<=[=:])[ \t]*("(?:[^"\\\n]|\\.)*"|[^\s#,}\]]+)')
_KEY = re.compile(r'^[ \t]*([\w."-]+)[ \t]*(?==)', re.MULTILINE)


def of_bytes(rng: random.Random, data: bytes) -> bytes:
    """One to three changes of pieces of a file."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        data = rng.choice((_flipped, _flipped, _overwritten, _cut, _without, _doubled, _moved, _filled))(rng, data)
    return data


def of_text(rng: random.Random, text: str) -> bytes:
    """Of a file that people or programs write: half of the changes are of values and lines, a quarter of keys, the rest of bytes."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        text = rng.choice((*(_another_value,) * 3, _values_exchanged, _another_key, _line_away, _line_twice))(rng, text)
    data = text.encode()
    return of_bytes(rng, data) if rng.random() < 0.25 else data


def _piece(rng: random.Random, data: bytes) -> tuple[int, int]:
    begin = rng.randrange(len(data) + 1)
    return begin, min(len(data), begin + int(2.0 ** rng.uniform(0.0, 12.0)))


def _flipped(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 4, 32)) if data else 0):
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _overwritten(rng: random.Random, data: bytes) -> bytes:
    begin, end = _piece(rng, data)
    return data[:begin] + rng.randbytes(end - begin) + data[end:]


def _filled(rng: random.Random, data: bytes) -> bytes:
    begin, end = _piece(rng, data)
    return data[:begin] + bytes([rng.choice((0, 255, 0x20))]) * (end - begin) + data[end:]


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _without(rng: random.Random, data: bytes) -> bytes:
    begin, end = _piece(rng, data)
    return data[:begin] + data[end:]


def _doubled(rng: random.Random, data: bytes) -> bytes:
    begin, end = _piece(rng, data)
    return data[:end] + data[begin:]


def _moved(rng: random.Random, data: bytes) -> bytes:
    begin, end = _piece(rng, data)
    rest, to = data[:begin] + data[end:], rng.randrange(len(data) - (end - begin) + 1)
    return rest[:to] + data[begin:end] + rest[to:]


def _replaced(rng: random.Random, text: str, what: re.Pattern[str], by: Callable[[list[re.Match[str]]], Sequence[str]]) -> str:
    """One of what there is in the text, by one of what may stand there instead."""
    there = list(what.finditer(text))
    if not there:
        return text
    one = rng.choice(there)
    return f"{text[: one.start(1)]}{rng.choice(by(there))}{text[one.end(1) :]}"


def _another_value(rng: random.Random, text: str) -> str:
    return _replaced(rng, text, _VALUE, lambda there: EXTREMES)


def _values_exchanged(rng: random.Random, text: str) -> str:
    there = list(_VALUE.finditer(text))
    if len(there) < 2:
        return text
    first, second = sorted(rng.sample(there, 2), key=lambda one: one.start(1))
    between = text[first.end(1) : second.start(1)]
    return f"{text[: first.start(1)]}{second[1]}{between}{first[1]}{text[second.end(1) :]}"


def _another_key(rng: random.Random, text: str) -> str:
    return _replaced(rng, text, _KEY, lambda there: (*KEYS, rng.choice(there)[1]))


def _line_away(rng: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    del lines[rng.randrange(len(lines))]
    return "".join(lines)


def _line_twice(rng: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    return "".join(lines)
