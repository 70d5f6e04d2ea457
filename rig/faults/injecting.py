"""One test with one fault of the table, and the judgement of it; and a test without one, as control."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.config.injection import Injection
from rig.config.plan import Plan
from rig.faults import bounds
from rig.faults.detection import findings
from rig.faults.judgement import judge
from rig.faults.table import Rig, Row

Run = Callable[[list[str]], dict[str, Any]]
"""Runs `rig` with these arguments, and returns the object that it prints."""
GOLDEN = 0.6180339887498949
"""Of a period, from seed to seed: moments that fill it evenly, however many there are."""
COUNTED = ("trip", "hold", "mark")


@dataclass(frozen=True)
class Course:
    """How tests are run: pace, folder of the experiments, and what runs them."""

    run: Run
    pace: str
    experiments: Path


def moment(rig: Rig, seed: int) -> float:
    """s after the device has begun to sample at which the fault comes."""
    return rig.begin + (seed * GOLDEN) % 1.0 * rig.spread


def arguments(course: Course, row: Row | None, rig: Rig, seed: int, out: Path) -> list[str]:
    """Of `rig`, for a test with that fault; without one: a clean test."""
    at = moment(rig, seed)
    sets = [f"bench.pace={course.pace}", f"bench.seed={seed}", "predictor.on_lag=mark", *rig.sets]
    if row is not None:
        sets += [*row.sets, *(key.replace("BEGIN", f"{at:.6f}") for key in row.keys)]
        if row.inject:
            sets.append(f"bench.injections=[{', '.join(_toml(one) for one in row.injections(rig.names, at))}]")
    words = ["run", str(course.experiments / f"{rig.experiment}.toml"), "--headless", "--no-picture", "--out", str(out)]
    return [*words, *(word for text in sets for word in ("--set", text)), "--json"]


def _toml(one: Injection) -> str:
    parts = [f'what = "{one.what}"', f'target = "{one.target}"', f"value = {one.value!r}", f'begin = "{one.begin:.6f} s"']
    return "{" + ", ".join([*parts, f'lasts = "{one.lasts!r} s"', f'fault = "{one.fault}"']) + "}"


@contextmanager
def folder() -> Iterator[Path]:
    """For one test; nothing of it is kept."""
    path = Path(tempfile.mkdtemp(prefix="rig-fault-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def injected(course: Course, row: Row, rig: Rig, seed: int) -> dict[str, Any]:
    """The judgement of one injection, JSON values."""
    with folder() as out:
        data = course.run(arguments(course, row, rig, seed, out))
        runs = sorted(path for path in out.iterdir() if path.is_dir()) if out.exists() else []
        if not runs or "events" not in data:
            return {"wrong": f"the test did not run: {data.get('error') or data.get('reason')}", "safe": False}
        bound, real = bounds.seconds(row.bound, bounds.terms(Plan.read(runs[0]))), course.pace == "real"
        return judge(row, rig, data, runs[0], bound + bounds.WAITING * real, real).to_json()


def clean(course: Course, rig: Rig, seed: int) -> dict[str, Any]:
    """A test without a fault: s of it, and what was found all the same."""
    with folder() as out:
        data = course.run(arguments(course, None, rig, seed, out))
        said = [one.text for one in findings(data.get("events", [])) if one.name != "lag"]
        tripped = data["outcome"] not in ("done", "verdict_failed")
        return {
            "simulated_s": float(data.get("duration_s") or 0.0),
            "false_trips": int(tripped),
            "said": said[:3],
            "why": data.get("reason", ""),
        }
