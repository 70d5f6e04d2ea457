"""The picture of `rig kinematics`: the mechanism on its path, how well conditioned it is around it, and its arms' motion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from mpl_toolkits.mplot3d import Axes3D
from numpy.typing import NDArray

from model.mechanisms.parallel_3rrpar import kinematics as mechanics
from model.mechanisms.parallel_3rrpar.config import Config
from model.mechanisms.parallel_3rrpar.reachability import Survey
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.palette import COMMAND, GOOD, INK, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress

Floats = NDArray[np.float64]
SIZE, DPI = (15.0, 10.0), 100
LEGS = (MEASURED, PREDICTED, GOOD)
ROOM = 0.25  # m around the path that the maps show
MESH = 121  # points of a map, each way


def kinematics(path: Path, title: str, config: Config, found: Survey) -> None:
    """Write the picture to `path`, replacing what is there."""
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    figure.text(0.05, 0.968, literal(title), fontsize=15, fontweight="bold", color=INK, va="center")
    variant = config.variant
    words = (
        f"motor 2 at x = {variant.a2x * 1e3:g} mm, elbow 2 on {variant.elbow2}, the path is that of {variant.point}; one turn of the path"
    )
    figure.text(0.05, 0.943, words, fontsize=10.5, color=MUTED, va="center")
    _draw_mechanism(figure.add_axes((-0.01, 0.43, 0.36, 0.5), projection="3d"), config, found)
    _draw_map(figure, (0.40, 0.50, 0.215, 0.37), config, found, (0, 1))
    _draw_map(figure, (0.70, 0.50, 0.215, 0.37), config, found, (0, 2))
    _draw_motion([figure.add_axes((0.055 + 0.32 * k, 0.06, 0.26, 0.33)) for k in range(3)], config, found)
    figure.savefig(path)


def _draw_mechanism(axes: Axes3D, config: Config, found: Survey) -> None:
    """Where the path begins, or first is in reach."""
    f = mechanics.frame(config)
    axes.plot(*found.point.T * 1e3, color=INK, linewidth=1.6)
    if found.reached.any():
        k = int(np.argmax(found.reached))
        tips = mechanics.tips(config, found.theta[k])
        ends = found.point[k] - f.offset + f.joints
        for leg in range(3):
            side = 0.5 * config.geometry.short_length * mechanics.AXES[leg]
            _rod(axes, f.pivots[leg], tips[leg], LEGS[leg], 4.0)
            for middle in (tips[leg], ends[leg]):
                _rod(axes, middle - side, middle + side, LEGS[leg], 2.5)
            for sign in (-1.0, 1.0):
                _rod(axes, tips[leg] + sign * side, ends[leg] + sign * side, LEGS[leg], 1.2)
            axes.text(*(f.pivots[leg] * 1e3), f"  motor {leg + 1}", color=LEGS[leg], fontsize=9.5)
        for one, other in ((0, 1), (1, 2), (2, 0)):
            _rod(axes, ends[one], ends[other], INK, 3.0)
    axes.plot(*f.pivots.T * 1e3, "s", color=INK, markersize=5)
    axes.set_aspect("equal")
    axes.view_init(elev=18.0, azim=-60.0)
    axes.set_xlabel("X, mm", fontsize=9)
    axes.set_ylabel("Y, mm", fontsize=9)
    axes.set_zlabel("Z, mm", fontsize=9)
    axes.tick_params(labelsize=8, colors=MUTED)
    axes.locator_params(nbins=5)


def _rod(axes: Axes3D, begin: Floats, end: Floats, colour: str, width: float) -> None:
    axes.plot(*np.stack([begin, end], axis=1) * 1e3, color=colour, linewidth=width, solid_capstyle="round")


def _draw_map(figure: Figure, place: tuple[float, float, float, float], config: Config, found: Survey, across: tuple[int, int]) -> None:
    """Condition number in the plane of two coordinates through the middle of the path; white is out of reach."""
    low, high = found.point.min(axis=0), found.point.max(axis=0)
    middle = 0.5 * (low + high)
    first, second = (np.linspace(low[k] - ROOM, high[k] + ROOM, MESH) for k in across)
    points = np.tile(middle, (MESH, MESH, 1))
    points[..., across[0]], points[..., across[1]] = np.meshgrid(first, second)
    reached = np.all(mechanics.reach(config, points).reached, axis=-1)
    values = np.full((MESH, MESH), np.nan)
    here = mechanics.conditioning(config, points[reached])
    values[reached] = np.where(here.assembly * mechanics.ASSEMBLY > 0.0, here.condition, np.nan)
    axes = figure.add_axes(place)
    norm = LogNorm(1.0, config.condition_limit)
    drawn = axes.pcolormesh(first * 1e3, second * 1e3, values, norm=norm, cmap="viridis_r", shading="nearest", rasterized=True)
    axes.plot(found.point[:, across[0]] * 1e3, found.point[:, across[1]] * 1e3, color="white", linewidth=3.5)
    axes.plot(found.point[:, across[0]] * 1e3, found.point[:, across[1]] * 1e3, color=INK, linewidth=1.6)
    axes.set_aspect("equal", adjustable="box")
    left = 3 - sum(across)
    names = "XYZ"
    dress(axes, f"condition number, {names[left]} = {middle[left] * 1e3:.0f} mm", f"{names[across[0]]}, mm", f"{names[across[1]]}, mm")
    axes.apply_aspect()
    at = axes.get_position()
    bar = figure.colorbar(drawn, cax=figure.add_axes((at.x1 + 0.008, at.y0, 0.008, at.height)))
    ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100) if tick <= config.condition_limit]
    bar.set_ticks(ticks, labels=[str(tick) for tick in ticks])
    bar.ax.minorticks_off()
    bar.ax.tick_params(labelsize=8.5)


def _draw_motion(panels: list[Axes], config: Config, found: Survey) -> None:
    degrees, straight = np.degrees(found.theta), np.degrees(np.arcsin(np.clip(found.transmission, 0.0, 1.0)))
    first = degrees[int(np.argmax(found.reached))]
    for leg in range(3):
        name = f"arm {leg + 1} (from {first[leg]:.1f}°)" if found.reached.any() else f"arm {leg + 1}"
        panels[0].plot(found.times, degrees[:, leg] - first[leg], color=LEGS[leg], linewidth=1.6, label=name)
        panels[1].plot(found.times, found.theta_rate[:, leg], color=LEGS[leg], linewidth=1.6, label=f"arm {leg + 1}")
        panels[2].plot(found.times, straight[:, leg], color=LEGS[leg], linewidth=1.6, label=f"leg {leg + 1}")
    dress(panels[0], "arms, turned from the start", "s", "deg")
    dress(panels[1], f"speed of the arms (limit {config.joint_speed_limit:g} rad/s)", "s", "rad/s")
    dress(panels[2], "from stretched or folded; grey: condition", "s", "deg")
    panels[2].set_ylim(0.0, 92.0)
    condition = panels[2].twinx()
    condition.plot(found.times, found.condition, color=COMMAND, linewidth=1.6)
    top = np.nanmax(found.condition) if found.reached.any() else config.condition_limit
    condition.set_ylim(0.0, 1.15 * float(top))
    condition.tick_params(labelsize=8.5, colors=MUTED)
    condition.spines[["top", "left"]].set_visible(False)
    for axes in panels:
        axes.set_xlim(found.times[0], found.times[-1])
        axes.legend(fontsize=9, frameon=False, loc="best")
