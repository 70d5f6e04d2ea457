"""Answers of an ODrive: a checksum behind an asterisk, the exclusive or of what stands before it; and what is none."""

from __future__ import annotations

import pytest

from drivers.errors import BadReply
from drivers.protocols import odrive_ascii
from drivers.protocols.odrive_ascii import Command, encoded, numbers, parse_answers, parse_command
from tests.each_row import each_row


def test_the_checksum_of_a_word() -> None:
    """The definition, character by character."""
    total = 0
    for byte in b"r vbus_voltage":
        total ^= byte
    assert odrive_ascii.checksum(b"r vbus_voltage") == total
    assert encoded("r vbus_voltage", "u 0") == b"r vbus_voltage*%d\nu 0*%d\n" % (total, ord("u") ^ ord(" ") ^ ord("0"))


@pytest.mark.parametrize(
    ("data", "count", "found"),
    [
        (b"8*56\r\n", 1, ("8",)), (b"8*56\n1*49\r\n", 2, ("8", "1")), (b"8*56\r\n1*49\r\n", 1, ("8",)), (b"8*56\r\n", 2, None),
        (b"8*56", 1, None), (b"", 1, None), (b"invalid property*57\r\n", 3, ("invalid property",)),
    ],
)  # fmt: skip
def test_answers_are_lines_with_checksums(data: bytes, count: int, found: tuple[str, ...] | None) -> None:
    if data.startswith(b"invalid"):
        data = b"invalid property*%d\r\n" % odrive_ascii.checksum(b"invalid property")
    assert parse_answers(data, count) == found


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"8*57\r\n", "wrong checksum: expected 56, got 57"), (b"8\r\n", "an answer without a checksum"), (b"8*\r\n", "without a checksum"),
        (b"8*5x\r\n", "without a checksum"), (b"8*0056\r\n", "without a checksum"), (b"\xff*255\r\n", "an answer that is not ASCII"),
        (b"x" * 513, "that is no answer of an ODrive"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_told(data: bytes, words: str) -> None:
    with pytest.raises(BadReply, match=words):
        parse_answers(data, 1)
    assert parse_answers(b"x" * 512, 1) is None


@pytest.mark.parametrize(("answer", "count", "found"), [("0.25 -1e3", 2, (0.25, -1000.0)), ("8", 1, (8.0,)), ("  1   2 ", 2, (1.0, 2.0))])
def test_numbers_of_an_answer(answer: str, count: int, found: tuple[float, ...]) -> None:
    assert numbers(answer, count) == found


@each_row(("answer", "count"), [("1", 2), ("1 2 3", 2), ("nan 1", 2), ("inf 1", 2), ("1 -inf", 2), ("1_0", 1), ("x", 1), ("", 1)])
def test_what_are_no_numbers(answer: str, count: int) -> None:
    with pytest.raises(BadReply, match=f"expected {count} finite number{'s' if count > 1 else ''}, got "):
        numbers(answer, count)


@each_row(
    ("line", "command"),
    [
        (b"r vbus_voltage", Command("r vbus_voltage", False)),
        (b" u 0 ;comment*1", Command("u 0", False)), (b"u 0*101;comment", Command("u 0", True)), (b"u 0* 101 ", Command("u 0", True)),
        (b"u 0*102", None), (b"u 0*", None), (b"u 0*0101", None), (b"*0", None), (b"", None), (b";only", None), (b"u 0*x", None),
    ],
)  # fmt: skip
def test_what_the_drive_reads(line: bytes, command: Command | None) -> None:
    assert parse_command(line) == command


def test_an_answer_has_a_checksum_where_its_question_had_one() -> None:
    assert Command("f 0", True).answered("8", "1") == b"8*56\r\n1*49\r\n"
    assert Command("f 0", False).answered("8") == b"8\r\n"
