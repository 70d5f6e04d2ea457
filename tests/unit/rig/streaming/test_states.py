"""The table of states is whole, and the same everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.display.theme import STATES as LOOKS
from rig.report.pages.states import page
from rig.streaming import states

NAMES = ("stopped", "starting", "running", "holding", "hold", "resuming", "stopping", "tripped")


def test_the_states_are_those_that_others_read() -> None:
    assert states.NAMES == NAMES


def test_every_state_can_be_entered_left_and_shown() -> None:
    for name in NAMES:
        assert any(row.end == name for row in states.TRANSITIONS)
        assert any(row.start == name for row in states.TRANSITIONS)
        assert name in LOOKS


def test_every_row_names_states_that_there_are() -> None:
    for row in states.TRANSITIONS:
        assert row.start in NAMES and row.end in NAMES and row.who and row.cause


@pytest.mark.parametrize("start", ["starting", "running", "holding", "hold", "resuming", "stopping"])
def test_from_everything_that_moves_an_interlock_and_a_stop_are_possible(start: str) -> None:
    assert states.allowed(start, "tripped") and states.allowed(start, "stopping")


def test_nothing_goes_on_after_an_interlock_and_nothing_jumps_into_a_hold() -> None:
    assert [row.end for row in states.TRANSITIONS if row.start == "tripped"] == ["stopped"]
    assert [row.start for row in states.TRANSITIONS if row.end == "hold"] == ["holding"]
    assert not states.allowed("stopped", "running") and not states.allowed("stopping", "running")


def test_the_docs_show_this_table() -> None:
    assert Path("docs/states.md").read_text(encoding="utf-8") == page()
