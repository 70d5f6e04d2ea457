"""What happens to a motor rig when a process of it dies at speed: its motors come to rest by themselves, as the device side's log tells.

The bench worker's death: nobody resets the DAQ's watchdog, so the enable lines fall, and a drive with a time-out of its own notices as
well; whichever comes first. The supervisor's: the worker finds itself alone and trips.
"""

from __future__ import annotations

import json
import random
import re
import time
from functools import partial
from pathlib import Path

from bench_run import ROOT, Running
from deaths import Check, Figures, assert_nothing_behind, ended

from rig import streams

RIGS = {
    "four_bar_rig": ("crank", ("trajectory.cycles=400", "trajectory.soft_start=0.5 s")),
    "slider_crank_rig": ("drive", ("trajectory.cycles=400", "trajectory.soft_start=0.5 s")),
    "slider_bar_rig": ("bar", ("trajectory.cycles=50", "trajectory.soft_start=0.5 s")),
    "parallel_3rrpar_rig": ("board", ("trajectory.cycles=200",)),
}
"""The name that its drives' lines of the log begin with, and a long test."""
AT_SPEED = 1.5  # s of the test
MOMENTS = 1.0  # s after that in which the process is killed
NOTICED = ("enable input low", "enable low", "communication lost", "watchdog expired")
NOTICED_LATE = 0.05  # s of bench time: the devices are looked at every few milliseconds, and a block may have been under way
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
            code, data, _ = run.end()
            assert (code, data["outcome"]) == (3, "failed"), data
            assert f"{victim} died" in data["error"]
        assert_nothing_behind(run)
        return _came_to_rest(run, name, killed, victim, pace)


def _came_to_rest(run: Running, name: str, killed: float, victim: str, pace: str) -> Figures:
    """By the log of the device side: each drive that moved has lost its power in time, and stands."""
    plan = json.loads((run.folder / "plan.json").read_text())
    log = [line for line in run.controller_log() if line["source"].startswith(RIGS[name][0])]
    log += [line for line in run.controller_log() if re.fullmatch(r"axis\d", line["source"])]
    sources = {line["source"] for line in log}
    assert sources, run.controller_log()
    figures: Figures = {}
    for source in sources:
        texts = [line for line in log if line["source"] == source]
        lost = next(line for line in reversed(texts) if line["text"] in NOTICED)
        assert lost["wall"] >= killed, f"{source}: lost its power before the death: {texts}"
        state = [line for line in texts if line["text"] in ("moving", "at rest")]
        assert state and state[-1]["text"] == "at rest", f"{source} still moves: {texts}"
        if pace == "real":
            stated = plan["bench"]["daq"]["watchdog"] + NOTICED_LATE + (ORPHANED_WITHIN if victim == "supervisor" else 0.0)
            assert lost["wall"] - killed < stated + ORPHANED_WITHIN, f"{source}: power off {lost['wall'] - killed:.3f} s after the death"
            figures["power_off_s"] = max(figures.get("power_off_s", 0.0), lost["wall"] - killed)
            figures["at_rest_s"] = max(figures.get("at_rest_s", 0.0), state[-1]["wall"] - killed)
    return figures


