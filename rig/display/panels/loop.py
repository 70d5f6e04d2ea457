"""Force against stroke over the last cycle."""

from __future__ import annotations

import numpy as np

from rig.display.panels.curve import Dot
from rig.display.panels.plot import Line, Plot
from rig.display.quantities import label, shown
from rig.display.ranges import StableRange
from rig.display.sources import reduction
from rig.display.sources.source import Floats, Source, Trace
from rig.display.sources.view_model import PREDICTED, Subject
from rig.display.theme import Theme

POINTS = 300  # bins a cycle; up to four points each
UNKNOWN_CYCLE = 1.0  # s shown while the command does not turn
LONGEST_CYCLE = 9.5  # s
LEAST_STROKE = 2e-5  # m, height of the axis at rest
PHASE = Trace("command", "phase")


class Loop(Plot):
    """Measured and predicted loop; a dot where the measured one is now."""

    def __init__(self, what: Subject) -> None:
        assert what.stroke is not None
        horizontal = shown("m")
        lines = [Line("measured", "measured"), Line("predicted", "predicted")]
        below = f"{label(what.stroke)} ({horizontal.unit})"
        title = f"{label(what.force)} – {label(what.stroke).lower()}"
        super().__init__(title, shown(what.channel(what.force).unit), 0.2 * what.scale(what.force), lines, below)
        self._factor = horizontal.factor
        self.horizontal = StableRange(LEAST_STROKE * horizontal.factor)
        stroke = Trace("measured", what.stroke)
        self._pairs = {
            "measured": (stroke, Trace("measured", what.force)),
            "predicted": (Trace(PREDICTED, what.stroke) if what.stroke_predicted else stroke, Trace(PREDICTED, what.force)),
        }
        self._dot = Dot()
        self._dot.setZValue(len(lines))
        self.area.getViewBox().addItem(self._dot, ignoreBounds=True)
        self._apply_horizontal()

    def theme(self, theme: Theme) -> None:
        super().theme(theme)
        self._dot.colour(theme.measured, edge=theme.plot)

    def refresh(self, source: Source, now: int) -> None:
        """Draw the cycle that ends at sample `now`, or as late before it as both of its quantities are known."""
        count = cycle_length(source, now)
        extremes = []
        for role, pair in self._pairs.items():
            stroke, force = last_stretch(source, pair, count, now)
            x, y = reduction.loop(stroke, force, max(1, count // POINTS))
            x, y = x * np.float32(self._factor), y * np.float32(self.shown.factor)
            self.draw(role, x, y)
            if len(x):
                extremes.append((x.min(), x.max(), y.min(), y.max()))
                if role == "measured":
                    self._dot.place(float(x[-1]), float(y[-1]))
        if extremes:
            low_x, _, low_y, _ = np.min(extremes, axis=0)
            _, high_x, _, high_y = np.max(extremes, axis=0)
            self.hold_height(float(low_y), float(high_y))
            if self.horizontal.update(float(low_x), float(high_x)):
                self._apply_horizontal()

    def _apply_horizontal(self) -> None:
        self.area.setXRange(self.horizontal.low, self.horizontal.high, padding=0)


def cycle_length(source: Source, now: int, along: Trace = PHASE) -> int:
    """Samples since the command's phase, or an angle `along`, was one turn less than at `now`; UNKNOWN_CYCLE when it has not turned."""
    longest = round(LONGEST_CYCLE * source.rate)
    count = min(round(UNKNOWN_CYCLE * source.rate), longest)
    while count <= longest:  # looked for in longer and longer stretches: a record has to be read for it
        _, phase = source.samples(along, now - count, now)
        if len(phase):
            begin = int(np.searchsorted(phase, phase[-1] - 2.0 * np.pi))
            if 0 < begin < len(phase) - 1:
                return len(phase) - begin
        count *= 3
    return round(UNKNOWN_CYCLE * source.rate)


def last_stretch(source: Source, pair: tuple[Trace, Trace], count: int, now: int) -> tuple[Floats, Floats]:
    """The newest `count` samples up to `now` that both traces have; empty when one is not there."""
    ends = [source.end(trace) for trace in pair]
    last = min([now, *(end for end in ends if end is not None)])
    if None in ends:
        return np.empty(0), np.empty(0)
    pieces = [source.samples(trace, last - count, last) for trace in pair]
    first = max(first for first, _ in pieces)
    x, y = (values[first - begin :] for begin, values in pieces)
    return x, y
