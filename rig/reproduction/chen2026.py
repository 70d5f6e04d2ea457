"""chen2026: how far the platform of the 3-RRPaR mechanism strays from its path, by clearance and with rigid or flexible bars.

What the paper computed with flexible bars is computed in its own way: its continuum elements, the rigid mechanism leading the pins. What it
says of the first instants comes from bars at rest on a path that begins at 0.471 m/s: JERKED; all else is computed
from a start with the velocity of the path and strained bars. What was measured stands beside contact and bars solved together.
Peaks of acceleration where pin and bush part depend on the step: they are taken below LOWPASS.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfiltfilt

from model.paths.course import Course
from rig.prediction.simulation import Simulated
from rig.reproduction.study import Computed, Conditions, Panel, Statement, Study
from rig.trajectory.drives import path_of

Floats = NDArray[np.float64]

RIGID, FLEXIBLE, JERKED, TOGETHER = "rigid", "flexible", "flexible from rest", "flexible together"
ONE_WAY = ("mechanism.coupling=one_way", "mechanism.bars.formulation=paper", "mechanism.bars.elements=3")
FROM_REST = ("mechanism.start=rest", "mechanism.bars.damping=0 s")  # the paper has no damping; its steps of 1 ms cannot follow the jerk
MODELS = {
    RIGID: ("parallel_3rrpar", ()),
    FLEXIBLE: ("parallel_3rrpar_flexible", ONE_WAY),
    JERKED: ("parallel_3rrpar_flexible", (*ONE_WAY, *FROM_REST)),
    TOGETHER: ("parallel_3rrpar_flexible", ()),
}
FIRST, SECOND = "trajectory_1", "trajectory_2"
PERIODS, SAME = 3, 0.05  # where pins knock at the start, the peaks of the first turn differ by 3 % from those of the next
LOWPASS, ORDER = 100.0, 4  # Hz; Butterworth, there and back
COMPARED = 0.5  # s: the paper compares what comes later
SHOWN = 0.2  # s: pins that begin in the middle of their bushes have settled
POSITION, VELOCITY, ACCELERATION = slice(0, 3), slice(3, 6), slice(6, 9)
FORCES = slice(15, 17)
XY = slice(0, 2)


def _path(study: Study, name: str, *overrides: str) -> Course:
    """The path of an experiment."""
    path = path_of(study.experiment(name, *overrides).trajectory)
    assert path is not None
    return path


def _run(study: Study, model: str, clearance: float, path: str = FIRST) -> Simulated:
    """Three turns with that clearance, mm."""
    name, way = MODELS[model]
    going = (
        f"trajectory.path={path}",
        "trajectory.blend=off",
        f"mechanism.clearance={clearance!r} mm",
        "simulate.output_rate=10 kHz",
        *way,
    )
    lasting = PERIODS * _path(study, name, *going).period
    return study.simulated(name, *going, f"simulate.duration={lasting!r} s")


def _strayed(study: Study, model: str, clearance: float, path: str = FIRST) -> tuple[Simulated, Floats, Floats, Floats]:
    """The run, and by how much position, velocity and (below LOWPASS) acceleration differ from the path, (N, 3)."""
    run = _run(study, model, clearance, path)

    def make() -> tuple[Floats, Floats, Floats]:
        point, velocity, acceleration = _path(study, MODELS[model][0], f"trajectory.path={path}", "trajectory.blend=off").evaluate(run.time)
        off = _low(run, run.values[:, ACCELERATION] - acceleration)
        return run.values[:, POSITION] - point, run.values[:, VELOCITY] - velocity, off

    return (run, *study.once(make, "strayed", model, repr(clearance), path))


def _low(run: Simulated, values: Floats) -> Floats:
    low: Floats = sosfiltfilt(butter(ORDER, LOWPASS, fs=run.rate, output="sos"), values, axis=0)
    return low


def _conditions(model: str, clearance: float, path: str = FIRST) -> Conditions:
    return {"bars": model, "clearance": clearance * 1e-3, "path": path}


def _first_peak(found: Floats, turn: int) -> int:
    """Where it is largest in the first turn (of so many rows) whose largest is that of all, but for SAME: the motion comes again."""
    for begin in range(0, len(found), turn):
        if found[begin : begin + turn].max() >= (1.0 - SAME) * found.max():
            return begin + int(np.argmax(found[begin : begin + turn]))
    return int(np.argmax(found))


def _largest(which: int, model: str, clearance: float, begin: float, end: float = np.inf, when: bool = False) -> Statement:
    """Largest difference in X and in Y of position (1), velocity (2) or acceleration (3) between two times, s; or when that is."""

    def statement(study: Study) -> Computed:
        run, *off = _strayed(study, model, clearance)
        rows = np.flatnonzero((run.time >= begin) & (run.time < end))
        found = np.abs(off[which - 1][rows, XY])
        turn = round(run.rate * run.time[-1] / PERIODS)
        places = run.time[rows[[_first_peak(axis, turn) for axis in found.T]]]
        value = places if when else found.max(axis=0)
        return Computed([float(x) for x in value], _conditions(model, clearance), f"at {places[0]:.3f} and {places[1]:.3f} s")

    return statement


def _rms(study: Study, model: str, clearance: float, path: str = FIRST) -> float:
    """Of the acceleration's difference over the last turn, X and Y together, m/s^2; all frequencies."""
    run = _run(study, model, clearance, path)
    going = _path(study, MODELS[model][0], f"trajectory.path={path}", "trajectory.blend=off")
    off = run.values[:, ACCELERATION] - going.evaluate(run.time)[2]
    last = run.time > run.time[-1] - going.period
    return float(np.sqrt(np.mean(np.sum(off[last, XY] ** 2, axis=1))))


def _by_clearance(model: str) -> Statement:
    def statement(study: Study) -> Computed:
        return Computed([_rms(study, model, gap) for gap in (0.5, 0.1)], {"bars": model, "clearances": [0.5e-3, 0.1e-3]})

    return statement


def _by_bars(clearance: float) -> Statement:
    def statement(study: Study) -> Computed:
        bars = (RIGID, FLEXIBLE)
        return Computed([_rms(study, model, clearance) for model in bars], {"bars": list(bars), "clearance": clearance * 1e-3})

    return statement


def _extremes(model: str, clearance: float, path: str) -> Statement:
    """Largest and smallest acceleration in X, then in Y, after COMPARED, m/s^2."""

    def statement(study: Study) -> Computed:
        run = _run(study, model, clearance, path)
        later = _low(run, run.values[:, ACCELERATION])[run.time >= COMPARED, XY]
        raw = np.abs(run.values[run.time >= COMPARED, ACCELERATION][:, XY]).max()
        value = [float(x) for axis in later.T for x in (axis.max(), axis.min())]
        return Computed(value, _conditions(model, clearance, path), f"below {LOWPASS:g} Hz; all frequencies {raw:.3g} at most")

    return statement


STATEMENTS: dict[str, Statement] = {
    "rigid_velocity": _largest(2, RIGID, 0.5, 0.0, 0.1),
    "rigid_velocity_when": _largest(2, RIGID, 0.5, 0.0, 0.1, when=True),
    "rigid_acceleration": _largest(3, RIGID, 0.5, 0.1),
    "rigid_acceleration_when": _largest(3, RIGID, 0.5, 0.1, when=True),
    "flexible_wide_velocity": _largest(2, JERKED, 0.5, 0.0),
    "flexible_wide_acceleration": _largest(3, FLEXIBLE, 0.5, 0.4),
    "flexible_wide_acceleration_when": _largest(3, FLEXIBLE, 0.5, 0.4, when=True),
    "flexible_position": _largest(1, FLEXIBLE, 0.1, 0.0),
    "flexible_position_when": _largest(1, FLEXIBLE, 0.1, 0.0, when=True),
    "flexible_velocity": _largest(2, JERKED, 0.1, 0.0, 0.1),
    "flexible_acceleration": _largest(3, FLEXIBLE, 0.1, 0.6),
    "flexible_acceleration_when": _largest(3, FLEXIBLE, 0.1, 0.6, when=True),
    "smaller_clearance": _by_clearance(FLEXIBLE),
    "flexibility": _by_bars(0.5),
    **{
        f"{whose}_{name}": _extremes(model, clearance, path)
        for whose, model in (("model", FLEXIBLE), ("test", TOGETHER))
        for name, clearance, path in (("first", 0.5, FIRST), ("second", 0.1, SECOND))
    },
}


def picture(study: Study) -> Sequence[Panel]:
    """Panels: the paper's figures 5, 6 and 8, below LOWPASS, behind the start's own knocks."""
    panels: list[Panel] = []
    for axis, letter in enumerate("XY"):
        traces = []
        for model, gap in ((RIGID, 0.5), (FLEXIBLE, 0.5), (TOGETHER, 0.5), (FLEXIBLE, 0.1)):
            run, *_, off = _strayed(study, model, gap)
            shown = run.time >= SHOWN
            traces.append((f"{model}, {gap:g} mm", run.time[shown], off[shown, axis]))
        panels.append({"title": f"acceleration off the path, {letter}", "x": "s", "y": "m/s^2", "lines": traces})
    return panels
