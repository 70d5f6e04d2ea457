"""Pictures of a campaign: for each figure a tornado (which key moves it how far) and its response to each key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rig.files import output_files
from rig.report.palette import INK, MEASURED, MUTED, PREDICTED, SHADE
from rig.sweep.sensitivity import Indices, Moved

Floats = NDArray[np.float64]

DOTS = 4000  # tasks that are drawn, at most
ACROSS = 3  # responses beside each other


@dataclass(frozen=True)
class Key:
    """One that is varied: its values (tasks,), as it is written on an axis; the words that it stands for."""

    name: str
    label: str
    values: Floats
    words: tuple[str, ...]


@dataclass(frozen=True)
class Subject:
    """One figure of a campaign."""

    title: str
    label: str
    figure: Floats
    keys: tuple[Key, ...]
    moved: Mapping[str, Moved]
    indices: Mapping[str, Indices] | None


def tornado(path: Path, subject: Subject) -> None:
    """Bars from the mean where the key is small to where it is large; beside them the Sobol indices, where there are some."""
    names = sorted(subject.moved, key=lambda name: subject.moved[name].range)
    wide = subject.indices is not None
    figure = Figure(figsize=(10.0 if wide else 6.5, 1.6 + 0.45 * len(names)), layout="constrained", dpi=120)
    axes = figure.subplots(1, 2 if wide else 1, squeeze=False)[0]
    _bars(axes[0], subject, names)
    if subject.indices is not None:
        _indices(axes[1], subject.indices, names)
    figure.suptitle(subject.title)
    with output_files.whole("--out", path) as new:
        figure.savefig(new)


def _bars(axes: Axes, subject: Subject, names: list[str]) -> None:
    centre = float(np.nanmean(subject.figure))
    for row, name in enumerate(names):
        one = subject.moved[name]
        axes.barh(row, max(one.mean) - min(one.mean), left=min(one.mean), height=0.5, color=SHADE, edgecolor=MUTED, linewidth=0.8)
        for at, marker, colour, label in ((one.small, "o", MEASURED, "key small"), (one.large, "D", PREDICTED, "key large")):
            axes.plot(at, row, marker, color=colour, label=label if row == 0 else None, markersize=5)
    axes.axvline(centre, color=INK, linewidth=0.8)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_yticks(range(len(names)), names)
    axes.use_sticky_edges = False  # marks at the ends of bars are seen whole
    axes.margins(x=0.06)
    axes.set_xlabel(f"mean of {subject.label}")
    axes.legend(fontsize="small", frameon=False, loc="lower right")


def _indices(axes: Axes, indices: Mapping[str, Indices], names: list[str]) -> None:
    for row, name in enumerate(names):
        one = indices[name]
        for shift, value, low, high, colour, label in (
            (0.15, one.first, one.first_low, one.first_high, MEASURED, "first order"),
            (-0.15, one.total, one.total_low, one.total_high, PREDICTED, "total"),
        ):
            reach = [[value - low], [high - value]]
            axes.errorbar(value, row + shift, xerr=reach, fmt="o", color=colour, capsize=3, markersize=4, label=label if row == 0 else None)
    axes.axvline(0.0, color=INK, linewidth=0.8)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_yticks(range(len(names)), [""] * len(names))
    axes.set_xlabel("Sobol index, with its 95 % interval")
    axes.legend(fontsize="small", frameon=False, loc="lower right")


def responses(path: Path, subject: Subject) -> None:
    """The figure over each key: every task, and the mean of those whose key is alike."""
    count = len(subject.keys)
    across = 2 if count == 4 else min(ACROSS, count)
    down = -(-len(subject.keys) // across)
    figure = Figure(figsize=(3.6 * across + 0.6, 2.9 * down + 0.5), layout="constrained", dpi=120)
    grid = figure.subplots(down, across, squeeze=False, sharey=True)
    chosen = slice(None, None, max(1, len(subject.figure) // DOTS))
    for axes in grid.flat[len(subject.keys) :]:
        axes.set_axis_off()
    for axes, key in zip(grid.flat, subject.keys, strict=False):
        axes.plot(key.values[chosen], subject.figure[chosen], ".", color=MUTED, markersize=3, alpha=0.4, markeredgewidth=0, rasterized=True)
        if (one := subject.moved.get(key.name)) is not None:
            axes.plot(one.at, one.mean, "-o", color=PREDICTED, markersize=4, label="mean")
        if key.words:
            axes.set_xticks(range(len(key.words)), key.words, rotation=20)
        axes.set_xlabel(key.label)
    for row in grid:
        row[0].set_ylabel(subject.label)
    figure.suptitle(subject.title)
    with output_files.whole("--out", path) as new:
        figure.savefig(new)
