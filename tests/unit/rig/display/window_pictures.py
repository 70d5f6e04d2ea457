"""The pictures of the window in docs/, drawn from a made-up test, so that a test can draw them again and compare.

`python tests/unit/rig/display/window_pictures.py` writes them anew; look at them before they are committed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from rig.display.sources.live import LiveSource
from rig.display.sources.moving import moving
from rig.display.sources.record import RecordSource
from rig.display.sources.recorded import events, lost
from rig.display.status import Event, Status
from rig.display.theme import LIGHT
from rig.display.window.application import application
from rig.display.window.live_window import LiveWindow
from rig.display.window.replay_window import ReplayWindow
from rig.display.window.window import Window
from rig.recorder.reading import read_run
from rig.streaming.ring import RingWriter
from tests.unit.rig.display.display_records import made_up, write_record
from tests.unit.rig.display.display_rings import RATE, SUBJECT, Rings
from tests.unit.rig.display.moved_rings import TURN, four_bar_angles, planned

DOCS = Path(__file__).resolve().parents[4] / "docs"
HELD = round(2.35 * TURN * RATE)  # sample, of the picture of a mechanism
FRAMES = 150  # of 2048 samples
BLOCK = 12  # px, edge of the squares that are averaged before pictures are compared
EVENTS = (
    Event("device runs at 51200 Hz", None, "bench", "rate"),
    Event("starting", 0.0, "bench", "state"),
    Event("running", 0.0, "bench", "state"),
    Event("stroke 0.251 mm exceeds maximum 0.250 mm at sample 98304; action: indicate", 1.92, "bench", "limit"),
)
Change = Callable[[Window], None]


class Picture(NamedTuple):
    """A picture of the window, and where the curves are drawn in it: no letter stands there."""

    image: QImage
    curves: list[QRect]


def live(folder: Path, theme: str, change: Change = lambda window: None) -> Picture:
    """A running test."""
    app, rings = application(), Rings(folder)
    source = LiveSource(rings.paths, SUBJECT.traces(SUBJECT.force))
    window = LiveWindow(SUBJECT, source, folder / "no-layout.ini", lambda reason: None, lambda: None)
    window.apply_theme(theme)
    window.show()
    for _ in range(FRAMES):
        rings.append(2048)
        window.refresh()
    change(window)
    window.panels.draw_all(source, rings.n, window.tracker(rings.n), window.curves)
    at = rings.n / RATE
    window.show_status(Status("running", at, 61.0, int(3.0 * at), 0.012, 0, "", EVENTS))
    image = _grabbed(window)
    source.close()
    rings.close()
    app.processEvents()
    return image


def replay(folder: Path, theme: str) -> Picture:
    """A record."""
    application()
    write_record(folder / "run.h5", made_up(round(8.0 * RATE), folder / "rings"))
    run = read_run(folder / "run.h5")
    what = replace(SUBJECT, run="0007-linkage")
    source = RecordSource(run, what.traces(what.force))
    window = ReplayWindow(what, source, folder / "no-layout.ini", 5.0, events(run), lost(run))
    window.apply_theme(theme)
    window.show()
    window.draw_picture()
    image = _grabbed(window)
    source.close()
    return image


def motion(folder: Path) -> Picture:
    """The mechanism and its orbit beside each other: of a four-bar that is made up."""
    application()
    what = planned(folder, "four_bar_rig")
    told = four_bar_angles(moving(folder, {}).mechanism, np.arange(round(RATE)) / RATE)
    rings = Rings(folder)
    rings.paths["predicted"] = folder / "predicted.ring"
    rings.writers["predicted"] = RingWriter.create(rings.paths["predicted"], list(told), ["rad"] * 3, round(RATE), RATE)
    for name, block in (rings.blocks(round(RATE)) | {"predicted": np.stack(list(told.values()), axis=1)}).items():
        rings.writers[name].append(block)
    source = LiveSource(rings.paths, what.traces(what.force))
    window = LiveWindow(what, source, folder / "no-layout.ini", lambda reason: None, lambda: None)
    window.apply_theme("light")
    window.panels.animation.follows = True
    window.show()
    window.show_motion()
    window.resizeDocks(list(window.panels.motion_docks), [1, 1], Qt.Orientation.Vertical)
    application().processEvents()
    source.poll()
    shown = (window.panels.animation, window.panels.orbit)
    for panel in shown:
        panel.refresh(source, HELD)
    application().processEvents()
    docks = window.panels.motion_docks
    image = QImage(sum(dock.width() for dock in docks), max(dock.height() for dock in docks), QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.ground))
    painter, left, curves = QPainter(image), 0, []
    for dock, panel in zip(docks, shown, strict=True):
        painter.drawPixmap(left, 0, dock.grab())
        curves.append(QRect(panel.board.mapTo(dock, QPoint(left, 0)), panel.board.size()))
        left += dock.width()
    painter.end()
    window.hide()
    window.deleteLater()
    source.close()
    rings.close()
    return Picture(image, curves)


def _grabbed(window: Window) -> Picture:
    application().processEvents()
    panels = window.panels
    plots = [panels.overlay, panels.difference, panels.trend, panels.spectrum, *([panels.loop] if panels.loop else [])]
    curves = [_place(window, plot.area) for plot in plots]
    image = window.grab().toImage()
    window.hide()
    window.deleteLater()
    return Picture(image, curves)


def _place(window: Window, area: Any) -> QRect:
    """Of the curves of one plot within the window, px."""
    inside = area.mapFromScene(area.getViewBox().sceneBoundingRect()).boundingRect()
    return QRect(area.mapTo(window, inside.topLeft()), inside.size())


PICTURES: dict[str, Callable[[Path], Picture]] = {
    "window.png": lambda folder: live(folder, "light"),
    "window-dark.png": lambda folder: live(folder, "dark"),
    "view.png": lambda folder: replay(folder, "light"),
    "window-motion.png": motion,
}


def squares(image: QImage) -> NDArray[np.float64]:
    """(rows, columns, 3): mean colour of each BLOCK x BLOCK square, 0 to 255; where letters are does not matter much there."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    height, width = image.height() // BLOCK * BLOCK, image.width() // BLOCK * BLOCK
    flat = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    cut = flat[:height, :width, :3].astype(float)
    return cut.reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, 3).mean(axis=(1, 3))


def apart(drawn: Picture, kept: QImage) -> tuple[float, float]:
    """Mean absolute difference of the squares, 0 to 255: of the whole picture, and where the curves are."""
    curves = [np.abs(squares(drawn.image.copy(place)) - squares(kept.copy(place))).mean() for place in drawn.curves]
    return float(np.abs(squares(drawn.image) - squares(kept)).mean()), float(max(curves))


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    for name, draw in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder:
            draw(Path(folder)).image.save(str(DOCS / name), "PNG")
