"""A test that is killed at random moments and resumed until it is done: how many cycles were run, and what the record holds of each."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from bench_run import LINKAGE, RIG, ROOT

from rig.recorder.reading import RunData, read_run

PATIENCE = 240.0  # s for one session to come to a cycle
Look = Callable[[Path], None]


@dataclass
class Resumed:
    """How it went: of each session the answer to its resume, and of the last one all of it."""

    folder: Path
    kills: int = 0
    resumed: list[dict[str, Any]] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)


def state_of(folder: Path) -> dict[str, Any]:
    with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
        found: dict[str, Any] = json.loads((folder / "state.json").read_text())["state"]
        return found
    return {}


def killed_and_resumed(
    out: Path, kills: int, *overrides: str, seed: int = 0, experiment: Path = LINKAGE, among: int = 0, look: Look = lambda _: None,
    patience: float = PATIENCE,
) -> Resumed:  # fmt: skip
    """kill -9 of everything after some cycles by lot, `kills` times among the first `among` cycles (0: two thirds of them,
    as a kill comes up to 0.6 s later than its cycle), each followed by `rig resume`.

    A test that is there in `out` already goes on: whatever ended it was one of the kills. `look` is called again and again with its folder;
    the last session takes `patience` s at most.
    """
    sets = [word for one in overrides for word in ("--set", one)]
    there = sorted(path.parent for path in out.glob("*/state.json"))
    process = started("resume", str(there[0])) if there else started("run", str(experiment), "--out", str(out), *sets)
    result = Resumed(there[0] if there else folder_of(out, process))
    state = wait_for(result.folder, process, state_of(result.folder)["session"] + 1 if there else 1)
    total, dice = among or state["cycles_total"] * 2 // 3, random.Random(f"{seed} {state['session']}")
    result.kills = state["session"] - 1
    while True:
        at, left = state_of(result.folder).get("cycle") or 0, kills - result.kills
        wanted = min(at + dice.randrange(1, max(2, 2 * (total - at) // (left + 1))), total - 2 * left) if left > 0 else total
        if left <= 0 or not reached(result.folder, process, wanted, dice, look):
            result.data = _ended(result.folder, process, look, patience)
            if "resumed" in result.data:
                result.resumed.append(result.data["resumed"])
            return result
        kill_all(process)
        result.kills += 1
        process = started("resume", str(result.folder))


def _ended(folder: Path, process: subprocess.Popen[str], look: Look, patience: float) -> dict[str, Any]:
    """What it prints at its end."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        look(folder)
        with contextlib.suppress(subprocess.TimeoutExpired):  # what it has printed so far is kept
            text, errors = process.communicate(timeout=0.2)
            assert text.strip(), errors
            return dict(json.loads(text))
    raise AssertionError(f"not at its end after {patience:.0f} s: {state_of(folder)}")


def whole_cycles(record: RunData) -> list[tuple[int, int]]:
    """(number, samples) of each stretch of the record in which one cycle goes from its begin to its end, by the phase of the command."""
    cycle, phase = (record.channel("command", name) for name in ("cycle", "phase"))
    there = np.nan_to_num(cycle, nan=-2.0)
    edges = [0, *(np.flatnonzero(np.diff(there)) + 1).tolist(), len(there)]
    found = []
    for first, last in itertools.pairwise(edges):
        if there[first] < 0.0 or last - first < 3:
            continue
        turned, step = (float(phase[last - 1] - phase[n]) / (2.0 * np.pi) for n in (first, last - 2))
        if turned > 1.0 - 2.0 * step:  # a cycle need not be a whole number of samples
            found.append((int(there[first]), last - first))
    return found


def record_of(result: Resumed) -> RunData:
    return read_run(result.folder)


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*RIG, *arguments, "--headless", "--no-picture", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True,
    )  # fmt: skip


def folder_of(out: Path, process: subprocess.Popen[str]) -> Path:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        if out.is_dir() and (found := sorted(path for path in out.iterdir() if path.is_dir())):
            return found[0]
        time.sleep(0.02)
    raise AssertionError("no run folder")


def wait_for(folder: Path, process: subprocess.Popen[str], session: int) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if (state := state_of(folder)) and state["session"] >= session:
            return state
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    raise AssertionError("no state")


def reached(folder: Path, process: subprocess.Popen[str], cycle: int, dice: random.Random, look: Look = lambda _: None) -> bool:
    """Whether it came to that cycle before its end; a little later than that, by lot. The time is that of one cycle after the other."""
    before, deadline, seen = state_of(folder).get("sample"), time.monotonic() + PATIENCE, -1
    while time.monotonic() < deadline:
        look(folder)
        state = state_of(folder)
        at = state.get("cycle") or 0
        if at >= cycle and state.get("sample") != before:
            time.sleep(dice.uniform(0.0, 0.6))
            return process.poll() is None
        if process.poll() is not None:
            return False
        if at > seen:
            seen, deadline = at, time.monotonic() + PATIENCE
        time.sleep(0.02)
    raise AssertionError(f"cycle {cycle} was not reached: {state_of(folder)}")


def kill_all(process: subprocess.Popen[str]) -> None:
    """In any order, as a power cut takes them."""
    with contextlib.suppress(psutil.NoSuchProcess):
        family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        for one in random.sample(family, len(family)):
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()
    process.communicate()
