"""The controls of a record: play and pause, a slider to seek, the speed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSlider, QToolButton, QWidget

from rig.display.quantities import clock
from rig.display.window.playhead import SPEEDS, Playhead

STEPS = 100_000  # of the slider


class Player(QWidget):
    """Shows a playhead and moves it."""

    moved = Signal()

    def __init__(self, playhead: Playhead) -> None:
        super().__init__()
        self._playhead = playhead
        self.button = QToolButton()
        self.button.setFixedWidth(44)
        self.button.setToolTip("play or pause (Space)")
        self.button.clicked.connect(self.toggle)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, STEPS)
        self.slider.valueChanged.connect(self._seek)
        self._time = QLabel()
        self._time.setMinimumWidth(130)
        self.speed = QComboBox()
        for speed in SPEEDS:
            self.speed.addItem(f"× {speed:g}", speed)
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        self.speed.setToolTip("speed ([ and ])")
        self.speed.currentIndexChanged.connect(self._set_speed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(12)
        for widget in (self.button, self.slider, self._time, self.speed):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys are the window's
            layout.addWidget(widget, 1 if widget is self.slider else 0)
        self.show_position()

    def toggle(self) -> None:
        """Play or pause."""
        self._playhead.toggle()
        self.show_position()

    def change_speed(self, places: int) -> None:
        """The next faster (+1) or slower (-1) one."""
        self.speed.setCurrentIndex(min(max(self.speed.currentIndex() + places, 0), len(SPEEDS) - 1))

    def show_position(self) -> None:
        """Button, slider and time as the playhead is."""
        head = self._playhead
        self.button.setText("❚❚" if head.playing else "▶")
        self.slider.blockSignals(True)
        self.slider.setValue(round(STEPS * head.position / max(1, head.end)))
        self.slider.blockSignals(False)
        self._time.setText(f"{clock(head.position / head.rate)} / {clock(head.end / head.rate)}")

    def _seek(self, step: int) -> None:
        self._playhead.seek(step / STEPS * self._playhead.end)
        self.show_position()
        self.moved.emit()

    def _set_speed(self) -> None:
        self._playhead.speed = float(self.speed.currentData())
