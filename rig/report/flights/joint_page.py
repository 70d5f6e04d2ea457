"""The map of a rig whose test shows impacts alone: flights of each joint of the model over angle and turn, and the impacts of the test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.flights.joints import JointFlights, JointMap
from rig.report.lines import cut
from rig.report.names import words
from rig.report.palette import INK, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress, say

WIDTH, HEIGHT, DPI = 14.0, 2.1, 110
HEAD = 1.5
"""Inches above the panels."""
LEFT, RIGHT = 0.06, 0.985
TITLE = 110


def joint_page(path: Path, found: JointMap, title: str) -> None:
    """Write the page to `path` (PNG): a panel for each joint."""
    count = len(found.joints)
    height = HEAD + HEIGHT * count + 0.5
    figure = Figure(figsize=(WIDTH, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    figure.text(LEFT, 1.0 - 0.3 / height, literal(cut(title, TITLE)), fontsize=14, fontweight="bold", color=INK, va="center")
    for k, line in enumerate(_said(found)):
        figure.text(LEFT, 1.0 - (0.58 + 0.22 * k) / height, literal(line), fontsize=9.5, color=MUTED, va="center")
    grid = figure.add_gridspec(count, 1, left=LEFT, right=RIGHT, bottom=0.55 / height, top=1.0 - HEAD / height, hspace=0.28)
    for k, joint in enumerate(found.joints):
        axes = figure.add_subplot(grid[k, 0])
        dress(axes, _heading(joint), found.label if k == count - 1 else "", "turn")
        _draw(axes, found, joint)
        axes.tick_params(labelbottom=k == count - 1)
        if k == 0:
            axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, fontsize=8.5, frameon=False, borderaxespad=0.2)
    figure.savefig(path, format="png")


def _heading(joint: JointFlights) -> str:
    count = len(joint.begin)
    return f"{joint.name}: without contact for {100.0 * joint.share:.3g} % of the time, {count} flight{'' if count == 1 else 's'}"


def _said(found: JointMap) -> list[str]:
    measured, both = len(found.hits.measured.spikes), len(found.confirmed[0])
    channel = words(found.hits.channel).lower()
    how = f"model: flights of at least 0.5 ms; test: impacts in the {channel}, which tell neither the joint nor where its contact was lost"
    told = f"{found.begin:.4g} to {found.end:.4g} s: {both} of {measured} measured impacts are at the end of a flight (within 10 deg), "
    return [how, f"{told}{both} of {found.flights} flights end with a measured impact"]


def _draw(axes: Axes, found: JointMap, joint: JointFlights) -> None:
    start = np.floor(found.first / 360.0)
    turns = int(np.floor(found.last / 360.0) - start) + 1
    row = np.floor(joint.begin_deg / 360.0) - start
    begin, lasting = joint.begin_deg % 360.0, joint.end_deg - joint.begin_deg
    for shift in (-360.0, 0.0):  # what goes on into the next turn is there, too
        there = begin + shift + lasting > 0.0
        axes.barh(row[there] - shift / 360.0, lasting[there], height=0.5, left=begin[there] + shift, color=PREDICTED, linewidth=0,
                  label="model: no contact" if shift == 0.0 else None)  # fmt: skip
    axes.plot(found.hit_deg % 360.0, np.floor(found.hit_deg / 360.0) - start, "o", color=MEASURED, markersize=6, mec="white", mew=0.6,
              label="test: impact, in any joint")  # fmt: skip
    if not len(joint.begin):
        say(axes, "contact is not lost for 0.5 ms")
    axes.set_xlim(0.0, 360.0)
    axes.set_xticks(range(0, 361, 30))
    axes.set_ylim(-0.6, turns - 0.4)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
