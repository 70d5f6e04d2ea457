"""Many clients, clients that vanish, and random call sequences: the server never dies and keeps no task."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
import weakref

import grpc
import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, Level, LineGrouping, RegenerationMode, TaskMode
from nidaqmx.errors import DaqError
from nidaqmx.system import System
from nidaqmx.system.watchdog import WatchdogTask
from nidaqmx.types import DOExpirationState

from tests.thorough import times
from tests.tiers import quick
from tests.unit.drivers.simulated.daqmx.client_calls import at_once, code_of
from tests.unit.drivers.simulated.daqmx.random_tasks import RandomTasks

VICTIM = """
import grpc, nidaqmx, sys
from nidaqmx.constants import AcquisitionType
options = nidaqmx.GrpcSessionOptions(grpc.insecure_channel("127.0.0.1:" + sys.argv[1]), "")
task = nidaqmx.Task("victim", grpc_options=options)
task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
task.start()
print("running", flush=True)
task.read(10_000_000, timeout=-1)
"""


def test_killed_client_gives_its_device_back(make_bench):
    bench = make_bench("real")
    victim = subprocess.Popen([sys.executable, "-c", VICTIM, str(bench.server.port)], stdout=subprocess.PIPE, text=True)
    assert victim.stdout is not None
    assert victim.stdout.readline().strip() == "running"
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai1")
        assert code_of(task.read) == -50103
        os.kill(victim.pid, signal.SIGKILL)
        victim.wait()
        victim.stdout.close()
        deadline = time.monotonic() + 5.0
        while True:
            try:
                task.read()
                break
            except DaqError:
                assert time.monotonic() < deadline
                time.sleep(0.02)
    assert list(bench.engine.tasks) == []
    assert any(text == "cleared: its client is gone" for _, _, text in bench.engine.take_events())


def test_cleared_tasks_leave_nothing_behind(bench):
    gone = []
    for _ in range(3):
        with bench.task() as task:
            task.ai_channels.add_ai_voltage_chan("Dev1/ai0:7")
            task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
            task.read(10)
            gone.append(weakref.ref(bench.engine.tasks[task.name]))
    gc.collect()
    assert [ref() for ref in gone] == [None, None, None]


def test_many_clients_at_once(make_bench):
    # Every client has its own channel, a stream of events and a blocking read: more of them than a small pool would hold.
    count = times(16, thorough=24)
    bench = make_bench("real", devices=[(f"Dev{n}", "PCIe-6363") for n in range(count)])

    def client(n):
        channel = grpc.insecure_channel(f"127.0.0.1:{bench.server.port}")
        task = nidaqmx.Task(grpc_options=nidaqmx.GrpcSessionOptions(channel, ""))
        task.ai_channels.add_ai_voltage_chan(f"Dev{n}/ai0:1")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
        task.register_every_n_samples_acquired_into_buffer_event(100, lambda *event: 0)
        task.start()
        for _ in range(5):
            assert np.shape(task.read(50, timeout=10.0)) == (2, 50)
        task.stop()
        task.register_every_n_samples_acquired_into_buffer_event(100, None)
        task.close()
        channel.close()

    assert at_once(client, count) == []
    assert list(bench.engine.tasks) == []


def test_cancelled_read_frees_its_worker(make_bench):
    bench = make_bench("real")
    with bench.task("waits") as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/PFI1", sample_mode=AcquisitionType.CONTINUOUS)
        task.start()
        from nidaqmx._stubs import nidaqmx_pb2 as pb
        from nidaqmx._stubs import nidaqmx_pb2_grpc as stubs

        request = pb.ReadAnalogF64Request(num_samps_per_chan=10, timeout=-1, array_size_in_samps=10)
        request.task.name = "waits"
        stub = stubs.NiDAQmxStub(bench.channel)
        # More cancelled calls than there are workers: a worker that stayed would block the last one.
        for _ in range(200):
            call = stub.ReadAnalogF64.future(request)
            call.cancel()
        assert task.is_task_done() is False
        assert stub.GetErrorString(pb.GetErrorStringRequest(error_code=-200284), timeout=10.0).error_string.startswith("Some or all")


class Fuzzer(RandomTasks):
    """Channels, clocks, reads and writes, watchdogs, and resets of the device."""

    def call(self):
        chosen = self.pick(
            self.create, self.create, self.add_input, self.add_output, self.add_lines, self.clock, self.clock, self.start, self.start,
            self.stop,
            self.read, self.read, self.write, self.write, self.control, self.property, self.wait, self.close, self.watchdog, self.reset,
        )  # fmt: skip
        chosen(self.pick(*self.tasks) if self.tasks else self.create(None))

    def create(self, task):
        self.tasks.append(self.bench.task(self.pick("", "", "one", "two")))
        return self.tasks[-1]

    def add_input(self, task):
        name = self.pick("Dev1/ai0", "Dev1/ai1:3", "Dev1/_ao0_vs_aognd", "Dev1/ai40", "Dev1/ai3:1", "Dev2/ai0", "Dev1/ai:")
        task.ai_channels.add_ai_voltage_chan(name, min_val=self.pick(-10.0, 0.0, 5.0), max_val=self.pick(10.0, 0.1, 99.0))

    def add_output(self, task):
        task.ao_channels.add_ao_voltage_chan(self.pick("Dev1/ao0", "Dev1/ao1:2", "Dev1/ao9"))

    def add_lines(self, task):
        lines = self.pick("Dev1/port0", "Dev1/port0/line0:3", "Dev1/port2/line9", "Dev1/port1/line0, Dev1/port0/line5")
        chans = self.pick(task.di_channels.add_di_chan, task.do_channels.add_do_chan)
        chans(lines, line_grouping=self.pick(*LineGrouping))

    def clock(self, task):
        task.timing.cfg_samp_clk_timing(
            self.pick(1000.0, 100e3, 1e9, 1e-9, -1.0), source=self.pick("", "", "/Dev1/ai/SampleClock", "/Dev1/nowhere", "x"),
            sample_mode=self.pick(AcquisitionType.FINITE, AcquisitionType.CONTINUOUS, AcquisitionType.HW_TIMED_SINGLE_POINT),
            samps_per_chan=int(self.pick(1, 10, 1000)),
        )  # fmt: skip
        if self.pick(True, False):
            task.triggers.start_trigger.cfg_dig_edge_start_trig(self.pick("/Dev1/ai/StartTrigger", "/Dev1/ao/StartTrigger", "PFI0"))

    def start(self, task):
        task.start()

    def stop(self, task):
        task.stop()

    def read(self, task):
        task.read(self.pick(1, 10, -1, 5000), timeout=self.pick(0.0, 0.02, 1.0 if task.is_task_done() else 0.02))

    def write(self, task):
        shape = self.pick((1,), (5,), (2, 5), (200,))
        task.write(self.pick(np.zeros(shape), np.full(shape, 11.0), [1, 2], True, 3), auto_start=self.pick(True, False), timeout=0.02)

    def control(self, task):
        task.control(self.pick(*TaskMode))

    def property(self, task):
        self.pick(
            lambda: task.timing.samp_clk_rate,
            lambda: task.in_stream.avail_samp_per_chan,
            lambda: task.out_stream.space_avail,
            lambda: setattr(task.out_stream, "regen_mode", self.pick(*RegenerationMode)),
            lambda: setattr(task.out_stream, "output_buf_size", self.pick(0, 1, 2, 1000)),
            lambda: setattr(task.in_stream, "input_buf_size", self.pick(0, 1, 100)),
            lambda: task.channels.chan_type,
            lambda: task.channels.physical_channel,
            lambda: task.triggers.start_trigger.trig_type,
            lambda: System.remote(self.bench.options).devices["Dev1"].ai_voltage_rngs,
        )()

    def wait(self, task):
        task.wait_until_done(self.pick(0.0, 0.01))

    def watchdog(self, task):
        dog = WatchdogTask("Dev1", timeout=self.pick(0.001, 1.0, -1, -5.0), grpc_options=self.bench.options)
        try:
            dog.cfg_watchdog_do_expir_states([DOExpirationState(physical_channel="Dev1/port0/line0", expiration_state=self.pick(*Level))])
            dog.start()
            dog.reset_timer()
        finally:
            dog.close()

    def reset(self, task):
        System.remote(self.bench.options).devices["Dev1"].reset_device()


@pytest.mark.parametrize("pace", ["real", "lockstep"])
@pytest.mark.parametrize("seed", quick(range(times(3, thorough=8)), 1))
def test_random_calls(make_bench, pace, seed):
    bench = make_bench(pace)
    fuzzer = Fuzzer(bench, seed)
    for _ in range(120):
        fuzzer.step()
    for task in fuzzer.tasks:
        try:
            task.close()
        except DaqError as error:
            assert error.error_code == -200088, error  # another handle of the same name has closed it
    assert list(bench.engine.tasks) == []
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
        assert len(task.read(10)) == 10
