"""What is left of something that is counted, and how far it is, said on standard error."""

from __future__ import annotations

import pytest

from rig.console import progress
from rig.console.progress import PAUSE, told_on_stderr
from rig.console.time_left import TimeLeft, rounded
from rig.host import clock


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that it is."""
    now = [100.0]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    return now


def test_the_rest_takes_as_long_as_what_is_done_did(at: list[float]) -> None:
    left = TimeLeft(67)
    at[0] += 120.0
    assert left.words(8) == f", about {120.0 * 59 / 8 / 60.0:.0f} min left"
    assert left.words(60) == ", about 15 s left"
    assert left.words(0) == left.words(67) == ""


def test_nothing_is_said_too_early(at: list[float]) -> None:
    left = TimeLeft(10)
    at[0] += 1.0
    assert left.words(1) == ""


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.3, "5 s"), (12.0, "10 s"), (89.0, "90 s"), (91.0, "2 min"), (3600.0, "60 min"), (9000.0, "2.5 h")]
)
def test_as_a_person_would_say_it(seconds: float, said: str) -> None:
    assert rounded(seconds) == said


def test_without_a_terminal_there_is_a_line_now_and_then(at: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with told_on_stderr("budget") as tell:
        tell("0 of 9")
        at[0] += 0.5 * PAUSE
        tell("1 of 9")
        at[0] += PAUSE
        tell("2 of 9")
    out, err = capsys.readouterr()
    assert (out, err) == ("", "budget: 0 of 9\nbudget: 2 of 9\n")


def test_on_a_terminal_it_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Line:
        def __init__(self, fd: int) -> None:
            self.show = shown.append

        def close(self) -> None:
            shown.append("closed")

    monkeypatch.setattr(progress, "Progress", Line)
    monkeypatch.setattr(progress.sys, "stderr", type("Terminal", (), {"isatty": lambda self: True, "fileno": lambda self: 2})())
    with pytest.raises(KeyboardInterrupt), told_on_stderr("budget") as tell:
        tell("1 of 9")
        tell("2 of 9")
        raise KeyboardInterrupt
    assert [line.rstrip() for line in shown] == ["budget: 1 of 9", "budget: 2 of 9", "closed"]
    assert len(shown[0]) == len(shown[1])
