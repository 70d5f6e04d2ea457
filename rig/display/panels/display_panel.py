"""The contract of a panel of the window that is found by its kind: a file in this folder, or one of the user's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import Qt

from rig.config import kinds
from rig.display.labels import text
from rig.display.panels.panel import Panel
from rig.display.sources.source import Source, Trace
from rig.display.sources.view_model import Subject

ROOM = "rig.display.panels"


class DockPanel(Panel):
    """Drawn in turn with the panels beside it."""

    def traces(self) -> tuple[Trace, ...]:
        """What it asks the source for, beside what the other panels do."""
        return ()

    def choose(self, name: str) -> None:
        """This channel is shown from now on."""

    def refresh(self, source: Source, now: int) -> None:
        """Draw what is known at sample `now`."""
        raise NotImplementedError(f"{type(self).__name__}: a panel has a method refresh(source, now)")


@dataclass(frozen=True)
class DisplayPanel:
    """What `Config` of a panel's file derives from: its name in the list of panels, its first place, and what it is."""

    TITLE: ClassVar[str] = "Panel"
    AREA: ClassVar[Qt.DockWidgetArea] = Qt.DockWidgetArea.BottomDockWidgetArea

    def fits(self, what: Subject) -> bool:
        """Whether the window of this test has it."""
        return True

    def create(self, what: Subject) -> DockPanel:
        """The panel itself."""
        raise NotImplementedError(f"{type(self).__module__}: a panel has a method create(what)")


class _Absent(DockPanel):
    """Says why there is no panel."""

    def __init__(self, title: str, why: str) -> None:
        super().__init__(title)
        said = text("muted", why)
        said.setWordWrap(True)
        self.body.addWidget(said)

    def refresh(self, source: Source, now: int) -> None:
        """There is nothing to draw."""


def found_panels(what: Subject) -> dict[str, tuple[DockPanel, str, Qt.DockWidgetArea]]:
    """Name -> (panel, title, place) of those that this test has."""
    found: dict[str, DisplayPanel] = {name: kinds.config_class(ROOM, name)() for name in kinds.names(ROOM)}
    panels = {name: (_created(name, one, what), one.TITLE, one.AREA) for name, one in found.items() if one.fits(what)}
    return panels | {name: (_Absent(name, why), name, DisplayPanel.AREA) for name, why in kinds.faults(ROOM).items()}


def _created(name: str, panel: DisplayPanel, what: Subject) -> DockPanel:
    try:
        return panel.create(what)
    except Exception as error:  # the user's program: it may raise whatever it likes, and the window is to be seen all the same
        return _Absent(name, f"{name} cannot be made: {type(error).__name__}: {error}")
