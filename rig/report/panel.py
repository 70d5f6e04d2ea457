"""The look that all panels of the page share."""

from __future__ import annotations

from matplotlib.axes import Axes

from rig.report.palette import GRID, INK, LABEL, MUTED, TITLE


def dress(axes: Axes, title: str, x: str, y: str) -> None:
    """The look that all panels share."""
    axes.set_title(title, **TITLE)
    axes.set_xlabel(x, **LABEL)
    axes.set_ylabel(y, **LABEL)
    axes.grid(True, color=GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=9, colors=INK, length=3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(MUTED)


def say(axes: Axes, text: str) -> None:
    """An empty panel says why it is empty."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color=MUTED, fontsize=10)
