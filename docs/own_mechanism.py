"""Draws docs/own_mechanism.png: the six-bar of configs/experiments/six_bar.toml, with clearance and without."""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from rig.config import load_experiment
from rig.prediction.simulation import Simulated, simulate
from rig.report.palette import GRID, INK, MEASURED, MUTED, PREDICTED, STYLE

ROOT = Path(__file__).parents[1]
OUTPUTS = [
    "crank_angle",
    "coupler_angle",
    "rocker_angle",
    "link_angle",
    "output_angle",
    "coupler_P_x",
    "coupler_P_y",
    "crank_A_x",
    "crank_A_y",
]
OUTPUTS += ["rocker_B_x", "rocker_B_y", "output_D_x", "output_D_y", "output_angular_acceleration", "P_force", "motor_torque"]
O2, O4, O6 = (0.0, 0.0), (0.2, 0.0), (0.22, 0.12)


def simulated(*overrides: str) -> Simulated:
    """Two turns of the crank, with what is drawn as output."""
    outputs = "mechanism.outputs=[" + ",".join(f'"{name}"' for name in OUTPUTS) + "]"
    return simulate(load_experiment(ROOT / "configs/experiments/six_bar.toml", [outputs, *overrides]).experiment)


def column(run: Simulated, name: str) -> np.ndarray:
    """One channel."""
    return run.values[:, OUTPUTS.index(name)]


def draw_linkage(axes: plt.Axes, run: Simulated) -> None:
    """The linkage at the start, where it comes through, the way of the coupler's point."""
    x, y = column(run, "coupler_P_x") * 1e3, column(run, "coupler_P_y") * 1e3
    axes.plot(x, y, color=MEASURED, lw=1.5)
    for row, colour, width in ((600, GRID, 3), (1200, GRID, 3), (0, INK, 2.5)):
        at = {
            name: (column(run, f"{name}_x")[row] * 1e3, column(run, f"{name}_y")[row] * 1e3)
            for name in ("crank_A", "rocker_B", "output_D", "coupler_P")
        }
        a, b, d, p = (at[name] for name in ("crank_A", "rocker_B", "output_D", "coupler_P"))
        o2, o4, o6 = (tuple(1e3 * value for value in place) for place in (O2, O4, O6))
        for chain in ((o2, a, b, o4), (a, p, b), (p, d, o6)):
            axes.plot(*zip(*chain, strict=True), color=colour, lw=width, marker="o", ms=4, zorder=2 if colour == GRID else 3)
        if row == 0:
            for name, place in zip(("O2", "O4", "O6", "A", "B", "P", "D"), (o2, o4, o6, a, b, p, d), strict=True):
                axes.annotate(name, place, xytext=(6, 5), textcoords="offset points", **STYLE.label)
    axes.set_aspect("equal")
    axes.set_xlabel("x  mm", **STYLE.label)
    axes.set_ylabel("y  mm", **STYLE.label)
    axes.set_title("Stephenson III, the way of P", **STYLE.title)


def draw_traces(axes: list[plt.Axes], loose: Simulated, ideal: Simulated) -> None:
    """What clearance does to the output lever and to the pin at P, over the second turn."""
    rows = (("output_angular_acceleration", "output lever  rad/s²"), ("P_force", "force in P  N"), ("motor_torque", "motor torque  N m"))
    turns = column(ideal, "crank_angle") / (2 * math.pi)
    kept = turns >= turns[0] + 1.0
    for ax, (name, label) in zip(axes, rows, strict=True):
        ax.plot(turns[kept] * 360 % 360, column(loose, name)[kept], ".", ms=1.5, color=PREDICTED, label="clearance 0.1 and 0.05 mm")
        ax.plot(turns[kept] * 360 % 360, column(ideal, name)[kept], ".", ms=1.5, color=MUTED, label="no clearance")
        ax.set_ylabel(label, **STYLE.label)
        ax.set_xlim(0, 360)
        ax.grid(color=GRID)
    axes[0].legend(frameon=False, markerscale=6, fontsize=9)
    axes[-1].set_xlabel("crank angle  deg", **STYLE.label)
    axes[0].set_title("The second turn", **STYLE.title)


def main() -> None:
    """Simulate both and draw."""
    loose = simulated()
    ideal = simulated("mechanism.clearance=0mm", "mechanism.joints.P.clearance=0mm")
    figure = plt.figure(figsize=(11, 5.6), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1, 1.25))
    draw_linkage(left.subplots(), ideal)
    draw_traces(list(right.subplots(3, 1, sharex=True)), loose, ideal)
    figure.savefig(ROOT / "docs/own_mechanism.png", dpi=110)


if __name__ == "__main__":
    main()
