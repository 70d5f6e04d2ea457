"""The contract of a panel of the window that is found by its kind: a file in this folder, or one of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from PySide6.QtCore import Qt

from rig.config import kinds
from rig.display.labels import text
from rig.display.panels.panel import Panel
from rig.display.sources.source import Source, Trace
from rig.display.sources.view_model import Subject

T = TypeVar("T")
ROOM = "rig.display.panels"


class DockPanel(Panel):
    """Drawn in turn with the panels beside it."""

    _failed = False

    def attempt(self, act: Callable[[], T], otherwise: T) -> T:
        """What `act` gives. Where it raises, `otherwise`, and the bar says why, until something succeeds: the window goes on."""
        try:
            done = act()
        except Exception as error:  # perhaps the user's program: it may raise whatever it likes
            self._failed = True
            self.figures.setText(f"{type(error).__name__}: {error}")
            return otherwise
        if self._failed:
            self._failed = False
            self.figures.setText("")
        return done

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
    panels: dict[str, tuple[DockPanel, str, Qt.DockWidgetArea]] = {}
    wrong = dict(kinds.faults(ROOM))
    for name in kinds.names(ROOM):
        try:
            panel: DisplayPanel = kinds.config_class(ROOM, name)()
            if panel.fits(what):
                panels[name] = panel.create(what), panel.TITLE, panel.AREA
        except Exception as error:  # the user's program: it may raise whatever it likes, and the window is to be seen all the same
            wrong[name] = f"{name} cannot be made: {type(error).__name__}: {error}"
    return panels | {name: (_Absent(name, why), name, DisplayPanel.AREA) for name, why in wrong.items()}
