"""When `rig run` waits for its window, and when it does not."""

from types import SimpleNamespace
from typing import Any

import pytest

from rig.command_line.result import Result
from rig.commands.running import run
from rig.display.window.availability import unseen
from rig.supervision.outcome import Outcome


class Window:
    """A supervisor whose window stays."""

    def __init__(self) -> None:
        self.did: list[str] = []
        self.told: dict[str, Any] = {}
        self.hung = ""

    def show_ended(self, **data: Any) -> None:
        self.did.append("shown")
        self.told = data

    def close_window(self) -> None:
        self.did.append("closed")

    def wait_for_window(self) -> str:
        self.did.append("waited")
        return self.hung


RESULT = Result("verdict_failed", 1, {"verdict": {"result": "fail", "reason": "too late"}}, "table")


def _stay(reason: str) -> Window:
    window, outcome = Window(), Outcome()
    outcome.reason = reason
    run._stay(window, SimpleNamespace(run="0001-x"), outcome, RESULT)  # type: ignore[arg-type]
    return window


@pytest.mark.parametrize("reason", ["", "Ctrl-C", "stop button", "limit: 3 kN"])
def test_it_waits_and_tells_the_window_everything(reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    window = _stay(reason)
    assert window.did == ["shown", "waited"]
    verdict = {"verdict": "fail", "verdict_reason": "too late"}
    assert window.told == {"outcome": "verdict_failed", **verdict, "reason": reason, "figures": "table"}
    assert "the window stays until it is closed" in capsys.readouterr().err


@pytest.mark.parametrize("reason", ["asked to terminate", "terminal closed"])
def test_who_has_left_is_not_waited_for(reason: str) -> None:
    assert _stay(reason).did == ["shown", "closed", "waited"]


def test_one_that_hung_is_told_and_changes_nothing_else() -> None:
    window, outcome = Window(), Outcome()
    window.hung = "display gave no sign of life for 20 s and was ended"
    result = run._stay(window, SimpleNamespace(run="0001-x"), outcome, RESULT)  # type: ignore[arg-type]
    assert result.warnings == ["window: display gave no sign of life for 20 s and was ended"]
    assert (result.outcome, result.exit_code, result.data) == (RESULT.outcome, RESULT.exit_code, RESULT.data)


@pytest.mark.parametrize(("platform", "expected"), [("offscreen", True), ("minimal:enable_fonts", True), ("xcb", False), ("", False)])
def test_a_window_that_nobody_sees_is_known(platform: str, expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    assert unseen() is expected
