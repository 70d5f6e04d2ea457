"""Where a test did not go on, by what its events say."""

import pytest

from rig.streaming.interruptions import Interruption, Told, interruptions

BEGIN = (Told(None, "state", "starting: preparation"), Told(0.0, "state", "starting"), Told(0.01, "state", "running"))
AGAIN = (
    Told(None, "rate", "device runs at 51200 Hz"), Told(None, "resumed", "session 2: goes on with cycle 14 of 36"),
    Told(None, "state", "starting: preparation"), Told(7.0, "state", "starting"), Told(7.1, "state", "running"),
)  # fmt: skip
HELD = (
    Told(2.0, "state", "holding: hold by me"),
    Told(2.5, "state", "hold"),
    Told(4.0, "state", "resuming: by me"),
    Told(4.5, "state", "running"),
)
END = (Told(9.0, "state", "stopping: end of the program"), Told(9.6, "state", "stopped"))


def found(*events: Told) -> list[Interruption]:
    return list(interruptions(events))


def test_of_a_test_that_went_through_there_is_none():
    assert found(*BEGIN, Told(1.0, "limit", "stroke exceeds"), *END) == []


def test_a_hold_goes_from_its_begin_until_it_runs_again():
    assert found(*BEGIN, *HELD, *END) == [Interruption(2.0, 4.5, "held")]
    assert found(*BEGIN, *HELD[:2]) == [Interruption(2.0, None, "held")]
    assert found(*BEGIN, *HELD[:3], *HELD[:2], HELD[3], *END) == [Interruption(2.0, 4.5, "held")], "held once more on the way back"


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ((), "broken off, resumed"),
        ((Told(5.0, "state", "stopping: by me"), Told(5.5, "state", "stopped")), "stopped, resumed"),
        ((Told(5.0, "state", "tripped: force 70 kN"),), "tripped, resumed"),
    ],
)
def test_where_one_session_ended_and_the_next_began(before, words):
    assert found(*BEGIN, *before, *AGAIN, *END) == [Interruption(7.0, 7.0, words)]


def test_broken_off_while_it_was_held():
    told = found(*BEGIN, *HELD[:2], *AGAIN, *END)
    assert told == [Interruption(2.0, 7.0, "held"), Interruption(7.0, 7.0, "broken off, resumed")]


def test_a_resume_that_came_to_nothing_is_no_break_of_its_own():
    assert found(*BEGIN, *AGAIN[:3], *AGAIN, *END) == [Interruption(7.0, 7.0, "broken off, resumed")]
