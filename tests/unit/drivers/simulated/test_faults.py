"""Faults that a test injects into simulated devices, and what the stock client makes of them.

Codes: NI's own names for them (`nidaqmx.error_codes`). "NI-DAQmx Key Concepts", Aborting a Task: to remove a device aborts the tasks that
use it. "NI 9213E Operating Instructions", Circuitry: at an open thermocouple the detection current forces a full-scale voltage. ITS-90:
the reference function of type K ends at 1372 degrees.
"""

from __future__ import annotations

import time

import nidaqmx
import pytest
from nidaqmx import constants as c
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.errors import DaqError

from drivers.simulated import serve_devices

DEVICES = {"Dev1": "PCIe-6363", "PXI1Slot2": "PXIe-4353", "PXI1Slot3": "PXIe-4331", "PXI1Slot4": "PXIe-4480"}
RATE = 1000.0


@pytest.fixture
def bench():
    with serve_devices(DEVICES, {"PXI1Slot3/ai0": "Dev1/ao0"}, pace="lockstep") as made:
        yield made


@pytest.fixture
def volts(bench):
    """A task of one input of Dev1 that samples continuously."""
    with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(RATE, sample_mode=c.AcquisitionType.CONTINUOUS, samps_per_chan=1000)
        yield task


def code_of(call, *args, **kwargs):
    """Status of a call that has to fail."""
    with pytest.raises(DaqError) as raised:
        call(*args, **kwargs)
    return raised.value.error_code


def test_an_overrun_ends_one_run_once_what_came_before_is_read(bench, volts):
    fault = bench.faults.overrun("dev1", after=0.5)
    volts.start()
    assert len(volts.read(400)) == 400 and not fault.happened, "before its time nothing is wrong"
    assert code_of(volts.read, 400) == DAQmxErrors.SAMPLES_NO_LONGER_AVAILABLE
    assert fault.happened
    assert code_of(volts.read) == DAQmxErrors.SAMPLES_NO_LONGER_AVAILABLE, "all that there is: nothing, and that for ever"
    volts.stop()
    volts.start()
    assert len(volts.read(1000)) == 1000


def test_an_overrun_of_a_task_that_has_run_for_longer_comes_at_once(bench, volts):
    volts.start()
    volts.read(300)
    bench.faults.overrun("Dev1", after=0.1)
    assert code_of(volts.read, 100) == DAQmxErrors.SAMPLES_NO_LONGER_AVAILABLE


@pytest.mark.parametrize("method", ["overrun", "timeout", "device_gone"])
def test_what_is_called_off_in_time_does_not_happen(bench, volts, method):
    fault = getattr(bench.faults, method)("Dev1", after=0.2)
    volts.start()
    volts.read(100)
    fault.end()
    assert len(volts.read(500)) == 500 and not fault.happened


def test_a_time_out_takes_the_time_of_the_device_alone(bench, volts):
    begun = time.monotonic()
    with bench.faults.timeout("Dev1", after=0.1) as fault:
        volts.start()
        assert code_of(volts.read, 500, timeout=30.0) == DAQmxErrors.SAMPLES_NOT_YET_AVAILABLE
        assert fault.happened
        assert 30.0 <= bench.engine.time < 30.2 and time.monotonic() - begun < 10.0
        volts.stop()
        volts.timing.cfg_samp_clk_timing(RATE, sample_mode=c.AcquisitionType.FINITE, samps_per_chan=1000)
        volts.start()
        assert code_of(volts.wait_until_done, 5.0) == DAQmxErrors.WAIT_UNTIL_DONE_DOES_NOT_INDICATE_DONE
        volts.stop()
    volts.start()
    volts.wait_until_done(5.0)
    assert len(volts.read(1000)) == 1000


def test_samples_that_came_before_the_time_out_are_handed_over(bench, volts):
    bench.faults.timeout("Dev1", after=0.1)
    volts.start()
    with pytest.raises(DaqError) as raised:
        volts.read(500, timeout=1.0)
    assert 100 <= raised.value.samps_per_chan_read <= 101, "those up to 0.1 s, the one at 0 s with them"


def test_a_device_that_is_gone_aborts_what_runs_and_cannot_be_accessed(bench, volts):
    fault = bench.faults.device_gone("Dev1", after=0.25)
    volts.start()
    assert len(volts.read(200)) == 200
    assert code_of(volts.read, 200) == DAQmxErrors.RUNTIME_ABORTED_ROUTING
    assert fault.happened
    volts.stop()
    assert code_of(volts.start) == DAQmxErrors.DEV_CANNOT_BE_ACCESSED
    with nidaqmx.Task(grpc_options=bench.grpc_options) as output, nidaqmx.Task(grpc_options=bench.grpc_options) as other:
        for add, where in (
            (output.ao_channels.add_ao_voltage_chan, "Dev1/ao0"), (output.do_channels.add_do_chan, "Dev1/port0"),
            (output.ci_channels.add_ci_count_edges_chan, "Dev1/ctr0"),
        ):  # fmt: skip
            assert code_of(add, where) == DAQmxErrors.DEV_CANNOT_BE_ACCESSED
        assert code_of(bench.system.devices["Dev1"].reset_device) == DAQmxErrors.DEV_CANNOT_BE_ACCESSED
        assert bench.system.devices["Dev1"].product_type == "PCIe-6363", "it is configured all the same"
        other.ai_channels.add_ai_thrmcpl_chan("PXI1Slot2/ai0", cjc_source=c.CJCSource.CONSTANT_USER_VALUE)
        assert isinstance(other.read(), float), "the others are there"
    fault.end()
    volts.start()
    assert len(volts.read(200)) == 200


def test_a_device_goes_while_somebody_writes_on_demand(bench):
    with nidaqmx.Task(grpc_options=bench.grpc_options) as output:
        output.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        output.start()
        output.write(1.0)
        bench.faults.device_gone("Dev1")
        assert code_of(output.write, 1.0) == DAQmxErrors.RUNTIME_ABORTED_ROUTING


def test_a_chassis_goes_with_its_modules(tmp_path):
    file = tmp_path / "devices.toml"
    file.write_text(
        'pace = "lockstep"\n[[devices]]\nname = "cDAQ1"\nproduct = "cDAQ-9189"\n'
        '[[devices]]\nname = "cDAQ1Mod1"\nproduct = "NI 9215"\nchassis = "cDAQ1"\nslot = 1\n'
    )
    with serve_devices(file) as bench, nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.ai_channels.add_ai_voltage_chan("cDAQ1Mod1/ai0")
        with bench.faults.device_gone("cDAQ1"):
            assert code_of(task.read) == DAQmxErrors.DEV_CANNOT_BE_ACCESSED
        assert isinstance(task.read(), float)


def _thermocouple(channels):
    channels.add_ai_thrmcpl_chan("PXI1Slot2/ai0", thermocouple_type=c.ThermocoupleType.K, cjc_source=c.CJCSource.CONSTANT_USER_VALUE)


def _volts(channels):
    channels.add_ai_voltage_chan("Dev1/ai3", min_val=-5.0, max_val=5.0)


def _bridge(channels):
    channels.add_ai_bridge_chan("PXI1Slot3/ai0", min_val=-0.025, max_val=0.025, voltage_excit_val=10.0)


def _accelerometer(channels):
    channels.add_ai_accel_chan("PXI1Slot4/ai0", sensitivity=100.0)


SENSORS = (
    ("PXI1Slot2/ai0", _thermocouple, 1372.0, 1e-6), ("Dev1/ai3", _volts, 5.0, 5.0 / 2**15 * 1.01),
    ("PXI1Slot3/ai0", _bridge, 0.025, 1e-6), ("PXI1Slot4/ai0", _accelerometer, 0.0, 1e-9),
)  # fmt: skip
"""Input, channel, what it shows at full scale (of the accelerometer: nothing alternates), and a code or two."""


@pytest.mark.parametrize(("where", "add", "shown", "within"), SENSORS, ids=[where for where, *_ in SENSORS])
@pytest.mark.parametrize("clocked", [False, True], ids=["on demand", "clocked"])
def test_a_broken_sensor_shows(bench, where, add, shown, within, clocked):
    with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        add(task.ai_channels)
        if clocked or "Slot3" in where or "Slot4" in where:  # delta-sigma converters have nothing on demand
            task.timing.cfg_samp_clk_timing(50.0 if "Slot2" in where else 2000.0, samps_per_chan=20)
        sound = task.read(20)
        with bench.faults.open_sensor(where):
            broken = task.read(20)
        mended = task.read(20)
    assert broken == pytest.approx([shown] * 20, abs=within)
    assert sound != pytest.approx([shown] * 20, abs=within)
    assert mended != pytest.approx([shown] * 20, abs=within)


def test_a_sensor_breaks_while_it_is_measured(bench, volts):
    volts.start()
    before = volts.read(100)
    bench.faults.open_sensor("Dev1/ai0")
    assert min(before) < 0.0
    assert volts.read(100) == pytest.approx([5.0] * 100, abs=1.01 * 5.0 / 2**15), "the range of a voltage by default"


def test_modules_that_look_for_open_thermocouples_report_them(bench):
    with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        for n in range(2):
            task.ai_channels.add_ai_thrmcpl_chan(f"PXI1Slot2/ai{n}", f"oven{n}", cjc_source=c.CJCSource.CONSTANT_USER_VALUE)
        task.timing.cfg_samp_clk_timing(50.0, samps_per_chan=5)
        task.start()
        assert not task.in_stream.open_thrmcpl_chans_exist
        bench.faults.open_sensor("PXI1Slot2/ai1")
        assert task.in_stream.open_thrmcpl_chans_exist
        assert task.in_stream.open_thrmcpl_chans == ["oven1"]
        bench.faults.clear()
        assert not task.in_stream.open_thrmcpl_chans_exist


def test_modules_that_drive_a_loop_report_an_open_one(bench):
    with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.ai_channels.add_ai_accel_chan("PXI1Slot4/ai0", "shaft", sensitivity=100.0)
        task.timing.cfg_samp_clk_timing(2000.0, samps_per_chan=5)
        task.start()
        assert not task.in_stream.open_current_loop_chans_exist
        with bench.faults.open_sensor("PXI1Slot4/ai0"):
            assert task.in_stream.open_current_loop_chans_exist and task.in_stream.open_current_loop_chans == ["shaft"]
        assert not task.in_stream.open_current_loop_chans_exist


def test_devices_and_times_that_cannot_be_are_said(bench):
    with pytest.raises(ValueError, match="there is no 'Dev2'; did you mean dev1"):
        bench.faults.overrun("Dev2")
    with pytest.raises(ValueError, match="open_sensor: there is no 'Dev1/ao0'"):
        bench.faults.open_sensor("Dev1/ao0")
    with pytest.raises(ValueError, match="timeout: after: expected seconds from 0 on, got -1"):
        bench.faults.timeout("Dev1", after=-1.0)


def test_at_the_pace_of_the_wall_somebody_who_waits_is_told():
    with serve_devices({"Dev1": "PCIe-6363"}, pace="real") as bench, nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(RATE, sample_mode=c.AcquisitionType.CONTINUOUS)
        task.start()
        bench.faults.device_gone("Dev1", after=0.1)
        begun = time.monotonic()
        assert code_of(task.read, 60_000, timeout=60.0) == DAQmxErrors.RUNTIME_ABORTED_ROUTING
        assert time.monotonic() - begun < 20.0
