"""A panel of the user's own in the window: one file in a folder outside the program."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel

from rig.display.panels.display_panel import ROOM
from rig.display.sources.live import LiveSource
from rig.display.sources.source import Trace
from rig.display.window.live_window import LiveWindow
from tests.documented_files import shown
from tests.unit.rig.display.display_rings import AMPLITUDE, FREQUENCY, RATE, SUBJECT, Rings
from tests.unit.rig.own_folder import own_room

NUMBER = """
from dataclasses import dataclass
from rig.display.labels import text
from rig.display.panels.display_panel import DisplayPanel, DockPanel
from rig.display.sources.source import Trace

COMMAND = Trace("command", "value")

@dataclass(frozen=True)
class Config(DisplayPanel):
    TITLE = "Command in figures"

    def create(self, what):
        return Number()

class Number(DockPanel):
    def __init__(self):
        super().__init__("Command in figures")
        self.number = text("value", "")
        self.body.addWidget(self.number)

    def traces(self):
        return (COMMAND, Trace("measured", "stroke"))

    def refresh(self, source, now):
        first, values = source.samples(COMMAND, now - 1, now)
        self.number.setText(f"{first} {values[-1]!s}")
"""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Path]:
    with own_room(ROOM, tmp_path) as folder:
        yield folder


def refreshed(rings: Rings, folder: Path, looked: Callable[[LiveWindow, int], None] = lambda window, turn: None) -> LiveWindow:
    """A window that has been shown new samples twenty times; `looked` at it after each."""
    source = LiveSource(rings.paths, SUBJECT.traces(SUBJECT.force))
    window = LiveWindow(SUBJECT, source, folder / "no-layout.ini", lambda reason: None, lambda: None)
    window.show()
    for turn in range(20):
        rings.append(2048)
        assert window.refresh()
        looked(window, turn)
    return window


def test_it_is_docked_and_drawn(qt: Any, room: Path, rings: Rings, tmp_path: Path) -> None:
    (room / "number.py").write_text(NUMBER)
    window = refreshed(rings, tmp_path)
    panel, title, _ = window.panels.docked["number"]
    assert title == "Command in figures" and panel.isVisible()
    sample, value = panel.number.text().split()  # type: ignore[attr-defined]
    assert int(sample) > 10 * 2048
    assert float(value) == pytest.approx(AMPLITUDE * math.sin(2.0 * math.pi * FREQUENCY * int(sample) / RATE), rel=1e-6)
    assert title in [action.text() for action in window._panels_button.menu().actions()]
    assert Trace("measured", "stroke") in window.panels.traces
    window.close()


def test_the_one_that_the_manual_shows(qt: Any, room: Path, rings: Rings, tmp_path: Path) -> None:
    (room / "stroke_figure.py").write_text(shown("your_own_kinds.md")["A panel of the window"])
    window = refreshed(rings, tmp_path)
    panel, title, _ = window.panels.docked["stroke_figure"]
    assert title == "Stroke in figures" and panel.isVisible() and panel.figures.text() == ""
    assert panel.number.text().endswith(" mm") and math.isfinite(float(panel.number.text().split()[0]))  # type: ignore[attr-defined]
    window.close()


def test_one_that_fails_says_so_and_the_window_goes_on(qt: Any, room: Path, rings: Rings, tmp_path: Path) -> None:
    (room / "broken.py").write_text("import no_such_vendor")
    (room / "unmade.py").write_text(NUMBER.replace("return Number()", "return Number(1)"))
    (room / "unfit.py").write_text(NUMBER.replace("def create", "def fits(self, what):\n        return what.nothing\n\n    def create"))
    (room / "raising.py").write_text(NUMBER.replace("first, values =", "first, values, more ="))
    (room / "blind.py").write_text(NUMBER.replace("return (COMMAND,", "return (COMMANDS,"))
    (room / "late.py").write_text(NUMBER.replace("first, values =", "1 / max(0, now - 15000)\n        first, values ="))
    late: list[str] = []
    window = refreshed(rings, tmp_path, lambda window, turn: late.append(window.panels.docked["late"][0].figures.text()))
    bars = {name: panel.figures for name, (panel, _, _) in window.panels.docked.items()}
    said = {name: " ".join(label.text() for label in panel.findChildren(QLabel)) for name, (panel, _, _) in window.panels.docked.items()}
    assert "No module named 'no_such_vendor'" in said["broken"]
    assert "unmade cannot be made: TypeError" in said["unmade"]
    assert "unfit cannot be made: AttributeError" in said["unfit"]
    assert bars["raising"].text().startswith("ValueError: not enough values to unpack")
    assert window.panels.traces and bars["blind"].text() == "NameError: name 'COMMANDS' is not defined"
    assert "ZeroDivisionError: division by zero" in late and late[-1] == "", "what succeeds at last says nothing"
    window.close()
