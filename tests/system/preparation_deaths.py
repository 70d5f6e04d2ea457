"""What happens when a process dies while a preparation moves the loader: rows as in `deaths`, each kills once, at a random moment of it.

The answers are those of a test. The specimen is brought back to where it was, or the controller interlocks; no test begins, except where
the test goes on without the one that died.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import psutil
from bench_run import Running, first_words, rig
from deaths import ENDED_WITHIN, Check, Figures, assert_nothing_behind, ended, heads, interlock, living, without_supervisor

FIRST, LAST = 8_000, 90_000  # samples of the preparation: the program runs, the specimen is nearly unloaded again
FULL = 250e3  # N
MOST, UNLOADED = 0.05 * FULL, 0.004 * FULL


def recorder(out: Path, pace: str, dice: random.Random) -> Figures:
    """Unloaded, exit 3; the journal has what went before."""
    with _preparing(out, pace, dice) as run:
        _kill(run, pace, "recorder")
        data = run.ended_as(3, "failed", "recorder died")
        _assert_unloaded(run, data)
        assert data["preparation"]["samples"] is None, "nobody is left to tell"
        assert_nothing_behind(run)
        code, recovered = rig("recover", str(run.folder))
        assert code == 0 and recovered["recovered"], recovered
        assert len(_force(run)) >= FIRST
        return {}


def predictor_stops(out: Path, pace: str, dice: random.Random) -> Figures:
    """Unloaded, tripped; the record is complete."""
    with _preparing(out, pace, dice, "predictor.on_death=stop") as run:
        _kill(run, pace, "predictor")
        data = run.ended_as(1, "tripped", "predictor died")
        _assert_unloaded(run, data)
        force = _force(run)
        assert len(force) == data["preparation"]["samples"]
        assert np.max(np.abs(force)) < MOST
        assert abs(np.mean(force[-500:])) < UNLOADED
        assert_nothing_behind(run)
        return {}


def goes_on(out: Path, pace: str, dice: random.Random) -> Figures:
    """Window and predictor are missed by nobody: the test is made."""
    with _preparing(out, pace, dice, window=True) as run:
        _kill(run, pace, "display", "predictor")
        data = run.ended_as(0, "done")
        for name in ("display", "predictor"):
            assert any(f"{name} died" in warning for warning in data["warnings"]), data["warnings"]
        assert first_words(data)[:3] == ["starting", "starting", "running"]
        assert data["streams"]["measured"]["samples"] > 0
        assert data["preparation"]["lost_samples"] == 0
        assert_nothing_behind(run)
        return {}


def virtual_bench(out: Path, pace: str, dice: random.Random) -> Figures:
    """Said as such, exit 3; every process is gone within two seconds."""
    with _preparing(out, pace, dice) as run:
        killed = _kill(run, pace, "virtual_bench")
        while left := living(run, without=("supervisor",)):
            assert time.time() - killed < ENDED_WITHIN, f"still there after {ENDED_WITHIN:g} s: {left}"
            time.sleep(0.01)
        gone = time.time() - killed
        data = run.ended_as(3, "failed")
        assert "virtual_bench" in data["error"] or "server" in data["error"].lower(), data["error"]
        assert data["duration_s"] == 0.0
        assert data["preparation"]["duration_s"] > 0.0, "the bench tells how far it came"
        assert data["preparation"]["samples"] >= FIRST
        assert_nothing_behind(run)
        return {"workers_gone_s": gone}


def bench(out: Path, pace: str, dice: random.Random) -> Figures:
    """The heartbeat stops, the controller interlocks."""
    with _preparing(out, pace, dice) as run:
        killed = _kill(run, pace, "bench")
        data = run.ended_as(3, "failed", "bench died")
        assert data["preparation"]["samples"] >= FIRST
        assert_nothing_behind(run)
        return {} if _between_programs(run) else interlock(run, pace, killed)


def supervisor(out: Path, pace: str, dice: random.Random) -> Figures:
    """The bench interlocks, nothing is left running, the record is there."""
    with _preparing(out, pace, dice) as run:
        figures = without_supervisor(run, pace, _kill(run, pace, "supervisor"))
        assert len(_force(run)) >= FIRST
        return figures


PREPARATION_DEATHS: Mapping[str, Check] = {
    f"{name}, preparing": check
    for name, check in {
        "recorder": recorder,
        "predictor, stop": predictor_stops,
        "display and predictor": goes_on,
        "virtual bench": virtual_bench,
        "bench": bench,
        "supervisor": supervisor,
    }.items()
}


@contextlib.contextmanager
def _preparing(out: Path, pace: str, dice: random.Random, *overrides: str, window: bool = False) -> Iterator[Running]:
    """A run that is at a random moment of its preparation; whatever is found, nothing is left running."""
    run = Running(out, "trajectory.cycles=3", f"bench.pace={pace}", *overrides, window=window)
    with ended(run):
        run.wait_for_preparation(dice.randint(FIRST, LAST))
        yield run


def _kill(run: Running, pace: str, *names: str) -> float:
    """While nothing goes on in lockstep, where the rest of the preparation takes a moment; returns the time at which it was done."""
    if pace == "real":
        return [run.kill(name) for name in names][-1]
    bench = psutil.Process(run.pids["bench"])
    bench.suspend()
    assert heads(run)["measured"] == 0, "this computer was kept from looking until the test had begun"
    killed = [run.kill(name) for name in names][-1]
    with contextlib.suppress(psutil.NoSuchProcess):
        bench.resume()
    return killed


def _between_programs(run: Running) -> bool:
    """Nothing moved at that moment: one program had ended, the next had not begun; there is nothing that a heartbeat keeps alive."""
    said = [entry["text"] for entry in run.controller_log() if entry["source"] == "controller"]
    return [text for text in said if text.startswith(("program", "interlock:"))][-1] == "program off"


def _assert_unloaded(run: Running, data: dict[str, Any]) -> None:
    """The specimen was brought back, the program ended, then the pressure, and the test did not begin."""
    assert first_words(data) == ["starting", "stopping", "stopped"], data["events"]
    assert data["duration_s"] == 0.0
    assert {event["sample"] for event in data["events"]} == {None}, "no sample of a test that did not begin"
    said = [entry["text"] for entry in run.controller_log() if entry["source"] == "controller"]
    assert said[-2:] == ["program off", "hydraulics off"], said


def _force(run: Running) -> np.ndarray:
    with h5py.File(run.folder / "run.h5") as file:
        return np.asarray(file["entry/preparation/force"][...])
