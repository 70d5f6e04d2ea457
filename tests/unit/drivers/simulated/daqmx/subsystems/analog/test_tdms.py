"""Logging to TDMS files through the stock client; the files are read with npTDMS.

Expected values: nidaqmx-python, `configure_logging` (group names; Log and Read; nothing can be read in mode Log), examples/analog_in/
voltage_acq_int_clk_tdms_logging.py, tests/component/test_in_stream.py; "NI-DAQmx Help", TDMS Logging to multiple files; what a file of the
driver has was listed in juliancabaleiro/nidaqmx-python-examples.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from nidaqmx import constants as c
from nptdms import TdmsFile

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, not_served

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS
LOG, LOG_AND_READ = c.LoggingMode.LOG, c.LoggingMode.LOG_AND_READ
OPERATION = c.LoggingOperation


def inputs(task, samples=1000, mode=FINITE):
    task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
    task.ai_channels.add_ai_voltage_chan("Dev1/ai2", "load", min_val=-1.0, max_val=1.0)
    task.timing.cfg_samp_clk_timing(10e3, sample_mode=mode, samps_per_chan=samples)
    return task.in_stream


def test_what_is_read_is_in_the_file(bench, tmp_path):
    file = tmp_path / "TestData.tdms"
    with bench.task("Mine") as task:
        inputs(task).configure_logging(str(file), LOG_AND_READ, operation=OPERATION.CREATE_OR_REPLACE)
        data = np.concatenate([task.read(600), task.read(400)], axis=1)
        started = task.timing.samp_clk_rate
    read = TdmsFile.read(file)
    assert [group.name for group in read.groups()] == ["Mine"]  # no group was named: the task's name
    assert [channel.name for channel in read["Mine"].channels()] == ["Dev1/ai0", "load"]
    for row, channel in zip(data, read["Mine"].channels(), strict=True):
        np.testing.assert_allclose(channel[:], row, atol=1e-12)
        assert channel.read_data(scaled=False).dtype == np.int16  # as the converter has it: 16 bits
    properties = read["Mine"]["load"].properties
    assert (properties["NI_ChannelName"], properties["unit_string"], properties["NI_UnitDescription"]) == ("load", "Volts", "Volts")
    assert properties["wf_increment"] == pytest.approx(1.0 / started)
    assert (properties["wf_start_offset"], properties["wf_samples"]) == (0.0, 1)
    assert properties["NI_Scaling_Status"] == "unscaled"
    assert properties["NI_Scale[0]_Linear_Slope"] == pytest.approx(2.0 / 65536)
    assert read.properties["name"] == "TestData"
    assert file.with_name("TestData.tdms_index").exists()
    assert abs((properties["wf_start_time"] - np.datetime64("now")) / np.timedelta64(1, "s")) < 600.0


def test_a_task_that_logs_without_reading(bench, tmp_path):
    file = tmp_path / "log.tdms"
    with bench.task() as task:
        stream = inputs(task, 2500)
        stream.configure_logging(file, LOG, "Group", OPERATION.CREATE_OR_REPLACE)
        assert (stream.logging_mode, stream.logging_file_path, stream.logging_tdms_group_name) == (LOG, file, "Group")
        assert code_of(lambda: task.read(10)) == -201301
        task.start()
        task.wait_until_done(10.0)
        task.stop()
    assert [len(channel) for channel in TdmsFile.read(file)["Group"].channels()] == [2500, 2500]


def test_groups_of_one_name(bench, tmp_path):
    file = tmp_path / "log.tdms"
    for _ in range(3):
        with bench.task() as task:
            inputs(task, 10).configure_logging(file, LOG_AND_READ, "Voltage Task", OPERATION.OPEN_OR_CREATE)
            task.read(10)
    assert [group.name for group in TdmsFile.read(file).groups()] == ["Voltage Task", "Voltage Task #1", "Voltage Task #2"]


@pytest.mark.parametrize(("operation", "there"), [(OPERATION.OPEN, False), (OPERATION.CREATE, True)])
def test_files_that_are_there_or_not(bench, tmp_path, operation, there):
    file = tmp_path / "log.tdms"
    if there:
        with bench.task() as task:
            inputs(task, 10).configure_logging(file, LOG_AND_READ, "A", OPERATION.CREATE)
            task.read(10)
    with bench.task() as task:
        inputs(task, 10).configure_logging(file, LOG_AND_READ, "B", operation)
        assert code_of(task.start) == -50204  # PAL_FILE_OPEN_FAULT
    with bench.task() as task:
        inputs(task, 10).configure_logging(tmp_path / "nowhere" / "log.tdms", LOG_AND_READ)
        assert code_of(task.start) == -50204


def test_a_new_file_on_the_way(bench, tmp_path):
    first, second = tmp_path / "a.tdms", tmp_path / "b.tdms"
    with bench.task() as task:
        stream = inputs(task, 1000, CONTINUOUS)
        stream.configure_logging(first, LOG_AND_READ, "G", OPERATION.CREATE_OR_REPLACE)
        task.start()
        before = task.read(100)
        stream.start_new_file(str(second))
        assert stream.logging_file_path == Path(second)
        behind = task.read(200)
    np.testing.assert_allclose(TdmsFile.read(first)["G"]["load"][:], before[1], atol=1e-12)
    np.testing.assert_allclose(TdmsFile.read(second)["G"]["load"][:], behind[1], atol=1e-12)


def test_files_of_so_many_samples_each(bench, tmp_path):
    # "... named <file name>_####.tdms, where #### starts with 0001"
    with bench.task() as task:
        stream = inputs(task)
        stream.configure_logging(tmp_path / "log.tdms", LOG_AND_READ, "G", OPERATION.CREATE_OR_REPLACE)
        stream.logging_samps_per_file = 400
        data = task.read(1000)
    names = ["log.tdms", "log_0001.tdms", "log_0002.tdms"]
    parts = [TdmsFile.read(tmp_path / name)["G"]["Dev1/ai0"][:] for name in names]
    assert [len(part) for part in parts] == [400, 400, 200]
    np.testing.assert_allclose(np.concatenate(parts), data[0], atol=1e-12)


def test_logging_pauses(bench, tmp_path):
    with bench.task() as task:
        stream = inputs(task, 1000, CONTINUOUS)
        stream.configure_logging(tmp_path / "log.tdms", LOG_AND_READ, "G", OPERATION.CREATE_OR_REPLACE)
        task.start()
        kept = task.read(100)
        stream.logging_pause = True
        task.read(100)
        stream.logging_pause = False
        kept = np.concatenate([kept, task.read(50)], axis=1)
    np.testing.assert_allclose(TdmsFile.read(tmp_path / "log.tdms")["G"]["Dev1/ai0"][:], kept[0], atol=1e-12)


def test_channels_without_a_straight_line_are_logged_as_values(make_bench, tmp_path):
    bench = make_bench(devices=[("Bridge", "PXIe-4331")])
    with bench.task() as task:
        task.ai_channels.add_ai_force_bridge_table_chan("Bridge/ai0", electrical_vals=[-2.0, 0.0, 2.0], physical_vals=[-100.0, 0.0, 90.0],
                                                        min_val=-80.0, max_val=80.0)  # fmt: skip
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=FINITE, samps_per_chan=100)
        task.in_stream.configure_logging(tmp_path / "log.tdms", LOG_AND_READ, "G")
        data = task.read(100)
    channel = TdmsFile.read(tmp_path / "log.tdms")["G"]["Bridge/ai0"]
    np.testing.assert_array_equal(channel[:], data)
    assert channel.properties["unit_string"] == "lb"


def test_tasks_that_cannot_log(bench, tmp_path):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.in_stream.configure_logging(tmp_path / "log.tdms", LOG)
        assert code_of(task.start) == -201299  # LOGGING_MODE_NOT_SUPPORTED_NON_BUFFERED
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        assert code_of(lambda: task.in_stream.configure_logging(tmp_path / "log.tdms")) == -200452
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0")
        assert not_served(task.in_stream.configure_logging, tmp_path / "log.tdms")


def test_without_the_library(bench, tmp_path, monkeypatch):
    from drivers.simulated.daqmx.subsystems.analog import tdms

    monkeypatch.setattr(tdms, "find_spec", lambda name: None)
    with bench.task() as task:
        inputs(task, 10).configure_logging(tmp_path / "log.tdms", LOG_AND_READ)
        assert code_of(task.start) == -201310  # TDMS_NOT_FOUND
