"""Time held is told apart from time run."""

from __future__ import annotations

from rig.streaming.interruptions import Told, time_held

EVENTS = [Told(at, "state", text) for at, text in ((0.0, "starting"), (0.1, "running"), (5.0, "holding: x"), (6.0, "hold"))]


def test_a_hold_that_goes_on_lasts_to_the_end() -> None:
    assert time_held(EVENTS, 20.0) == 15.0
    assert time_held(EVENTS[:2], 20.0) == 0.0, "a control"


def test_of_two_holds_the_sum() -> None:
    more = [Told(at, "state", text) for at, text in ((8.0, "resuming"), (9.0, "running"), (11.0, "holding"), (12.5, "stopping"))]
    assert time_held([*EVENTS, *more], 20.0) == 4.0 + 1.5
