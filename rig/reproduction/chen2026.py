"""chen2026: how far the platform of the 3-RRPaR mechanism strays from its path, by clearance and with rigid or flexible bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from model.mechanisms.parallel_3rrpar import bodies
from model.mechanisms.parallel_3rrpar.config import Config
from rig.reproduction.chen2026_runs import (
    ACCELERATION,
    CLEARANCES,
    COMPARED,
    FIRST,
    FLEXIBLE,
    JERKED,
    LOWPASS,
    MODELS,
    PERIODS,
    POSITION,
    RIGID,
    SAME,
    SECOND,
    SHOWN,
    TOGETHER,
    VELOCITY,
    XY,
    Floats,
    conditions_of,
    low,
    path_named,
    strayed,
    turns,
)
from rig.reproduction.study import Computed, Panel, Statement, Study


def _first_peak(found: Floats, turn: int) -> int:
    """Where it is largest in the first turn (of so many rows) whose largest is that of all, but for SAME: the motion comes again."""
    for begin in range(0, len(found), turn):
        if found[begin : begin + turn].max() >= (1.0 - SAME) * found.max():
            return begin + int(np.argmax(found[begin : begin + turn]))
    return int(np.argmax(found))


def _largest(which: int, model: str, clearance: float, begin: float, end: float = np.inf, when: bool = False) -> Statement:
    """Largest difference in X and in Y of position (1), velocity (2) or acceleration (3) between two times, s; or when that is."""

    def statement(study: Study) -> Computed:
        run, *off = strayed(study, model, clearance)
        rows = np.flatnonzero((run.time >= begin) & (run.time < end))
        found = np.abs(off[which - 1][rows, XY])
        turn = round(run.rate * run.time[-1] / PERIODS)
        places = run.time[rows[[_first_peak(axis, turn) for axis in found.T]]]
        value = places if when else found.max(axis=0)
        return Computed([float(x) for x in value], conditions_of(model, clearance), f"at {places[0]:.3f} and {places[1]:.3f} s")

    return statement


def _rms(study: Study, model: str, clearance: float, which: int = 3) -> float:
    """Of position's (1), velocity's or acceleration's difference over the last turn of FIRST, X and Y together; all frequencies."""
    run = turns(study, model, clearance)
    going = path_named(study, MODELS[model][0], f"trajectory.path={FIRST}", "trajectory.blend=off")
    off = run.values[:, (POSITION, VELOCITY, ACCELERATION)[which - 1]] - going.evaluate(run.time)[which - 1]
    last = run.time > run.time[-1] - going.period
    return float(np.sqrt(np.mean(np.sum(off[last, XY] ** 2, axis=1))))


def _by_clearance(model: str, which: int = 3) -> Statement:
    def statement(study: Study) -> Computed:
        return Computed([_rms(study, model, gap, which) for gap in CLEARANCES], {"bars": model, "clearances": [0.5e-3, 0.1e-3]})

    return statement


def _by_bars(clearance: float, which: int = 3) -> Statement:
    def statement(study: Study) -> Computed:
        bars = (RIGID, FLEXIBLE)
        return Computed([_rms(study, model, clearance, which) for model in bars], {"bars": list(bars), "clearance": clearance * 1e-3})

    return statement


def _share_of_bars(study: Study) -> Computed:
    """RMS acceleration error with flexible bars, of that with rigid ones, at both clearances."""
    ratios = [_rms(study, FLEXIBLE, gap) / _rms(study, RIGID, gap) for gap in CLEARANCES]
    return Computed(ratios, {"clearances": [0.5e-3, 0.1e-3]})


def _settles(which: int, model: str, clearance: float, after: float) -> Statement:
    """Largest difference in X or Y of velocity (2) or acceleration (3) before and after a time, s."""

    def statement(study: Study) -> Computed:
        run, *off = strayed(study, model, clearance)
        found = np.abs(off[which - 1][:, XY]).max(axis=1)
        return Computed([float(found[run.time < after].max()), float(found[run.time >= after].max())], conditions_of(model, clearance))

    return statement


def _comes_again(model: str, clearance: float) -> Statement:
    """Largest change of the acceleration's difference from the second turn to the third, of its largest in the third."""

    def statement(study: Study) -> Computed:
        run, *_, off = strayed(study, model, clearance)
        turn = round(run.rate * run.time[-1] / PERIODS)
        second, third = (off[k * turn : (k + 1) * turn, XY] for k in (1, 2))
        return Computed(float(np.abs(third - second).max() / np.abs(third).max()), conditions_of(model, clearance))

    return statement


def _constraints(study: Study) -> Computed:
    """Independent rows of the constraints with clearance in R1 and R3, along the path."""
    experiment = study.experiment(MODELS[RIGID][0])
    mechanism, going = experiment.mechanism_as(Config), path_named(study, MODELS[RIGID][0]).steady()
    system = bodies.system(mechanism, going, clearance=True)
    times = [float(share) * going.period for share in np.linspace(0.0, 1.0, 9)]
    found = [system.independence(bodies.state(mechanism, going, time)) for time in times]
    return Computed(min(one.rank for one in found), {}, f"of {found[0].rows} rows")


def _extremes(model: str, clearance: float, path: str) -> Statement:
    """Largest and smallest acceleration in X, then in Y, after COMPARED, m/s^2."""

    def statement(study: Study) -> Computed:
        run = turns(study, model, clearance, path)
        later = low(run, run.values[:, ACCELERATION])[run.time >= COMPARED, XY]
        raw = np.abs(run.values[run.time >= COMPARED, ACCELERATION][:, XY]).max()
        value = [float(x) for axis in later.T for x in (axis.max(), axis.min())]
        return Computed(value, conditions_of(model, clearance, path), f"below {LOWPASS:g} Hz; all frequencies {raw:.3g} at most")

    return statement


STATEMENTS: dict[str, Statement] = {
    "constraints": _constraints,
    "rigid_position": _largest(1, RIGID, 0.5, 0.0),
    "rigid_velocity_settles": _settles(2, RIGID, 0.5, 0.1),
    "rigid_acceleration_periodic": _comes_again(RIGID, 0.5),
    "rigid_velocity": _largest(2, RIGID, 0.5, 0.0, 0.1),
    "rigid_velocity_when": _largest(2, RIGID, 0.5, 0.0, 0.1, when=True),
    "rigid_acceleration": _largest(3, RIGID, 0.5, 0.1),
    "rigid_acceleration_when": _largest(3, RIGID, 0.5, 0.1, when=True),
    "flexible_wide_position": _largest(1, FLEXIBLE, 0.5, 0.0),
    "flexible_wide_velocity": _largest(2, JERKED, 0.5, 0.0),
    "flexible_wide_velocity_when": _largest(2, JERKED, 0.5, 0.0, when=True),
    "flexible_wide_settles": _settles(3, JERKED, 0.5, 0.4),
    "flexible_wide_acceleration": _largest(3, FLEXIBLE, 0.5, 0.4),
    "flexible_wide_acceleration_when": _largest(3, FLEXIBLE, 0.5, 0.4, when=True),
    "flexible_position": _largest(1, FLEXIBLE, 0.1, 0.0),
    "flexible_position_when": _largest(1, FLEXIBLE, 0.1, 0.0, when=True),
    "flexible_velocity": _largest(2, JERKED, 0.1, 0.0, 0.1),
    "flexible_velocity_when": _largest(2, JERKED, 0.1, 0.0, when=True),
    "flexible_settles": _settles(3, JERKED, 0.1, 0.6),
    "flexible_acceleration": _largest(3, FLEXIBLE, 0.1, 0.6),
    "flexible_acceleration_when": _largest(3, FLEXIBLE, 0.1, 0.6, when=True),
    "smaller_clearance": _by_clearance(FLEXIBLE),
    "smaller_clearance_position": _by_clearance(FLEXIBLE, 1),
    "smaller_clearance_velocity": _by_clearance(FLEXIBLE, 2),
    "flexibility": _by_bars(0.5),
    "flexibility_velocity": _by_bars(0.5, 2),
    "flexibility_smaller_clearance": _share_of_bars,
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
            run, *_, off = strayed(study, model, gap)
            shown = run.time >= SHOWN
            traces.append((f"{model}, {gap:g} mm", run.time[shown], off[shown, axis]))
        panels.append({"title": f"acceleration off the path, {letter}", "x": "s", "y": "m/s^2", "lines": traces})
    return panels
