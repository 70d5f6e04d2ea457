"""Frames of Modbus RTU: golden ones, and that nothing with a wrong checksum passes."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_drives import crc16

from drivers.errors import BadReply
from drivers.protocols import modbus_rtu
from drivers.protocols.modbus_rtu import Reply, Request, read, write
from tests.each_row import each_row

word = st.integers(0, 0xFFFF)


def hexed(text: str) -> bytes:
    return bytes.fromhex(text)


# The first from the Modbus specification's kind of example; the others from Schneider Electric, ATV320 Modbus communication manual
# NVE41308, "Modbus functions": reading W3102 to W3105, writing W9001, writing W9001 and W9002.
GOLDEN = {
    "07 04 00 00 00 04 f1 af": read(7, 0, 4, modbus_rtu.READ_INPUT),
    "02 03 0c 1e 00 04 27 6c": read(2, 3102, 4),
    "02 06 23 29 00 0d 92 70": write(2, 9001, 13),
    "02 10 23 29 00 02 04 00 14 00 1e 73 a4": write(2, 9001, 20, 30),
}


@pytest.mark.parametrize("text", GOLDEN)
def test_golden_requests_both_ways(text: str) -> None:
    assert GOLDEN[text].encode() == hexed(text)
    found, used = modbus_rtu.parse_request(hexed(text))
    assert used == len(hexed(text))
    assert found is not None and found.encode() == hexed(text)


@pytest.mark.parametrize(
    ("request_", "text", "reply"),
    [
        (read(2, 3102, 4), "02 03 08 00 28 02 58 01 f4 00 00 52 b0", Reply((40, 600, 500, 0))),
        (write(2, 9001, 20, 30), "02 10 23 29 00 02 9b b7", Reply((20, 30))),
        (write(2, 9001, 13), "02 06 23 29 00 0d 92 70", Reply((13,))),
        (read(7, 0, 4), "07 83 02 20 f0", Reply(exception=2)),
    ],
)
def test_golden_replies_both_ways(request_: Request, text: str, reply: Reply) -> None:
    assert reply.encode(request_) == hexed(text)
    found = modbus_rtu.parse_reply(hexed(text), request_)
    assert found is not None and found.exception == reply.exception
    if request_.function == modbus_rtu.READ_HOLDING:
        assert found.values == reply.values


@given(st.binary(max_size=64))
def test_table_and_bits_agree(data: bytes) -> None:
    assert modbus_rtu.crc(data).to_bytes(2, "little") == crc16(data)


@given(st.binary(max_size=40), st.sampled_from([read(1, 3201, 2), write(1, 8502, 500), write(1, 9001, 1, 2)]))
def test_random_bytes_are_no_reply(data: bytes, request_: Request) -> None:
    try:
        found = modbus_rtu.parse_reply(data, request_)
    except BadReply:
        return
    length = 5 + 2 * request_.count if request_.function == 3 else 8
    assert found is None or (data[0] == request_.address and any(crc16(data[:n]) == bytes(2) for n in (5, length)))


@given(st.binary(max_size=300))
def test_random_bytes_never_stop_a_device(data: bytes) -> None:
    rest = data
    while True:
        found, used = modbus_rtu.parse_request(rest)
        if found is not None:
            assert crc16(rest[:used]) == bytes(2)
        if not used:
            break
        rest = rest[used:]


@given(st.lists(word, min_size=1, max_size=20), word, st.data())
def test_no_flipped_bit_passes(values: list[int], first: int, data: st.DataObject) -> None:
    request_ = read(1, first, len(values))
    reply = Reply(tuple(values)).encode(request_)
    assert modbus_rtu.parse_reply(reply, request_) == Reply(tuple(values))
    at, bit = data.draw(st.integers(0, len(reply) - 1)), data.draw(st.integers(0, 7))
    spoilt = bytearray(reply)
    spoilt[at] ^= 1 << bit
    with contextlib.suppress(BadReply):
        assert modbus_rtu.parse_reply(bytes(spoilt), request_) is None


@given(st.lists(word, min_size=2, max_size=30), word)
def test_requests_survive_the_line(values: list[int], first: int) -> None:
    for request_ in (write(3, first, *values), write(3, first, values[0]), read(3, first, len(values))):
        frame = request_.encode()
        for cut in range(len(frame)):
            assert modbus_rtu.parse_request(frame[:cut]) == (None, 0)
        assert modbus_rtu.parse_request(frame + b"\x00\x01") == (request_, len(frame))


def test_an_answer_to_another_question_is_refused() -> None:
    with pytest.raises(BadReply, match="answers another request"):
        modbus_rtu.parse_reply(write(1, 8502, 1).encode(), write(1, 8501, 1))
    with pytest.raises(BadReply, match="address 2 answered, address 1 was asked"):
        modbus_rtu.parse_reply(write(2, 8501, 1).encode(), write(1, 8501, 1))


@given(st.integers(-0x8000, 0x7FFF))
def test_signed_words(value: int) -> None:
    assert modbus_rtu.signed(*modbus_rtu.words(value)) == value


def test_the_shortest_frame_is_a_function_alone() -> None:
    """Read exception status, 07: address, function, CRC; golden by the polynomial of MODBUS over serial line V1.02, 6.2.2."""
    frame = bytes.fromhex("01 07") + crc16(bytes.fromhex("01 07"))
    assert modbus_rtu.sound(frame) and not modbus_rtu.sound(frame[:3])
    assert modbus_rtu.parse_request(frame) == (Request(1, 7, 0), 4)
    assert modbus_rtu.parse_request(frame[:3]) == (None, 0)


def test_an_answer_of_another_function_is_refused() -> None:
    """Of the same length and the same number of bytes."""
    body = bytes.fromhex("01 04 02 00 2a")
    with pytest.raises(BadReply, match="that answers another request than 01 03"):
        modbus_rtu.parse_reply(body + crc16(body), modbus_rtu.read(1, 3201))


def test_a_read_has_no_values_whatever_its_checksum_looks_like() -> None:
    for first, count in itertools.product(range(20), range(1, 126)):  # among them some whose checksum begins with the bytes of a write
        request = modbus_rtu.read(1, first, count)
        assert modbus_rtu.parse_request(request.encode()) == (request, 8)


@pytest.mark.parametrize(("baud", "seconds"), [(9600, 4.0104e-3), (19200, 2.0052e-3), (19201, 1.75e-3), (115200, 1.75e-3)])
def test_the_silence_between_frames(baud: int, seconds: float) -> None:
    """3.5 characters of 11 bits; above 19200 baud fixed at 1.75 ms (MODBUS over serial line V1.02, 2.5.1.1)."""
    assert modbus_rtu.seconds_of_silence(baud) == pytest.approx(seconds, rel=1e-4)


# Bytes that no drive sends: a terminal server's prompt, a web server, a broken line. 2 is the address that is asked.
NO_FRAMES = {
    b"login: ": "text came, 'login: ', no answer of Modbus",
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n": r"text came, 'HTTP/1.1 400 Bad Request\\r\\nContent-Type: ', no answer",
    bytes(300): "300 zero bytes came, no answer of Modbus",
}


@each_row("data", NO_FRAMES)
@each_row("request_", [read(2, 3102), read(2, 3102, 60), write(2, 9001, 13), write(2, 9001, 20, 30)])
def test_what_is_no_frame_at_all_has_no_checksum(data: bytes, request_: Request) -> None:
    with pytest.raises(BadReply, match=NO_FRAMES[data]):
        modbus_rtu.parse_reply(data, request_)


@pytest.mark.parametrize("text", ["02 03 02 00 28 00 00", "03 03 02 00 28 00 00", "41 42 43 80 45 46 47", "00 00 00 00 01 00 00"])
def test_what_may_be_a_spoilt_frame_is_judged_by_its_checksum(text: str) -> None:
    with pytest.raises(BadReply, match="wrong checksum: expected "):
        modbus_rtu.parse_reply(hexed(text), read(2, 3102))


@given(st.integers(1, 247), st.lists(word, min_size=1, max_size=20))
def test_every_answer_is_one_whatever_its_bytes_spell(address: int, values: list[int]) -> None:
    request = read(address, 3102, len(values))
    assert modbus_rtu.parse_reply(Reply(tuple(values)).encode(request), request) == Reply(tuple(values))
