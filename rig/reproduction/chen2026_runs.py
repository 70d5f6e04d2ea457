"""chen2026: three turns of the platform in each of the models, and how far it strays from its path.

What the paper computed with flexible bars is computed in its own way: its continuum elements, the rigid mechanism leading the pins. What it
says of the first instants comes from bars at rest on a path that begins at 0.471 m/s: JERKED; all else is computed
from a start with the velocity of the path and strained bars. What was measured stands beside contact and bars solved together.
Peaks of acceleration where pin and bush part depend on the step: they are taken below LOWPASS.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfiltfilt

from model.paths.course import Course
from rig.prediction.simulation import Simulated
from rig.reproduction.study import Conditions, Study
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
CLEARANCES = (0.5, 0.1)  # mm
PERIODS, SAME = 3, 0.05  # where pins knock at the start, the peaks of the first turn differ by 3 % from those of the next
LOWPASS, ORDER = 100.0, 4  # Hz; Butterworth, there and back
COMPARED = 0.5  # s: the paper compares what comes later
SHOWN = 0.2  # s: pins that begin in the middle of their bushes have settled
POSITION, VELOCITY, ACCELERATION = slice(0, 3), slice(3, 6), slice(6, 9)
XY = slice(0, 2)


def path_named(study: Study, name: str, *overrides: str) -> Course:
    """The path of an experiment."""
    path = path_of(study.experiment(name, *overrides).trajectory)
    assert path is not None
    return path


def turns(study: Study, model: str, clearance: float, path: str = FIRST) -> Simulated:
    """Three turns with that clearance, mm."""
    name, way = MODELS[model]
    going = (
        f"trajectory.path={path}",
        "trajectory.blend=off",
        f"mechanism.clearance={clearance!r} mm",
        "simulate.output_rate=10 kHz",
        *way,
    )
    lasting = PERIODS * path_named(study, name, *going).period
    return study.simulated(name, *going, f"simulate.duration={lasting!r} s")


def strayed(study: Study, model: str, clearance: float, path: str = FIRST) -> tuple[Simulated, Floats, Floats, Floats]:
    """The run, and by how much position, velocity and (below LOWPASS) acceleration differ from the path, (N, 3)."""
    run = turns(study, model, clearance, path)

    def make() -> tuple[Floats, Floats, Floats]:
        point, velocity, acceleration = path_named(study, MODELS[model][0], f"trajectory.path={path}", "trajectory.blend=off").evaluate(
            run.time
        )
        off = low(run, run.values[:, ACCELERATION] - acceleration)
        return run.values[:, POSITION] - point, run.values[:, VELOCITY] - velocity, off

    return (run, *study.once(make, "strayed", model, repr(clearance), path))


def low(run: Simulated, values: Floats) -> Floats:
    low: Floats = sosfiltfilt(butter(ORDER, LOWPASS, fs=run.rate, output="sos"), values, axis=0)
    return low


def conditions_of(model: str, clearance: float, path: str = FIRST) -> Conditions:
    return {"bars": model, "clearance": clearance * 1e-3, "path": path}
