"""The map of contact losses: stretches without contact over angle and turn, and below where each criterion says that contact is lost."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from rig.comparison.flights.agreement import Flights
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.flights.found import LossMap
from rig.report.lines import cut
from rig.report.overlay.loss_angles import CRITERIA, LossAngles
from rig.report.palette import COMMAND, GOOD, INK, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress, say

SIZE, DPI = (14.0, 7.8), 110
LEFT, RIGHT, BOTTOM, TOP = 0.105, 0.985, 0.075, 0.8
TITLE = 110
CLOSE = 14.0
"""deg to either side that the close-up shows at least."""
HALF = 0.42
"""Of a turn's row: measured above its middle, predicted below."""
NAMES = ("test", "model", *CRITERIA.values())


def loss_page(path: Path, found: LossMap, title: str) -> None:
    """Write the page to `path` (PNG)."""
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    losses = found.losses
    figure.text(LEFT, 0.96, literal(cut(title, TITLE)), fontsize=14, fontweight="bold", color=INK, va="center")
    for k, line in enumerate(_said(losses)):
        figure.text(LEFT, 0.923 - 0.027 * k, literal(line), fontsize=9.5, color=MUTED, va="center")
    grid = figure.add_gridspec(
        2, 2, left=LEFT, right=RIGHT, bottom=BOTTOM, top=TOP, wspace=0.05, hspace=0.1, width_ratios=(1.35, 1.0), height_ratios=(2.0, 1.0)
    )
    for column, view in enumerate((None, losses.place)):
        if column == 1 and view is None:
            break
        above, below = (figure.add_subplot(grid[row, column]) for row in range(2))
        low, high = (0.0, 360.0) if view is None else _close(losses, math.degrees(view))
        heading = "Without contact, by turn" if view is None else "The same place, closely"
        dress(above, heading, "", "turn that counts" if column == 0 else "")
        dress(below, "", "crank angle, deg", "")
        _draw_turns(above, found, low, high)
        _draw_criteria(below, losses, low, high)
        for axes in (above, below):
            axes.set_xlim(low, high)
            axes.tick_params(labelleft=column == 0)
        above.tick_params(labelbottom=False)
        above.xaxis.set_major_locator(MaxNLocator(12 if view is None else 7))
        below.xaxis.set_major_locator(MaxNLocator(12 if view is None else 7))
        if column == 0:
            above.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, fontsize=8.5, frameon=False, borderaxespad=0.2)
    figure.savefig(path, format="png")


def _said(losses: LossAngles) -> list[str]:
    """How it is told, and how far both agree."""
    how = (
        "test: the measured acceleration on its course without contact, up to an impact; model: contact of the running model, bounces pale"
    )
    one = losses.agreement
    if one is None or one.agreement is None:
        return [how, f"no contact loss in {losses.revolutions:.1f} turns, measured or predicted"]
    shares = [f"{100.0 * share:.3g} %" for share in (one.measured, one.predicted, one.both)]
    told = f"without contact for {shares[0]} of the angle as measured, {shares[1]} as predicted, {shares[2]} as both: agreement "
    told += f"{100.0 * one.agreement:.3g} %"
    matched = f"{one.matched} flights matched, {one.missed} missed, {one.extra} extra"
    if one.late_deg is not None and one.late_s is not None:
        matched += f"; model less test: loss {one.late_deg:+.2f} deg ({1e3 * one.late_s:+.3g} ms), impact {one.end_late_deg:+.2f} deg"
    return [how, told, matched]


def _close(losses: LossAngles, place: float) -> tuple[float, float]:
    """About the losses and the impacts behind them."""
    both = losses.compared or (losses.measured, losses.predicted)
    ends = [math.degrees(float(x)) for side in both for x in losses.flights(side).lasting]
    middle = place + 0.5 * max(ends, default=0.0)
    half = max(CLOSE, 0.75 * max(ends, default=0.0))
    return middle - half, middle + half


def _draw_turns(axes: Axes, found: LossMap, low: float, high: float) -> None:
    losses = found.losses
    start = min(losses.span)
    turns = max(1.0, losses.revolutions)
    sides = (
        (found.bounces, PREDICTED, 0.3, (-HALF, 0.0), None),
        (losses.flights(losses.measured), MEASURED, 1.0, (0.0, HALF), "test"),
        (losses.flights(losses.predicted), PREDICTED, 1.0, (-HALF, 0.0), "model"),
    )
    for flights, colour, alpha, (bottom, top), label in sides:
        _bars(axes, flights, start, (low, high), (bottom, top - bottom), colour, alpha, label)
    if not len(losses.measured.loss) and not len(losses.predicted.loss):
        say(axes, "contact is never lost")
    axes.set_ylim(-1.0, math.ceil(turns))
    axes.yaxis.set_major_locator(MaxNLocator(8, integer=True))


def _bars(
    axes: Axes, flights: Flights, start: float, shown: tuple[float, float], place: tuple[float, float], colour: str, alpha: float,
    label: str | None,
) -> None:  # fmt: skip
    """Each on the row of its turn; where a turn's end lies within what is shown, it is on both sides of it."""
    turn = np.floor((flights.begin - start) / (2.0 * np.pi))
    begin, lasting = np.degrees(flights.begin) % 360.0, np.degrees(flights.lasting)
    for shift in (-360.0, 0.0, 360.0):
        there = (begin + shift < shown[1]) & (begin + shift + lasting > shown[0])
        axes.barh(
            turn[there] + place[0] + 0.5 * place[1], lasting[there], height=place[1], left=begin[there] + shift, color=colour, alpha=alpha,
            linewidth=0, label=label if shift == 0.0 else None,
        )  # fmt: skip


def _draw_criteria(axes: Axes, losses: LossAngles, low: float, high: float) -> None:
    """A row each for test and model, as they are in the mean, and for each criterion with its angles."""
    count = len(NAMES)
    for row, (found, colour) in enumerate(zip(losses.compared or (), (MEASURED, PREDICTED), strict=False)):
        if len(found.loss):
            begin = math.degrees(found.mean) % 360.0
            lasting = math.degrees(float(np.mean(losses.flights(found).lasting)))
            for shift in (-360.0, 0.0, 360.0):
                axes.barh(count - 1 - row, lasting, height=0.5, left=begin + shift, color=colour, linewidth=0)
    for row, name in enumerate(CRITERIA, start=2):
        angles = np.degrees(np.asarray(losses.predict.get(name, ()), dtype=np.float64)) % 360.0
        for shift in (-360.0, 0.0, 360.0):
            shown = angles[(angles + shift >= low) & (angles + shift <= high)] + shift
            axes.plot(shown, np.full(len(shown), count - 1.0 - row), "|", color=GOOD, markersize=14, markeredgewidth=2.4)
        if not len(angles):
            axes.text(low + 0.01 * (high - low), count - 1.0 - row, "none", fontsize=8.5, color=MUTED, va="center")
    if losses.compared is not None and len(losses.compared[0].loss):
        at = math.degrees(losses.compared[0].mean)
        for shift in (-360.0, 0.0, 360.0):
            axes.axvline(at + shift, color=COMMAND, linewidth=0.9, linestyle=(0, (3, 3)), zorder=0)
    axes.set_yticks(range(count - 1, -1, -1), NAMES, fontsize=9)
    axes.set_ylim(-0.6, count - 0.4)
