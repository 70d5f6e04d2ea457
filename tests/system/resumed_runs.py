"""A test that is killed at random moments and resumed until it is done: how many cycles were run, and what the record holds of each."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from bench_run import LINKAGE, RIG, ROOT

from rig.recorder.reading import RunData, read_run

PATIENCE = 240.0  # s for one session to come to a cycle


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


def killed_and_resumed(out: Path, kills: int, *overrides: str, seed: int = 0, experiment: Path = LINKAGE) -> Resumed:
    """kill -9 of everything after some cycles by lot, `kills` times, each followed by `rig resume`."""
    dice, sets = random.Random(seed), [word for one in overrides for word in ("--set", one)]
    process = started("run", str(experiment), "--out", str(out), *sets)
    result = Resumed(folder_of(out, process))
    total = wait_for(result.folder, process, 1)["cycles_total"]
    while True:
        at = state_of(result.folder).get("cycle") or 0
        left = kills - result.kills
        wanted = min(at + dice.randrange(1, max(2, 2 * (total - at) // (left + 1))), total - 2 * left) if left else total
        if wanted >= total or not reached(result.folder, process, wanted, dice):
            out_text, err = process.communicate(timeout=PATIENCE)
            assert out_text.strip(), err
            result.data = json.loads(out_text)
            if "resumed" in result.data:
                result.resumed.append(result.data["resumed"])
            return result
        kill_all(process)
        result.kills += 1
        process = started("resume", str(result.folder))


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


def reached(folder: Path, process: subprocess.Popen[str], cycle: int, dice: random.Random) -> bool:
    """Whether it came to that cycle before its end; a little later than that, by lot."""
    deadline, before = time.monotonic() + PATIENCE, state_of(folder).get("sample")
    while time.monotonic() < deadline:
        state = state_of(folder)
        if (state.get("cycle") or 0) >= cycle and state.get("sample") != before:
            time.sleep(dice.uniform(0.0, 0.6))
            return process.poll() is None
        if process.poll() is not None:
            return False
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
