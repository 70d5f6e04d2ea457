"""Error of the prediction, cycle by cycle."""

from __future__ import annotations

import numpy as np

from rig.display.panels.curve import Points
from rig.display.panels.plot import Line, Plot
from rig.display.quantities import Shown
from rig.display.sources.cycles import Rows
from rig.display.theme import Theme

FEW = 120  # cycles up to which each is a point of its own
LEAST = 0.02  # height of the axis, share


class Trend(Plot):
    """Rms of the difference and error of the peak (predicted less measured), as shares of the measured peak of the cycle.

    `lowpass` (Hz): behind which they are, as in the table at the end.
    """

    def __init__(self, lowpass: float | None = None) -> None:
        lines = [Line("rms", "difference"), Line("peak", "accent")]
        below = "cycle (predicted − measured" + (f", behind the low-pass of {lowpass:g} Hz)" if lowpass else ")")
        super().__init__("Error by cycle", Shown("%", 100.0), LEAST, lines, below)
        self._points = {line.role: Points() for line in lines}
        for points in self._points.values():
            points.setZValue(len(lines))
            self.area.getViewBox().addItem(points, ignoreBounds=True)
        self._drawn = 0
        self._end = 0.0
        self._widen(10.0)

    def theme(self, theme: Theme) -> None:
        super().theme(theme)
        for role, points in self._points.items():
            points.colour(theme.colour(role))

    def clear(self) -> None:
        """Begin anew, for another channel."""
        self._drawn = 0
        for points in self._points.values():
            points.clear()
        self.restart(self.shown, LEAST)

    def refresh(self, rows: Rows) -> None:
        """rows (k, 4) as `CycleErrors` has them."""
        if len(rows) == self._drawn:
            return
        if len(rows) == 0:
            self.clear()
            return
        self._drawn = len(rows)
        if rows[-1, 0] > self._end:
            self._widen(1.3 * rows[-1, 0] + 5.0)
        low, high = np.minimum(rows[:, 2], rows[:, 1]), np.maximum(rows[:, 3], rows[:, 1])
        factor = self.shown.factor
        self._show("difference", rows[:, 0], rows[:, 1] * factor)
        self._show("accent", np.repeat(rows[:, 0], 2), rows[:, 2:].ravel() * factor)
        self.hold_height(min(0.0, float(low.min())) * factor, float(high.max()) * factor)
        latest = rows[-1]
        self.figures.setText(f"{latest[1]:.2%}, {latest[3]:+.2%}".replace("-", "−"))

    def _show(self, role: str, cycles: Rows, shares: Rows) -> None:
        self.draw(role, cycles, shares)
        if self._drawn <= FEW:
            self._points[role].draw(cycles, shares)
        else:
            self._points[role].clear()

    def _extend(self) -> None:
        super()._extend()
        for points in getattr(self, "_points", {}).values():
            points.extend(self.area.getViewBox().viewRect())

    def _widen(self, end: float) -> None:
        self._end = end
        self.area.setXRange(-0.5, end, padding=0)
