"""A case from its row in the table to the rows of the result."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from rig.benchmark.case import Case, Metric, Runner
from rig.benchmark.ensembles import Together
from rig.benchmark.front import ratio
from rig.benchmark.measuring import FINE, FINE_SAMPLES, Reference, by_turns, rows
from rig.benchmark.own import Own
from rig.benchmark.peers import PeerMissing
from rig.benchmark.result_row import OwnFields, RatioRow, Row

TIMES: tuple[Literal["cpu_s"], Literal["wall_s"]] = ("cpu_s", "wall_s")
QUICK_REPEATS, QUICK_PART = 2, 0.25  # of the duration, where nothing else is compared


def measure(case: Case, repeats: int, quick: bool) -> tuple[list[Row], list[str]]:
    """(rows, warnings) of a case. Raises ConfigError, ModelError for settings that cannot be run."""
    if quick:
        repeats = min(repeats, QUICK_REPEATS)
        case = case if case.peers else replace(case, duration=QUICK_PART * case.duration)
    if case.members:
        return _ensemble(case, repeats), []
    others, references, warnings = _others(case, quick)
    own = [Own(case, setting) for setting in case.settings]
    shared = any(other.program not in references for other in others)
    reference = Reference.own(case, max(case.rate, min(FINE, FINE_SAMPLES / case.duration)) if shared else None)
    runners: list[Runner] = [*own, *others]
    runs = by_turns(runners, repeats)
    found = []
    for place, (runner, done) in enumerate(zip(runners, runs, strict=True)):
        more: OwnFields = _only_own(own, place, case, min(run.wall for run in done)) if place < len(own) else {}
        found += rows(case, runner, done, references.get(runner.program, reference), more)
    return found, warnings


def _only_own(own: Sequence[Own], place: int, case: Case, least: float) -> OwnFields:
    """Fields that only our program has. The first of the settings loaded the compiled code, or compiled it."""
    runner, streamed = own[place], case.frame_setting % len(own)
    only_own: OwnFields = {
        "compile_s": max(0.0, own[0].first - least) if place == 0 else None,
        "rhs_ns": runner.rhs(),
    }
    if place == streamed:
        only_own.update(runner.frames())
    return only_own


def _others(case: Case, quick: bool) -> tuple[list[Runner], dict[str, Reference], list[str]]:
    """Other programs; references of those whose model is not quite ours; what is missing."""
    runners: list[Runner] = []
    references: dict[str, Reference] = {}
    missing = []
    for name in case.peers:
        module = importlib.import_module(f"rig.benchmark.peers.{name}")
        experiment = Own.experiment_of(case, case.reference)
        try:
            runners += module.runners(experiment, case.duration, 1.0 / case.rate, quick)
            if hasattr(module, "converged"):
                converged, coarser = module.converged(experiment, case.duration, 1.0 / case.rate)
                references[converged.program] = Reference.from_peer(case, converged, coarser)
        except PeerMissing as error:
            missing.append(f"{case.name}: {error}; only this program is measured")
    return runners, references, missing


def _ensemble(case: Case, repeats: int) -> list[Row]:
    together = [Together(case, experiment) for experiment in case.together]
    runs = by_turns(together, repeats)
    return [row for runner, done in zip(together, runs, strict=True) for row in rows(runner.case, runner, done, None, runner.more())]


def ratios(case: Case, found: Sequence[Row]) -> list[RatioRow]:
    """For each other program and each error: how many times faster this one is where both reach it.

    speedup: by processor time, which what else the machine does changes least; speedup_wall: by the clock.
    """
    programs = dict.fromkeys(row["program"] for row in found)
    ours = next(iter(programs), None)
    made = []
    for peer in [program for program in programs if program != ours]:
        for metric in case.metrics:
            cpu, wall = (ratio(_points(found, ours, metric, time), _points(found, peer, metric, time), metric.at, peer) for time in TIMES)
            if cpu is not None and wall is not None:
                row: RatioRow = {
                    "case": case.name, "peer": peer, "at_error": cpu.at_error, "speedup": cpu.speedup, "speedup_wall": wall.speedup,
                    "remark": cpu.remark, "error_metric": metric.name, "error_unit": metric.unit, "asked_error": metric.at,
                }  # fmt: skip
                made.append(row)
    return made


def _points(found: Sequence[Row], program: str | None, metric: Metric, time: Literal["cpu_s", "wall_s"]) -> list[tuple[float, float]]:
    chosen = [row for row in found if row["program"] == program and row["error_metric"] == metric.name]
    return [(error, row[time]["min"]) for row in chosen if (error := row["error"]) is not None]
