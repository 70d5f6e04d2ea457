"""The frame behind its simulated device: a client that plays a sine and keeps the heartbeat, over the instruments' protocol."""

from __future__ import annotations

from pathlib import Path

import grpc
import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, LineGrouping, RegenerationMode
from nidaqmx.grpc_session_options import GrpcSessionOptions
from nidaqmx.stream_readers import AnalogMultiChannelReader
from nidaqmx.stream_writers import AnalogSingleChannelWriter

from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.service.server import serve
from rig.virtual.plants.linkage_frame import Config

RATE, BLOCK, AHEAD = 51200, 512, 2560
AMPLITUDE, FREQUENCY, SOFT_START, CYCLES = 10e3, 3.0, 0.5, 5
NEWTON_PER_VOLT = 25e3
WIRING = {
    "Dev1/ao0": "command",
    "Dev1/ai0": "force_monitor",
    "Dev1/ai1": "command_monitor",
    "Dev1/port0/line0": "hydraulics",
    "Dev1/port0/line1": "interlock",
    "Dev1/port0/line2": "program_run",
    "Dev1/port0/line3": "heartbeat",
    "Dev1/port1/line0": "interlock_ok",
    "Dev1/port1/line1": "hydraulics_on",
}


@pytest.fixture
def bench():
    """The engine and how a client reaches it."""
    made = Engine([("Dev1", "PCIe-6363")], WIRING, Config(perturb=False).create(seed=1), BenchClock("lockstep"))
    server = serve(made)
    yield made, GrpcSessionOptions(grpc.insecure_channel(f"127.0.0.1:{server.port}"), "")
    server.stop()


def setpoint(first, count):
    t = np.arange(first, first + count) / RATE
    return AMPLITUDE * np.minimum(t / SOFT_START, 1.0) * np.sin(2 * np.pi * FREQUENCY * t) / NEWTON_PER_VOLT


def drive(options, duration, beats=True):
    """(force, command read back) in N, sample by sample."""
    new = lambda: nidaqmx.Task(grpc_options=options)  # noqa: E731
    with new() as inputs, new() as output, new() as lines, new() as status:
        inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0:1", min_val=-5.0, max_val=5.0)
        inputs.timing.cfg_samp_clk_timing(RATE, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=RATE)
        output.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        output.timing.cfg_samp_clk_timing(RATE, "/Dev1/ai/SampleClock", sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=2 * AHEAD)
        output.out_stream.regen_mode = RegenerationMode.DONT_ALLOW_REGENERATION
        lines.do_channels.add_do_chan("Dev1/port0/line0:3", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        status.di_channels.add_di_chan("Dev1/port1/line0:1", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        reader, writer = AnalogMultiChannelReader(inputs.in_stream), AnalogSingleChannelWriter(output.out_stream)
        lines.write(0b0001)
        lines.write(0b0011)
        assert status.read() == 0b11
        writer.write_many_sample(setpoint(0, AHEAD))
        output.start()
        inputs.start()
        lines.write(0b0111)
        blocks = []
        for n in range(0, round(duration * RATE), BLOCK):
            block = np.empty((2, BLOCK))
            reader.read_many_sample(block, BLOCK)
            writer.write_many_sample(setpoint(n + AHEAD, BLOCK))
            if beats:
                lines.write(0b1111 if n // BLOCK % 2 else 0b0111)
            blocks.append(block)
        alive = status.read() == 0b11
    return np.concatenate(blocks, axis=1) * NEWTON_PER_VOLT, alive


def test_force_follows_a_sine_as_in_the_reference_loop(bench):
    (force, command), alive = drive(bench[1], SOFT_START + (CYCLES + 2) / FREQUENCY)
    assert alive
    kept = slice(-round(CYCLES * RATE / FREQUENCY), None)
    tone = np.exp(-2j * np.pi * FREQUENCY * np.arange(len(force)) / RATE)
    share = np.mean((force * tone)[kept]) / np.mean((command * tone)[kept])
    assert 100 * (abs(share) - 1) == pytest.approx(-4.30, abs=0.1)
    assert np.degrees(np.angle(share)) == pytest.approx(-13.52, abs=0.2)


def test_a_client_without_a_heartbeat_is_stopped_and_it_is_told_when(bench):
    (force, _), alive = drive(bench[1], 1.2, beats=False)
    assert not alive
    time, source, text = next(event for event in bench[0].take_events() if "heartbeat" in event[2])
    assert source == "controller" and "time-out 0.25 s" in text
    assert time == pytest.approx(0.25, abs=2 / RATE)  # the program was switched on at bench time 0
    assert np.abs(force[: round(0.25 * RATE)]).max() > 1e3
    assert np.abs(force[-BLOCK:]).max() < 500


def test_the_bench_file_fits_the_frame():
    """Every wire of the virtual loader ends somewhere, and every signal of the frame has one."""
    from rig.config import load

    bench = load(Path(__file__).parents[5] / "configs/experiments/linkage.toml").bench
    plant = bench.plant.create(bench.seed)
    wiring = {wire.terminal: wire.signal for wire in bench.wiring}
    Engine([(device.name, device.product) for device in bench.devices], wiring, plant, BenchClock("lockstep"))
    signals = {*plant.analogue_inputs, *plant.analogue_outputs, *plant.digital_inputs, *plant.digital_outputs}
    assert signals <= set(wiring.values())
    wired = {wire.terminal for wire in bench.wiring}
    assert {channel.terminal for channel in bench.channels} <= wired
    assert {getattr(bench.loader, line) for line in ("output", "hydraulics", "program", "heartbeat", "interlock_ok")} <= wired
