"""Runs that a read starts and ends: "Using the Start Task function/VI", NI-DAQmx Key Concepts, and the text of `Task.read` in nidaqmx.

"Calling the Read function/VI starts your task, performs the finite measurement, and stops the task after the last sample is read. The task
returns to its state before you called the read operation." - "Future calls of the Read function/VI start new read operations rather than
reading from the completed operation. For this situation, explicitly commit the task [...] set the Auto-Start Read attribute/property to
False." And of -1: "this function waits for the task to acquire all requested samples, then reads those samples."
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import READ_ALL_AVAILABLE, AcquisitionType, ReadRelativeTo, TaskMode
from nidaqmx.stream_readers import AnalogMultiChannelReader

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, decoded

RATE = 1000.0


def voltage(task, channel="Dev1/ai1"):
    return task.ai_channels.add_ai_voltage_chan(channel, min_val=-10.0, max_val=10.0)


def lines(task):
    task.di_channels.add_di_chan("Dev1/port0/line0:3")


def edges(task):
    task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0").ci_count_edges_term = "/Dev1/100kHzTimebase"


KINDS = pytest.mark.parametrize("add", [voltage, lines, edges])


def clocked(task, samples, **more):
    """Sample clocking; a counter has no clock of its own."""
    source = "/Dev1/ai/SampleClock" if "ctr" in task.channel_names[0] else ""
    task.timing.cfg_samp_clk_timing(RATE, source=source, samps_per_chan=samples, **more)


@pytest.fixture
def clock(bench, add):
    """Runs the clock that a counter samples by."""
    with bench.task() as task:
        if add is edges:
            voltage(task, "Dev1/ai5")
            task.timing.cfg_samp_clk_timing(RATE, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=100_000)
            task.start()
        yield task


# -- how many samples -1 means ---------------------------------------------------------------------------------------------------------


@KINDS
def test_all_samples_after_a_stop(bench, add, clock):
    with bench.task() as task:
        add(task)
        for samples in (50, 80, 30):
            clocked(task, samples)
            assert len(task.read(READ_ALL_AVAILABLE)) == samples
            task.stop()


@KINDS
def test_all_samples_after_a_run_that_was_read_in_part(bench, add, clock):
    with bench.task() as task:
        add(task)
        clocked(task, 50)
        task.start()
        assert len(task.read(20)) == 20
        assert len(task.read(READ_ALL_AVAILABLE)) == 30
        task.stop()
        task.start()
        task.read(20)
        task.stop()
        assert len(task.read(READ_ALL_AVAILABLE)) == 50


def test_all_samples_of_a_waveform_and_of_a_reader(bench):
    with bench.task() as task:
        voltage(task)
        clocked(task, 50)
        task.start()
        task.read(20)
        task.stop()
        assert task.read_waveform().sample_count == 50
        task.start()
        task.read(20)
        task.stop()
        data = np.full((1, 50), np.nan)
        assert AnalogMultiChannelReader(task.in_stream).read_many_sample(data, READ_ALL_AVAILABLE) == 50
        np.testing.assert_array_equal(decoded(data[0]), np.arange(50))


def test_nothing_is_left_of_a_continuous_run_that_was_stopped(bench):
    with bench.task() as task:
        voltage(task)
        clocked(task, 1000, sample_mode=AcquisitionType.CONTINUOUS)
        task.start()
        with bench.engine.lock:
            bench.engine.advance(0.5)
        task.read(10)
        task.stop()
        assert task.read(READ_ALL_AVAILABLE) == []


# -- the run ends with its last sample -------------------------------------------------------------------------------------------------


@KINDS
def test_each_read_is_a_measurement(bench, add, clock):
    with bench.task() as task:
        add(task)
        clocked(task, 50)
        for wanted in (50, READ_ALL_AVAILABLE, 50, 80):
            assert len(task.read(wanted)) == 50
        assert task.is_task_done()


@KINDS
def test_the_run_goes_on_until_its_last_sample_is_read(bench, add, clock):
    with bench.task() as task:
        add(task)
        clocked(task, 50)
        assert len(task.read(20)) == 20
        assert code_of(task.start) == -200479
        assert len(task.read(30)) == 30
        task.start()
        task.stop()


def test_samples_of_the_measurements_begin_anew(bench):
    with bench.task() as task:
        voltage(task)
        clocked(task, 50)
        for _ in range(3):
            np.testing.assert_array_equal(decoded(task.read(50)), np.arange(50))


def test_a_task_that_was_started_is_not_stopped(bench):
    with bench.task() as task:
        voltage(task)
        clocked(task, 50)
        task.start()
        assert len(task.read(50)) == 50
        assert code_of(task.read, 1) == -200278
        assert code_of(task.start) == -200479


CHANGES = {
    "start": lambda task: task.start(),
    "timing": lambda task: task.timing.cfg_samp_clk_timing(500.0, samps_per_chan=10),
    "channel": lambda task: voltage(task, "Dev1/ai2"),
    "property": lambda task: setattr(task.ai_channels[0], "ai_max", 5.0),
    "event": lambda task: task.register_done_event(lambda *_: 0),
}


@pytest.mark.parametrize("change", CHANGES)
def test_after_the_measurement_the_task_is_free(bench, change):
    with bench.task() as task:
        voltage(task)
        clocked(task, 50)
        assert len(task.read(50)) == 50
        CHANGES[change](task)


def test_after_the_measurement_the_card_is_free(bench):
    with bench.task() as task, bench.task() as other:
        for each, channel in ((task, "Dev1/ai1"), (other, "Dev1/ai2")):
            voltage(each, channel)
            clocked(each, 50)
        for each in (task, other, task):
            assert len(each.read(50)) == 50
        task.control(TaskMode.TASK_COMMIT)
        assert len(task.read(50)) == 50
        assert code_of(other.read, 50) == -50103


# -- a committed task keeps its samples ------------------------------------------------------------------------------------------------


@KINDS
def test_a_committed_task_is_read_after_its_stop(bench, add, clock):
    with bench.task() as task:
        add(task)
        clocked(task, 50)
        task.control(TaskMode.TASK_COMMIT)
        task.start()
        task.wait_until_done()
        task.stop()
        task.in_stream.auto_start = False
        assert len(task.read(20)) == 20
        assert len(task.read(READ_ALL_AVAILABLE)) == 30
        assert code_of(task.read, 1) == -200278


def test_earlier_locations_of_the_buffer(bench):
    with bench.task() as task:
        voltage(task)
        clocked(task, 50)
        task.control(TaskMode.TASK_COMMIT)
        task.read(50)
        task.in_stream.auto_start = False
        task.in_stream.relative_to = ReadRelativeTo.FIRST_SAMPLE
        np.testing.assert_array_equal(decoded(task.read(50)), np.arange(50))
        task.in_stream.offset = 40
        np.testing.assert_array_equal(decoded(task.read(10)), np.arange(40, 50))


def test_a_task_that_is_not_committed_keeps_nothing(bench):
    with bench.task() as task:
        voltage(task)
        clocked(task, 50)
        task.read(50)
        task.in_stream.auto_start = False
        assert code_of(task.read, 50) == -200473
        task.control(TaskMode.TASK_COMMIT)
        assert code_of(task.read, 50) == -200473
