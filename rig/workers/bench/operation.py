"""What an operator asks of a running test, besides its end: hold, resume, change. By the table of states (`rig.streaming.states`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rig.streaming import states
from rig.streaming.new_baselines import later
from rig.workers.bench.test_run import TestRun
from rig.workers.messages import Command

HOLD, RESUME, SET = "hold", "resume", "set"
VERBS = (HOLD, RESUME, SET)


class NotNow(Exception):
    """It cannot be done; says why."""


@dataclass(frozen=True)
class Act:
    """What was done: the state that follows, and what is to be told."""

    state: str
    text: str
    notes: tuple[str, ...] = ()


def operate(
    verb: str, data: Command, state: str, test: TestRun | None, no_hold: str, learn_anew: Callable[[Sequence[int], int], None]
) -> Act:
    """Do what `verb` says. no_hold: why what moves the specimen cannot hold; learn_anew: see `BlockChecks.learn_anew`.

    Raises NotNow; nothing has changed then.
    """
    act = {HOLD: _hold, RESUME: _resume, SET: _change}[verb]
    if test is None:
        raise NotNow(f"the test is {states.in_words(state)}; expected one that runs")
    if verb == HOLD and no_hold:
        raise NotNow(no_hold)
    if verb == RESUME and data.get("anew") and state != states.HOLD:
        raise NotNow(f"the test is {state}; limits are given a new baseline when it is {states.HOLD}")
    done = act(data, state, test)
    if numbers := data.get("anew"):
        sample = test.n if verb == RESUME else test.steady_from
        learn_anew(numbers, sample)
        return replace(done, text=later(done.text, sample - test.n))
    return done


def _hold(data: Command, state: str, test: TestRun) -> Act:
    if state not in states.CAN_HOLD:
        raise NotNow(
            f"the test is {states.in_words(state)}; it can be held when it is {' or '.join(map(states.in_words, states.CAN_HOLD))}"
        )
    try:
        note = test.hold(at_once=bool(data.get("at_once")))
    except ValueError as error:
        raise NotNow(str(error)) from None
    return Act(states.HOLDING, data["reason"], (note,) if note else ())


def _resume(data: Command, state: str, test: TestRun) -> Act:
    if state not in states.CAN_RESUME:
        raise NotNow(
            f"the test is {states.in_words(state)}; it can be resumed when it is {' or '.join(map(states.in_words, states.CAN_RESUME))}"
        )
    test.resume()
    return Act(states.RESUMING, data["reason"])


def _change(data: Command, state: str, test: TestRun) -> Act:
    if state != states.RUNNING:
        raise NotNow(f"the test is {states.in_words(state)}; it can be changed when it is {states.RUNNING}")
    if not test.settled:
        raise NotNow("the change before has not come in yet; ask again in a moment")
    try:
        test.change(data["key"], data["new"])
    except ValueError as error:
        raise NotNow(str(error)) from None
    return Act(state, data["reason"])
