"""Serial lines of a virtual bench, from the bench file to the log: drives that turn shafts of a plant behind the same clock as the DAQ."""

from __future__ import annotations

import io
import json
import threading
import time

import grpc
import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, AngleUnits, EncoderType, LineGrouping
from nidaqmx.grpc_session_options import GrpcSessionOptions
from nidaqmx.stream_readers import AnalogSingleChannelReader

from drivers.axes import modbus_drive
from drivers.simulated.daqmx.core.device_entries import DeviceEntry
from drivers.simulated.device_file import Setup
from rig import config
from rig.config.bench import SerialEntry
from rig.config.transport import to_json
from rig.errors import ConfigError
from rig.virtual.plants import four_bar_rig
from rig.virtual.virtual_bench import Hardware, VirtualBench
from tests.tiers import quick
from tests.unit.rig.virtual.test_virtual_bench import PATIENCE, ROOT, address_of, log_of, process

BENCH = ROOT / "configs/benches/virtual_four_bar.toml"
RATE, BLOCK = 10e3, 100
GEAR = 5.0


def planned(folder, *overrides):
    """The plan of a run, as far as a virtual bench reads it."""
    bench, _ = config.load_bench(BENCH, overrides)
    (folder / "plan.json").write_text(json.dumps({"bench": to_json(bench)}), encoding="utf-8")
    return folder


def crank(url):
    made = modbus_drive.Config(url, gear=GEAR, max_speed=40.0, acceleration=100.0, timeout=2.0, reply_timeout=2.0).create("crank")
    made.connect()
    made.prepare("velocity")
    return made


def port_of(started):
    line = started.stdout.readline().split()
    assert line[:2] == ["serial", "drive"] and line[2].startswith("socket://127.0.0.1:")
    return line[2]


def test_the_bench_says_where_its_lines_are_and_a_drive_turns_what_counters_count(tmp_path):
    with process("rig.virtual.virtual_bench", "--plan", planned(tmp_path, "bench.pace=lockstep")) as bench:
        options = GrpcSessionOptions(grpc.insecure_channel(address_of(bench)), "")
        axis = crank(port_of(bench))
        with (
            nidaqmx.Task(grpc_options=options) as inputs,
            nidaqmx.Task(grpc_options=options) as counter,
            nidaqmx.Task(grpc_options=options) as lines,
        ):
            lines.do_channels.add_do_chan("Dev1/port0/line0", line_grouping=LineGrouping.CHAN_PER_LINE)
            lines.write(True)
            inputs.ai_channels.add_ai_voltage_chan("Dev1/ai1")
            inputs.timing.cfg_samp_clk_timing(RATE, sample_mode=AcquisitionType.CONTINUOUS)
            channel = counter.ci_channels.add_ci_ang_encoder_chan(
                "Dev1/ctr0", decoding_type=EncoderType.X_4, zidx_enable=False, units=AngleUnits.RADIANS, pulses_per_rev=1024
            )
            channel.ci_encoder_a_input_term, channel.ci_encoder_b_input_term = "/Dev1/PFI8", "/Dev1/PFI10"
            counter.start()
            inputs.start()
            inputs.read(BLOCK)
            axis.enable()
            for _ in range(60):
                axis.command(20.0)
                speed = np.array(inputs.read(BLOCK)) / 0.2
                axis.feedback()
            assert np.mean(speed) == pytest.approx(20.0, rel=0.03)
            begun = counter.read()
            for _ in range(50):
                axis.command(20.0)
                inputs.read(BLOCK)
            assert counter.read() - begun == pytest.approx(10.0, rel=0.03)
            assert axis.close() == []
        bench.terminate()
        _, errors = bench.communicate(timeout=PATIENCE)
        texts = [line["text"] for line in log_of(errors) if line["source"] == "crank"]
        assert texts == [
            "enable input low", "enable input high", "ready to switch on", "switched on", "operation enabled", "moving",
            "switch on disabled",
        ]  # fmt: skip


@pytest.mark.parametrize("pace", quick(["real", "lockstep"], ["lockstep"]))
def test_a_bench_whose_parent_dies_lets_its_axes_come_to_rest(tmp_path, pace):
    planned(tmp_path, f"bench.pace={pace}", "bench.plant.enable_lines=false", "bench.wiring=[]")
    with process("rig.virtual.virtual_bench", "--plan", tmp_path, "--with-parent") as bench:
        options = GrpcSessionOptions(grpc.insecure_channel(address_of(bench)), "")
        axis = crank(port_of(bench))
        axis.enable()
        with nidaqmx.Task(grpc_options=options) as inputs:
            inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0")
            inputs.timing.cfg_samp_clk_timing(RATE, sample_mode=AcquisitionType.CONTINUOUS)
            for _ in range(20):
                axis.command(10.0)
                inputs.read(BLOCK)
        bench.stdin.close()
        bench.stdin = None
        _, errors = bench.communicate(timeout=PATIENCE)
    axis.close()
    log = log_of(errors)
    (lost,) = [line for line in log if line["text"] == "communication lost"]
    (rest,) = [line for line in log if line["text"] == "at rest"]
    assert rest["bench"] - lost["bench"] < 3.0
    assert log[-1]["text"] == "ended"


@pytest.mark.parametrize("pace", ["real", "lockstep"])
def test_samples_and_requests_at_the_same_time_never_wait_for_each_other(pace):
    setup = Setup((DeviceEntry("Dev1", "PCIe-6363"),), {"Dev1/ai0": "acceleration"}, pace=pace)
    hardware = Hardware(setup, four_bar_rig.Config(enable_lines=False), 1, (SerialEntry("drive", "modbus_drive", ("crank",)),))
    bench, ended = VirtualBench(hardware, 0, io.StringIO()), threading.Event()
    served = threading.Thread(target=bench.run, args=(ended, threading.Event()))
    served.start()
    done, begun = [], time.monotonic()

    def samples():
        options = GrpcSessionOptions(grpc.insecure_channel(bench.address), "")
        with nidaqmx.Task(grpc_options=options) as task:
            task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
            task.timing.cfg_samp_clk_timing(RATE, sample_mode=AcquisitionType.CONTINUOUS)
            reader, values = AnalogSingleChannelReader(task.in_stream), np.empty(BLOCK)
            task.start()
            for _ in range(100):
                reader.read_many_sample(values, BLOCK, timeout=PATIENCE)
        done.append("samples")

    def requests():
        axis = crank(bench.serial["drive"].url)
        axis.enable()
        for n in range(100):
            axis.command(float(n % 30))
            axis.feedback()
        assert axis.close() == []
        done.append("requests")

    threads = [threading.Thread(target=work, daemon=True) for work in (samples, requests)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    ended.set()
    served.join(PATIENCE)
    assert sorted(done) == ["requests", "samples"], f"after {time.monotonic() - begun:.1f} s"
    assert not served.is_alive()


def test_an_enable_input_that_nothing_is_wired_to_is_refused():
    hardware = Hardware(Setup((DeviceEntry("Dev1", "PCIe-6363"),)), four_bar_rig.Config())
    with pytest.raises(ConfigError, match="nothing is wired to crank_enable, so what hangs on it would never have power"):
        VirtualBench(hardware, 0, io.StringIO())


@pytest.mark.parametrize(
    "entry, told",
    [
        ({"shafts": ()}, "shafts: expected at least one"),
        ({"kind": "odrive", "shafts": ("a", "b", "c")}, "shafts: an ODrive has two axes, got 3 shafts"),
        ({"shafts": ("a", "b"), "addresses": (1,)}, "addresses: expected 2 for modbus_drive with 2 shafts, got 1"),
        ({"shafts": ("a", "b"), "addresses": (3, 3)}, "addresses: no two devices on a line may have the same"),
        ({"kind": "tmcl", "shafts": ("a", "b"), "addresses": (1, 2)}, "addresses: expected 1 for tmcl with 2 shafts, got 2"),
    ],
)
def test_lines_that_cannot_be_are_refused(entry, told):
    with pytest.raises(ValueError, match=told):
        SerialEntry(**{"name": "line", "kind": "modbus_drive", **entry})


def test_a_bench_file_with_a_wrong_line_is_one_message():
    with pytest.raises(ConfigError) as told:
        config.load_bench(BENCH, ['bench.serial=[{name="drive", kind="modbus", shafts=["crank"]}]'])
    assert "expected one of modbus_drive, odrive, tmcl, drive, instron, instrument; got 'modbus'" in str(told.value)
