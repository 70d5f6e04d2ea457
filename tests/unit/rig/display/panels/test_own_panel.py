"""A panel of the user's own in the window: one file in a folder outside the program."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel

from rig.display.panels.own_panel import ROOM
from rig.display.sources.live import LiveSource
from rig.display.sources.source import Trace
from rig.display.window.live_window import LiveWindow
from tests.unit.rig.display.display_rings import AMPLITUDE, FREQUENCY, RATE, SUBJECT, Rings
from tests.unit.rig.own_folder import own_room

NUMBER = """
from dataclasses import dataclass
from rig.display.labels import text
from rig.display.panels.own_panel import DisplayPanel, OwnPanel
from rig.display.sources.source import Trace

COMMAND = Trace("command", "value")

@dataclass(frozen=True)
class Config(DisplayPanel):
    TITLE = "Command in figures"

    def create(self, what):
        return Number()

class Number(OwnPanel):
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


def refreshed(rings: Rings, folder: Path) -> LiveWindow:
    """A window that has been shown new samples twenty times."""
    source = LiveSource(rings.paths, SUBJECT.traces(SUBJECT.force))
    window = LiveWindow(SUBJECT, source, folder / "no-layout.ini", lambda reason: None, lambda: None)
    window.show()
    for _ in range(20):
        rings.append(2048)
        assert window.refresh()
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


def test_one_that_fails_says_so_and_the_window_goes_on(qt: Any, room: Path, rings: Rings, tmp_path: Path) -> None:
    (room / "broken.py").write_text("import no_such_vendor")
    (room / "unmade.py").write_text(NUMBER.replace("return Number()", "return Number(1)"))
    (room / "raising.py").write_text(NUMBER.replace("first, values =", "first, values, more ="))
    window = refreshed(rings, tmp_path)
    said = {name: " ".join(label.text() for label in panel.findChildren(QLabel)) for name, (panel, _, _) in window.panels.docked.items()}
    assert "No module named 'no_such_vendor'" in said["broken"]
    assert "unmade cannot be made: TypeError" in said["unmade"]
    assert window.panels.docked["raising"][0].figures.text().startswith("ValueError: not enough values to unpack")
    window.close()
