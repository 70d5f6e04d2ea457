"""This program on a case: run at once, streamed in frames, and one evaluation of the equations of motion."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.mechanism import Mechanism
from model.stepping.contract import Stepper
from rig import config
from rig.benchmark.case import Case, Run
from rig.benchmark.result_row import OwnFields
from rig.config.experiment import Experiment
from rig.examples import tree
from rig.prediction.simulation import Drive, following, source_of
from rig.signals.summary_statistics import statistics

Floats = NDArray[np.float64]

PROGRAM = "clearance-rig"
FRAME = 1e-3  # s
FRAMES = 200  # at least
EVALUATIONS = 5_000
TRIES = 5
PLACES = 8


@runtime_checkable
class Evaluated(Protocol):
    """A stepper whose equations of motion can be evaluated by themselves."""

    def evaluate(self, times: int) -> object:
        """Evaluate them so often."""


class Own:
    """A case with one of its settings. Raises ConfigError for settings that cannot be run."""

    program = PROGRAM

    def __init__(self, case: Case, overrides: tuple[str, ...], rate: float | None = None) -> None:
        """rate: of the output, Hz, if not the case's."""
        self.settings: Mapping[str, object] = {key: plain(value) for key, value in (text.split("=", 1) for text in overrides)}
        self.experiment = self.experiment_of(case, overrides)
        self.rate = rate or case.rate
        self.duration = case.duration
        begun = time.perf_counter()
        self._stepper = self.stepper()
        self.channels: tuple[tuple[str, str], ...] = self.experiment.mechanism.channels
        self._input = self.inputs(self._stepper.lookahead)
        self.run()
        self.first = time.perf_counter() - begun  # s: making it and its first run

    @staticmethod
    def experiment_of(case: Case, overrides: tuple[str, ...]) -> Experiment:
        """The case's experiment with these settings. Raises ConfigError."""
        return config.load_experiment(tree.experiment(case.experiment), [*case.conditions, *overrides]).experiment

    def stepper(self, mechanism: Mechanism | None = None) -> Stepper:
        """A stepper of the mechanism (or of `mechanism` in its place) at the output's rate."""
        mechanism = self.experiment.mechanism if mechanism is None else mechanism
        return mechanism.create(
            self.experiment.integrator, self.rate, source_of(self.experiment), **following(self.experiment, self.duration)
        )

    def inputs(self, lookahead: int) -> Floats:
        """Input samples of the whole run."""
        samples = round(self.duration * self.rate) + 1 + lookahead
        return Drive.from_experiment(self.experiment).evaluate(np.arange(samples) / self.rate)[0]

    def run(self) -> Run:
        """From the start to the end in one call."""
        stepper, begin = self._stepper, self._stepper.lookahead
        stepper.start(self._input[:begin])
        wall, cpu = time.perf_counter(), time.thread_time()
        values = stepper.advance(self._input[begin:])
        wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
        times = np.arange(len(values)) / self.rate
        return Run(wall, cpu, times, {name: values[:, i] for i, (name, _) in enumerate(self.channels)})

    def frames(self) -> OwnFields:
        """Statistics of what a frame of 1 ms takes when the samples come as in a live test: CPU and wall, s."""
        stepper, begin, size = self._stepper, self._stepper.lookahead, max(1, round(FRAME * self.rate))
        cpu: list[float] = []
        wall: list[float] = []
        while len(cpu) < FRAMES:
            stepper.start(self._input[:begin])
            for first in range(begin, len(self._input) - size, size):
                block = self._input[first : first + size]
                wall_before, cpu_before = time.perf_counter(), time.thread_time()
                stepper.advance(block)
                cpu.append(time.thread_time() - cpu_before)
                wall.append(time.perf_counter() - wall_before)
        return {"frame_cpu_s": statistics(cpu), "frame_wall_s": statistics(wall)}

    def rhs(self) -> float | None:
        """One evaluation of the equations of motion, ns of CPU: the dearest of PLACES along the run, in each the least of several.

        Where a mechanism rests there is nothing to evaluate, and a run may well end there.
        """
        stepper, begin = self._stepper, self._stepper.lookahead
        if not isinstance(stepper, Evaluated):
            return None
        stepper.start(self._input[:begin])
        found = []
        for samples in np.array_split(self._input[begin:], PLACES):
            stepper.advance(samples)
            found.append(min(_evaluation(stepper) for _ in range(TRIES)))
        return max(found)


def _evaluation(stepper: Evaluated) -> float:
    """Of the equations of motion where the solver is, ns of CPU."""
    begun = time.thread_time()
    stepper.evaluate(EVALUATIONS)
    return (time.thread_time() - begun) / EVALUATIONS * 1e9


def plain(text: str) -> float | str:
    """A setting's value as a number where it is one."""
    try:
        return float(text)
    except ValueError:
        return text.strip('"')
