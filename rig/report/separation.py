"""The picture of `rig predict`: everything that the criteria of contact loss look at, over one turn of the crank."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from model.mechanisms.four_bar.angles import grid
from model.mechanisms.four_bar.correction import Corrected, corrected
from model.mechanisms.four_bar.ideal import Ideal, ideal
from model.separation.prediction import Prediction
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.palette import COMMAND, GOOD, INK, MEASURED, MUTED, PREDICTED, SHADE
from rig.report.panel import dress

Floats = NDArray[np.float64]
SIZE, DPI = (14.0, 15.0), 100
ROWS = ("Earles-Wu", "Li-Bai", "critical points", "massless link", "full contact")
ROOM = 1.5  # of the force panel, times the largest force without clearance: impacts are cut off
LARGEST = 4.0  # times the usual size: first-order terms beyond are cut off


def separation(path: Path, title: str, found: Prediction) -> None:
    """Write the picture to `path`, replacing what is there."""
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    forces, rates, numbers, verdicts = figure.subplots(4, 1, sharex=True, height_ratios=(1.25, 1.0, 1.0, 0.85))
    figure.subplots_adjust(left=0.105, right=0.975, top=0.93, bottom=0.045, hspace=0.24)
    config, angles = found.config, np.append(grid(), 2.0 * np.pi)
    there = ideal(config, angles)
    first = corrected(config, there)
    _heading(figure, title, found)
    _draw_forces(forces, found, angles, there, first)
    _draw_rates(rates, angles, there, first)
    _draw_numbers(numbers, found, angles, first)
    _draw_verdicts(verdicts, found)
    for axes in (forces, rates, numbers, verdicts):
        for low, high in found.validity.doubtful:
            axes.axvspan(np.degrees(low), np.degrees(high), color=SHADE, linewidth=0, zorder=0)
        axes.set_xlim(0.0, 360.0)
        axes.set_xticks(np.arange(0, 361, 30))
        axes.tick_params(labelbottom=True)
    figure.savefig(path)


def _heading(figure: Figure, title: str, found: Prediction) -> None:
    config = found.config
    figure.text(0.105, 0.975, literal(title), fontsize=15, fontweight="bold", color=INK, va="center")
    words = (
        f"{config.speed * 30.0 / np.pi:g} r/min, clearance {config.clearance * 1e3:g} mm radial, gravity {config.gravity:g} m/s²;  "
        "grey: the first-order expansion is not valid there"
    )
    figure.text(0.105, 0.957, words, fontsize=10.5, color=MUTED, va="center")


def _span(axes: Axes, values: Floats, usual: float) -> None:
    """Show `values`, but not what is far beyond the usual size."""
    low, high = max(float(values.min()), -LARGEST * usual), min(float(values.max()), LARGEST * usual)
    room = 0.06 * (high - low)
    axes.set_ylim(low - room, high + room)


def _draw_forces(axes: Axes, found: Prediction, angles: Floats, there: Ideal, first: Corrected) -> None:
    degrees = np.degrees(angles)
    if found.contact is not None:
        for label, angle, force in _turns(found.contact.angle, found.contact.force):
            axes.plot(np.degrees(angle), force, color=COMMAND, linewidth=0.8, label=label)
    if found.link is not None:
        for label, angle, force in _turns(found.link.angle, found.link.force):
            name = None if label is None else "massless link, until it would pull"
            axes.plot(np.degrees(angle), force, color=GOOD, linewidth=0.9, alpha=0.75, label=name)
    axes.plot(degrees, first.F.value, color=PREDICTED, linewidth=1.3, label="first order")
    axes.plot(degrees, there.F.value, color=MEASURED, linewidth=2.0, label="no clearance")
    minima = [(np.degrees(one.angle), one.force) for one in found.minima]
    axes.plot(*np.array(minima).reshape(-1, 2).T, "o", color=MEASURED, markersize=6)
    axes.axhline(0.0, color=MUTED, linewidth=0.8)
    axes.set_ylim(-0.06 * ROOM * there.F.value.max(), ROOM * there.F.value.max())
    dress(axes, "Force in the joint (dots: minima without clearance)", "", "N")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, frameon=False, fontsize=9.5, borderaxespad=0.2)


def _turns(angle: Floats, values: Floats) -> list[tuple[str | None, Floats, Floats]]:
    """(label of the first, angles within a turn, values) of each turn that a run takes."""
    turn = np.floor(angle / (2.0 * np.pi))
    parts = [turn == number for number in np.unique(turn)]
    return [
        ("full contact" if i == 0 else None, np.mod(angle[part], 2.0 * np.pi), values[part]) for i, part in enumerate(parts)
    ]  # fmt: skip


def _draw_rates(axes: Axes, angles: Floats, there: Ideal, first: Corrected) -> None:
    plain, moved = there.alpha.derivative(1), first.alpha.derivative(1)
    axes.plot(np.degrees(angles), moved, color=PREDICTED, linewidth=1.3, label="first order")
    axes.plot(np.degrees(angles), plain, color=MEASURED, linewidth=2.0, label="no clearance")
    _span(axes, np.concatenate([plain, moved]), 0.5 * float(np.abs(plain).max()))
    dress(axes, "Turning of the force's direction, dα/dt", "", "rad/s")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False, fontsize=9.5, borderaxespad=0.2)


def _draw_numbers(axes: Axes, found: Prediction, angles: Floats, first: Corrected) -> None:
    for name, jet, zeros, colour in (("aq", first.aq, found.critical.aq, MEASURED), ("br", first.br, found.critical.br, PREDICTED)):
        axes.plot(np.degrees(angles), jet.value, color=colour, linewidth=1.6, label=name)
        axes.plot(np.degrees(zeros), np.zeros(len(zeros)), "o", color=colour, markersize=6)
    axes.axhline(0.0, color=MUTED, linewidth=0.8)
    values = np.concatenate([first.aq.value, first.br.value])
    _span(axes, values, 0.5 * float(np.percentile(np.abs(values), 95)))
    tolerance = np.degrees(found.critical.tolerance)
    dress(axes, f"Critical-point numbers; zeros within {tolerance:g}° count as simultaneous", "", "N m")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False, fontsize=9.5, borderaxespad=0.2)


def _draw_verdicts(axes: Axes, found: Prediction) -> None:
    for row, angles in enumerate(found.angles.values()):
        degrees = np.mod(np.degrees(angles), 360.0)
        axes.plot(degrees, np.full(len(degrees), row), "|", color=PREDICTED, markersize=26, markeredgewidth=3)
        if len(degrees) <= 3:
            for angle in degrees.tolist():
                axes.annotate(f"{angle:.1f}°", (angle, row), xytext=(-6, 0), textcoords="offset points", ha="right", va="center",
                              fontsize=9.5, color=INK)  # fmt: skip
    if found.contact is not None:
        openings = np.mod(np.degrees(found.contact.openings), 360.0)
        row = len(ROWS) - 1
        axes.plot(openings, np.full(len(openings), row + 0.36), "|", color=MUTED, markersize=6)
    dress(axes, "Contact is lost, according to (small ticks: every opening, bounces included)", "crank angle, degrees", "")
    axes.set_yticks(range(len(ROWS)), ROWS)
    axes.set_ylim(len(ROWS) - 0.45, -0.6)
