"""The picture of `rig rths`: in each case the first floor where it moves most, and the monitor's indicator over the whole test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from rig.hybrid.realtime import loop
from rig.hybrid.realtime.testing import Bench, Run
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.palette import DOUBTFUL, GOOD, INK, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress
from rig.report.reducing import envelope

WIDTH, ROW, TOP, BOTTOM, DPI = 15.0, 2.7, 0.9, 0.6, 100
COLOURS = (PREDICTED, MEASURED, GOOD, DOUBTFUL, "#CC79A7", "#56B4E9", "#7B5EA7", "#8C6D46", "#4B5563")
ZOOM = 1.0  # s shown of the first floor


def draw(path: Path, bench: Bench) -> None:
    """Write the picture to `path`; runs every test of the nominal plant once more."""
    experiment, cases = bench.experiment, bench.experiment.cases
    height = TOP + ROW * len(cases) + BOTTOM
    figure = Figure(figsize=(WIDTH, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    figure.text(0.05, 1.0 - 0.3 / height, literal(experiment.title), fontsize=15, fontweight="bold", color=INK, va="center")
    loose = "" if experiment.clearance is None else f", clearance {experiment.clearance.size * 1e3:g} mm"
    words = f"nominal plant, {experiment.rate:g} Hz{loose}; the indicator is spurious energy over what the damping takes"
    figure.text(0.05, 1.0 - 0.56 / height, words, fontsize=10.5, color=MUTED, va="center")
    for row, case in enumerate(cases):
        at = (BOTTOM + ROW * (len(cases) - 1 - row) + 0.35) / height
        tests = {name: bench.run(case, name) for name in experiment.compensators}
        _draw_floor(figure.add_axes((0.05, at, 0.40, (ROW - 0.85) / height)), bench, case, tests)
        _draw_indicator(figure.add_axes((0.53, at, 0.30, (ROW - 0.85) / height)), bench, case, tests)
    figure.savefig(path)


def _draw_floor(axes: Axes, bench: Bench, case: int, tests: dict[str, Run]) -> None:
    """Measured displacements beside the structure that is not divided, where it moves most."""
    rate, reference = bench.experiment.rate, bench.reference(case)[:, 0]
    middle, half = int(np.argmax(np.abs(reference))), round(0.5 * ZOOM * rate)
    begin = min(max(middle - half, 0), max(len(reference) - 2 * half, 0))
    shown = slice(begin, min(begin + 2 * half, len(reference)))
    times = np.arange(shown.start, shown.stop) / rate
    axes.plot(times, 1e3 * reference[shown], color=INK, linewidth=3.0, alpha=0.35)
    for colour, made in zip(COLOURS, tests.values(), strict=False):
        measured = made.results[shown, loop.MEASURED]
        if len(measured):
            axes.plot(times[: len(measured)], 1e3 * measured, color=colour, linewidth=1.2)
    dress(axes, f"case {case}: first floor, measured; grey: not divided", "time, s", "mm")
    axes.set_xlim(times[0], times[-1])


def _draw_indicator(axes: Axes, bench: Bench, case: int, tests: dict[str, Run]) -> None:
    """Indicators over time; a cross where the monitor tripped."""
    rate, monitor = bench.experiment.rate, bench.experiment.monitor
    axes.axhline(monitor.limit, color=INK, linewidth=1.0, linestyle="--")
    for colour, (name, made) in zip(COLOURS, tests.items(), strict=False):
        indicator = made.results[:, loop.INDICATOR]
        times, shown = envelope(np.arange(len(indicator)) / rate, indicator, 600)
        label = name.replace("_", " ")
        if made.trip is not None:
            label += f": tripped, {made.trip / rate:.2f} s"
            axes.plot(made.trip / rate, indicator[made.trip], "x", color=colour, markersize=8, markeredgewidth=2)
        axes.plot(times, shown, color=colour, linewidth=1.2, label=label)
    dress(axes, "indicator; dashed: its limit", "time, s", "1")
    axes.set_ylim(-0.1, max(1.3 * monitor.limit, 0.2))
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), fontsize=8.5, frameon=False)
