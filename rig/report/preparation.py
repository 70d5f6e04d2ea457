"""Picture of what went before a test: stroke and force with their commands, stage by stage."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import h5py
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from rig.preparation.settings import STAGES
from rig.report.drawing import Figure
from rig.report.palette import COMMAND, DOUBTFUL, GRID, INK, LABEL, MEASURED, MUTED, SHADE

SIZE = (11.0, 6.0)  # inches
POINTS = 4000  # of a curve, at the most

Floats = NDArray[np.float64]


def picture(record: Path, path: Path, guard: float) -> None:
    """Draw the preparation in `record` to `path`; guard: force (N) that would have ended it. Raises OSError, KeyError without one."""
    with h5py.File(record, "r", locking="best-effort") as file:
        group = file["entry/preparation"]
        rate = float(group["force"].attrs["rate"])
        step = max(1, len(group["force"]) // POINTS)
        columns = {name: group[name][::step] for name in group}
    time = step * np.arange(len(columns["force"])) / rate
    figure = Figure(figsize=SIZE, dpi=110, layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    _panel(upper, time, 1e3 * columns["stroke"], 1e3 * columns["stroke_command"], "stroke, mm")
    _panel(lower, time, 1e-3 * columns["force"], 1e-3 * columns["force_command"], "force, kN")
    for side in (-guard, guard):
        lower.axhline(1e-3 * side, color=DOUBTFUL, linewidth=1.0, linestyle="--")
    lower.annotate(f"guard {1e-3 * guard:g} kN", (time[0], 1e-3 * guard), (3, 3), textcoords="offset points", fontsize=9, color=DOUBTFUL)
    lower.set_ylim(-0.25e-3 * guard, 1.2e-3 * guard) if columns["force"].min() > -0.2 * guard else None
    lower.set_xlabel("time since the preparation began, s", color=INK)
    for name, begin, end, shaded in _stages(columns["stage"], time):
        for axes in (upper, lower):
            axes.axvspan(begin, end, color=SHADE if shaded else "white", zorder=0)
        upper.annotate(name, (0.5 * (begin + end), 1.0), (0, 4), xycoords=("data", "axes fraction"), textcoords="offset points",
                       ha="center", fontsize=9.5, color=INK)  # fmt: skip
    upper.legend(loc="upper left", frameon=False, fontsize=9.5)
    figure.suptitle(f"{record.parent.name}: preparation under low pressure", x=0.01, ha="left", fontsize=11.5, fontweight="bold", color=INK)
    figure.savefig(path)


def _panel(axes: Axes, time: Floats, measured: Floats, command: Floats, label: str) -> None:
    axes.plot(time, measured, color=MEASURED, linewidth=1.2, label="measured", zorder=3)
    axes.plot(time, command, color=INK, linewidth=1.2, linestyle=(0, (4, 2)), label="command, where the loop follows it", zorder=4)
    axes.set_ylabel(label, **LABEL)
    axes.grid(color=GRID)
    axes.tick_params(colors=MUTED)
    for spine in axes.spines.values():
        spine.set_color(COMMAND)


def _stages(stage: Floats, time: Floats) -> Iterator[tuple[str, float, float, bool]]:
    """(name, begin s, end s, shaded) of each stage that was reached, as often as it was."""
    edges = np.concatenate([[0], np.flatnonzero(np.diff(stage)) + 1, [len(stage)]])
    for begin, end in pairwise(edges):
        number = int(stage[begin])
        if number >= 0:
            yield STAGES[number], float(time[begin]), float(time[end - 1]), number % 2 == 0
