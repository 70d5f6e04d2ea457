"""How fast the simulated DAQmx server is through the stock client: `python tests/benchmarks/daqmx_speed.py [SECONDS]` (default 60).

Three parts. Streaming: 32 channels x 204.8 kS/s read in 100 ms blocks with 4 x 100 kS/s written beside; a counter on one channel shows a
lost sample. Small reads: 8 x 100 samples that are there already, beside a bare gRPC echo of as many bytes in the same run. Crowd: 16
client threads on 8 tasks with 3 event streams. The server runs in a process of its own, as a user's does.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import nidaqmx
import numpy as np
import psutil
from nidaqmx.constants import AcquisitionType, RegenerationMode
from nidaqmx.stream_readers import AnalogMultiChannelReader
from nidaqmx.stream_writers import AnalogMultiChannelWriter

UNLIMITED = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
MODULES, RATE, BLOCK = 8, 204.8e3, 20480
OUTPUT_RATE, OUTPUT_BLOCK, OUTPUT_AHEAD = 100e3, 10_000, 5
SMALL_READS, ROUNDS = 300, 6
CROWD_SECONDS = 10.0
DEVICES = (
    "".join(
        f'[[devices]]\nname = "{name}"\nproduct = "{product}"\n'
        for name, product in [("Dev1", "PCIe-6363"), *((f"Mod{n}", "PXIe-4466") for n in range(1, MODULES + 1))]
    )
    + '[[wiring]]\nterminal = "Mod1/ai0"\nsignal = "sample_code"\n'
)


class Server:
    """`rig virtual-bench` with these devices; its processor time can be asked for."""

    def __init__(self, folder: Path) -> None:
        file = folder / "devices.toml"
        file.write_text(DEVICES)
        command = [sys.executable, "-m", "rig", "virtual-bench", "--devices", str(file), "--log", str(folder / "log.jsonl")]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().split()[-1]
        self._watched = psutil.Process(self._process.pid)
        self._log = folder / "log.jsonl"

    def cpu(self) -> float:
        """Processor time used so far (s)."""
        used = self._watched.cpu_times()
        return float(used.user + used.system)

    def stalls(self) -> str:
        """What the log says last of stalls of this machine, by which device time slips."""
        said = [json.loads(line) for line in self._log.read_text().splitlines()]
        return next((line["text"] for line in reversed(said) if line["source"] == "clock"), "none")

    def options(self, channel: grpc.Channel) -> nidaqmx.GrpcSessionOptions:
        return nidaqmx.GrpcSessionOptions(channel, "")

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20.0)


def streaming(server: Server, seconds: float) -> dict[str, Any]:
    """Inputs and outputs together for some seconds."""
    channel = grpc.insecure_channel(server.address, options=UNLIMITED)
    options = server.options(channel)
    ended, written = threading.Event(), 0
    with nidaqmx.Task(grpc_options=options) as inputs, nidaqmx.Task(grpc_options=options) as outputs:
        inputs.ai_channels.add_ai_voltage_chan(", ".join(f"Mod{n}/ai0:3" for n in range(1, MODULES + 1)), min_val=-10.0, max_val=10.0)
        inputs.timing.cfg_samp_clk_timing(RATE, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=10 * BLOCK)
        outputs.ao_channels.add_ao_voltage_chan("Dev1/ao0:3")
        outputs.timing.cfg_samp_clk_timing(OUTPUT_RATE, sample_mode=AcquisitionType.CONTINUOUS)
        outputs.out_stream.regen_mode = RegenerationMode.DONT_ALLOW_REGENERATION
        outputs.out_stream.output_buf_size = OUTPUT_AHEAD * OUTPUT_BLOCK
        writer = AnalogMultiChannelWriter(outputs.out_stream, auto_start=False)
        reader = AnalogMultiChannelReader(inputs.in_stream)
        writer.verify_array_shape = reader.verify_array_shape = False
        block = np.zeros((4, OUTPUT_BLOCK))
        for _ in range(OUTPUT_AHEAD):
            writer.write_many_sample(block)

        def write() -> None:
            nonlocal written
            while not ended.is_set():
                writer.write_many_sample(block, timeout=10.0)
                written += OUTPUT_BLOCK

        data = np.empty((4 * MODULES, BLOCK))
        outputs.start()
        inputs.start()
        with ThreadPoolExecutor(1) as pool:
            writing = pool.submit(write)
            cpu, begun, lost, backlog, expected = server.cpu(), time.monotonic(), 0, [], None
            try:
                for _ in range(round(seconds * RATE / BLOCK)):
                    reader.read_many_sample(data, BLOCK, timeout=10.0)
                    codes = np.rint((data[0] + 10.0) * 65536 / 20.0).astype(int) % 65536
                    wanted = np.arange(codes[0] if expected is None else expected, (codes[0] if expected is None else expected) + BLOCK)
                    lost += int(np.count_nonzero(codes != wanted % 65536))
                    expected = int(wanted[-1] + 1)
                    backlog.append(inputs.in_stream.avail_samp_per_chan)
            finally:
                ended.set()
            took, used = time.monotonic() - begun, server.cpu() - cpu
            writing.result(20.0)
    channel.close()
    return {
        "seconds": round(took, 2), "blocks": len(backlog), "lost samples": lost,
        "device time, share of the wall's": round(len(backlog) * BLOCK / RATE / took, 4),
        "backlog, blocks (median, most)": [round(statistics.median(backlog) / BLOCK, 2), round(max(backlog) / BLOCK, 2)],
        "stalls": server.stalls(), "written per channel": written, "server CPU, share of a core": round(used / took, 3),
    }  # fmt: skip


ECHO = """
import sys, grpc
from concurrent.futures import ThreadPoolExecutor
handler = grpc.unary_unary_rpc_method_handler(lambda request, context: request)
server = grpc.server(ThreadPoolExecutor(16), handlers=[grpc.method_handlers_generic_handler("echo.Echo", {"Echo": handler})])
print(server.add_insecure_port("127.0.0.1:0"), flush=True)
server.start()
sys.stdin.read()
"""


def small_reads(server: Server) -> dict[str, Any]:
    """Median time (ms) of a read of 8 x 100 samples and of an echo of as many bytes, in turns."""
    channel = grpc.insecure_channel(server.address, options=UNLIMITED)
    data = np.empty((8, 100))
    command = [sys.executable, "-c", ECHO]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as echo:
        assert echo.stdout is not None and echo.stdin is not None
        other = grpc.insecure_channel(f"127.0.0.1:{echo.stdout.readline().strip()}")
        call = other.unary_unary("/echo.Echo/Echo")
        with nidaqmx.Task(grpc_options=server.options(channel)) as task:
            task.ai_channels.add_ai_voltage_chan("Dev1/ai0:7")
            task.timing.cfg_samp_clk_timing(100e3, samps_per_chan=SMALL_READS * ROUNDS * 100)
            reader = AnalogMultiChannelReader(task.in_stream)
            reader.verify_array_shape = False
            task.start()
            task.wait_until_done(60.0)
            request, times = bytes(data.nbytes), {"read": [], "echo": []}  # type: ignore[var-annotated]
            for _ in range(ROUNDS):
                times["echo"] += [_timed(lambda: call(request)) for _ in range(SMALL_READS)]
                times["read"] += [_timed(lambda: reader.read_many_sample(data, 100)) for _ in range(SMALL_READS)]
        other.close()
        echo.stdin.close()
    channel.close()
    medians = {name: statistics.median(found) * 1e3 for name, found in times.items()}
    return {
        "read, ms": round(medians["read"], 3),
        "echo, ms": round(medians["echo"], 3),
        "ratio": round(medians["read"] / medians["echo"], 3),
    }


def _timed(do: Any) -> float:
    begun = time.perf_counter()
    do()
    return time.perf_counter() - begun


def crowd(server: Server) -> dict[str, Any]:
    """16 threads, 8 tasks, 3 streams of events at once; every thread has to come back."""
    channels = [grpc.insecure_channel(server.address, options=UNLIMITED) for _ in range(4)]
    tasks = [nidaqmx.Task(grpc_options=server.options(channels[n % 4])) for n in range(8)]
    events = [0, 0, 0]
    for n, task in enumerate(tasks):
        task.ai_channels.add_ai_voltage_chan(f"Mod{n + 1}/ai0:3", min_val=-10.0, max_val=10.0)
        task.timing.cfg_samp_clk_timing(10e3, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=100_000)
        if n < len(events):

            def count(*event: Any, n: int = n) -> int:
                events[n] += 1
                return 0

            task.register_every_n_samples_acquired_into_buffer_event(1000, count)
        task.start()
    calls, until = [0] * 16, time.monotonic() + CROWD_SECONDS

    def client(n: int) -> None:
        task = tasks[n % 8]
        while time.monotonic() < until:
            _ = task.read(100, timeout=10.0) if n < 8 else (task.in_stream.avail_samp_per_chan, task.is_task_done())
            calls[n] += 1

    with ThreadPoolExecutor(16) as pool:
        for future in [pool.submit(client, n) for n in range(16)]:
            future.result(CROWD_SECONDS + 30.0)
    for task in tasks:
        task.close()
    for channel in channels:
        channel.close()
    return {"reads": sum(calls[:8]), "questions": sum(calls[8:]), "fewest of a thread": min(calls), "events": events}


def main() -> int:
    """Print the figures; exit code 1 where what the project promises is not reached."""
    seconds = float(sys.argv[1]) if sys.argv[1:] else 60.0
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            found = {"streaming": streaming(server, seconds), "small reads": small_reads(server), "crowd": crowd(server)}
        finally:
            server.stop()
    print(json.dumps(found, indent=2))
    kept = found["streaming"]["lost samples"] == 0 and found["small reads"]["ratio"] <= 1.5 and found["crowd"]["fewest of a thread"] > 0
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
