"""Each pin in the clearance circle of its bush, each slider in the play of its guide, with where they touch. Drawn by Agg."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Circle, Rectangle, Wedge

from drivers.files.plain_values import Json
from rig.motion.parts import Flags, Floats, Guide, Pin
from rig.motion.touches import Touches, touches
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.lines import cut
from rig.report.motion.found import Found
from rig.report.palette import GRID, INK, MUTED, PREDICTED, SHADE
from rig.report.panel import dress

PANEL, STRIP, HEAD, WORDS, BETWEEN, EDGE = 3.7, 1.15, 1.0, 0.85, 0.62, 0.75
"""Inch: side of an orbit's panel, height of the strip below it; above all, above a panel for its words, between both; at the left."""
CELL = (PANEL + 0.95, WORDS + PANEL + BETWEEN + STRIP + 0.55)
NARROWEST = 8.6
"""Inch."""
MOST_COLUMNS = 4
DPI = 120
RIM, ROOM = 0.17, 1.32
"""Width of the ring of contact, and half of what is shown, in clearances."""
BINS = 120
"""Of the ring."""
FAINTEST = 0.15
"""Of a place of the ring at which there is contact at all."""
FLIGHT = "#52708C"
LEGEND = "blue: apart; orange: touching; ring or bars: share of the time with contact there; white dots: a contact begins"


def orbits(path: Path, found: Found) -> dict[str, Json]:
    """Write the page to `path` (PNG); returns by joint how it touches."""
    shown: list[Pin | Guide] = [*found.motion.pins, *found.motion.guides]
    columns = min(len(shown), MOST_COLUMNS)
    rows = -(-len(shown) // columns)
    width, height = max(CELL[0] * columns + EDGE, NARROWEST), HEAD + rows * CELL[1]
    figure = Figure(figsize=(width, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    _head(figure, found, width, height)
    for k, one in enumerate(shown):
        row, column = divmod(k, columns)
        left, top = EDGE + column * CELL[0], height - HEAD - row * CELL[1]
        square = (left / width, (top - WORDS - PANEL) / height, PANEL / width, PANEL / height)
        below = (left / width, (top - WORDS - PANEL - BETWEEN - STRIP) / height, PANEL / width, STRIP / height)
        draw_joint(figure.add_axes(square), figure.add_axes(below), one, found.motion.time)
    figure.savefig(path, format="png")
    return {one.name: _told(one, found.motion.time) for one in shown}


def _told(one: Pin | Guide, time: Floats) -> dict[str, Json]:
    touched = touches(time, one.closed, one.depth)
    return {
        "clearance_m": one.clearance, "share_in_contact": touched.share, "contacts": len(touched.begins),
        "longest_flight_s": touched.longest, "deepest_m": max(0.0, touched.deepest),
    }  # fmt: skip


def _head(figure: Figure, found: Found, width: float, height: float) -> None:
    plan, motion = found.plan, found.motion
    title = f"{plan.run}   {plan.experiment.title}"
    said = f"; {motion.said}" if motion.said else ""
    lines = [f"the model along this test, from {motion.time[0]:.4g} to {motion.time[-1]:.4g} s{said}", LEGEND]
    figure.text(0.02, 1.0 - 0.28 / height, literal(cut(title, int(width * 8.0))), fontsize=13, fontweight="bold", color=INK, va="center")
    for k, line in enumerate(lines):
        figure.text(0.02, 1.0 - (0.58 + 0.22 * k) / height, cut(line, int(width * 12.5)), fontsize=9.5, color=MUTED, va="center")


def draw_joint(place: Axes, strip: Axes, one: Pin | Guide, time: Floats) -> None:
    """The orbit, and below it how far from the middle over time."""
    if isinstance(one, Pin):
        draw_pin(place, one, touches(time, one.closed, one.depth))
        _strip(strip, time, one.distance / one.clearance, one.closed, "eccentricity / clearance", (0.0, 1.25))
    else:
        draw_guide(place, one, touches(time, one.closed, one.depth))
        ends = one.ends / one.clearance
        widest = ends[np.arange(len(ends)), np.argmax(np.abs(ends), axis=1)]
        _strip(strip, time, widest, one.closed, "place / clearance", (-1.25, 1.25))


def draw_pin(axes: Axes, pin: Pin, touched: Touches) -> None:
    """In clearances: the circle, the way of the pin's centre, and a ring that is the darker the longer it touches there."""
    dress(axes, pin.name, f"{pin.axes[0]}  mm", f"{pin.axes[1]}  mm")
    axes.grid(False)
    c = 1e3 * pin.clearance
    axes.add_patch(Circle((0.0, 0.0), c, facecolor=SHADE, edgecolor=INK, linewidth=1.2, zorder=1))
    axes.plot([-c, c], [0.0, 0.0], [0.0, 0.0], [-c, c], color=GRID, linewidth=0.8, zorder=1.5)
    _ring(axes, pin, c, touched)
    _way(axes, 1e3 * pin.offset, pin.closed)
    if len(touched.begins):
        at = 1e3 * pin.offset[touched.begins]
        axes.plot(at[:, 0], at[:, 1], "o", ms=3.2, mfc="white", mec=PREDICTED, mew=0.9, zorder=4)
    _square(axes, c)
    _say(axes, pin.clearance, touched)


def _ring(axes: Axes, pin: Pin, c: float, touched: Touches) -> None:
    """Share of the time for which it touches at each angle."""
    closed = pin.closed
    if not closed.any():
        return
    half = np.pi / BINS  # so that the middle of a place is where the axes are
    edges = np.linspace(-np.pi, np.pi, BINS + 1) - half
    inside = touched.by_angle((pin.angle + np.pi + half) % (2.0 * np.pi) - np.pi - half, closed, edges)
    share = inside / inside.max()
    for k in np.flatnonzero(inside):
        colour = to_rgba(PREDICTED, FAINTEST + (1.0 - FAINTEST) * float(np.sqrt(share[k])))
        begin, end = np.degrees(edges[k : k + 2])
        axes.add_patch(Wedge((0.0, 0.0), (1.06 + RIM) * c, begin, end, width=RIM * c, facecolor=colour, edgecolor="none", zorder=2))


def _way(axes: Axes, places: Floats, closed: Flags) -> None:
    """Lines from moment to moment, in flight and in contact."""
    lines = np.stack((places[:-1], places[1:]), axis=1)
    touching = closed[:-1] & closed[1:]
    for flag, colour, width, order in ((~touching, FLIGHT, 0.6, 2.5), (touching, PREDICTED, 1.5, 3.0)):
        axes.add_collection(LineCollection(list(lines[flag]), colors=colour, linewidths=width, zorder=order, capstyle="round"))


def draw_guide(axes: Axes, guide: Guide, touched: Touches) -> None:
    """Place of the front end over that of the rear end: on a side of the square an end touches, in a corner both."""
    slot = guide.is_slot
    dress(axes, guide.name, "pin's place  mm" if slot else "rear end  mm", "pin's place  mm" if slot else "front end  mm")
    axes.grid(False)
    c = 1e3 * guide.clearance
    axes.add_patch(Rectangle((-c, -c), 2.0 * c, 2.0 * c, facecolor=SHADE, edgecolor=INK, linewidth=1.2, zorder=1))
    axes.plot([-c, c], [0.0, 0.0], [0.0, 0.0], [-c, c], color=GRID, linewidth=0.8, zorder=1.5)
    _way(axes, 1e3 * guide.ends, guide.closed)
    _sides(axes, guide, c, touched)
    if not slot:
        for x, y, text in ((-1, -1, "flat on the\nlower face"), (1, 1, "flat on the\nupper face"), (-1, 1, "tilted"), (1, -1, "tilted")):
            axes.annotate(text, (0.93 * x * c, 0.93 * y * c), ha="left" if x < 0 else "right", va="bottom" if y < 0 else "top",
                          fontsize=8, color=MUTED, zorder=5)  # fmt: skip
    _square(axes, c)
    _say(axes, guide.clearance, touched)


def _sides(axes: Axes, guide: Guide, c: float, touched: Touches) -> None:
    """A bar at each side of the square: the darker the longer that end touches that face."""
    width = RIM * c
    for end, across in ((guide.rear, True), (guide.front, False)):
        for sign in (-1.0, 1.0):
            share = touched.of_time(sign * end >= guide.clearance)
            if share == 0.0:
                continue
            low = 1.06 * c if sign > 0.0 else -1.06 * c - width
            size = (width, 2.0 * c) if across else (2.0 * c, width)
            corner = (low, -c) if across else (-c, low)
            axes.add_patch(Rectangle(corner, *size, facecolor=to_rgba(PREDICTED, FAINTEST + (1.0 - FAINTEST) * share), zorder=2))
            text = f"{100.0 * share:.0f} %" if share >= 0.005 else "< 1 %"
            middle = low + 0.5 * width
            axes.annotate(text, (middle, 0.0) if across else (0.0, middle), ha="center", va="center", fontsize=8, color=INK, zorder=5,
                          rotation=90 if across else 0)  # fmt: skip


def _square(axes: Axes, c: float) -> None:
    axes.set_xlim(-ROOM * c, ROOM * c)
    axes.set_ylim(-ROOM * c, ROOM * c)
    axes.set_aspect("equal")


def _say(axes: Axes, clearance: float, touched: Touches) -> None:
    deepest = f"{1e6 * touched.deepest:.3g} µm deep at most" if touched.deepest > 0.0 else "not pressed in"
    often, flights = touched.words
    text = f"clearance {1e3 * clearance:.3g} mm; touches {100.0 * touched.share:.3g} % of the time\n{deepest}; {often}\n{flights}"
    axes.annotate(text, (0.0, 1.0), xycoords="axes fraction", xytext=(0, -2), textcoords="offset points", va="bottom", fontsize=8.4,
                  color=MUTED)  # fmt: skip
    axes.title.set_position((0.0, 1.0))
    axes.set_title(axes.get_title(loc="left"), loc="left", pad=41, fontsize=11.5, fontweight="bold", color=INK)


def _strip(axes: Axes, time: Floats, value: Floats, closed: Flags, label: str, ends: tuple[float, float]) -> None:
    dress(axes, "", "time  s", label)
    axes.yaxis.label.set_fontsize(8)
    for bound in (-1.0, 1.0):
        if ends[0] <= bound:
            axes.axhline(bound, color=INK, linewidth=0.8, zorder=1)
    _way(axes, np.column_stack((time, value)), closed)
    axes.set_xlim(time[0], time[-1])
    axes.set_ylim(*ends)
