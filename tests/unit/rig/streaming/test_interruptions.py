"""Where a test did not go on, by what its events say."""

from dataclasses import replace

import pytest

from rig.streaming.interruptions import Interruption, Stand, Told, interruptions

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


def test_each_stand_of_a_hold_has_its_reason_and_its_sample():
    """Held by an operator, held again by a limit on the way back: one interruption of the pace, two stands."""
    samples = iter(range(100, 1000, 100))
    way = (
        *HELD[:3],
        Told(4.2, "state", "holding: stroke 6 mm exceeds: look"),
        Told(4.9, "state", "hold"),
        Told(6.0, "state", "resuming"),
        HELD[3],
    )
    (one,) = found(*BEGIN, *(replace(event, sample=next(samples)) for event in way), *END)
    assert one.samples == (100, 700)
    assert one.stands == (Stand(2.0, 4.0, "hold by me", 200), Stand(4.2, 6.0, "stroke 6 mm exceeds: look", 500))


def test_a_hold_that_is_stopped_ends_with_the_stop():
    (one,) = found(*BEGIN, *HELD[:2], Told(5.0, "state", "stopping: by me", 77))
    assert (one.end, one.samples[1], [stand.end for stand in one.stands]) == (5.0, 77, [5.0])


def test_a_break_says_why_the_session_before_ended():
    before = (Told(5.0, "state", "tripped: force 70 kN"), Told(5.5, "state", "stopped"))
    (one,) = found(*BEGIN, *before, *AGAIN, *END)
    assert one.reason == "force 70 kN"
    assert found(*BEGIN, *AGAIN, *END)[0].reason == "", "a kill has none"
