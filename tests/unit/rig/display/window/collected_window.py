"""Shows a window, lets go of it, and has Python's collector take it apart from the inside out; Qt survives, or the process dies.

collected_window.py            as it is
collected_window.py control    without what the window does about it
"""

import gc
import sys
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QWidget

from rig.display.sources.live import LiveSource
from rig.display.window.application import application
from rig.display.window.frame import Frame
from rig.display.window.live_window import LiveWindow
from tests.unit.rig.display.display_rings import SUBJECT, Rings

SURVIVED = "survived"


class Circle:
    """Refers to itself, so that the collector finds it, and nobody before."""

    def __init__(self, window: LiveWindow) -> None:
        self.window, self.itself = window, self


def collect(folder: Path) -> None:
    """The collector takes apart what it finds in the order of its list: first what was made first. What it was told to forget meanwhile
    (freeze) comes behind. Here that is the window with all that it holds; Python's halves of Qt's own parts (headers, viewports) come
    first."""
    running = application()
    rings = Rings(folder)
    source = LiveSource(rings.paths, SUBJECT.traces(SUBJECT.force))
    gc.disable()
    circle = Circle(LiveWindow(SUBJECT, source, folder / "window.ini", lambda reason: None, lambda: None))
    circle.window.show()
    running.processEvents()
    gc.freeze()
    parts = circle.window.findChildren(QWidget)
    gc.collect()
    del parts, circle
    gc.unfreeze()
    gc.collect()
    left = [widget for widget in running.topLevelWidgets() if isinstance(widget, LiveWindow)]
    running.processEvents()
    source.close()
    rings.close()
    assert not left, "the window was not collected: something else holds it"
    print(SURVIVED)


if __name__ == "__main__":
    if sys.argv[1:] == ["control"]:
        del Frame.__del__
    with tempfile.TemporaryDirectory() as made:
        collect(Path(made))
