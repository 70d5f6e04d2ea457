"""Exchanges on a port in memory: how long is waited for what, what is thrown away, and what is told.

A look at a port that says nothing takes 20 ms; a byte at 9600 baud with one stop bit takes 10 bits.
"""

from __future__ import annotations

import pytest

from drivers.errors import BadReply, NoReply
from drivers.serial.allowance import Allowance
from tests.unit.drivers.serial.memory_port import LOOK, Port, opened, whole

# -- waiting ---------------------------------------------------------------------------------------------------------------------------


def test_a_reply_is_taken_as_soon_as_it_is_whole(port: Port) -> None:
    line = opened()
    port.answers = [[(0.05, b"12"), (0.06, b".5\n")]]
    assert line.exchange(b"?\n", whole) == b"12.5"
    assert line.span == (0.0, pytest.approx(0.06)) and line.timing.median == pytest.approx(0.06) and line.timing.n == 1
    assert str(line.exchanges[-1]) == r"sent '?\n', received '12.5\n' in 60.0 ms"
    port.answers = [[(0.05, b"\n")]]
    assert line.exchange(b"?\n", whole) == b"" and line.span[1] - line.span[0] == pytest.approx(0.05), "one byte as well"


@pytest.mark.parametrize(("given", "waits"), [(None, 0.2), (0.5, 0.5)])
def test_silence_is_told_after_the_time_out(port: Port, given: float | None, waits: float) -> None:
    line = opened()
    with pytest.raises(
        NoReply, match=r"^gauge at COM1: no reply \(sent '\?\\n', received nothing in .* ms\); look at the cable, at the ins"
    ):
        line.exchange(b"?\n", whole, timeout=given)
    assert waits <= port.now < waits + 2.5 * LOOK and line.timing.n == 0


def test_a_reply_that_has_begun_is_heard_to_its_end(port: Port) -> None:
    """Begun within the time-out, it may end later."""
    line = opened()
    port.answers = [[(0.19, b"12"), (0.205, b".5"), (0.22, b"\n")]]
    assert line.exchange(b"?\n", whole) == b"12.5"


def test_one_that_stops_in_the_middle_is_cut_short(port: Port) -> None:
    line = opened()
    port.answers = [[(0.19, b"12")]]
    with pytest.raises(BadReply, match=r"the reply is cut short \(sent '\?\\n', received '12' in .*; look at the cable, at baud rate and"):
        line.exchange(b"?\n", whole)
    assert port.now < 0.3


def test_bytes_that_never_end_are_given_up(port: Port) -> None:
    """A time-out, and the time of 300 bytes at the most."""
    line = opened()
    port.answers = [[(0.01 * n, b"U") for n in range(1, 200)]]
    with pytest.raises(BadReply, match="bytes without end, and no reply among them"):
        line.exchange(b"?\n", whole)
    assert 0.2 + 300 * 10 / 9600 < port.now < 0.2 + 300 * 10 / 9600 + 3 * LOOK


def test_a_reply_longer_than_any_is_given_up(port: Port) -> None:
    line = opened()
    port.answers = [[(0.01, b"x" * 4096)], [(0.01, b"x" * 4097)]]
    with pytest.raises(BadReply, match="cut short"):
        line.exchange(b"?\n", whole)
    with pytest.raises(BadReply, match="a reply without end"):
        line.exchange(b"?\n", whole)


def test_what_the_computer_stands_still_is_no_time_out(port: Port) -> None:
    """Three looks of a second each: no more than two looks' time of each counts."""
    line = opened()
    port.stands = 1.0
    port.answers = [[(3.5, b"12.5\n")]]
    assert line.exchange(b"?\n", whole) == b"12.5"
    port.answers = []
    begun = port.now
    with pytest.raises(NoReply):
        line.exchange(b"?\n", whole)
    assert port.now - begun == pytest.approx(6 * 1.02, abs=1.1)  # six looks of 40 ms are 240 of 200 ms


# -- what comes before and behind ------------------------------------------------------------------------------------------------------


def test_what_waits_on_the_line_is_thrown_away_first(port: Port) -> None:
    line = opened()
    port._coming = [(0.0, b"old\n")]
    port.answers = [[(0.01, b"new\n")]]
    assert line.exchange(b"?\n", whole) == b"new"


@pytest.mark.parametrize("late", [0.23, 0.3, 0.38])
def test_a_late_answer_is_not_taken_for_that_of_the_next_question(port: Port, late: float) -> None:
    """The protocol here has nothing that tells answers apart: only waiting helps."""
    line = opened()
    port.answers = [[(late, b"late\n")], [(0.01, b"next\n")], [(0.01, b"third\n")]]
    with pytest.raises(NoReply):
        line.exchange(b"one\n", whole)
    assert line.exchange(b"two\n", whole) == b"next"
    waited = port.written[1][0]
    assert late < waited < 0.5
    assert line.exchange(b"three\n", whole) == b"third" and port.written[2][0] == pytest.approx(waited + 0.01), "and then at once"


def test_one_that_never_comes_is_waited_for_one_time_out_more(port: Port) -> None:
    line = opened()
    port.answers = [[], [(0.01, b"next\n")]]
    with pytest.raises(NoReply):
        line.exchange(b"one\n", whole)
    begun = port.now
    assert line.exchange(b"two\n", whole) == b"next"
    assert 0.2 <= port.written[1][0] - begun < 0.25


def test_the_remains_of_a_spoilt_reply_are_waited_for_until_it_is_quiet(port: Port) -> None:
    """5 ms without a byte, or the time of twenty: 20.8 ms at 9600 baud."""
    line = opened()

    def never(got: bytes) -> bytes | None:
        raise BadReply("nonsense")

    port.answers = [[(0.01, b"x"), (0.02, b"y"), (0.035, b"z")], [(0.01, b"next\n")]]
    with pytest.raises(BadReply, match=r"nonsense \(sent"):
        line.exchange(b"one\n", never)
    assert line.exchange(b"two\n", whole) == b"next"
    assert 0.035 + 0.0208 <= port.written[1][0] < 0.035 + 0.035


def test_a_stop_waits_for_nothing_and_what_was_awaited_may_still_come(port: Port) -> None:
    line = opened()
    port.answers = [[(0.3, b"late\n")], [(0.01, b"stopped\n")], [(0.01, b"next\n")]]
    with pytest.raises(NoReply):
        line.exchange(b"one\n", whole)
    begun = port.now
    assert line.exchange(b"stop\n", lambda got: True if b"stopped\n" in got else None, urgent=True)
    assert port.written[1][0] == begun
    assert line.exchange(b"two\n", whole) == b"next"
    assert port.written[2][0] > 0.3


def test_the_gap_of_a_protocol_is_kept_after_whoever_has_spoken(port: Port) -> None:
    line = opened(gap=0.004)
    port.answers = [[(0.01, b"one\n")], [], [(0.01, b"three\n")]]
    line.exchange(b"1\n", whole)
    line.send(b"2\n")
    line.exchange(b"3\n", whole)
    assert [at for at, _ in port.written] == pytest.approx([0.0, 0.014, 0.018])
    assert [one.reply for one in line.exchanges] == [b"one\n", b"", b"three\n"] and line.exchanges[1].seconds == 0.0


# -- echoes ----------------------------------------------------------------------------------------------------------------------------


def test_an_echo_is_told_as_what_it_is(port: Port) -> None:
    line = opened(mirrored=False)
    port.answers = [[(0.01, b"?\n12.5\n")]]
    with pytest.raises(BadReply, match=r"what was sent has come back, an echo .*; switch the echo off: at an RS-485 adapter"):
        line.exchange(b"?\n", whole)


@pytest.mark.parametrize(
    ("settings", "given"), [({"mirrored": True}, {}), ({"mirrored": False}, {"mirrored": True}), ({"mirrored": False}, {"urgent": True})]
)
def test_an_answer_that_may_be_its_request_is_one(port: Port, settings: dict[str, bool], given: dict[str, bool]) -> None:
    line = opened(**settings)
    port.answers = [[(0.01, b"?\n")]]
    assert line.exchange(b"?\n", whole, **given) == b"?"


def test_an_echo_that_comes_in_parts_is_told_as_one(port: Port) -> None:
    line = opened(mirrored=False)

    def strict(got: bytes) -> bytes | None:
        raise BadReply("no frame")

    port.answers = [[(0.01, b"ab"), (0.02, b"c\n")], [(0.01, b"xy")]]
    with pytest.raises(BadReply, match="an echo of the adapter"):
        line.exchange(b"abc\n", strict)
    with pytest.raises(BadReply, match="no frame"):
        line.exchange(b"abc\n", strict)


# -- allowances ------------------------------------------------------------------------------------------------------------------------


def test_a_whole_that_has_taken_too_long_cuts_every_wait_short(port: Port) -> None:
    line = opened()
    with line.within(Allowance(0.3, "reaching it")):
        with pytest.raises(NoReply) as first:
            line.exchange(b"one\n", whole)
        with pytest.raises(NoReply, match=r"; reaching it may take 0\.3 s of waiting in all, which are over; look at"):
            line.exchange(b"two\n", whole)
        assert "may take" not in str(first.value) and port.now < 0.3 + 4 * LOOK
        begun = port.now
        with pytest.raises(NoReply):
            line.exchange(b"three\n", whole)
        assert port.now - begun < 3 * LOOK and port.written[-1][1] == b"three\n", "it is said all the same"
    begun = port.now
    with pytest.raises(NoReply) as after:
        line.exchange(b"four\n", whole)
    assert "may take" not in str(after.value) and port.now - begun > 0.3, "outside of it nothing is limited"


def test_a_limit_stays_until_the_port_is_opened_anew(port: Port) -> None:
    line = opened()
    line.limit(Allowance(0.0, "stopping it"))
    for _ in range(2):
        with pytest.raises(NoReply, match="stopping it may take 0 s of waiting in all, which are over"):
            line.exchange(b"one\n", whole)
    line.open()
    with pytest.raises(NoReply) as told:
        line.exchange(b"one\n", whole)
    assert "may take" not in str(told.value)
