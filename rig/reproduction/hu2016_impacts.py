"""hu2016, section 3: what the force of the loaded linkage looks like: its sine, its impacts and its burrs, under every load source."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rig.prediction.simulation import Simulated
from rig.reproduction.hu2016_series import CLEARANCES, CYCLES, DISCARDED, SOURCES, measures, points_of, simulated
from rig.reproduction.study import Computed, Conditions, Statement, Study

Floats = NDArray[np.float64]

LARGE = 0.5  # of the fastest approach: what counts as a large impact
ROUNDING = 1e-9  # of the load: no burr
NARROW = 20.0  # a burr is narrower than this part of the period
WITH_CLEARANCE: Conditions = {"clearance": [c * 1e-3 for c in CLEARANCES[1:]], "amplitude": 10e3, "frequency": 3.0}


def _distortion(run: Simulated) -> float:
    """rms of the transmitted force beside its fundamental, of the fundamental's rms; whole cycles."""
    assert run.frequency is not None
    kept = run.time >= DISCARDED / run.frequency - 0.5 / run.rate
    force, angle = run.values[kept, 0][:-1], 2.0 * np.pi * run.frequency * run.time[kept][:-1]
    basis = np.column_stack([np.sin(angle), np.cos(angle), np.ones_like(angle)])
    share, *_ = np.linalg.lstsq(basis, force, rcond=None)
    rest = force - basis @ share
    return float(np.sqrt(np.mean(rest**2)) / (math.hypot(*share[:2]) / math.sqrt(2.0)))


def _pure(source: str) -> Statement:
    def statement(study: Study) -> Computed:
        return Computed(_distortion(simulated(study, source, 0.0, 10.0, 3.0)), {"load_source": source, "clearance": 0.0})

    return statement


def _over(measure: Callable[[Simulated], float], source: str, over: str) -> Statement:
    """A measure of the force over one of the paper's three series."""

    def statement(study: Study) -> Computed:
        points, conditions = points_of(over)
        return Computed([measure(simulated(study, source, *point)) for point in points], {"load_source": source, **conditions})

    return statement


def _with_clearance(study: Study, source: str) -> list[Simulated]:
    return [simulated(study, source, clearance, 10.0, 3.0) for clearance in CLEARANCES[1:]]


def _large_impacts(run: Simulated) -> Floats:
    """Times of the large impacts: contacts that begin with more than half of the fastest approach, those of T/8 taken as one."""
    assert run.frequency is not None
    began = [e for e in run.events if e["kind"] == "contact_start" and e["time_s"] >= DISCARDED / run.frequency]
    fastest = max((e["approach_speed"] or 0.0 for e in began), default=math.nan)
    times = np.array([e["time_s"] for e in began if (e["approach_speed"] or 0.0) >= LARGE * fastest])
    first = np.concatenate([[True], np.diff(times) > 0.125 / run.frequency])[: len(times)]
    large: Floats = times[first]
    return large


def _impacts(source: str) -> Statement:
    """Large impacts a cycle."""

    def statement(study: Study) -> Computed:
        counts = [len(_large_impacts(run)) / (CYCLES - DISCARDED) for run in _with_clearance(study, source)]
        return Computed(counts, {"load_source": source, **WITH_CLEARANCE})

    return statement


def _at_reversal(source: str) -> Statement:
    """The latest large impact after the zero of the command before it, of the period."""

    def statement(study: Study) -> Computed:
        latest = []
        for run in _with_clearance(study, source):
            assert run.frequency is not None
            halves = 2.0 * run.frequency * _large_impacts(run)
            latest.append(float(np.max(0.5 * (halves % 1.0), initial=-math.inf)))
        return Computed(latest, {"load_source": source, **WITH_CLEARANCE})

    return statement


def _half_cycles(run: Simulated) -> Floats:
    """Largest s (F_tr - F_cmd) of each counted half cycle within T/4 of the command's zero, N; s its sign."""
    assert run.frequency is not None
    excess = len(run.channels)
    half = run.rate / (2.0 * run.frequency)
    found = []
    for k in range(2 * DISCARDED, 2 * CYCLES):
        rows = slice(round(k * half) + 1, round((k + 0.5) * half))
        found.append(float((run.high[rows, excess] if k % 2 == 0 else -run.low[rows, excess]).max()))
    return np.array(found)


def _steady(source: str) -> Statement:
    """How much the impact force varies from one half cycle to the other, of its mean."""

    def statement(study: Study) -> Computed:
        peaks = [_half_cycles(run) for run in _with_clearance(study, source)]
        spread = [float(np.ptp(one) / np.mean(one)) for one in peaks]
        return Computed(spread, {"load_source": source, "metric": "overshoot", **WITH_CLEARANCE})

    return statement


def _burr(run: Simulated) -> float:
    """Largest force in what is faster than NARROW times the load, of the load's amplitude; whole cycles."""
    assert run.frequency is not None and run.command is not None
    force = run.values[run.time >= DISCARDED / run.frequency - 0.5 / run.rate, 0][:-1]
    lines = np.fft.rfft(force)
    lines[: round(NARROW * (CYCLES - DISCARDED)) + 1] = 0.0
    burr = float(np.max(np.abs(np.fft.irfft(lines, len(force)))) / np.max(np.abs(run.command)))
    return burr if burr > ROUNDING else 0.0


def _extra_load(source: str) -> Statement:
    """Largest transmitted force with clearance, of the load's amplitude."""

    def statement(study: Study) -> Computed:
        forces = [measures(run, source)["max"] for run in _with_clearance(study, source)]
        loads = [force / 10e3 if force is not None else None for force in forces]
        return Computed(loads, {"load_source": source, **WITH_CLEARANCE})

    return statement


def _every() -> dict[str, Statement]:
    statements: dict[str, Statement] = {}
    for source in SOURCES:
        statements |= {
            f"pure_sine_{source}": _pure(source),
            f"distorted_{source}": _over(_distortion, source, "clearance"),
            f"impacts_{source}": _impacts(source),
            f"at_reversal_{source}": _at_reversal(source),
            f"steady_{source}": _steady(source),
            f"burrs_{source}": _over(_burr, source, "frequency"),
            f"smoother_{source}": _over(_distortion, source, "amplitude"),
            f"burrs_fade_{source}": _over(_burr, source, "amplitude"),
            f"extra_load_{source}": _extra_load(source),
        }
    return statements


STATEMENTS = _every()
