"""One test of a series: what is put together, run, and told of it; and of many perturbed plants, whether the monitor was right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from rig.hybrid.realtime import clearance, control_plant, loop, sampling
from rig.hybrid.realtime.compensators.contract import Compensator
from rig.hybrid.realtime.compensators.named import compensator
from rig.hybrid.realtime.criteria import criteria
from rig.hybrid.realtime.experiment import Experiment
from rig.hybrid.realtime.floors import undivided
from rig.hybrid.realtime.frame import CASES, Partition, reference
from rig.hybrid.realtime.stability import loop_matrix, spectral_radius
from rig.hybrid.realtime.tracking import Tracking, tracking
from rig.hybrid.realtime.transfer_system import TransferSystem

Floats = NDArray[np.float64]

ENDS = {loop.DONE: "done", loop.TRIPPED: "tripped", loop.DIVERGED: "diverged"}


@dataclass(frozen=True)
class Run:
    """One test. `results`: (n, loop.COLUMNS) as far as it went; `trip`: sample at which the indicator passed its limit."""

    end: str
    results: Floats
    trip: int | None


@dataclass(frozen=True)
class Told:
    """One row. plant: 0 nominal. growth_per_s: of the slowest dying or fastest growing motion of the linear loop; None: it has none."""

    case: int
    compensator: str
    plant: int
    outcome: str
    duration_s: float
    growth_per_s: float | None
    tracking: Tracking
    criteria: dict[str, float] | None
    stability: dict[str, float | bool | None]
    energy: dict[str, float]

    def to_json(self) -> dict[str, object]:
        """JSON-able; SI."""
        return asdict(self)


class Bench:
    """An experiment's ground, plants and references, made once for all its tests."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.ground = experiment.acceleration()
        generator = np.random.default_rng(experiment.seed)
        self.plants = [TransferSystem(), *(TransferSystem().perturbed(generator) for _ in range(experiment.perturbed))]
        self._references: dict[int, Floats] = {}

    def tests(self) -> Iterator[Told]:
        """Case by case, compensator by compensator, plant by plant."""
        for case in self.experiment.cases:
            for name in self.experiment.compensators:
                for plant in range(len(self.plants)):
                    yield self.told(case, name, plant)

    def run(self, case: int, name: str, plant: int = 0) -> Run:
        """The test itself."""
        e, system = self.experiment, self.plants[plant]
        partition = Partition(reference(CASES[case]), system.specimen)
        a, ground, force = partition.continuous()
        sampled, before, after = sampling.straight(a, ground, 1.0 / e.rate)
        _, held = sampling.held(a, force, 1.0 / e.rate)
        actuator = self._plant(system)
        made = compensator(name, TransferSystem(), e.rate)
        n = len(self.ground) - 1
        results, end = np.zeros((n, len(loop.COLUMNS))), np.zeros(2)
        code = loop.run(
            self.ground, sampled, np.array([before, after, held]), np.ascontiguousarray(partition.numerical.damping), np.zeros(12),
            actuator.advance, actuator.state(), actuator.parameters, made.step, made.state(), made.parameters, self._noise(n, plant),
            self._settings(), np.zeros(6), results, end,
        )  # fmt: skip
        return Run(ENDS[code], results[: int(end[0])], int(end[1]) if end[1] >= 0.0 else None)

    def reference(self, case: int) -> Floats:
        """(N, 3) floors, m, of the nominal structure that is not divided."""
        if case not in self._references:
            e, whole = self.experiment, reference(CASES[case])
            if e.clearance is None:
                self._references[case] = undivided(whole, self.ground, e.rate)
            else:
                self._references[case] = clearance.reference(Partition(whole), e.clearance, self.ground, e.rate)
        return self._references[case]

    def growth(self, case: int, name: str, plant: int) -> float | None:
        """1/s, of the loop's slowest dying or fastest growing motion; None where compensator or plant is not linear."""
        system, rate = self.plants[plant], self.experiment.rate
        made: Compensator = compensator(name, TransferSystem(), rate, without_converters=True)
        if self.experiment.clearance is not None or not made.linear:
            return None
        a, _, force = Partition(reference(CASES[case]), system.specimen).continuous()
        matrix = loop_matrix(sampling.held(a, force, 1.0 / rate), control_plant.linear(system, rate), made)
        return float(rate * np.log(spectral_radius(matrix)))

    def told(self, case: int, name: str, plant: int = 0) -> Told:
        """The test, and what is to be said of it."""
        e, made = self.experiment, self.run(case, name, plant)
        r, rate = made.results, e.rate
        whole = made.end == "done"
        return Told(
            case, name, plant, made.end, len(r) / rate, self.growth(case, name, plant),
            tracking(r[:, 0], r[:, loop.MEASURED], rate),
            criteria(r[:, :3], r[:, loop.MEASURED], self.reference(case), rate) if whole else None,
            {
                "indicator_max": float(np.max(r[:, loop.INDICATOR])), "tripped": made.trip is not None,
                "trip_s": None if made.trip is None else made.trip / rate, "bound_s": len(r) / rate if made.end == "diverged" else None,
                "largest_before_trip_m": float(np.max(np.abs(r[: len(r) if made.trip is None else made.trip + 1, loop.MEASURED]))),
            },
            {"spurious_J": float(r[-1, loop.SPURIOUS]), "dissipated_J": float(r[-1, loop.DISSIPATED])},
        )  # fmt: skip

    def _plant(self, system: TransferSystem) -> control_plant.ControlPlant:
        e = self.experiment
        return control_plant.linear(system, e.rate) if e.clearance is None else clearance.loose(system, e.clearance, e.rate)

    def _noise(self, n: int, plant: int) -> Floats:
        """(n, 2), m and N: the same in every case and for every compensator."""
        sensors = self.experiment.sensors
        white = np.random.default_rng([self.experiment.seed, plant]).standard_normal((n, 2))
        return np.asarray(white * np.array([sensors.displacement_noise, sensors.force_noise]))

    def _settings(self) -> Floats:
        e, settings = self.experiment, np.zeros(loop.SETTINGS)
        settings[loop.QUANTUM_U] = e.sensors.quantum
        settings[loop.STEP_S], settings[loop.KEPT] = 1.0 / e.rate, np.exp(-1.0 / (e.rate * e.monitor.window))
        settings[loop.FLOOR], settings[loop.TRIP], settings[loop.STOPS] = e.monitor.floor, e.monitor.limit, float(e.stop)
        settings[loop.BOUND], settings[loop.FORCE_BOUND] = e.bounds.stroke, e.bounds.force
        return settings


@dataclass(frozen=True)
class Judged:
    """Of the plants of one case and compensator. Unstable: by the eigenvalues; where there are none, what passed the bounds.

    in_time: unstable, tripped before a bound was passed, or before the end. missed: passed a bound first. quiet: unstable, but neither
    tripped nor at a bound when the ground stood still. false_trips: of the stable ones. beyond: of these, passed a bound. lead_s: least
    time from a trip to the bound.
    """

    case: int
    compensator: str
    stable: int
    unstable: int
    in_time: int
    missed: int
    quiet: int
    false_trips: int
    beyond: int
    stable_indicator_max: float | None
    unstable_indicator_min: float | None
    lead_s: float | None


def judged(rows: Sequence[Told]) -> list[Judged]:
    """By case and compensator, in order. Of tests that were not stopped by a trip."""
    groups: dict[tuple[int, str], list[Told]] = {}
    for row in rows:
        groups.setdefault((row.case, row.compensator), []).append(row)
    return [_judged(case, name, group) for (case, name), group in groups.items()]


def _judged(case: int, name: str, rows: Sequence[Told]) -> Judged:
    unstable = [row for row in rows if (row.growth_per_s > 0.0 if row.growth_per_s is not None else row.outcome == "diverged")]
    stable = [row for row in rows if row not in unstable]
    tripped = [row for row in unstable if row.stability["tripped"]]
    bound = [row for row in unstable if row.outcome == "diverged"]
    leads = [row.duration_s - float(row.stability["trip_s"] or 0.0) for row in tripped if row.outcome == "diverged"]
    return Judged(
        case, name, len(stable), len(unstable), len(tripped), len([row for row in bound if row not in tripped]),
        len([row for row in unstable if row not in tripped and row not in bound]),
        len([row for row in stable if row.stability["tripped"]]), len([row for row in stable if row.outcome == "diverged"]),
        max((float(row.stability["indicator_max"] or 0.0) for row in stable), default=None),
        min((float(row.stability["indicator_max"] or 0.0) for row in unstable), default=None), min(leads, default=None),
    )  # fmt: skip
