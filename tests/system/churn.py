"""Clients that come, run tasks and are killed, one after the other, several at a time."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from dataclasses import dataclass, field

import numpy as np
import psutil

from drivers.simulated.serving import SimulatedDevices

CLIENT = """
import sys, grpc, numpy, nidaqmx
from nidaqmx.constants import AcquisitionType
options = nidaqmx.GrpcSessionOptions(grpc.insecure_channel(sys.argv[1]), "")
number, device = int(sys.argv[2]), sys.argv[3]
tasks = [nidaqmx.Task(grpc_options=options) for _ in range(4)]  # the last one stays empty: nobody will ask for what it holds
ai, ao, do, _ = tasks
ai.ai_channels.add_ai_voltage_chan(f"{device}/ai0:3")
ai.timing.cfg_samp_clk_timing(10e3, sample_mode=AcquisitionType.CONTINUOUS)
ai.register_every_n_samples_acquired_into_buffer_event(1000, lambda *event: 0)
ao.ao_channels.add_ao_voltage_chan(f"{device}/ao0")
ao.timing.cfg_samp_clk_timing(1e3, sample_mode=AcquisitionType.CONTINUOUS)
ao.write(numpy.zeros(1000))
do.do_channels.add_do_chan(f"{device}/port0/line{number % 32}")
for task in (ai, ao, do):
    task.start()
print("running", flush=True)
ai.read(100_000_000, timeout=-1)
"""
AT_ONCE = 3
PATIENCE = 60.0


@dataclass
class Churn:
    """What came of it: clients killed, and the memory (bytes) and threads of this process, each second."""

    killed: int = 0
    failed: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)


def churn(bench: SimulatedDevices, seconds: float, sample_every: float = 1.0) -> Churn:
    """Kill clients of a bench that has Dev0, Dev1, ... for each of `AT_ONCE` for some seconds."""
    found, ended = Churn(), threading.Event()
    lock = threading.Lock()

    def one_after_the_other(lane: int) -> None:
        number = lane
        while not ended.is_set():
            said = _live_and_die(bench.address, number, f"Dev{lane}")
            with lock:
                found.killed += said == "running"
                found.failed += [said] if said != "running" else []
            number += AT_ONCE

    lanes = [threading.Thread(target=one_after_the_other, args=(lane,)) for lane in range(AT_ONCE)]
    for lane in lanes:
        lane.start()
    process, begun = psutil.Process(), time.monotonic()
    while time.monotonic() - begun < seconds:
        time.sleep(sample_every)
        found.seconds.append(time.monotonic() - begun)
        found.memory.append(process.memory_info().rss)
        found.threads.append(process.num_threads())
    ended.set()
    for lane in lanes:
        lane.join()
    return found


def _live_and_die(address: str, number: int, device: str) -> str:
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, address, str(number), device], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert client.stdout is not None
    stuck: list[str] = []

    def give_up() -> None:
        stuck.append(_stacks())
        client.kill()

    patience = threading.Timer(PATIENCE, give_up)
    patience.start()
    said = client.stdout.readline().strip()
    patience.cancel()
    if said == "running":
        time.sleep(0.05 * (number % 5))
    client.kill()
    _, errors = client.communicate(timeout=PATIENCE)
    if stuck:
        return f"client {number} did not get to run within {PATIENCE:g} s; the server's threads:\n{stuck[0]}"
    return said or errors[-400:]


def _stacks() -> str:
    """Where every thread of this process is, the server's too."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    stacks = sys._current_frames().items()
    return "\n".join(f"{names.get(ident)}:\n{''.join(traceback.format_stack(frame)[-6:])}" for ident, frame in stacks)


def working() -> list[str]:
    """Workers of the server that are in the middle of a call, by the function at the bottom of it."""
    busy: deque[str] = deque()
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    for ident, frame in sys._current_frames().items():
        if not names.get(ident, "").startswith("daqmx_"):
            continue
        at, inside = frame, ""
        while at is not None:
            inside = at.f_code.co_qualname if "drivers/simulated" in at.f_code.co_filename else inside
            at = at.f_back  # type: ignore[assignment]
        if inside:
            busy.append(inside)
    return list(busy)


def gained(churned: Churn, settled: float = 0.3) -> float:
    """What a straight line through the memory gains (bytes) over the churn, its first part left out."""
    times, sizes = np.array(churned.seconds), np.array(churned.memory, dtype=float)
    later = times > settled * times[-1]
    slope = np.polyfit(times[later], sizes[later], 1)[0]
    return float(slope * (times[-1] - times[later][0]))
