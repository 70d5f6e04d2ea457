"""The last turn of a motor rig: the chosen channel over the angle of its crank or bar, or over the phase of its path."""

from __future__ import annotations

import numpy as np

from rig.display.panels.curve import Dot
from rig.display.panels.loop import PHASE, POINTS, cycle_length, last_stretch
from rig.display.panels.plot import Line, Plot
from rig.display.sources import reduction
from rig.display.sources.source import Axis, Floats, Source, Trace
from rig.display.sources.view_model import PREDICTED, Subject
from rig.display.theme import Theme

ROUND = 360.0  # deg
TICK = 60  # deg


class Turn(Plot):
    """Measured and predicted over the turn that ends now; a dot where the measured one is. The axes are told beside the legend."""

    def __init__(self, what: Subject) -> None:
        lines = [Line("measured", "measured"), Line("predicted", "predicted")]
        along = Trace("measured", what.angle) if what.angle else PHASE
        below = f"{what.angle.replace('_', ' ')} (deg)" if what.angle else "phase of the path (deg)"
        super().__init__("Last turn" if what.angle else "Last round", what.shown(what.force), what.least(what.force, 0.2), lines, below)
        self._what, self._along = what, along
        self._dot = Dot()
        self._dot.setZValue(len(lines))
        self.area.getViewBox().addItem(self._dot, ignoreBounds=True)
        self.area.setXRange(0.0, ROUND, padding=0)
        marks = [(float(angle), f"{angle}") for angle in range(0, round(ROUND) + 1, TICK)]
        for side in ("bottom", "top"):
            self.area.getAxis(side).setTicks([marks, []])
        self.choose(what.force)

    def theme(self, theme: Theme) -> None:
        super().theme(theme)
        self._dot.colour(theme.measured, edge=theme.plot)

    def choose(self, name: str) -> None:
        """Show this channel."""
        self._channel = self._what.channel(name).name
        self.restart(self._what.shown(self._channel), self._what.least(self._channel, 0.2))

    def refresh(self, source: Source, now: int) -> None:
        """Draw the turn that ends at sample `now`, or as late before it as both of its quantities are known."""
        count = cycle_length(source, now, self._along)
        extremes = []
        for role, stream in (("measured", "measured"), ("predicted", PREDICTED)):
            angle, values = last_stretch(source, (self._along, Trace(stream, self._channel)), count, now)
            x, y = unrolled(np.degrees(np.mod(angle, 2.0 * np.pi)), values * self.shown.factor)
            if role == "measured" and len(angle):
                self._dot.place(float(np.degrees(angle[-1] % (2.0 * np.pi))), float(values[-1] * self.shown.factor))
            x, y = reduction.loop(x, y, max(1, count // POINTS))
            self.draw(role, x, y)
            if len(y):
                extremes.append((y.min(), y.max()))
        if extremes:
            self.hold_height(float(min(low for low, _ in extremes)), float(max(high for _, high in extremes)))
        self.figures.setText(in_words(source.axes(now)))


def unrolled(angle: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Samples (N,) of one turn, in deg from 0 to 360, from its 0 on: what comes before the seam goes behind it."""
    if len(angle) < 2:
        return angle, values
    seam = int(np.argmax(np.abs(np.diff(angle)))) + 1
    if abs(angle[seam] - angle[seam - 1]) < 0.5 * ROUND:
        return angle, values
    return np.roll(angle, -seam), np.roll(values, -seam)


def in_words(axes: tuple[Axis, ...]) -> str:
    """What the drives tell: how far off its setpoint the worst of them is, or of one that tells no position its speed."""
    told = [axis for axis in axes if np.isfinite(axis.position)]
    if told:
        worst = max(told, key=lambda axis: abs(axis.position - axis.setpoint))
        off = round(float(np.degrees(worst.position - worst.setpoint)), 2) + 0.0
        return f"{worst.name} {off:+.2f}° off".replace("-", "−")
    return "   ".join(f"{axis.name} {axis.velocity:.2f} rad/s" for axis in axes if np.isfinite(axis.velocity)).replace("-", "−")
