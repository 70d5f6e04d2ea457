"""Contact losses by turn: where the measured acceleration has them, where the running model, and what `rig predict` says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.ticker import MaxNLocator

from rig.report.overlay.content import OverlayData
from rig.report.overlay.loss_angles import CRITERIA, LossAngles
from rig.report.overlay.panels.report_panel import ReportPanel
from rig.report.palette import GOOD, INK, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress, say
from rig.signals.contact_loss import TURN

LEAST = 6.0
"""deg that the panel shows to either side at least."""


@dataclass(frozen=True)
class Config(ReportPanel):
    """Of a motor rig whose contact may be lost."""

    PLACE: ClassVar[str] = "middle right"

    def fits(self, data: OverlayData) -> bool:
        return data.turn is not None and data.losses is not None

    def draw(self, figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        assert data.losses is not None
        _draw(figure.add_subplot(place), data.losses)


def _draw(axes: Axes, losses: LossAngles) -> None:
    dress(axes, "Contact lost, by turn", "crank angle, deg", "turn")
    if losses.place is None or losses.compared is None:
        say(axes, f"no contact loss in {losses.revolutions:.0f} turns, measured or predicted")
        return
    measured, predicted = losses.compared
    for found, colour, size, name in ((measured, MEASURED, 7.0, "measured"), (predicted, PREDICTED, 4.5, "predicted")):
        where = math.degrees(losses.place) + np.degrees(_near(found.loss, losses.place))
        mean = f", mean {np.degrees(found.mean):.2f}" if len(where) else ": none"
        axes.plot(where, found.turns, "o", color=colour, markersize=size, markeredgecolor="white", markeredgewidth=0.5,
                  label=f"{name}{mean}")  # fmt: skip
        if len(where):
            axes.axvline(float(np.mean(where)), color=colour, linewidth=1.0, zorder=1)
    _range(axes, losses)
    _criteria(axes, losses)
    axes.legend(loc="lower left", frameon=True, framealpha=0.85, edgecolor="none", fontsize=8.8, handletextpad=0.3)
    if (difference := losses.mean_difference_deg) is not None:
        axes.annotate(f"{difference:+.2f} deg", (1.0, 1.0), xycoords="axes fraction", xytext=(0, 6), textcoords="offset points", ha="right",
                      fontsize=10.0, fontweight="bold", color=INK)  # fmt: skip


def _near(angles: np.ndarray, place: float) -> np.ndarray:
    return (angles - place + 0.5 * TURN) % TURN - 0.5 * TURN


def _range(axes: Axes, losses: LossAngles) -> None:
    """About the losses; turns from below 0 up, with room for the names of the criteria."""
    low, high = axes.get_xlim()
    middle, half = 0.5 * (low + high), max(0.5 * (high - low) + 1.0, LEAST)
    axes.set_xlim(middle - half, middle + half)
    turns = losses.revolutions
    axes.set_ylim(-0.25 * turns, 1.6 * turns)
    axes.set_yticks([tick for tick in MaxNLocator(6, integer=True).tick_values(0.0, turns) if 0.0 <= tick <= turns])


def _criteria(axes: Axes, losses: LossAngles) -> None:
    """Those of `rig predict` that lie within the panel, as lines with their names."""
    low, high = axes.get_xlim()
    place = losses.place or 0.0
    shown = []
    for name, angles in losses.predict.items():
        where = math.degrees(place) + np.degrees(_near(np.array(angles), place))
        if len(inside := where[(where > low) & (where < high)]):
            shown.append((float(np.mean(inside)), CRITERIA[name]))
    for i, (angle, name) in enumerate(sorted(shown)):
        axes.axvline(angle, color=GOOD, linewidth=1.0, linestyle=(0, (4, 3)), zorder=1)
        left = angle > 0.5 * (low + high)
        axes.annotate(name, (angle, 1.0 - 0.05 * i), xycoords=("data", "axes fraction"), xytext=(-3 if left else 3, -3),
                      textcoords="offset points", fontsize=8.3, color=MUTED, va="top", ha="right" if left else "left",
                      bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.6})  # fmt: skip
