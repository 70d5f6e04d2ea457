"""The picture of a trajectory before anything moves: value and rate against their limits, its blocks, its start, its steepest place.

Drawn from at most `SAMPLES` evaluations, however long the test is: spread evenly, each at another place of its stretch, so that a wave
is never met at the same phase again and again. The limits are compared with the trajectory's bounds, which no sample passes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from model.paths.course import Timed
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.palette import DOUBTFUL, GOOD, INK, MEASURED, MUTED, PREDICTED, SHADE
from rig.report.panel import dress
from rig.report.reducing import envelope
from rig.report.scales import COURSES, Scales, scales
from rig.signals.engineering_units import number
from rig.trajectory import Trajectory, reverses
from rig.trajectory.blocks import Block, blocks
from rig.trajectory.naming import TrajectorySettings

Floats = NDArray[np.float64]
SIZE, DPI = (16.0, 10.0), 110
SAMPLES = 400_000
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
ZOOM = 4000  # samples in a close-up
MOST_BLOCKS = 40  # that a picture can tell apart
LABEL = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.0}


@dataclass(frozen=True)
class Bound:
    """One limit: of value or rate, in SI; None where it has no lower or no upper end."""

    name: str
    low: float | None
    high: float | None
    of: str = "value"


@dataclass(frozen=True)
class Subject:
    """What is drawn: a trajectory of `config` in `unit` (N or m, of a motor rig rad or s), given out at `rate` Hz.

    drives: (names, what gives their positions (N, k) in rad at values (N,)) of a motor rig that goes along a path.
    """

    title: str
    subtitle: str
    config: TrajectorySettings | Timed | None
    trajectory: Trajectory
    unit: str
    rate: float
    limits: Sequence[Bound]
    drives: tuple[Sequence[str], Callable[[Floats], Floats]] | None = None

    @property
    def scales(self) -> Scales:
        """How value and rate are written."""
        return scales(self.unit)


@dataclass(frozen=True)
class Sampled:
    """time, value, rate over the time of one sample, counted: (N,)."""

    time: Floats
    value: Floats
    rate: Floats
    counted: NDArray[np.bool_]

    @classmethod
    def of(cls, trajectory: Trajectory, rate: float, begin: float, end: float, most: int = SAMPLES) -> Sampled:
        """Every sample where there are few enough; else one a stretch, and the one after it."""
        first, last = math.floor(begin * rate), max(math.ceil(end * rate), math.floor(begin * rate) + 2)
        count = min(last - first, most)
        stretch = (last - first) / count
        shift = np.mod(GOLDEN * np.arange(count), 1.0) if stretch > 1.0 else 0.0
        t = np.floor(first + (np.arange(count) + shift) * stretch) / rate
        value, _, cycle = trajectory.evaluate(t)
        after, _, _ = trajectory.evaluate(t + 1.0 / rate)
        return cls(t, value, (after - value) * rate, cycle >= 0.0)


def preview(path: Path, subject: Subject) -> None:
    """Write the picture to `path` (.png, .pdf or .svg), replacing what is there. Raises OSError."""
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(
        3, 3, height_ratios=(1.25, 1.0, 1.1), width_ratios=(1.0, 1.0, 0.95),
        left=0.058, right=0.985, top=0.875, bottom=0.065, hspace=0.42, wspace=0.2,
    )  # fmt: skip
    whole = Sampled.of(subject.trajectory, subject.rate, 0.0, subject.trajectory.duration)
    figure.text(0.058, 0.969, literal(subject.title), fontsize=17, fontweight="bold", color=INK, va="center")
    figure.text(0.058, 0.937, literal(subject.subtitle), fontsize=10.5, color=MUTED, va="center")
    value = figure.add_subplot(grid[0, :])
    _draw(value, subject, whole, "value", "Setpoint, whole test (grey: not counted as cycles)")
    _draw_blocks(value, subject)
    part = _first_part(subject, whole)
    rate = figure.add_subplot(grid[1, :], sharex=value)
    _draw(rate, subject, whole, "rate", "Rate of the setpoint")
    _draw_closer(figure.add_subplot(grid[2, 0]), subject, 0.0, part, "The start")
    _draw_second(figure.add_subplot(grid[2, 1]), subject, whole, part)
    _write_facts(figure.add_subplot(grid[2, 2]), subject)
    new = path.with_name(f".new-{path.name}")
    figure.savefig(new, format=path.suffix.removeprefix(".").lower())
    new.replace(path)


def _draw_second(axes: Axes, subject: Subject, whole: Sampled, part: float) -> None:
    """Where a loader's setpoint is steepest; of a motor rig its drives once along the path, or how the turning ends."""
    if subject.drives is not None:
        _draw_drives(axes, subject, whole)
    elif subject.unit in COURSES:
        _draw_closer(axes, subject, subject.trajectory.duration - part, subject.trajectory.duration, "The end")
    else:
        steepest = float(whole.time[np.argmax(np.abs(whole.rate))])
        width = part / 8.0
        _draw_closer(axes, subject, max(0.0, steepest - width / 2.0), steepest + width / 2.0, "Where it is fastest")


def _draw_drives(axes: Axes, subject: Subject, whole: Sampled) -> None:
    """Each drive's angle, as it moves away from where it is in the middle, over the first counted cycle."""
    assert subject.drives is not None
    names, positions = subject.drives
    begin = float(whole.time[np.argmax(whole.counted)])
    length = 1.0 / subject.trajectory.frequency if subject.trajectory.frequency else subject.trajectory.duration - begin
    time = begin + np.linspace(0.0, length, ZOOM)
    angles = np.degrees(positions(subject.trajectory.evaluate(time)[0]))
    for name, angle, style in zip(names, angles.T, ("-", "--", ":", "-."), strict=False):
        middle = 0.5 * float(np.min(angle) + np.max(angle))
        axes.plot(time, angle - middle, color=MEASURED, linewidth=1.4, linestyle=style, label=f"{name}, about {middle:.1f}")
    dress(axes, "The drives, once along the path", "time, s", "angle, deg")
    axes.margins(x=0.0, y=0.3)
    axes.legend(loc="upper center", ncols=2, frameon=False, fontsize=8.3, borderaxespad=0.1, columnspacing=1.2)


def _draw(axes: Axes, subject: Subject, sampled: Sampled, of: str, title: str) -> None:
    name, unit, factor = subject.scales.of(of)
    _shade(axes, sampled)
    signal = sampled.value if of == "value" else sampled.rate
    axes.plot(*envelope(sampled.time, signal * factor), color=MEASURED, linewidth=1.0)
    low, high, fastest = subject.trajectory.bounds()
    reach = (low, high) if of == "value" else (-fastest, fastest)
    _draw_limits(axes, subject, of, reach, factor)
    dress(axes, title, "time, s", f"{name}, {unit}")
    axes.margins(x=0.0)


def _draw_limits(axes: Axes, subject: Subject, of: str, reach: tuple[float, float], factor: float) -> None:
    """Limits that are near enough to matter as lines; what is further away is said at the edge."""
    span = max(abs(reach[0]), abs(reach[1])) or 1.0
    shown_to = 1.08 * span
    for limit in (limit for limit in subject.limits if limit.of == of):
        for bound in (limit.low, limit.high):
            if not bound or abs(bound) > 4.0 * span or not (reach[0] < 0.0 < -bound or reach[1] > 0.0 < bound):
                continue  # far away, or on the side to which the trajectory never goes
            passed = bound < reach[1] * (1.0 - 1e-9) if bound > 0.0 else bound > reach[0] * (1.0 - 1e-9)
            axes.axhline(bound * factor, color=PREDICTED if passed else DOUBTFUL, linewidth=1.2, linestyle=(0, (6, 3)))
            axes.annotate(limit.name, (1.0, bound * factor), xycoords=("axes fraction", "data"), xytext=(-4, -3 if bound > 0 else 3),
                          textcoords="offset points", fontsize=8.5, color=DOUBTFUL, ha="right",
                          va="top" if bound > 0 else "bottom")  # fmt: skip
            shown_to = max(shown_to, 1.06 * abs(bound))
    for bound in reach:
        axes.axhline(bound * factor, color=MUTED, linewidth=0.8, linestyle=(0, (1, 2)))
    axes.set_ylim(-shown_to * factor if reach[0] < 0.0 or of == "rate" else -0.08 * shown_to * factor, shown_to * factor)
    if reach[1] <= 0.0:
        axes.set_ylim(-shown_to * factor, 0.08 * shown_to * factor)


def _shade(axes: Axes, sampled: Sampled) -> None:
    """Mark what is not counted, unless it changes too often to be seen."""
    changes = np.flatnonzero(np.diff(sampled.counted)) + 1
    edges = [0, *changes.tolist(), len(sampled.time) - 1]
    if len(edges) > 400:
        return
    for first, last in pairwise(edges):
        if not sampled.counted[first]:
            axes.axvspan(sampled.time[first], sampled.time[last], color=SHADE, linewidth=0, zorder=0)


def _draw_blocks(axes: Axes, subject: Subject) -> None:
    """Where each block begins, and its name where there is room for it."""
    found = list(islice(blocks(subject.config, subject.trajectory), MOST_BLOCKS + 1))
    if len(found) < 2:
        return
    if len(found) > MOST_BLOCKS:
        axes.annotate("more blocks than can be shown", (1.0, 1.0), xycoords="axes fraction", xytext=(0, 6), textcoords="offset points",
                      fontsize=8.5, color=MUTED, ha="right")  # fmt: skip
        return
    for block in found:
        axes.axvline(block.start, color=MUTED, linewidth=0.8, zorder=1)
        wide = len(block.name) * 0.0062 * subject.trajectory.duration
        if block.duration >= wide:
            axes.annotate(_label(block), (block.start, 1.0), xycoords=("data", "axes fraction"), xytext=(3, -3), textcoords="offset points",
                          fontsize=8.0, color=INK, va="top", bbox=LABEL)  # fmt: skip


def _label(block: Block) -> str:
    counters = " ".join(f"{i}/{n}" for _, i, n in block.repeats if n > 1)
    return f"{block.name}\n{counters}" if counters else block.name


def _first_part(subject: Subject, whole: Sampled) -> float:
    """From 0 to two cycles behind the first counted sample, or about as long as it takes to get there, s."""
    trajectory = subject.trajectory
    first = float(whole.time[np.argmax(whole.counted)]) if whole.counted.any() else 0.0
    length = first + 2.0 / trajectory.frequency if trajectory.frequency else max(2.0 * first, 0.05 * trajectory.duration)
    return min(max(length, 50.0 / subject.rate), trajectory.duration)


def _draw_closer(axes: Axes, subject: Subject, begin: float, end: float, title: str) -> None:
    name, unit, factor = subject.scales.of("value")
    end = min(end, subject.trajectory.duration)
    sampled = Sampled.of(subject.trajectory, subject.rate, begin, end, ZOOM)
    _shade(axes, sampled)
    axes.axhline(0.0, color=MUTED, linewidth=0.7)
    axes.plot(sampled.time, sampled.value * factor, color=MEASURED, linewidth=1.4)
    dress(axes, title, "time, s", f"{name}, {unit}")
    axes.margins(x=0.0, y=0.08)


def _write_facts(axes: Axes, subject: Subject) -> None:
    """What the limits are compared with, in numbers."""
    axes.set_axis_off()
    rows = [("", "reaches", "limit", "share")]
    low, high, fastest = subject.trajectory.bounds()
    for limit in subject.limits:
        for bound, reach in ((limit.low, low), (limit.high, high)) if limit.of == "value" else ((limit.high, fastest),):
            if bound and reach / bound > 0.0:
                factor = subject.scales.of(limit.of)[2]
                rows.append((limit.name, number(reach, factor), number(bound, factor), f"{100.0 * reach / bound:.0f} %"))
    title = f"What it reaches at most, {subject.scales.unit} and {subject.scales.rate_unit}"
    axes.text(0.0, 1.03, title, fontsize=11.5, fontweight="bold", color=INK, va="bottom", transform=axes.transAxes)
    for i, row in enumerate(rows[:9]):
        near = i > 0 and float(row[3].removesuffix(" %")) > 95.0
        for x, text, side in zip((0.0, 0.62, 0.82, 1.0), row, ("left", "right", "right", "right"), strict=True):
            colour = MUTED if i == 0 else PREDICTED if near else INK
            axes.text(x, 0.95 - 0.083 * i, text, transform=axes.transAxes, fontsize=9.3, color=colour, ha=side, va="center")
    y = 0.95 - 0.083 * min(len(rows), 9) - 0.03
    for text, colour in _remarks(subject):
        axes.text(0.0, y, text, transform=axes.transAxes, fontsize=9.3, color=colour, va="center")
        y -= 0.083


def _remarks(subject: Subject) -> list[tuple[str, str]]:
    trajectory = subject.trajectory
    cycles = f"{trajectory.cycles} counted cycles" if trajectory.cycles != 1 else "one counted cycle"
    if subject.unit in COURSES:
        return [(f"{number(trajectory.duration)} s, {cycles}", INK), *_fastest(subject)]
    reversal = ("passes through 0: a specimen with play reverses", DOUBTFUL) if reverses(trajectory) else ("stays on one side of 0", GOOD)
    return [(f"{number(trajectory.duration)} s, {cycles}", INK), reversal]


def _fastest(subject: Subject) -> list[tuple[str, str]]:
    """How fast each drive turns at most on its path, deg/s."""
    if subject.drives is None:
        return []
    names, positions = subject.drives
    whole = Sampled.of(subject.trajectory, subject.rate, 0.0, subject.trajectory.duration, ZOOM)
    step = 1.0 / subject.rate
    ahead = subject.trajectory.evaluate(whole.time + step)[0]
    speeds = np.max(np.abs(positions(ahead) - positions(whole.value)), axis=0) / step
    return [(f"{name} turns at {math.degrees(speed):.4g} deg/s at most", INK) for name, speed in zip(names, speeds, strict=True)]
