"""Hold and resume as the bench worker goes through them: who may ask when, what a limit does, and what ends a hold."""

from __future__ import annotations

from typing import Any

import pytest

from rig.streaming.states import in_words
from rig.workers.bench.pacing import Note
from tests.unit.rig.workers.bench.noted_bench import Noted, finding


@pytest.fixture
def answers(noted: Noted) -> list[tuple[int | None, str]]:
    """What was answered: (number, refusal)."""
    said: list[tuple[int | None, str]] = []
    noted.links.answer = lambda asked, refused="": said.append((asked, refused))
    return said


def holding(noted: Noted) -> Any:
    """A bench that runs, whose test does what it is told and notes it."""
    bench = noted.run()
    noted.course.settled = False
    noted.course.hold = lambda at_once: noted.does(f"hold at_once={at_once}") or ""
    noted.course.resume = lambda: noted.does("resume")
    noted.course.change = lambda key, value: noted.does(f"{key}={value}")
    noted.actuation.no_hold = ""
    return bench


def ask(bench: Any, verb: str, **data: Any) -> None:
    bench.command(verb, {"asked": 1, "reason": f"{verb} by me", **data})


def test_from_running_to_a_hold_and_back(noted: Noted, answers: list[Any]) -> None:
    bench = holding(noted)
    ask(bench, "hold")
    assert bench.course.state == "holding" and answers == [(1, "")] and "hold at_once=False" in noted.order
    bench.step()
    assert bench.course.state == "holding"
    noted.course.settled = True
    bench.step()
    assert bench.course.state == "hold"
    noted.course.settled = False
    ask(bench, "resume")
    bench.step()
    assert bench.course.state == "resuming" and "resume" in noted.order
    noted.course.settled = True
    bench.step()
    assert bench.course.state == "running"
    said = noted.said("state")
    assert said[-4:] == ["holding: hold by me", "hold", "resuming: resume by me", "running"]


WRONG = [("resume", "running"), ("hold", "hold"), ("hold", "stopping"), ("set", "hold"), ("resume", "tripped")]


@pytest.mark.parametrize(("verb", "state"), WRONG)
def test_what_the_table_has_no_way_for_is_refused(noted: Noted, answers: list[Any], verb: str, state: str) -> None:
    bench = holding(noted)
    bench.course.state = state
    ask(bench, verb, key="amplitude", new=1.0)
    assert bench.course.state == state and in_words(state) in answers[0][1] and "when it is" in answers[0][1]


def test_what_cannot_hold_says_why(noted: Noted, answers: list[Any]) -> None:
    bench = holding(noted)
    noted.actuation.no_hold = "its controller runs the waveform by itself"
    ask(bench, "hold")
    assert bench.course.state == "running" and answers == [(1, "its controller runs the waveform by itself")]


def test_a_limit_holds_at_once_and_once(noted: Noted, answers: list[Any]) -> None:
    bench = holding(noted)
    noted.findings = [finding("hold")]
    bench.step()
    bench.step()
    assert bench.course.state == "holding" and noted.order.count("hold at_once=True") == 1


def test_a_limit_that_cannot_hold_stops(noted: Noted, answers: list[Any]) -> None:
    bench = holding(noted)
    noted.actuation.no_hold = "no"
    noted.findings = [finding("hold")]
    bench.step()
    assert bench.course.state == "stopping" and bench.course.outcome == "tripped"


def test_a_limit_that_is_still_passed_holds_again_when_the_test_is_resumed(noted: Noted, answers: list[Any]) -> None:
    bench = holding(noted)
    noted.course.settled = True
    ask(bench, "hold")
    bench.step()
    ask(bench, "resume")
    noted.course.settled = False
    noted.findings = [finding("hold")]
    bench.step()
    assert bench.course.state == "holding"


@pytest.mark.parametrize("state", ["holding", "hold", "resuming"])
def test_interlock_and_stop_act_in_every_part_of_a_hold(noted: Noted, answers: list[Any], state: str) -> None:
    bench = holding(noted)
    bench.course.state = state
    bench.command("stop", {"reason": "Ctrl-C"})
    assert bench.course.state == "stopping" and "course stop" in noted.order
    bench.command("trip", {"reason": "asked again"})
    assert bench.course.state == "tripped" and "actuation trip" in noted.order


def test_a_change_is_told_and_the_state_stays(noted: Noted, answers: list[Any]) -> None:
    bench = holding(noted)
    noted.course.settled = True
    ask(bench, "set", key="amplitude", new=2.0)
    assert bench.course.state == "running" and "amplitude=2.0" in noted.order and noted.said("operation") == ["set by me"]
    noted.course.settled = False
    ask(bench, "set", key="amplitude", new=3.0)
    assert "amplitude=3.0" not in noted.order and "has not come in yet" in answers[-1][1]


def test_before_the_test_nothing_can_be_held(noted: Noted, answers: list[Any]) -> None:
    noted.bench.command("hold", {"asked": 4, "reason": "too soon"})
    assert answers[0][0] == 4 and "expected one that runs" in answers[0][1]


def test_a_stop_that_comes_when_the_test_has_ended_changes_nothing(noted: Noted, answers: list[Any]) -> None:
    """As of an instrument whose last reading comes in the very block in which the test came to its rest."""
    bench = holding(noted)
    noted.course.over = True
    noted.told = [("an instrument has given up", True)]
    bench.step()
    assert (bench.course.state, bench.course.outcome, bench.done) == ("stopped", "done", True)


def test_a_cycle_that_was_missed_is_told_and_holds_where_it_is_to(noted: Noted, answers: list[Any]) -> None:
    bench = holding(noted)
    noted.paced = [Note(3, "cycle 2: run again")]
    bench.step()
    assert bench.course.state == "running" and noted.said("pacing") == ["cycle 2: run again"]
    noted.paced = [Note(9, "cycle 7: run again", hold=True)]
    bench.step()
    assert bench.course.state == "holding" and noted.said("state")[-1] == "holding: cycle 7: run again"
    noted.paced = [Note(12, "cycle 8: run again", hold=True)]
    bench.step()
    assert noted.order.count("hold at_once=True") == 1, "it is on its way to the hold already"


def test_a_missed_cycle_that_cannot_be_held_stops_the_test(noted: Noted, answers: list[Any]) -> None:
    bench = holding(noted)
    noted.actuation.no_hold = "no"
    noted.paced = [Note(9, "cycle 7", hold=True)]
    bench.step()
    assert (bench.course.state, bench.course.outcome, bench.course.reason) == ("stopping", "tripped", "cycle 7")


def test_limits_learn_anew_from_a_hold_and_behind_a_change(noted: Noted, answers: list[Any]) -> None:
    bench = holding(noted)
    noted.course.n, noted.course.steady_from = 500, 900
    noted.course.settled = True
    ask(bench, "set", key="amplitude", new=2.0, anew=[1])
    assert "learn anew [1] from 900" in noted.order
    ask(bench, "hold")
    ask(bench, "resume", anew=[0])
    assert bench.course.state == "holding" and "new baseline when it is hold" in answers[-1][1]
    bench.step()
    ask(bench, "resume", anew=[0])
    assert bench.course.state == "resuming" and "learn anew [0] from 500" in noted.order
