"""What a test with a fault has left: the log of the simulated hardware, the record; whether everything is safe, and nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from drivers.files.plain_values import Json
from rig.errors import RigError
from rig.recorder.reading import read_run
from rig.streaming.injection_words import SOURCE, without_sample

POWERED = ("hydraulics on", "program runs", "enable input high", "enable high", "operation enabled")
SAFE = ("interlock: ", "hydraulics off", "program off", "enable input low", "enable low", "switch on disabled", "idle")
RESTS = ("at rest", "stop")
"""All that can be had of a drive whose enable input is bridged."""
CODE, CODE_STEP, CODES = "sample_code", 20.0 / 65536.0, 65536
"""The channel that the simulated device makes by itself: a code of the number of each sample."""
LOG = "virtual_bench.log"

Line = Mapping[str, Json]


@dataclass(frozen=True)
class Onset:
    """When a fault came: sample of the device, s of its clock."""

    sample: int
    time: float


def log_of(run_dir: Path) -> list[Line]:
    """What the simulated hardware wrote down; nothing where it left nothing."""
    path = run_dir / LOG
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")]


def onset(log: Sequence[Line]) -> Onset | None:
    """Of the first injection."""
    for line in log:
        if line["source"] == SOURCE and (sample := without_sample(str(line["text"]))[1]) is not None:
            return Onset(sample, float(str(line["bench"])))
    return None


def line_fell(log: Sequence[Line], since: float) -> float | None:
    """s of the bench's clock, from `since` on, at which the interlock line, or an enable line, fell first."""
    words = ("interlock: the client's line fell", "enable input low", "enable low")
    times = [float(str(line["bench"])) for line in log if str(line["text"]).startswith(words)]
    return next((time for time in times if time >= since - 1e-3), None)


def not_safe(run_dir: Path, log: Sequence[Line], coasts: str, bridged: bool = False) -> str:
    """Why a test has not ended safely; empty: it has. By the hardware's own log, and the processes that are left. bridged: the fault is a
    line that takes no power away, so that a drive can only be told to stand."""
    if left := processes_left(run_dir):
        return f"still running: {', '.join(left)}"
    for source in dict.fromkeys(str(line["source"]) for line in log):
        said = [str(line["text"]) for line in log if line["source"] == source]
        on = max((n for n, text in enumerate(said) if text.startswith(POWERED)), default=-1)
        safe = (*SAFE, *RESTS) if bridged else SAFE
        off = max((n for n, text in enumerate(said) if text.startswith(safe)), default=-1)
        if on > off:
            return f"{source} still has power: {said[-1]}"
    turning = [f"{line['source']} {line['text']}" for line in log if "still turns" in str(line["text"])]
    return turning[0] if turning and not coasts else ""


def processes_left(run_dir: Path) -> list[str]:
    """Names of the processes of a run that live."""
    try:
        pids = json.loads((run_dir / "processes.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    own = psutil.Process().pid
    return [name for name, pid in pids.items() if pid != own and _alive(int(pid))]


def _alive(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@dataclass(frozen=True)
class Losses:
    """Samples that the record says it lacks, and those that it lacks without saying so; `why` it cannot be read."""

    declared: int = 0
    undeclared: int = 0
    why: str = ""


def losses(run_dir: Path) -> Losses:
    """By the code of the samples, which the device makes."""
    try:
        record = read_run(run_dir)
        declared = sum(gap.count for gap in record.gaps if gap.stream == "measured")
        code = np.asarray(record.streams["measured"][CODE])
    except (OSError, RigError, LookupError, ValueError) as error:
        return Losses(why=f"the record cannot be read: {error}")
    there = np.isfinite(code)
    numbers = np.round((code[there] + 10.0) / CODE_STEP).astype(np.int64)
    lacking = int(np.sum((np.diff(numbers) - np.diff(np.flatnonzero(there))) % CODES))
    return Losses(declared, lacking)
