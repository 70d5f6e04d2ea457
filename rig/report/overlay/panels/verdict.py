"""The verdict on the page: a coloured bar with the result, then one row a criterion."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.patches import FancyBboxPatch

from rig.comparison import METRICS, ChannelAgreement, Line, Verdict
from rig.report.lines import both, error_text, tolerance_text
from rig.report.names import words
from rig.report.overlay.content import OverlayData
from rig.report.overlay.panels.report_panel import ReportPanel
from rig.report.palette import DOUBTFUL, GOOD, INK, MUTED, PREDICTED
from rig.signals.engineering_units import number

RESULTS = {
    "pass": ("PASS", GOOD),
    "fail": ("FAIL", PREDICTED),
    "cannot_discriminate": ("CANNOT DISCRIMINATE", DOUBTFUL),
    "cannot_be_judged": ("CANNOT BE JUDGED", DOUBTFUL),
    "none": ("NO VERDICT", MUTED),
}
ROWS = 9
LONGEST = 20
"""Characters of a criterion that leave room for the values beside it."""
TOP, STEP = 0.77, 0.083
COLUMNS = (0.44, 0.6, 0.8, 1.0)
"""Right edges of measured, predicted, error and tolerance, as shares of the panel."""


@dataclass(frozen=True)
class Config(ReportPanel):
    """Beside the whole run."""

    PLACE: ClassVar[str] = "top right"

    def draw(self, figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        draw_verdict(figure.add_subplot(place), data.verdict, data.agreements, data.channel)


def draw_verdict(axes: Axes, verdict: Verdict | None, agreements: Mapping[str, ChannelAgreement], main: str) -> None:
    """Fill the panel; the channel `main` gives the delay below the rows. Several channels are named."""
    axes.set_axis_off()
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, 1.0)
    name, colour = RESULTS["none" if verdict is None else verdict.result]
    axes.add_patch(FancyBboxPatch((0.0, 0.885), 1.0, 0.17, boxstyle="round,pad=0,rounding_size=0.02", color=colour, clip_on=False))
    axes.text(0.02, 0.965, name, fontsize=14, fontweight="bold", color="white", va="center")
    lines = [] if verdict is None else list(verdict.lines)
    if verdict is not None and (verdict.result != "none" or verdict.withheld):
        held = sum(line.passed for line in lines)
        axes.text(0.98, 0.965, f"{held} of {len(lines)} criteria hold", fontsize=10, color="white", va="center", ha="right")
    if lines:
        _header(axes)
    for i, line in enumerate(sorted(lines, key=lambda line: line.passed + 0.5 * line.undecided)[:ROWS]):
        name = f"{words(line.channel)}: " if len({line.channel for line in lines}) > 1 else ""
        _row(axes, TOP - STEP * (i + 0.95), line, agreements.get(line.channel), name)
    _foot(axes, verdict, words(main), agreements.get(main), min(len(lines), ROWS))


def _header(axes: Axes) -> None:
    for x, text in zip(COLUMNS, ("measured", "predicted", "pred. - meas.", "tolerance"), strict=True):
        axes.text(x, TOP + 0.025, text, fontsize=8.8, color=MUTED, ha="right", va="center")
    axes.text(0.05, TOP + 0.025, "criterion", fontsize=8.8, color=MUTED, va="center")
    axes.plot([0.0, 1.0], [TOP - 0.02, TOP - 0.02], color=MUTED, linewidth=0.7)


def _row(axes: Axes, y: float, line: Line, agreement: ChannelAgreement | None, name: str) -> None:
    metric = METRICS[line.metric]
    tone, marker = (GOOD, "o") if line.passed else (DOUBTFUL, "D") if line.undecided else (PREDICTED, "X")
    colour = INK if line.passed else tone
    weight = "normal" if line.passed else "bold"
    axes.plot([0.015], [y], marker=marker, markersize=6, color=tone)
    axes.text(0.05, y, name + metric.title, fontsize=9.8, color=colour, va="center", fontweight=weight)
    values = both(line, agreement) if len(name + metric.title) <= LONGEST else ("", "")
    cells = (*values, error_text(line), tolerance_text(line))
    for x, text, shade in zip(COLUMNS, cells, (MUTED, MUTED, colour, MUTED), strict=True):
        axes.text(x, y, text, fontsize=9.6, color=shade, va="center", ha="right", fontweight=weight if shade == colour else "normal")


def _foot(axes: Axes, verdict: Verdict | None, channel: str, agreement: ChannelAgreement | None, rows: int) -> None:
    """What is not a row: the delay, and the reason where it is more than the failing rows."""
    y = TOP - STEP * (rows + 0.95) - 0.02
    parts = []
    if agreement is not None and agreement.delay_samples is not None:
        sigma = number(agreement.delay_sigma, 1.0, 2)
        milliseconds = agreement.delay_samples / agreement.rate * 1e3
        parts.append(f"{channel}: delay of measured {agreement.delay_samples:+.2f} ± {sigma} samples ({milliseconds:+.3f} ms)")
    elif agreement is not None and agreement.delay_reason:
        parts.append(f"{channel}: no delay: {agreement.delay_reason}")
    if verdict is not None and verdict.result in ("cannot_discriminate", "cannot_be_judged", "none"):
        parts.append(verdict.reason)
    for part in parts:
        text = textwrap.fill(part, 74)
        axes.text(0.0, y, text, fontsize=8.8, color=MUTED, va="top", linespacing=1.25)
        y -= 0.065 * (text.count("\n") + 1) + 0.03
