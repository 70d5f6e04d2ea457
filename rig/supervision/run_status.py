"""Where a test is, by the folder of its run: one that runs tells it, one that has ended or was broken off has left it in its files."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import psutil

from drivers.files.plain_values import Json, table
from rig.config.plan import Plan
from rig.errors import ConfigError, RigError
from rig.recorder.folders import RECORD
from rig.recorder.last_samples import Last, last_of
from rig.recorder.run_files import SUMMARY
from rig.resumption.state_file import FILE as STATE_FILE
from rig.resumption.state_file import State, read
from rig.streaming.interruptions import in_order_of_time
from rig.supervision.limit_status import LimitStatus
from rig.supervision.live_status import EVENTS, bounds
from rig.supervision.operation_client import NotRunning, ask
from rig.trajectory import create

PLAN, PROCESSES = "plan.json", "processes.json"
BROKEN_OFF = "broken_off"
"""Value of `ended` where the processes of a test are gone, and it was never summed up."""
Fields = dict[str, Json]
UNDECIDED: Fields = {"outcome_of": "command", "test_outcome": None, "test_verdict": None, "test_reason": None}
"""`outcome`, which every answer has, is that of the command that looks. How the test ended stands beside it; nobody knows before it has."""
RUNNING: Fields = {"place_from": "test", "values_from": "test", "values_time_s": None}
"""Where sample, time and cycle are from, and the values of channels: the test itself, or a file of its folder. s of the
values: where they are older than the place."""


def folder_of(run: Path) -> Path:
    """The folder of a run, given as such or by a file in it. Raises ConfigError."""
    folder = run if run.is_dir() else run.parent
    if not folder.is_dir() or not run.exists():
        raise ConfigError(f"{run}: no such run; expected the folder of a run")
    return folder


def look(run: Path) -> Fields:
    """The fields of `rig status`; `ended` is there once nothing moves any more: the outcome, BROKEN_OFF, or None while the result is still
    put together. `test_outcome` is the same, and there, null, before. Raises ConfigError, NotRunning for a folder that is not of a run,
    RigError for a test that does not answer."""
    folder = folder_of(run)
    try:
        return in_order({**UNDECIDED, **RUNNING, **table(ask(folder, "status")["status"])})
    except NotRunning as why:
        if (folder / SUMMARY).exists():
            return in_order(_ended(folder))
        if not (folder / PLAN).exists():
            raise why from None
        return in_order(_left(folder, None if _goes_on(folder) else BROKEN_OFF))


def in_order(status: Fields) -> Fields:
    """With its events in the order of their times."""
    events = status.get("events")
    if not isinstance(events, list):
        return status
    times = [float(at) if isinstance(at := table(one).get("time_s"), (int, float)) else None for one in events]
    return {**status, "events": [events[n] for n in in_order_of_time(times)]}


def _ended(folder: Path) -> Fields:
    try:
        summary = table(json.loads((folder / SUMMARY).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ConfigError(f"{folder / SUMMARY} cannot be read: {error}") from error
    outcome, predictor = str(summary.get("outcome")), summary.get("predictor")
    verdict, reason = summary.get("verdict"), summary.get("reason")
    left = _left(folder, outcome)
    return {
        **left,
        "run": summary.get("run"),
        "state": "tripped" if outcome == "tripped" else "stopped",
        "time_s": _longer(left["time_s"], summary.get("duration_s")),
        "lag_s": predictor.get("lag_s") if isinstance(predictor, Mapping) else None,
        "events": summary.get("events"),
        "verdict": verdict,
        "reason": reason,
        "test_verdict": verdict.get("result") if isinstance(verdict, Mapping) else None,
        "test_reason": reason or None,
    }


def _longer(recorded: Json, session: Json) -> Json:
    """s of the whole test: a summary tells of the last session only, a record that was closed ends with its last sample."""
    known = [one for one in (recorded, session) if isinstance(one, (int, float))]
    return max(known, default=None)


def _left(folder: Path, ended: str | None) -> Fields:
    """By what is recorded and what was kept, whichever is newer; values are those of the last sample in a file that was closed."""
    plan = _plan(folder)
    last, kept = last_of(folder), _kept(folder)
    phase = last.values.get("command.phase", ("", None))[1]
    sample, rate, cycle, place_from = last.sample, last.rate, last.cycle, last.file
    at_value = sample / rate if sample is not None and rate else None
    if kept is not None and kept.sample is not None and (sample is None or (kept.sample > sample and last.file != RECORD)):
        # The record was not closed; this is half a second old, at most.
        sample, rate, phase, place_from = kept.sample, kept.rate, kept.phase, STATE_FILE
        cycle = kept.cycle if kept.cycle is not None else cycle
    if kept is not None and cycle is None:
        cycle = kept.cycle
    at = sample / rate if sample is not None and rate else None
    reason = "its processes were ended from outside; rig resume lets it go on" if ended == BROKEN_OFF else ""
    free = shutil.disk_usage(folder).free
    return {
        "run": plan.run if plan else folder.name, "state": "stopped", "sample": sample, "time_s": at, "cycle": cycle,
        "place_from": place_from, "values_from": last.file, "values_time_s": None if place_from == last.file else at_value,
        "session": kept.session if kept else None, "session_time_s": _of_session(plan, sample, rate),
        "cycles_total": _cycles(plan), "block": kept.block if kept else None, "phase": phase, "held_s": 0.0,
        "operator": (kept.operator or None) if kept else None,
        "channels": _channels(plan, last), **_limits(plan, kept), "lag_s": None, "disk": {"free_bytes": free, "needed_bytes": 0},
        "events": list(last.events[-EVENTS:]), "ended": ended, "verdict": None,
        "reason": reason, **UNDECIDED, "test_outcome": ended, "test_reason": reason or None,
    }  # fmt: skip


def _of_session(plan: Plan | None, sample: int | None, rate: float | None) -> float | None:
    """s of the last session alone."""
    return max(0, sample - plan.first_sample) / rate if plan is not None and sample is not None and rate else None


def _limits(plan: Plan | None, kept: State | None) -> Fields:
    if plan is None or kept is None:
        return {"learned_limits": [], "learned_limits_total": 0, "acting_limit": None}
    return LimitStatus(plan, kept.acting).fields(kept.learned)


def _channels(plan: Plan | None, last: Last) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, (unit, value) in last.values.items():
        low, high = bounds(plan, name) if plan else (None, None)
        found[name] = {"unit": unit, "value": value, "low": low, "high": high}
    return found


def _plan(folder: Path) -> Plan | None:
    with contextlib.suppress(RigError):
        return Plan.read(folder, "display")
    return None


def _kept(folder: Path) -> State | None:
    with contextlib.suppress(ConfigError):
        return read(folder)
    return None


def _cycles(plan: Plan | None) -> float | int | None:
    trajectory = plan.experiment.trajectory if plan else None
    return None if trajectory is None else create(trajectory).cycles


def _goes_on(folder: Path) -> bool:
    """Whether the program that runs the test is still there: it compares and draws when nothing moves any more."""
    with contextlib.suppress(OSError, ValueError, TypeError, psutil.Error):
        path = folder / PROCESSES
        pid = int(str(table(json.loads(path.read_text(encoding="utf-8")))["supervisor"]))
        return bool(psutil.Process(pid).create_time() <= path.stat().st_mtime)
    return False
