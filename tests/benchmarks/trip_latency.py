"""What happens in which millisecond: trips and stops on the virtual bench at the wall's pace, told in the bench's own clock.

`python tests/benchmarks/trip_latency.py [RUNS] [PICTURE.png]` prints the tables of docs/latency.md and draws its picture. The simulated
hardware is served by this very process, so that the instant at which the sample clock started is known; the rig runs as its user runs it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import h5py
import numpy as np
import psutil
from scipy.signal import lti, step

from rig import config
from rig.streaming.processes import PROCESSES, VIRTUAL_BENCH
from rig.streaming.ring import RingReader
from rig.supervision.worker_process import hurry, prefer
from rig.virtual.virtual_bench import SWITCH_INTERVAL, Hardware, VirtualBench

ROOT = Path(__file__).resolve().parents[2]
EXPERIMENT = ROOT / "configs" / "experiments" / "linkage.toml"
CLOCK = "dev1/ai/sampleclock"
Spread = tuple[float, ...]  # least, median, most


@dataclass
class Laboratory:
    """The simulated hardware of one run, watched."""

    log: list[dict[str, Any]] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    """Bench time (s) of sample 0 of each acquisition."""

    def write(self, line: str) -> int:
        if line.strip():
            self.log.append(json.loads(line))
        return len(line)

    def flush(self) -> None:
        """A stream's duty."""

    def watch(self, bench: VirtualBench, ended: threading.Event) -> None:
        while not ended.wait(0.005):
            line = bench.engine.timelines.get(CLOCK)
            if line is not None and (not self.starts or self.starts[-1] != line.start):
                self.starts.append(line.start)


def run(folder: Path, *overrides: str, stop_after: int | None = None) -> tuple[Laboratory, dict[str, Any]]:
    """One test at the wall's pace; with `stop_after` a Ctrl-C once that many samples are there."""
    # Threads and children inherit it, so first, and back again for the rig.
    row = next(process for process in PROCESSES if process.name == VIRTUAL_BENCH)
    prefer(os.getpid(), row.nice)
    hurry(os.getpid(), row.real_time)
    laboratory, ended = Laboratory(), threading.Event()
    out: TextIO = laboratory  # type: ignore[assignment]
    bench = VirtualBench(Hardware.from_bench(config.load(EXPERIMENT).bench), 0, out)
    threads = [
        threading.Thread(target=bench.run, args=(ended, threading.Event())),
        threading.Thread(target=laboratory.watch, args=(bench, ended)),
    ]
    for thread in threads:
        thread.start()
    sets = [word for one in (f"bench.address={bench.address}", *overrides) for word in ("--set", one)]
    command = [sys.executable, "-m", "rig", "run", str(EXPERIMENT), "--headless", "--json", "--out", str(folder), *sets]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT)
    psutil.Process(process.pid).nice(0)
    os.sched_setscheduler(process.pid, os.SCHED_OTHER, os.sched_param(0))
    if stop_after is not None:
        _wait_for(process, folder, stop_after)
        process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=120.0)
    ended.set()
    for thread in threads:
        thread.join()
    return laboratory, json.loads(told)


def _wait_for(process: subprocess.Popen[str], folder: Path, samples: int) -> None:
    while process.poll() is None:
        time.sleep(0.05)
        plans = list(folder.glob("*/plan.json"))
        ring = Path(json.loads(plans[0].read_text())["rings"]) / "measured.ring" if plans else Path("none")
        if ring.exists():
            reader = RingReader.open(ring, 1.0)
            head = reader.head
            reader.close()
            if head >= samples:
                return


def trip(folder: Path, limit: str) -> dict[str, float] | None:
    """Milliseconds from the sample that passed a limit; None for a run that ended in another way."""
    # A limit within what the preparation does would trip in it.
    sets = (
        "limits.actuator_force.action=interlock",
        f"limits.actuator_force.maximum={limit}",
        "trajectory.cycles=3",
        "trajectory.amplitude=20 kN",
    )
    laboratory, told = run(folder, *sets)
    events = [event for event in told["events"] if event["kind"] == "limit" and event["sample"] is not None]
    if told["outcome"] != "tripped" or not events:
        print(f"left out: {told['outcome']}: {told.get('reason')}")
        return None
    sample, rate, block = events[0]["sample"], told["rate_hz"], told["block_samples"]
    passed = laboratory.starts[-1] + sample / rate
    ended = passed + (block - sample % block) / rate
    opened = min(line["bench"] for line in laboratory.log if line["bench"] > passed and line["source"] == "controller")
    return {
        "block end": 1e3 * (ended - passed), "interlock": 1e3 * (opened - passed), "after block end": 1e3 * (opened - ended),
        **{name: 1e3 * told["turns"][name][which] for name in ("read_s", "work_s") for which in ("median",)},
        **_after(Path(told["files"]["record"]), sample, rate, limit),
    }  # fmt: skip


def _after(record: Path, sample: int, rate: float, limit: str) -> dict[str, float]:
    """How far the force went on beyond its limit, kN, and when it was largest, ms after the sample."""
    with h5py.File(record) as file:
        force = file["entry/measured/actuator_force"][sample : sample + round(0.2 * rate)]
    worst = int(np.nanargmax(force))
    return {"force over": float(force[worst]) / 1e3 - float(limit.split()[0]), "largest at": 1e3 * worst / rate}


def stop(folder: Path, samples: int) -> dict[str, float] | None:
    """Milliseconds of a ramped stop; None for a run that ended in another way."""
    _, told = run(folder, stop_after=samples)
    if told["outcome"] != "stopped":
        print(f"left out: {told['outcome']}: {told.get('reason')}")
        return None
    rate = told["rate_hz"]
    (asked,) = [event["sample"] for event in told["events"] if event["kind"] == "state" and event["text"].startswith("stopping")]
    with h5py.File(told["files"]["record"]) as file:
        cycle = file["entry/command/cycle"][()]
        command = file["entry/command/value"][()]
    begins = asked + int(np.argmax(cycle[asked:] < 0))
    ends = begins + int(np.argmax(np.abs(command[begins:]) < 1.0))
    return {
        "ramp begins": 1e3 * (begins - asked) / rate, "ramp ends": 1e3 * (ends - asked) / rate,
        "lag p50": 1e3 * told["predictor"]["lag_s"]["median"], "lag p99": 1e3 * told["predictor"]["lag_s"]["p99"],
        "ahead p50": 1e3 * told["ao"]["delay_s"]["median"], "ahead least": 1e3 * told["ao"]["min_ahead_s"],
        "read p50": 1e3 * told["turns"]["read_s"]["median"], "work p50": 1e3 * told["turns"]["work_s"]["median"],
        "work p99": 1e3 * told["turns"]["work_s"]["p99"],
    }  # fmt: skip


def table(rows: list[dict[str, float]]) -> dict[str, Spread]:
    """Name -> (smallest, median, largest); printed as well."""
    found = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        found[name] = (min(values), float(np.median(values)), max(values))
        print(f"{name:16} {found[name][0]:8.2f} {found[name][1]:8.2f} {found[name][2]:8.2f}")
    return found


def main() -> None:
    """Measure, print, draw."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    sys.setswitchinterval(SWITCH_INTERVAL)
    print(f"load before: {os.getloadavg()}")
    trips, stops = [], []
    for limit in np.linspace(14.0, 19.6, runs):
        with tempfile.TemporaryDirectory(prefix="latency-") as name:
            found = trip(Path(name), f"{limit:.2f} kN")
            trips += [found] if found else []
    for samples in np.linspace(80e3, 130e3, max(2, runs // 3)).astype(int):
        with tempfile.TemporaryDirectory(prefix="latency-") as name:
            halted = stop(Path(name), int(samples))
            stops += [halted] if halted else []
    print(f"\n{len(trips)} trips: least, median, most (ms; force in kN)")
    of_trips = table(trips)
    print(f"\n{len(stops)} stops")
    of_stops = table(stops)
    print(f"load after: {os.getloadavg()}")
    if len(sys.argv) > 2:
        draw(Path(sys.argv[2]), of_trips, of_stops)


def valve_time(frequency: float, damping: float, left: float = 0.05) -> float:
    """Seconds in which a second-order spool has lost all but `left` of its opening."""
    omega = 2.0 * np.pi * frequency
    times = np.linspace(0.0, 10.0 / omega, 10_001)
    _, opening = step(lti([omega**2], [1.0, 2.0 * damping * omega, omega**2]), T=times)
    return float(times[np.flatnonzero(np.abs(1.0 - opening) > left)[-1]])


def draw(path: Path, trips: dict[str, Spread], stops: dict[str, Spread]) -> None:
    """A trip above, a stop below: medians as bars, from the least to the most as lines."""
    import matplotlib.pyplot as plt

    frame = config.load(EXPERIMENT).bench.plant
    shut = 1e3 * valve_time(frame.hydraulics.valve_frequency, frame.hydraulics.valve_damping_ratio)
    filled, opened = trips["block end"][1], trips["interlock"][1]
    figure, (above, below) = plt.subplots(2, 1, figsize=(9.0, 4.6), layout="constrained", height_ratios=(4, 2))
    _bars(above, "ms after the sample that passes the limit", [
        ("its block fills", 0.0, trips["block end"], "#56b4e9"),
        ("read, check, interlock line", filled, trips["after block end"], "#0072b2"),
        ("valve shuts (computed)", opened, (shut, shut, shut), "#d55e00"),
        ("block's prediction is out", filled, (0.0, stops["lag p50"][1], stops["lag p99"][1]), "#999999"),
    ])  # fmt: skip
    _bars(below, "ms after a stop was asked for", [
        ("behind what is filled ahead", 0.0, stops["ramp begins"], "#e69f00"),
        ("ramp (command.stop_ramp)", stops["ramp begins"][1], tuple(t - stops["ramp begins"][1] for t in stops["ramp ends"]), "#f0e442"),
    ])  # fmt: skip
    figure.savefig(path, dpi=120)


def _bars(axes: Any, label: str, bars: list[tuple[str, float, Spread, str]]) -> None:
    for row, (_, begin, (least, median, most), colour) in enumerate(bars):
        axes.barh(row, median, left=begin, height=0.55, color=colour)
        axes.plot([begin + least, begin + most], [row, row], color="black", linewidth=1.2)
        axes.annotate(f"{median:.1f} ms", (begin + max(median, most), row), xytext=(6, 0), textcoords="offset points", va="center")
    axes.set_yticks(range(len(bars)), [text for text, *_ in bars])
    axes.invert_yaxis()
    axes.set_xlabel(label)
    axes.set_xlim(0.0, 1.12 * max(begin + most for _, begin, (_, _, most), _ in bars))
    axes.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    main()
