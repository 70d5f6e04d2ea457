"""What waits for a test in another process ends where that test goes another way."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rig.command_line import operating

ARGUMENTS = argparse.Namespace(run=Path("run"), operator="me", reason="")


def asked(monkeypatch: pytest.MonkeyPatch, states: list[str]) -> None:
    """The states that it tells, one after the other; the last one stays."""
    left: Iterator[str] = iter(states)
    last = states[-1]

    def ask(run: Path, verb: str, **data: Any) -> dict[str, Any]:
        return {"status": {"run": "run", "state": next(left, last)}} if verb == "status" else {}

    monkeypatch.setattr(operating, "ask", ask)
    monkeypatch.setattr(operating.time, "sleep", lambda seconds: None)


def test_a_test_that_goes_on_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked(monkeypatch, ["hold", "hold", "resuming", "running"])
    result = operating.operate(ARGUMENTS, "resume", ("running",))
    assert (result.outcome, result.exit_code, result.data["state"]) == ("done", 0, "running")


@pytest.mark.parametrize("again", ["holding", "hold"])
def test_one_that_a_limit_holds_again_on_its_way_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch, again: str) -> None:
    asked(monkeypatch, ["hold", "resuming", again])
    result = operating.operate(ARGUMENTS, "resume", ("running",))
    assert (result.outcome, result.exit_code, result.data["state"], result.data["outcome_of"]) == ("tripped", 1, again, "test")
    assert "it was held again on its way" in result.text


def test_nor_is_one_whose_way_was_shorter_than_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    asked(monkeypatch, ["hold"])
    monkeypatch.setattr(operating, "AGAIN", 0.05)
    assert operating.operate(ARGUMENTS, "resume", ("running",)).exit_code == 1


def test_a_hold_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked(monkeypatch, ["running", "holding", "hold"])
    result = operating.operate(ARGUMENTS, "hold", ("hold",))
    assert (result.exit_code, result.data["state"]) == (0, "hold")
