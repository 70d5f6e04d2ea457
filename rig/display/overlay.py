"""Curves over the last seconds: the force measured, predicted and commanded, and their difference below."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QToolButton

from rig.display.plot import Line, Plot
from rig.display.quantities import label, shown
from rig.display.reduction import zigzag
from rig.display.source import DIFFERENCE, Floats, Source, Trace
from rig.display.subject import PREDICTED, Subject

SPANS = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0)  # s
STEPS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)  # s between two numbers on the axis
DASH = 7  # bins, that is pixels
LIES_ON = 2.0  # pixels

Bins = tuple[int, int, Floats, Floats]  # n of the first, step, smallest, largest


class TimePlot(Plot):
    """Traces of one unit against the time before the newest sample."""

    def __init__(self, title: str, unit: str, minimum: float, traces: dict[Line, Trace], below: str) -> None:
        super().__init__(title, shown(unit), minimum, list(traces), below)
        self._traces = {line.role: trace for line, trace in traces.items()}
        self.extremes: dict[str, tuple[float, float]] = {}  # role -> smallest and largest shown, SI

    def span(self, seconds: float) -> None:
        """Show this much time, on an axis that stands still while the curves move under it: it need not be drawn anew."""
        self.area.setXRange(-seconds, 0.0, padding=1e-4)  # the marks at both ends are inside by a hair
        step = next(step for step in STEPS if seconds / step <= 5.0)
        marks = [-i * step for i in range(math.floor(seconds / step + 1e-6) + 1)]
        texts = [(mark, f"−{-mark:g}" if mark else "now") for mark in marks]
        halves = [(mark - step / 2.0, "") for mark in marks if seconds + mark >= step / 2.0]
        for side in ("bottom", "top"):
            self.area.getAxis(side).setTicks([texts, halves])

    def refresh(self, source: Source, now: int, seconds: float) -> None:
        """Draw what lies in the last `seconds` before sample `now`."""
        count = round(seconds * source.rate)
        step = max(1, count // self.pixels())
        bins = {role: source.bounds(trace, now - count, now, step) for role, trace in self._traces.items()}
        self.extremes = {role: _extremes(low, high) for role, (_, _, low, high) in bins.items()}
        for role, (begin, used, low, high) in self._dashed(bins).items():
            middle = np.minimum(begin + used * (np.arange(len(low)) + 0.5), now) - now
            self.draw(role, np.repeat(middle / source.rate, 2), zigzag(low, high) * np.float32(self.shown.factor))
        ends = np.array(list(self.extremes.values())) * self.shown.factor
        self.hold_height(float(np.fmin.reduce(ends[:, 0])), float(np.fmax.reduce(ends[:, 1])))

    def _dashed(self, bins: dict[str, Bins]) -> dict[str, Bins]:
        """Break the predicted curve where it lies on the measured one, which would be hidden, and nowhere else."""
        if "measured" not in bins or "predicted" not in bins:
            return bins
        tolerance = LIES_ON * self.pixel() / self.shown.factor
        return bins | {"predicted": broken(bins["predicted"], bins["measured"], tolerance)}


def broken(upper: Bins, under: Bins, tolerance: float) -> Bins:
    """`upper` with every other run of DASH bins left out where both its bounds are within `tolerance` of those of `under`.

    The pattern is fixed to n and scrolls with the curve.
    """
    begin, used, low, high = upper
    first, last = max(begin, under[0]), min(begin + used * len(low), under[0] + used * len(under[2]))
    if under[1] != used or last <= first:
        return upper
    mine, other = (slice((first - start) // used, (last - start) // used) for start in (begin, under[0]))
    apart = np.maximum(np.abs(low[mine] - under[2][other]), np.abs(high[mine] - under[3][other]))
    off = (np.arange(first // used, last // used) // DASH) % 2 == 1
    left_out = np.zeros(len(low), dtype=bool)
    left_out[mine] = off & (apart <= tolerance)
    nothing = np.float32(np.nan)
    return begin, used, np.where(left_out, nothing, low), np.where(left_out, nothing, high)


def _extremes(low: Floats, high: Floats) -> tuple[float, float]:
    """Smallest and largest of all; NaN when there are none."""
    return (float(np.fmin.reduce(low)), float(np.fmax.reduce(high))) if len(low) else (math.nan, math.nan)


class Overlay(TimePlot):
    """The force as measured and as predicted, the command behind them, with a choice of the span."""

    span_changed = Signal(float)

    def __init__(self, what: Subject) -> None:
        traces = {Line("command", "command"): Trace("command", "value")} if what.with_command else {}
        traces |= {
            Line("measured", "measured"): Trace("measured", what.force),
            Line("predicted", "predicted"): Trace(PREDICTED, what.force),
        }
        super().__init__(label(what.force), what.force_unit, 0.2 * what.scale, traces, "")
        self.area.getAxis("bottom").setStyle(showValues=False)  # they stand below the difference
        self.area.getAxis("bottom").setHeight(8)
        self._place = 0
        self._told = QLabel()
        self.header.addWidget(self._button("−", -1))
        self.header.addWidget(self._told)
        self.header.addWidget(self._button("+", +1))

    def _button(self, text: str, places: int) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(f"{'longer' if places > 0 else 'shorter'} time ({text})")
        button.setAutoRepeat(True)
        button.setFixedWidth(28)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self.widen(places))
        return button

    @property
    def seconds(self) -> float:
        """Time shown, s."""
        return SPANS[self._place]

    def choose(self, seconds: float) -> None:
        """Show the span nearest to this."""
        nearest = int(np.argmin(np.abs(np.log(np.array(SPANS) / max(seconds, 1e-3)))))
        self.widen(nearest - self._place)

    def widen(self, places: int) -> None:
        """The next longer span (+1) or shorter one (-1)."""
        self._place = min(max(self._place + places, 0), len(SPANS) - 1)
        self._told.setText(f"last {self.seconds:g} s")
        self.span_changed.emit(self.seconds)

    def tell(self) -> None:
        """Smallest and largest of what is shown of the measured force, beside the legend."""
        low, high = self.extremes["measured"]
        self.figures.setText("" if np.isnan(low) else f"{self.shown.text(low, unit=False)} … {self.shown.text(high)}")


class Difference(TimePlot):
    """Measured less predicted: what the overlay hides where the two lie on each other."""

    def __init__(self, what: Subject) -> None:
        traces = {Line("measured − predicted", "difference"): Trace(DIFFERENCE, what.force)}
        super().__init__("Difference", what.force_unit, 0.02 * what.scale, traces, "seconds before now")

    def tell(self, peak: float) -> None:
        """The largest difference shown, and its share of `peak`, the largest |measured| shown (SI)."""
        largest = max(np.abs(self.extremes["difference"]))
        share = f" = {largest / peak:.1%} of peak" if peak > 0.0 else ""
        self.figures.setText("" if np.isnan(largest) else f"largest {self.shown.text(largest).lstrip('+')}{share}")
