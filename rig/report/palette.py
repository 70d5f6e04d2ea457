"""Colours that stay apart for every kind of colour vision (after Okabe and Ito), and the type on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEASURED = "#0072B2"
PREDICTED = "#D55E00"
COMMAND = "#9AA3AD"
GOOD = "#009E73"
DOUBTFUL = "#B8860B"
INK = "#1F2933"
MUTED = "#6B7680"
GRID = "#E6E9ED"
SHADE = "#EEF0F2"


class Style:
    """Keyword arguments for text."""

    title: dict[str, Any] = {"loc": "left", "fontsize": 11.5, "fontweight": "bold", "color": INK}  # noqa: RUF012
    label: dict[str, Any] = {"fontsize": 9.5, "color": INK}  # noqa: RUF012

    def mono(self, axes: Axes, colour: str) -> dict[str, Any]:
        """Numbers under each other, in columns inside the panel."""
        return {
            "transform": axes.transAxes, "family": "monospace", "fontsize": 9.5, "color": colour, "ha": "left", "va": "center",
        }  # fmt: skip


STYLE = Style()
