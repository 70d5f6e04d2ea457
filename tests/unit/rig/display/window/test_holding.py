"""The button and the keys that hold a test and let it go on: what they ask for, and when they ask for nothing."""

from __future__ import annotations

import pytest

from rig.display.status import Status
from rig.display.window.application import application
from rig.display.window.holding import HoldButton
from rig.streaming import states


@pytest.fixture
def asked() -> tuple[HoldButton, list[tuple[str, str]]]:
    application()
    button, said = HoldButton(), list[tuple[str, str]]()
    button.asked.connect(lambda verb, reason: said.append((verb, reason)))
    return button, said


def test_pressing_does_what_stands_on_it(asked: tuple[HoldButton, list[tuple[str, str]]]) -> None:
    button, said = asked
    button.show_status(Status(state="running"))
    assert button.text() == "HOLD"
    button.click()
    button.show_status(Status(state="hold"))
    assert button.text() == "RESUME"
    button.click()
    assert said == [("hold", "hold button in the window"), ("resume", "resume button in the window")]


@pytest.mark.parametrize("state", ["ready", *states.NAMES])
def test_it_can_be_pressed_only_where_the_table_of_states_has_a_way(asked: tuple[HoldButton, list[tuple[str, str]]], state: str) -> None:
    button, said = asked
    button.show_status(Status(state=state))
    assert button.isEnabled() == (states.allowed(state, "holding") or state == "hold")
    button.key("hold")
    button.key("resume")
    possible = [("hold", states.allowed(state, "holding")), ("resume", states.allowed(state, "resuming"))]
    assert [verb for verb, _ in said] == [verb for verb, can in possible if can]
