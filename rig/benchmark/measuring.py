"""Runs by turns: every program and setting once, then all again, so that what else the machine does hits them alike."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from rig.benchmark.case import Case, Metric, Run, Runner
from rig.benchmark.own import PROGRAM, Own
from rig.benchmark.result_row import OwnFields, Row

Floats = NDArray[np.float64]

FINE = 2e6  # Hz: what other programs are compared with, at the times at which they give their samples
FINE_SAMPLES = 1e5  # at most, of a long case
LONG = 4.0  # s that the runs of one setting may take together; a slow one is repeated less often


class Reference:
    """A program's converged run, and how far a coarser one of the same program is from it."""

    def __init__(self, case: Case, converged: Run, coarser: Run, who: str) -> None:
        self._case, self._run, self._who = case, converged, who
        self.moved = {metric.name: self.error(coarser, metric) for metric in case.metrics}

    @classmethod
    def own(cls, case: Case, rate: float | None) -> Reference:
        """This program's; rate: Hz, of a finer grid if others are to be compared with it."""
        who = f"{PROGRAM}, {', '.join(case.reference)}; {', '.join(case.check)}"
        return cls(case, Own(case, case.reference, rate).run(), Own(case, case.check).run(), who)

    @classmethod
    def from_peer(cls, case: Case, converged: Runner, coarser: Runner) -> Reference:
        """Another program's, whose model is not quite the same."""
        who = f"{converged.program}, {dict(converged.settings)}; {dict(coarser.settings)}"
        return cls(case, converged.run(), coarser.run(), who)

    def error(self, run: Run, metric: Metric) -> float:
        """Largest difference over the run's own samples."""
        if len(run.times) == 0 or run.times[-1] < (1.0 - 1e-6) * self._case.duration:
            return math.nan  # it gave up
        kept = run.times <= metric.until
        values = self.at(run.times[kept], metric.channel)
        return float(np.max(np.abs(run.values[metric.channel][kept] - values)))

    def at(self, times: Floats, channel: str) -> Floats:
        """The converged run at the times, s: its own samples where they are among them, else the spline through them."""
        place = times / self._run.times[1]
        whole = np.rint(place).astype(int)
        values = self._run.values[channel]
        if np.all(np.abs(place - whole) < 1e-6) and whole[-1] < len(values):
            return np.asarray(values[whole])
        return np.asarray(CubicSpline(self._run.times, values)(times))

    def words(self, metric: Metric) -> str:
        """As the row says it."""
        return f"{self._who} differs by {self.moved[metric.name]:.1e} {metric.unit}"


def by_turns(runners: Sequence[Runner], repeats: int) -> list[list[Run]]:
    """`repeats` runs of each, by turns; only the last one's samples are kept."""
    runs: list[list[Run]] = [[] for _ in runners]
    for _ in range(repeats):
        for runner, done in zip(runners, runs, strict=True):
            if sum(run.wall for run in done) < LONG:
                done[:] = [Run(run.wall, run.cpu) for run in done] + [runner.run()]
    return runs


def rows(case: Case, runner: Runner, runs: Sequence[Run], reference: Reference | None, own: OwnFields) -> list[Row]:
    """The JSON rows of one program with one setting: one for each metric of the case. `own`: fields that only our program has."""
    wall = [run.wall for run in runs]
    row: Row = {
        "case": case.name,
        "program": runner.program,
        "settings": dict(runner.settings),
        "simulated_s": case.duration,
        "wall_s": {"min": min(wall), "median": statistics.median(wall), "n": len(wall)},
        "cpu_s": {"min": min(run.cpu for run in runs), "median": statistics.median(run.cpu for run in runs), "n": len(wall)},
        "rtf": min(wall) / case.duration,
        "compile_s": own.get("compile_s"),
        "rhs_ns": own.get("rhs_ns"),
        "frame_cpu_s": own.get("frame_cpu_s"),
        "frame_wall_s": own.get("frame_wall_s"),
        "error": None,
        "error_metric": None,
        "error_unit": None,
        "reference": None,
    }
    if reference is None:
        return [row]
    return [
        {
            **row,
            "error": reference.error(runs[-1], metric),
            "error_metric": metric.name,
            "error_unit": metric.unit,
            "reference": reference.words(metric),
            "reference_change": reference.moved[metric.name],
        }
        for metric in case.metrics
    ]
