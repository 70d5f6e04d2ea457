"""What happens when a process is stopped for ever (SIGSTOP) in one phase of a run: rows of the table in docs/hangs.md, each as a check.

Outputs come to their safe state, every other process ends, and the one that was stopped has been ended or ends by itself when it is
continued. A check gets a folder for the run, the pace, and the dice that choose the moment; it returns the times that it took.
"""

from __future__ import annotations

import contextlib
import json
import random
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil
from bench_run import Running
from deaths import Check, Figures, assert_nothing_behind, ended, living, started
from waiting import until

from rig.errors import StaleStream
from rig.streaming.processes import SETUP_SILENT, SUPERVISOR_SILENT
from rig.streaming.ring import RingReader

VICTIMS = ("supervisor", "bench", "recorder", "predictor", "display", "virtual_bench")
MOMENTS = 1.5  # s after a process was started, or the first sample came, within which it is stopped
STOPPING = 0.3  # s after Ctrl-C within which it is
PREPARED = (4_000, 60_000)  # samples of the preparation
SOFT_START = (1, 8_000)  # samples of the test
PATIENCE = 90.0  # s for a run to come to where it is to be stopped
WHOLE = "trajectory.cycles=400"
SHORT = "trajectory.cycles=2"

WORKER_SILENT, DISPLAY_SILENT, SETUP = 5.0, 20.0, 60.0  # s, as the table of processes has them
ENDS_WITHIN = 30.0  # s more for a ramped stop, unloading, draining, comparison and summary, on a machine that others use
SAFE_MARGIN = 3.0  # s more than stated for the outputs: the stop's ramp, what is filled ahead, and the machine


def hang(victim: str, phase: str, out: Path, pace: str, dice: random.Random) -> Figures:
    """One process is stopped in one phase, for ever; nothing moves afterwards, nobody else is left."""
    run = Running(out, *_length(phase), f"bench.pace={pace}", *_preparation(phase), window=victim == "display")
    with ended(run):
        PHASES[phase](run, victim, dice)
        run.pids = started(run)
        rings = Path(json.loads((run.folder / "plan.json").read_text())["rings"])
        stopped = time.time()
        try:
            process = psutil.Process(run.pids[victim])
            process.send_signal(signal.SIGSTOP)
        except psutil.NoSuchProcess:  # a moment too late, which counts as none of those that were stopped
            assert phase == "end", f"{victim} has ended: {run.process.communicate()}"
            assert run.end(ENDS_WITHIN)[0] == 0
            return {"had_ended": 1.0}
        figures = _supervisor_hung(run, phase, process, stopped) if victim == "supervisor" else _other_hung(run, victim, phase, stopped)
        assert_nothing_behind(run, rings)
        _assert_safe(run, victim)
        if pace == "real" and victim != "virtual_bench" and phase == "running":
            figures["safe_s"] = _program_off(run) - stopped
            assert figures["safe_s"] < _stated(victim) + SAFE_MARGIN, figures
        return figures


def _supervisor_hung(run: Running, phase: str, process: psutil.Process, stopped: float) -> Figures:
    """Everything else ends by itself; continued, it ends, and says why."""
    while left := living(run, without=("supervisor",)):
        assert time.time() - stopped < SUPERVISOR_SILENT + SETUP_SILENT + ENDS_WITHIN, f"still there: {left}"
        run.pids |= started(run)
        time.sleep(0.02)
    others = time.time() - stopped
    time.sleep(max(0.0, SUPERVISOR_SILENT + 1.0 - others))  # in its last moments it may have stood for less than the others bear
    assert process.status() == psutil.STATUS_STOPPED
    process.send_signal(signal.SIGCONT)
    code, data, _ = run.end(60.0)
    if phase in ("stopping", "end") and code == 0:  # it was at its end before (in lockstep a ramp takes a moment), and stays what it was
        assert data["outcome"] == ("stopped" if phase == "stopping" else "done"), data
        assert any("when the test had come to its end" in warning for warning in data["warnings"]), data
    else:
        assert (code, data["outcome"]) == (3, "failed"), data
        assert "the supervisor gave no sign of life for" in data["error"], data
    return {"others_gone_s": others, "all_gone_s": time.time() - stopped}


def _other_hung(run: Running, victim: str, phase: str, stopped: float) -> Figures:
    """The supervisor ends it, which needs no continuing, and says so; where the test goes on without it, it is stopped then."""
    starts = phase == "starting"
    goes_on = phase not in ("stopping", "end") and (victim == "display" or (victim == "predictor" and not starts))
    if goes_on:
        time.sleep((SETUP_SILENT if starts else _silent(victim)) + 2.0)
        run.interrupt()
    code, data, _ = run.end((SETUP if starts else _silent(victim)) + 2.0 * ENDS_WITHIN)
    figures = {"all_gone_s": time.time() - stopped}
    said = [*data["warnings"], data.get("error", ""), *(event["text"] for event in data["events"])]
    if goes_on:
        assert (code, data["outcome"]) == (0, "stopped"), data
    elif phase != "end" or code != 0:  # it may have done its part already
        assert code == 3 or victim in ("display", "predictor"), data
    if goes_on or code != 0:
        assert any(victim in text for text in said), f"{victim} is not named: {data}"
    return figures


def _silent(victim: str) -> float:
    return DISPLAY_SILENT if victim == "display" else WORKER_SILENT


def _stated(victim: str) -> float:
    """s within which outputs are safe (docs/hangs.md); of those that a test goes on without, until it is stopped here."""
    return {"supervisor": SUPERVISOR_SILENT, "bench": 0.0, "recorder": WORKER_SILENT}.get(victim, _silent(victim) + 2.0)


def _assert_safe(run: Running, victim: str) -> None:
    """By the simulated controller's log its program does not run any more, if it ever did."""
    if victim == "virtual_bench":
        return
    said = [entry["text"] for entry in run.controller_log() if entry["source"] == "controller"]
    told = [text for text in said if text.startswith(("program ", "interlock: "))]
    assert not told or not told[-1].startswith("program runs"), said


def _program_off(run: Running) -> float:
    """time.time() at which the controller's program ended for the last time, by whatever."""
    log = [entry for entry in run.controller_log() if entry["source"] == "controller"]
    on = max(n for n, entry in enumerate(log) if entry["text"].startswith("program runs"))
    return next(float(entry["wall"]) for entry in log[on + 1 :] if entry["text"].startswith(("program off", "interlock: ")))


# -- phases ------------------------------------------------------------------------------------------------------------------------


def _starting(run: Running, victim: str, dice: random.Random) -> None:
    if victim == "supervisor":
        run.wait_for_process(dice.choice(("virtual_bench", "recorder", "bench")))
    else:
        run.wait_for_process(victim)
    time.sleep(dice.uniform(0.0, MOMENTS))


def _preparing(run: Running, victim: str, dice: random.Random) -> None:
    run.wait_for_preparation(dice.randint(*PREPARED))


def _soft_start(run: Running, victim: str, dice: random.Random) -> None:
    run.wait_for_samples(dice.randint(*SOFT_START))


def _running(run: Running, victim: str, dice: random.Random) -> None:
    run.wait_for_samples(20_000)
    time.sleep(dice.uniform(0.0, MOMENTS))


def _stopping(run: Running, victim: str, dice: random.Random) -> None:
    _running(run, victim, dice)
    run.interrupt()
    time.sleep(dice.uniform(0.0, STOPPING))


def _ending(run: Running, victim: str, dice: random.Random) -> None:
    """The bench worker takes the pressure away, or (for the others) has closed its streams."""
    run.wait_for_samples(1)
    if victim == "bench":
        until(lambda: '"hydraulics off"' in (run.folder / "virtual_bench.log").read_text(), "hydraulics off", PATIENCE)
        return
    deadline = time.monotonic() + PATIENCE
    with contextlib.suppress(FileNotFoundError, StaleStream):  # all is over already
        reader = RingReader.open(run.rings / "measured.ring", 0.0)
        while not reader.ended:
            assert time.monotonic() < deadline and run.process.poll() is None
            time.sleep(0.002)
        reader.close()


PHASES: dict[str, Callable[[Running, str, random.Random], None]] = {
    "starting": _starting,
    "preparing": _preparing,
    "soft start": _soft_start,
    "running": _running,
    "stopping": _stopping,
    "end": _ending,
}


def _length(phase: str) -> tuple[str, ...]:
    return (SHORT,) if phase == "end" else (WHOLE,)


def _preparation(phase: str) -> tuple[str, ...]:
    return () if phase == "preparing" else ("bench.loader.preparation.enabled=false",)


HANGS: dict[str, Check] = {f"{victim}, {phase}": partial(hang, victim, phase) for victim in VICTIMS for phase in PHASES}
