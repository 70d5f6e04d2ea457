"""What goes before the test: the stage, force and stroke as they come, and what the force may reach."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from rig.display.labels import text
from rig.display.panels.panel import Card
from rig.display.panels.plot import Line, Plot
from rig.display.quantities import shown
from rig.display.sources.source import Floats
from rig.display.theme import Theme
from rig.preparation.settings import STAGES

HEIGHT = 260  # px
SECONDS = 10.0  # shown
POINTS = 1000
LEAST = {"N": 100.0, "m": 2e-5}
"""Heights of the axes at rest, SI."""


class Prepared(NamedTuple):
    """Newest samples of the preparation: names of the columns, block (k, columns), Hz, and samples that there are."""

    names: tuple[str, ...]
    block: Floats
    rate: float
    samples: int


class Preparation(QFrame):
    """Shown while the loader is prepared, and put away when the test begins."""

    def __init__(self, guard: float | None) -> None:
        """guard: force (N) above which the preparation ends."""
        super().__init__()
        self._guard = guard
        self.said = text("title")
        roles = [Line("command", "command"), Line("measured", "measured")]
        self._plots = {
            ("force", "force_command"): Plot("Force", shown("N"), LEAST["N"], roles, "s of the preparation"),
            ("stroke", "stroke_command"): Plot("Stroke", shown("m"), LEAST["m"], roles, "s of the preparation"),
        }
        row = QHBoxLayout()
        row.setSpacing(8)
        for plot in self._plots.values():
            row.addWidget(Card(plot))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.said)
        layout.addLayout(row)
        self.setFixedHeight(HEIGHT)
        self.hide()

    def theme(self, theme: Theme) -> None:
        """Take on these colours."""
        for plot in self._plots.values():
            plot.theme(theme)

    def refresh(self, now: Prepared) -> None:
        """Draw what there is."""
        if not len(now.block):
            return
        columns = {name: now.block[:, i] for i, name in enumerate(now.names)}
        chosen = np.unique(np.linspace(0, len(now.block) - 1, min(POINTS, len(now.block))).astype(np.int64))
        seconds = (now.samples - len(now.block) + chosen) / now.rate
        for (measured, command), plot in self._plots.items():
            curves = [columns[name][chosen] * plot.shown.factor for name in (command, measured)]
            for role, y in zip(("command", "measured"), curves, strict=True):
                plot.draw(role, seconds, y)
            there = np.concatenate(curves)
            if np.isfinite(there).any():
                plot.hold_height(float(np.nanmin(there)), float(np.nanmax(there)))
            plot.area.setXRange(max(0.0, now.samples / now.rate - SECONDS), max(SECONDS, now.samples / now.rate), padding=0)
            plot.figures.setText(plot.shown.text(float(columns[measured][-1])))
        self.said.setText(self._words(float(columns["stage"][-1])))
        self.show()

    def _words(self, number: float) -> str:
        stage = f"{STAGES[int(number)]} ({int(number) + 1} of {len(STAGES)})" if 0 <= number < len(STAGES) else "at rest"
        guard = "" if self._guard is None else f"   ·   it ends at a force beyond ±{shown('N').text(self._guard).lstrip('+')}"
        return f"Preparation under low pressure: {stage}{guard}"
