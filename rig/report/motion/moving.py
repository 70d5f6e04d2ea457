"""What moves in the animation: bodies, pins in their bushes, and the orbits beside them; each shows one moment after the other."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Polygon, Wedge

from rig.motion.magnified import Magnified, bounds
from rig.motion.parts import Floats, Motion, Pin
from rig.report.drawing import Figure
from rig.report.palette import INK, PREDICTED, SHADE

BODIES = ("#5B7C99", "#7A9A6B", "#A1846A", "#7D74A6", "#4F9090", "#9A6B80")
FLIGHT = "#52708C"
MARGIN = 0.08
"""Round about, share of the size."""
ARC = 50.0
"""deg of the rim that is marked where pin and bush touch."""
MOST = 3
"""Clearance circles beside the mechanism."""


class Bodies:
    """Outlines, and the faces of guides."""

    def __init__(self, axes: Axes, shown: Magnified) -> None:
        motion = shown.motion
        _frame(axes, shown)
        for line in motion.still:
            axes.plot(line[:, 0], line[:, 1], color=INK, linewidth=2.0, marker="^" if len(line) == 1 else "", markersize=9, zorder=1)
        self._places = [shown.places(body) for body in motion.bodies]
        self._patches, self._lines, self._faces = list[Polygon | None](), list[Line2D](), list[tuple[Floats, list[Line2D]]]()
        for k, (body, places) in enumerate(zip(motion.bodies, self._places, strict=True)):
            colour = BODIES[k % len(BODIES)]
            patch = Polygon(places[0], facecolor=colour, alpha=0.35, edgecolor="none", zorder=2) if body.loop else None
            if patch is not None:
                axes.add_patch(patch)
            (outline,) = axes.plot([], [], color=colour, linewidth=4.0 if not body.loop else 2.0, solid_capstyle="round", zorder=2.5)
            self._patches.append(patch)
            self._lines.append(outline)
            axes.plot([], [], color=colour, linewidth=4.0, label=body.name)
            if body.guide is not None:
                self._faces.append((shown.faces(body), [axes.plot([], [], color=INK, linewidth=2.0, zorder=1)[0] for _ in range(2)]))
        axes.legend(loc="lower left", fontsize=8, frameon=False, ncols=min(4, max(1, len(motion.bodies))), borderaxespad=0.0)

    def show(self, moment: int) -> None:
        """As they are at that moment."""
        for places, patch, line in zip(self._places, self._patches, self._lines, strict=True):
            x, y = places[moment].T
            if patch is not None:
                patch.set_xy(places[moment])
                x, y = np.append(x, x[0]), np.append(y, y[0])
            line.set_data(x, y)
        for faces, walls in self._faces:
            for wall, ends in zip(walls, faces[moment], strict=True):
                wall.set_data(ends[:, 0], ends[:, 1])


class Joints:
    """Bushes with their pins; the rim is marked where they touch."""

    def __init__(self, axes: Axes, shown: Magnified) -> None:
        self._shown = shown
        self._drawn = []
        for pin in shown.motion.pins:
            radius = shown.radius
            bush = Circle((0.0, 0.0), radius, facecolor="white", edgecolor=INK, linewidth=1.6, zorder=3)
            journal = Circle((0.0, 0.0), radius - shown.factor * pin.clearance, facecolor="#C9D3DC", edgecolor=INK, linewidth=1.0, zorder=4)
            arc = Wedge((0.0, 0.0), 1.18 * radius, -ARC / 2, ARC / 2, width=0.16 * radius, facecolor=PREDICTED, zorder=5)
            for patch in (bush, journal, arc):
                axes.add_patch(patch)
            self._drawn.append((pin, bush, journal, arc))

    def show(self, moment: int) -> None:
        """As they are at that moment."""
        for pin, bush, journal, arc in self._drawn:
            centre = pin.bush[moment]
            bush.set_center(tuple(centre))
            journal.set_center(tuple(centre + self._shown.factor * pin.offset[moment]))
            arc.set_visible(bool(pin.closed[moment]))
            arc.set_center(tuple(centre))
            angle = float(np.degrees(pin.angle[moment]))
            arc.set_theta1(angle - ARC / 2)
            arc.set_theta2(angle + ARC / 2)


class Orbits:
    """The clearance circles of the first pins, with the way of their centres so far."""

    def __init__(self, figure: Figure, motion: Motion, room: tuple[float, float, float, float]) -> None:
        """room: left, right, bottom and top, as shares of the figure."""
        left, right, bottom, top = room
        pins = motion.pins[:MOST]
        height = (top - bottom) / len(pins)
        self._drawn = []
        for k, pin in enumerate(pins):
            axes = figure.add_axes((left, top - (k + 1) * height, right - left, height - 0.055))
            self._drawn.append((pin, *_circle(axes, pin)))

    def show(self, moment: int) -> None:
        """Up to that moment."""
        for pin, way, dot in self._drawn:
            x, y = pin.offset[: moment + 1].T / pin.clearance
            way.set_data(x, y)
            dot.set_data(x[-1:], y[-1:])
            dot.set_color(PREDICTED if pin.closed[moment] else FLIGHT)


def _circle(axes: Axes, pin: Pin) -> tuple[Line2D, Line2D]:
    axes.set_title(f"{pin.name}, {1e3 * pin.clearance:.3g} mm", fontsize=9, color=INK)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_xlim(-1.2, 1.2)
    axes.set_ylim(-1.2, 1.2)
    axes.add_patch(Circle((0.0, 0.0), 1.0, facecolor=SHADE, edgecolor=INK, linewidth=1.0))
    (way,) = axes.plot([], [], color=FLIGHT, linewidth=0.7)
    (dot,) = axes.plot([], [], "o", markersize=7)
    return way, dot


def _frame(axes: Axes, shown: Magnified) -> None:
    """All that is swept, with the bushes; nothing else."""
    low, high = bounds(shown.motion)
    margin = MARGIN * float(np.max(high - low)) + shown.radius
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - 1.5 * margin, high[1] + margin)
    axes.set_aspect("equal")
    axes.set_axis_off()
