"""No call of a client keeps the server from others, takes the machine's memory, or keeps the server from ending.

Expected: every other client is answered within the time that a few stretches of work take, whatever rate, trigger and retriggering somebody
has chosen; sizes that no memory holds are refused with NI's -50352 ("The requested memory could not be allocated").
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import grpc
import nidaqmx
import psutil
import pytest
from nidaqmx import constants as c
from nidaqmx.errors import DaqError, RpcError

from drivers.simulated import serve_devices
from tests.thorough import some
from tests.tiers import quick
from tests.unit.drivers.simulated.daqmx.client_calls import OUT0, code_of, error_of, train

ROOT = Path(__file__).parents[6]
SOON = 5.0
"""s, on a busy machine; it was never before."""
FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS
CARD = {"Dev1": "PCIe-6363", "Dev2": "PCIe-6363"}


def lines(task, rate=10e6, samples=2, source=""):
    task.di_channels.add_di_chan("Dev1/port0/line0")
    task.timing.cfg_samp_clk_timing(rate, source=source, samps_per_chan=samples)


def retriggered(task, trigger):
    task.triggers.start_trigger.cfg_dig_edge_start_trig(trigger)
    task.triggers.start_trigger.retriggerable = True


def retriggered_at_once(task):
    lines(task, source="/Dev1/PFI0")
    retriggered(task, "/Dev1/PFI1")


def retriggered_by_a_timebase(task):
    lines(task)
    retriggered(task, "/Dev1/20MHzTimebase")


def clocked_by_a_timebase(task):
    lines(task, samples=1_000_000, source="/Dev1/100MHzTimebase")


def lines_put_out_again_and_again(task):
    task.do_channels.add_do_chan("Dev1/port0/line0")
    task.timing.cfg_samp_clk_timing(10e6, source="/Dev1/PFI0", samps_per_chan=2)
    retriggered(task, "/Dev1/PFI1")
    task.write([True, False], auto_start=False)


def levels_put_out_by_a_timebase(task):
    task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
    task.timing.cfg_samp_clk_timing(2e6, samps_per_chan=2)
    retriggered(task, "/Dev1/10MHzRefClock")
    task.write([1.0, 0.0], auto_start=False)


def pulses_again_and_again(task):
    task.co_channels.add_co_pulse_chan_ticks("Dev1/ctr0", "/Dev1/100MHzTimebase", low_ticks=2, high_ticks=2)
    task.timing.cfg_implicit_timing(samps_per_chan=2)
    retriggered(task, "/Dev1/20MHzTimebase")


def pulses_from_a_buffer(task):
    task.co_channels.add_co_pulse_chan_ticks("Dev1/ctr0", "/Dev1/100MHzTimebase", low_ticks=2, high_ticks=2)
    task.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
    task.write([nidaqmx.types.CtrTick(2, 2)] * 100, auto_start=False)


def edges_between_fast_edges(task):
    channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
    channel.ci_count_edges_term = "/Dev1/PFI3"
    task.timing.cfg_samp_clk_timing(10e6, source="/Dev1/20MHzTimebase", sample_mode=CONTINUOUS)


BUSY = (
    retriggered_at_once, retriggered_by_a_timebase, clocked_by_a_timebase, lines_put_out_again_and_again, levels_put_out_by_a_timebase,
    pulses_again_and_again, pulses_from_a_buffer, edges_between_fast_edges,
)  # fmt: skip


def in_vain(call, *args):
    """A call that may fail, in a thread of its own."""

    def run():
        with contextlib.suppress(DaqError, RpcError):
            call(*args)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def own_channel(devices):
    """Options of another client: a connection of its own."""
    channel = grpc.insecure_channel(devices.address, options=[("grpc.use_local_subchannel_pool", 1)])
    return nidaqmx.GrpcSessionOptions(channel, "")


def answered(devices):
    """Longest time (s) that another client waits for a sample on demand."""
    took = []
    for _ in range(5):
        begun = time.monotonic()
        with nidaqmx.Task(grpc_options=own_channel(devices)) as other:
            other.ai_channels.add_ai_voltage_chan("Dev2/ai20")
            other.read()
        took.append(time.monotonic() - begun)
    return max(took)


@pytest.mark.parametrize(
    ("busy", "pace"),
    quick([*((busy, "lockstep") for busy in BUSY), *((busy, "real") for busy in some(BUSY, 3))], 3),
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)
def test_others_are_answered_whatever_one_does(busy, pace):
    memory = psutil.Process().memory_info().rss
    with serve_devices(CARD, pace=pace) as devices:
        task = nidaqmx.Task(grpc_options=devices.grpc_options)
        busy(task)
        task.start()
        in_vain(task.wait_until_done, 2.0)
        time.sleep(0.3)
        assert answered(devices) < SOON
        begun = time.monotonic()
    assert time.monotonic() - begun < SOON  # it ends in the midst of all that
    with contextlib.suppress(ValueError):  # its channel is closed
        task.close()
    assert psutil.Process().memory_info().rss - memory < 500e6


def test_long_reads_on_demand_let_others_in():
    with serve_devices(CARD) as devices, nidaqmx.Task(grpc_options=own_channel(devices)) as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        reading = in_vain(task.read, 5_000_000)
        time.sleep(0.5)
        assert answered(devices) < SOON
        assert reading.is_alive()


@pytest.mark.parametrize("pace", quick(["real", "lockstep"], ["lockstep"]))
def test_a_long_wait_of_one_lets_others_in(pace):
    with serve_devices(CARD, pace=pace) as devices, nidaqmx.Task(grpc_options=devices.grpc_options) as task:
        for name in ("ai0", "ai1"):
            task.ai_channels.add_ai_voltage_chan(f"Dev1/{name}")
        task.timing.cfg_samp_clk_timing(500e3, sample_mode=CONTINUOUS)
        task.in_stream.overwrite = c.OverwriteMode.OVERWRITE_UNREAD_SAMPLES
        task.start()
        in_vain(task.wait_until_done, 1e6)
        time.sleep(0.5)
        assert answered(devices) < SOON


# -- memory ----------------------------------------------------------------------------------------------------------------------------


def of(kind, task):
    if kind == "ai":
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
    elif kind == "di":
        task.di_channels.add_di_chan("Dev1/port0/line0")
    else:
        task.ci_channels.add_ci_period_chan("Dev1/ctr0")


@pytest.mark.parametrize("samples", [2**32, 2**40, 2**62])
@pytest.mark.parametrize("mode", [FINITE, CONTINUOUS])
@pytest.mark.parametrize("kind", ["ai", "di", "ci"])
def test_buffers_that_no_memory_holds(bench, kind, mode, samples):
    with bench.task("big") as task:
        of(kind, task)
        configure = task.timing.cfg_implicit_timing if kind == "ci" else lambda **how: task.timing.cfg_samp_clk_timing(1000.0, **how)
        configure(sample_mode=mode, samps_per_chan=samples)
        for call in (task.start, lambda: task.control(c.TaskMode.TASK_COMMIT), lambda: task.in_stream.input_buf_size):
            code, text = error_of(call)
            assert code == -50352
            assert "Task Name: big" in text


def test_a_read_that_no_memory_holds(bench):
    with bench.task("big") as task:
        of("ai", task)
        assert code_of(task.in_stream.read, 2**30) == -50352


def test_an_output_buffer_that_no_memory_holds(bench):
    with bench.task("big") as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=CONTINUOUS)
        task.out_stream.output_buf_size = 2**32 - 1
        assert error_of(task.write, [1.0, 2.0])[0] == -50352


def test_ranges_without_end(bench):
    with bench.task() as task:
        assert code_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai0:999999999999") == -200170


# -- the end ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", quick([signal.SIGTERM, signal.SIGINT], 1))
def test_a_busy_server_ends_when_it_is_asked_to(tmp_path, number):
    file = tmp_path / "devices.toml"
    file.write_text('[[devices]]\nname = "Dev1"\nproduct = "PCIe-6363"\n')
    command = [sys.executable, "-m", "rig", "virtual-bench", "--devices", str(file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        address = next(line for line in server.stdout if line.startswith("listening ")).split()[1]
        options = nidaqmx.GrpcSessionOptions(grpc.insecure_channel(address), "")
        tasks = []
        for busy in (retriggered_by_a_timebase, levels_put_out_by_a_timebase, pulses_again_and_again):
            task = nidaqmx.Task(grpc_options=options)
            busy(task)
            task.start()
            tasks.append(task)
        in_vain(tasks[0].read, 2, 100.0)
        time.sleep(1.0)
        server.send_signal(number)
        assert server.wait(30.0) == 0
        for task in tasks:
            with contextlib.suppress(RpcError):  # nobody is there any more
                task.close()


def test_a_train_that_is_counted_is_bounded_too(bench):
    with bench.task() as out, bench.task() as task:
        train(out, freq=25e6)
        lines(task, source=OUT0, samples=100_000)
        task.start()
        out.start()
        task.wait_until_done(5.0)
        assert len(task.read(100_000)) == 100_000
