"""What happens when a process dies while drives on a line move something: they come to rest by themselves, as the device side's log tells.

The rigs are the motor rigs, and the load frame whose controller runs the waveform.

The bench worker's death: nobody resets the DAQ's watchdog, so the enable lines fall, and a drive with a time-out of its own notices as
well; whichever comes first. The supervisor's: the worker finds itself alone and trips.
"""

from __future__ import annotations

import json
import math
import random
import time
from functools import partial
from pathlib import Path

from bench_run import ROOT, Running
from deaths import Check, Figures, assert_nothing_behind, ended

from rig.streaming import streams

RIGS = {
    "four_bar_rig": ("crank", ("trajectory.cycles=400", "trajectory.soft_start=0.5 s")),
    "slider_crank_rig": ("drive", ("trajectory.cycles=400", "trajectory.soft_start=0.5 s")),
    "slider_bar_rig": ("bar", ("trajectory.cycles=50", "trajectory.soft_start=0.5 s")),
    "parallel_3rrpar_rig": ("board", ("trajectory.cycles=200",)),
    "linkage_instron": ("controller", ("trajectory.cycles=400",)),
}
"""The name that its drives' lines of the log begin with, and a long test."""
COASTS = {"slider_crank_rig": ("crank", 600.0 * 2.0 * math.pi / 60.0)}
"""Has a flywheel that nothing brakes: the axis, and the speed (rad/s) that its test runs at. Without power it slows, for longer than the
bench outlives the test."""
AT_SPEED = 1.5  # s of the test
MOMENTS = 1.0  # s after that in which the process is killed
POWERED = ("enable input high", "enable high")
NOTICED = ("enable input low", "enable low", "communication lost", "watchdog expired")
NOTICED_LATE = 0.3  # s more by the clock on the wall, in which the virtual bench may not have been given a core
ORPHANED_WITHIN = 0.5  # s for a worker to find itself alone, on a machine that others use
RESTS_WITHIN = 10.0  # s for which a bench outlives its parent while something turns


def rig_bench(name: str, out: Path, pace: str, dice: random.Random) -> Figures:
    """The worker that owns all drivers is killed; every motor loses its torque within the stated time."""
    return _killed("bench", name, out, pace, dice)


def rig_supervisor(name: str, out: Path, pace: str, dice: random.Random) -> Figures:
    """The supervisor is killed; the bench worker trips."""
    return _killed("supervisor", name, out, pace, dice)


RIG_DEATHS: dict[str, Check] = {f"bench, {name}": partial(rig_bench, name) for name in RIGS} | {
    f"supervisor, {name}": partial(rig_supervisor, name) for name in RIGS
}


def _killed(victim: str, name: str, out: Path, pace: str, dice: random.Random) -> Figures:
    _, long = RIGS[name]
    run = Running(out, *long, f"bench.pace={pace}", "predictor.on_lag=mark", experiment=ROOT / f"configs/experiments/{name}.toml")
    with ended(run):
        run.wait_for_samples()
        rate = json.loads((run.folder / "plan.json").read_text())["experiment"]["acquisition"]["rate"]
        run.wait_for_samples(round(AT_SPEED * rate))
        time.sleep(dice.uniform(0.0, MOMENTS) if pace == "real" else 0.0)
        killed = run.kill(victim)
        if victim == "supervisor":
            run.process.wait()
            run.assert_nothing_left(RESTS_WITHIN + 5.0)
            streams.sweep()
        else:
            run.ended_as(3, "failed", f"{victim} died")
        assert_nothing_behind(run)
        return _came_to_rest(run, name, killed, victim, pace)


def _came_to_rest(run: Running, name: str, killed: float, victim: str, pace: str) -> Figures:
    """By the log of the device side: every drive had power when it happened, lost it in time, and stands."""
    stated = json.loads((run.folder / "plan.json").read_text())["bench"]["daq"]["watchdog"]
    if victim == "supervisor":
        stated = ORPHANED_WITHIN
    log = [line for line in run.controller_log() if line["source"].startswith(RIGS[name][0])]
    figures = {"power_off_s": 0.0, "at_rest_s": 0.0}
    for source in {line["source"] for line in log}:
        told = [line for line in log if line["source"] == source]
        powered = [line["wall"] for line in told if line["text"] in POWERED]
        (lost, *_) = [line["wall"] for line in told if line["text"] in NOTICED and line["wall"] >= powered[-1]]
        assert lost >= killed, f"{source} had lost its power before the death: {told}"
        state = [line for line in told if line["text"] in ("moving", "at rest")]
        assert state[-1]["text"] == "at rest" or _slows(run, name), f"{source} still moves: {told}"
        if pace == "real":
            assert lost - killed < stated + NOTICED_LATE, f"{source}: power off {lost - killed:.3f} s after the death, {stated:g} s stated"
        figures["power_off_s"] = max(figures["power_off_s"], lost - killed)
        if state[-1]["text"] == "at rest":
            figures["at_rest_s"] = max(figures["at_rest_s"], state[-1]["wall"] - killed)
    assert figures["power_off_s"] > 0.0, f"no drive in the log: {run.controller_log()}"
    return figures if pace == "real" else {}


def _slows(run: Running, name: str) -> bool:
    """Whether it is an axis that coasts, and has lost a good part of its speed by the end."""
    axis, speed = COASTS.get(name, ("", 0.0))
    return any(0.0 < abs(line["speed"]) < 0.8 * speed for line in run.controller_log() if line["source"] == axis and "speed" in line)
