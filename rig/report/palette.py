"""Colours that stay apart for every kind of colour vision (after Okabe and Ito), and the type on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.transforms import Transform

MEASURED = "#0072B2"
PREDICTED = "#D55E00"
COMMAND = "#9AA3AD"
GOOD = "#009E73"
DOUBTFUL = "#B8860B"
INK = "#1F2933"
MUTED = "#6B7680"
GRID = "#E6E9ED"
SHADE = "#EEF0F2"


class Title(TypedDict):
    """Keyword arguments for the title of a panel."""

    loc: Literal["left"]
    fontsize: float
    fontweight: str
    color: str


class Label(TypedDict):
    """Keyword arguments for the label of an axis."""

    fontsize: float
    color: str


class Mono(TypedDict):
    """Keyword arguments for numbers under each other, in columns inside the panel."""

    transform: Transform
    family: str
    fontsize: float
    color: str
    ha: str
    va: str


TITLE: Title = {"loc": "left", "fontsize": 11.5, "fontweight": "bold", "color": INK}
LABEL: Label = {"fontsize": 9.5, "color": INK}


def mono(axes: Axes, colour: str) -> Mono:
    """Of this colour, placed by shares of the panel."""
    return {"transform": axes.transAxes, "family": "monospace", "fontsize": 9.5, "color": colour, "ha": "left", "va": "center"}
