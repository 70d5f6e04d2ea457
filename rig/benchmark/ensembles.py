"""Many members at once, streamed in blocks as a live test gives them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from model.ensemble import Ensemble, Spread, drawn
from rig.benchmark.case import Case, Run
from rig.benchmark.own import PROGRAM, Own
from rig.benchmark.result_row import OwnFields
from rig.signals.summary_statistics import statistics

BLOCK = 10e-3  # s
SPREADS = (Spread("clearance", 0.02, 0.0), Spread("contact.restitution", 0.02, 0.0))


class Together:
    """The members of one experiment on all cores; each has its own memory."""

    program = PROGRAM

    def __init__(self, case: Case, one: tuple[str, tuple[str, ...], float]) -> None:
        """one: experiment, its conditions, simulated time in s. Raises ConfigError, ModelError."""
        experiment, conditions, duration = one
        self.case = replace(case, experiment=experiment, conditions=conditions, duration=duration)
        begun = time.perf_counter()
        self._own = Own(self.case, ())
        configs = drawn(self._own.experiment.mechanism, SPREADS, case.members, seed=1)
        self._ensemble = Ensemble([self._own.stepper(config) for config in configs])
        self._input = self._own.inputs(self._ensemble.lookahead)
        self._first = time.perf_counter() - begun
        self._cpu: list[float] = []
        self._wall: list[float] = []
        self.settings: Mapping[str, object] = {"experiment": experiment, "members": case.members, "threads": self._ensemble.threads}

    def run(self) -> Run:
        """All members from start to end, block by block."""
        ensemble, begin, size = self._ensemble, self._ensemble.lookahead, round(BLOCK * self._own.rate)
        ensemble.start(self._input[:begin])
        wall, cpu = time.perf_counter(), time.process_time()
        for first in range(begin, len(self._input), size):
            wall_before, cpu_before = time.perf_counter(), time.process_time()
            ensemble.advance(self._input[first : first + size])
            self._wall.append(time.perf_counter() - wall_before)
            self._cpu.append(time.process_time() - cpu_before)
        return Run(time.perf_counter() - wall, time.process_time() - cpu)

    def more(self) -> OwnFields:
        """What only our program has; a frame here is a block of 10 ms, and its CPU that of all cores."""
        cpu, wall = statistics(self._cpu), statistics(self._wall)
        return {"compile_s": self._first, "rhs_ns": self._own.rhs(), "frame_cpu_s": cpu, "frame_wall_s": wall}
