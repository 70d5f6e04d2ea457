"""One channel as measured and as predicted, the command behind them, and the difference of the two below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QToolButton

from rig.display.labels import named
from rig.display.panels.curve import Band
from rig.display.panels.plot import Line
from rig.display.panels.timeplot import TimePlot
from rig.display.quantities import label
from rig.display.sources.source import DIFFERENCE, Source, Trace
from rig.display.sources.view_model import PREDICTED, Subject

SPANS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0)  # s


class Overlay(TimePlot):
    """The chosen channel, with a choice of the span."""

    span_changed = Signal(float)
    channel_chosen = Signal(str)

    def __init__(self, what: Subject, longest: float) -> None:
        self._what, self._longest = what, longest
        self.channel = what.force
        self.behind = ""  # in words, what the curves are behind
        said = {"predicted": "predicted, band"} if what.coverage else {}
        lines = {Line(said.get(role, role), role): Trace("command", "value") for role in ("command", "measured", "predicted")}
        super().__init__("", what.shown(what.force), what.least(what.force, 0.2), lines, "", what.interruptions, words=True)
        self._band = Band()
        self._band.setZValue(-1)
        self.area.getViewBox().addItem(self._band, ignoreBounds=True)
        self.area.getAxis("bottom").setStyle(showValues=False)  # they stand below the difference
        self.area.getAxis("bottom").setHeight(8)
        self.heading.hide()
        self.choice = self._choice()
        self.header.insertWidget(0, self.choice)
        self.seconds = 2.0
        self._told = QLabel()
        self.header.addWidget(self._button("−", -1))
        self.header.addWidget(self._told)
        self.header.addWidget(self._button("+", +1))
        self.choose(self.channel)

    def _choice(self) -> QComboBox:
        box = named(QComboBox(), "title")
        for channel in (*self._what.channels, *self._what.calculated):
            box.addItem(label(channel.name), channel.name)
        box.setToolTip("channel (page up, page down)")
        box.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        box.activated.connect(lambda index: self.channel_chosen.emit(box.itemData(index)))
        return box

    def _button(self, text: str, places: int) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(f"{'longer' if places > 0 else 'shorter'} time ({text})")
        button.setAutoRepeat(True)
        button.setFixedWidth(28)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self.widen(places))
        return button

    def choose(self, name: str) -> None:
        """Show this channel; the command only where it has the same unit."""
        channel = self._what.channel(name)
        self.channel = channel.name
        self.traces = {"command": Trace("command", "value")} if channel.unit == self._what.command_unit else {}
        self.traces |= {"measured": Trace("measured", self.channel), "predicted": Trace(PREDICTED, self.channel)}
        self.choice.setCurrentIndex(self.choice.findData(self.channel))
        self.restart(self._what.shown(channel.name), self._what.least(self.channel, 0.2))

    def draw_beneath(self, source: Source, now: int, count: int, step: int) -> Sequence[tuple[float, float]]:
        """The band of an ensemble, which is as the members have it: behind no low-pass, and so only where the curves are behind none."""
        traces = () if self.behind else self._what.band(self.channel)
        bins = [source.bounds(trace, now - count, now, step) for trace in traces]
        if not bins or bins[0][:2] != bins[1][:2] or not (many := min(len(low) for _, _, low, _ in bins)):
            self._band.clear()
            return ()
        if self._theme is not None:
            self._band.colour(self._theme.predicted)
        (begin, used, low, _), (_, _, _, high) = bins
        x = (np.minimum(begin + used * (np.arange(many) + 0.5), now) - now) / source.rate
        there = np.isfinite(low[:many]) & np.isfinite(high[:many])
        low, high = low[:many][there], high[:many][there]
        self._band.between(x[there], low * self.shown.factor, high * self.shown.factor)
        return ((float(low.min()), float(high.max())),) if len(low) else ()

    def drawn(self, role: str) -> bool:
        """The command only where it is."""
        return role in self.traces

    def neighbour(self, places: int) -> str:
        """The channel so many places further on in the list."""
        return str(self.choice.itemData((self.choice.currentIndex() + places) % self.choice.count()))

    def show_span(self, seconds: float) -> None:
        """Show this much time, s."""
        self.seconds = min(max(seconds, SPANS[0] / 10.0), self._longest)
        self._told.setText(f"last {self.seconds:.3g} s")
        self.span_changed.emit(self.seconds)

    def widen(self, places: int) -> None:
        """The next longer of the usual spans (+1) or the next shorter one (-1)."""
        others = [span for span in SPANS if (span - self.seconds) * places > 1e-9 * span]
        if others:
            self.show_span(min(others, key=lambda span: abs(span - self.seconds)))

    def tell(self) -> None:
        """Smallest and largest of what is shown of the measured channel, beside the legend."""
        low, high = self.extremes["measured"]
        self.figures.setText("" if np.isnan(low) else f"{self.behind}{self.shown.text(low, unit=False)} … {self.shown.text(high)}")


class Difference(TimePlot):
    """Predicted less measured: what the overlay hides where the two lie on each other."""

    def __init__(self, what: Subject) -> None:
        self._what = what
        self.behind = ""
        unit = what.shown(what.force)
        lines = {Line("predicted − measured", "difference"): Trace(DIFFERENCE, what.force)}
        super().__init__("Difference", unit, what.least(what.force, 0.02), lines, "seconds before now", what.interruptions)

    def choose(self, name: str) -> None:
        """Show that of this channel."""
        channel = self._what.channel(name)
        self.traces = {"difference": Trace(DIFFERENCE, channel.name)}
        self.restart(self._what.shown(channel.name), self._what.least(channel.name, 0.02))

    def tell(self, peak: float) -> None:
        """The largest difference shown, and its share of `peak`, the largest |measured| shown (SI)."""
        largest = max(np.abs(self.extremes["difference"]))
        share = f" = {largest / peak:.1%} of peak" if peak > 0.0 else ""
        self.figures.setText("" if np.isnan(largest) else f"{self.behind}largest {self.shown.text(largest).lstrip('+')}{share}")
