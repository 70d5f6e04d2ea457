"""hu2016, section 3: the loaded linkage over clearance, frequency and load, under every metric and load source."""

from __future__ import annotations

import numpy as np

from rig.comparison.channels import agreement
from rig.comparison.preparation import Settings
from rig.prediction.metrics import metrics
from rig.prediction.simulation import Simulated
from rig.reproduction.study import Computed, Conditions, Statement, Study
from rig.reproduction.values import numbers

SOURCES = ("ideal", "flow_limited", "servo")
CYCLES, DISCARDED = 5, 2
LOWPASS = 1000.0  # Hz, under the closed loop
CLEARANCES, FREQUENCIES, AMPLITUDES = (0.0, 0.2, 0.4), (2.0, 5.0, 7.0), (10.0, 20.0, 30.0)  # mm, Hz, kN
METRICS = {"ideal": ("max", "reversal_peak", "overshoot"), "servo": ("max", "impact_peak", "overshoot")}
METRICS["flow_limited"] = METRICS["ideal"]


def simulated(study: Study, source: str, clearance: float, amplitude: float, frequency: float) -> Simulated:
    return study.simulated(
        "linkage", f"mechanism.load_source={source}", f"mechanism.clearance={clearance} mm", f"trajectory.amplitude={amplitude} kN",
        f"trajectory.frequency={frequency} Hz", f"trajectory.cycles={CYCLES}", "simulate.output_rate=50 kHz",
    )  # fmt: skip


def measures(run: Simulated, source: str) -> dict[str, float | None]:
    """The force's metrics from the solver's extremes; under the closed loop those of rig.comparison, behind the low-pass."""
    excess = len(run.channels)
    found = metrics(run, DISCARDED, source == "servo", excess)["transmitted_force"]
    assert run.command is not None and run.frequency is not None
    told = {"max": found["max_abs"], "reversal_peak": found["reversal_peak"], "overshoot": found["overshoot"]}
    if source == "servo":
        force = run.values[:, 0]
        settings = Settings(lowpass=LOWPASS, discard_cycles=DISCARDED)
        same = agreement(
            force, force, rate=run.rate, command=run.command, cycle=run.cycle, amplitude=float(np.max(np.abs(run.command))),
            frequency=run.frequency, settings=settings,
        )  # fmt: skip
        told |= {"impact_peak": same.impact_peak_predicted, "overshoot": same.overshoot_predicted}
    return told


def _series(source: str, metric: str, over: str) -> Statement:
    """A metric over one of the paper's three series."""

    def statement(study: Study) -> Computed:
        points, conditions = points_of(over)
        values = [measures(simulated(study, source, *point), source)[metric] for point in points]
        return Computed(values, {"load_source": source, "metric": metric, **conditions})

    return statement


def points_of(over: str) -> tuple[list[tuple[float, float, float]], Conditions]:
    """(clearance mm, amplitude kN, frequency Hz) of a series, and the same in SI for the reader."""
    if over == "clearance":
        return [(c, 10.0, 3.0) for c in CLEARANCES], {"clearance": [c * 1e-3 for c in CLEARANCES], "amplitude": 10e3, "frequency": 3.0}
    if over == "frequency":
        return [(0.4, 30.0, f) for f in FREQUENCIES], {"clearance": 0.4e-3, "amplitude": 30e3, "frequency": list(FREQUENCIES)}
    return [(0.4, a, 4.0) for a in AMPLITUDES], {"clearance": 0.4e-3, "amplitude": [a * 1e3 for a in AMPLITUDES], "frequency": 4.0}


def _growth(source: str, metric: str) -> Statement:
    """Relative growth from the lowest to the highest frequency."""

    def statement(study: Study) -> Computed:
        series = _series(source, metric, "frequency")(study)
        first, *_, last = numbers(series.value)
        return Computed(float(last / first) - 1.0 if np.isfinite(last / first) else None, series.conditions)

    return statement


def _every() -> dict[str, Statement]:
    statements: dict[str, Statement] = {}
    for source in SOURCES:
        for metric in METRICS[source]:
            statements[f"growth_{source}_{metric}"] = _growth(source, metric)
            for over in ("clearance", "frequency", "amplitude"):
                statements[f"{over}_{source}_{metric}"] = _series(source, metric, over)
    return statements


STATEMENTS = _every()
