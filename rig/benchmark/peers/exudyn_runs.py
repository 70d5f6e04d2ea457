"""Exudyn at work: how it is loaded and set, and one run of it."""

from __future__ import annotations

import contextlib
import importlib
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from rig.benchmark.case import Run
from rig.benchmark.peers import PeerMissing
from rig.benchmark.peers.exudyn_grid import Setting
from rig.benchmark.peers.exudyn_system import Built

Floats = NDArray[np.float64]

PROGRAM = "exudyn"
LEAST_STEP = 1e-15  # s: it shortens a step to where contact begins, and gives up at this
Build = Callable[[ModuleType], Built]


def load() -> ModuleType:
    """The module, in the variant without range checks, which is two to four times as fast. Raises PeerMissing."""
    sys.exudynFast = True  # type: ignore[attr-defined]  # where Exudyn looks for it
    try:
        with contextlib.redirect_stdout(sys.stderr):  # it greets
            exudyn = importlib.import_module("exudyn")
            importlib.import_module("exudyn.itemInterface")
    except ImportError as error:
        raise PeerMissing("exudyn is not installed: pip install 'clearance-rig[peers]'") from error
    exudyn.config.printToConsole = False
    return exudyn


class ExudynRun:
    """One case with one setting.

    resumed: the system begins with accelerations that it has; else Exudyn finds them, which it does not where there are generic joints.
    """

    program = PROGRAM

    def __init__(self, exudyn: ModuleType, build: Build, setting: Setting, duration: float, sample: float, resumed: bool = False) -> None:
        self._exudyn, self._build, self._setting, self._duration, self._sample = exudyn, build, setting, duration, sample
        self._resumed = resumed
        self.settings = {key: value for key, value in asdict(setting).items() if value is not None and value is not True}

    def run(self) -> Run:
        """From the start to the end; a run that it gives up comes out without samples."""
        exudyn = self._exudyn
        system, sensors = self._build(exudyn)
        settings = self._simulation_settings()
        solver = getattr(exudyn.DynamicSolverType, self._setting.solver)
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            system.SolveDynamic(settings, solverType=solver)
        except exudyn.SolverError:  # given up
            return Run(time.perf_counter() - wall, time.thread_time() - cpu)
        wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
        tables = {channel: (np.asarray(system.GetSensorStoredData(sensor)), part) for channel, (sensor, part) in sensors.items()}
        times = next(iter(tables.values()))[0][:, 0]
        return Run(wall, cpu, times, {channel: _component(table[:, 1:], part) for channel, (table, part) in tables.items()})

    def _simulation_settings(self) -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            settings = self._exudyn.SimulationSettings()
            integration = settings.timeIntegration
            integration.endTime = self._duration
            integration.numberOfSteps = round(self._duration / self._setting.step)
            integration.minimumStepSize = LEAST_STEP
            integration.discontinuous.useRecommendedStepSize = self._setting.locate
            integration.automaticStepSize = self._setting.tolerance is not None
            if self._setting.tolerance is not None:
                integration.relativeTolerance = integration.absoluteTolerance = self._setting.tolerance
            integration.explicit.useLieGroupIntegration = False
            integration.generalizedAlpha.computeInitialAccelerations = not self._resumed
            if self._setting.radius is not None:
                integration.generalizedAlpha.spectralRadius = self._setting.radius
            if self._setting.newton is not None:
                integration.newton.absoluteTolerance, integration.newton.relativeTolerance = self._setting.newton
            if self._setting.linear is not None:
                settings.linearSolver.solverType = getattr(self._exudyn.LinearSolverType, self._setting.linear)
            settings.solution.file.write = False
            settings.solution.sensors.writePeriod = self._sample
            settings.show.computationTime = False
        return settings


def _component(table: Floats, part: int | tuple[int, ...]) -> Floats:
    return np.asarray(table[:, part] if isinstance(part, int) else np.linalg.norm(table[:, list(part)], axis=1))
