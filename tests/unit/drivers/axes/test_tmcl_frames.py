"""Frames of TMCL: golden ones by the manual's rules, and what is no answer. Nine bytes, the last the sum of the others & FFh."""

from __future__ import annotations

import pytest

from drivers.errors import BadReply
from drivers.protocols.tmcl_frames import Reply, Request, parse_reply, parse_request, sound

ASKED = Request(1, 6, 1, 0, 0)  # GAP 1, actual position
ANSWER = bytes.fromhex("02 01 64 06 00 00 c8 00 35")  # 51200, status 100


def summed(text: str) -> bytes:
    head = bytes.fromhex(text)
    return head + bytes((sum(head) & 0xFF,))


def test_a_sound_answer_is_taken_when_it_is_whole() -> None:
    assert summed("02 01 64 06 00 00 c8 00") == ANSWER
    assert parse_reply(ANSWER, ASKED) == Reply(2, 1, 100, 6, 51200)
    assert parse_reply(ANSWER + b"\x02", ASKED) == Reply(2, 1, 100, 6, 51200)
    assert parse_reply(ANSWER[:8], ASKED) is None
    assert parse_reply(summed("02 01 64 06 ff ff ff fe"), ASKED) == Reply(2, 1, 100, 6, -2)


def test_a_wrong_sum_is_told() -> None:
    with pytest.raises(BadReply, match="wrong checksum: expected 35, got 36"):
        parse_reply(ANSWER[:8] + b"\x36", ASKED)
    assert sound(ANSWER) and not sound(ANSWER[:8] + b"\x36") and not sound(ANSWER + b"\x00") and not sound(b"")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("02 03 64 06 00 00 c8 00", "module 3 answered, module 1 was asked; no two modules may have one address"),
        ("02 01 64 05 00 00 c8 00", "that answers command 5, not 6"),
        ("02 01 02 05 00 00 00 00", "that answers command 5, not 6"),
    ],
)
def test_an_answer_to_another_question_is_told(answer: str, words: str) -> None:
    with pytest.raises(BadReply, match=words):
        parse_reply(summed(answer), ASKED)


def test_a_module_that_got_a_wrong_sum_cannot_know_the_command() -> None:
    reply = parse_reply(summed("02 01 01 00 00 00 00 00"), ASKED)
    assert reply is not None and reply.refusal == "wrong checksum (TMCL status 1)"


@pytest.mark.parametrize(
    ("status", "words"),
    [(100, None), (2, "invalid command"), (3, "wrong type"), (4, "invalid value"), (5, "configuration EEPROM locked"),
     (6, "command not available"), (77, "status")],
)  # fmt: skip
def test_a_status_in_words(status: int, words: str | None) -> None:
    assert Reply(2, 1, status, 6, 0).refusal == (None if words is None else f"{words} (TMCL status {status})")


def test_a_request_with_a_wrong_sum_is_none() -> None:
    frame = Request(1, 4, 0, 2, -51200).encode()
    assert frame == bytes.fromhex("01 04 00 02 ff ff 38 00 3d") and parse_request(frame) == Request(1, 4, 0, 2, -51200)
    assert parse_request(frame[:8] + b"\x3e") is None and parse_request(frame[:8]) is None


@pytest.mark.parametrize(("count", "value"), [(2**31, -(2**31)), (2**31 - 1, 2**31 - 1), (-(2**31) - 1, 2**31 - 1), (2**32, 0)])
def test_a_counter_goes_round(count: int, value: int) -> None:
    """Signed, of 32 bits."""
    reply = parse_reply(Reply(2, 1, 100, 6, count).encode(), ASKED)
    assert reply is not None and reply.value == value


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"login: root", "text came, 'login: ro', no answer of TMCL"),
        (b"HTTP/1.1 400", "text came, 'HTTP/1.1 ', no answer of TMCL"),
        (bytes(9), "9 zero bytes came, no answer of TMCL"),
    ],
)
def test_what_is_no_frame_at_all_has_no_checksum(data: bytes, said: str) -> None:
    with pytest.raises(BadReply, match=said):
        parse_reply(data, ASKED)


def test_a_sound_frame_of_letters_is_an_answer() -> None:
    asked, answer = Request(0x41, 0x0D, 0, 0, 0), summed("42 41 64 0d 41 41 41 41")
    assert parse_reply(answer, asked) == Reply(0x42, 0x41, 100, 13, 0x41414141)
