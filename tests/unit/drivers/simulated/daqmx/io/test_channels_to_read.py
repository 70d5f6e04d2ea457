"""Reads of some of a task's channels ("NI-DAQmx Properties", DAQmx Read, Channels to Read): "a subset of channels in the task from which
to read", in the order in which they were chosen (NI-DAQmx .NET reference, AnalogMultiChannelReader)."""

from __future__ import annotations

import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import LineGrouping
from nidaqmx.stream_readers import AnalogMultiChannelReader
from nidaqmx.task.channels import Channel

from tests.unit.drivers.simulated.daqmx.client_calls import LSB, code_of, volts_in

WIRES = {"Dev1/ai0": "Dev1/ao0", "Dev1/ai1": "Dev1/ao1"}


@pytest.fixture
def bench(make_bench):
    return make_bench(wiring=WIRES)


@pytest.fixture
def task(bench):
    """Three channels of a clocked task: 1 V, 2 V, and a sine; its outputs hold for as long as the test goes on."""
    with bench.task() as out, bench.task() as made:
        out.ao_channels.add_ao_voltage_chan("Dev1/ao0:1")
        out.write([1.0, 2.0])
        volts_in(made, 1000.0, 20, where="Dev1/ai0:2")
        yield made


def choose(task, names):
    task.in_stream.channels_to_read = Channel._factory(task._handle, names, task._interpreter)


def test_one_channel_is_read_as_of_a_task_with_one(task):
    task.in_stream.channels_to_read = task.ai_channels["Dev1/ai1"]
    assert (task.in_stream.num_chans, task.number_of_channels) == (1, 3)
    np.testing.assert_allclose(task.read(20), np.full(20, 2.0), atol=2 * LSB)
    task.stop()
    assert task.read() == pytest.approx(2.0, abs=2 * LSB)
    task.stop()
    del task.in_stream.channels_to_read
    assert np.shape(task.read(20)) == (3, 20)


def test_rows_come_in_the_order_that_was_chosen(task):
    choose(task, "Dev1/ai1, Dev1/ai0")
    assert task.in_stream.channels_to_read.channel_names == ["Dev1/ai1", "Dev1/ai0"]
    data = np.empty((2, 20))
    AnalogMultiChannelReader(task.in_stream).read_many_sample(data, 20)
    np.testing.assert_allclose(data.mean(axis=1), [2.0, 1.0], atol=2 * LSB)


def test_samples_are_read_once_for_all_channels(task):
    """Another choice goes on where the read before ended: there is one read position."""
    choose(task, "Dev1/ai0")
    task.start()
    assert len(task.read(5)) == 5
    choose(task, "Dev1/ai1")
    assert len(task.read(nidaqmx.constants.READ_ALL_AVAILABLE)) == 15


def test_waveforms_and_raw_samples(task):
    choose(task, "Dev1/ai1")
    waveform = task.read_waveform(20)
    assert (waveform.channel_name, waveform.sample_count) == ("Dev1/ai1", 20)
    np.testing.assert_allclose(waveform.scaled_data, 2.0, atol=2 * LSB)
    task.stop()
    raw = task.in_stream.read(20)
    assert raw.shape == (20,)
    np.testing.assert_allclose(raw * LSB, 2.0, atol=3 * LSB)


def test_samples_on_demand(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0:2")
        choose(task, "Dev1/ai2, Dev1/ai0")
        assert len(task.read()) == 2


def test_lines(bench):
    with bench.task() as out, bench.task() as task:
        out.do_channels.add_do_chan("Dev1/port0/line0:7", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        out.write(0b10110010)
        task.di_channels.add_di_chan("Dev1/port0/line0:3", "low", LineGrouping.CHAN_FOR_ALL_LINES)
        task.di_channels.add_di_chan("Dev1/port0/line4", "one", LineGrouping.CHAN_FOR_ALL_LINES)
        task.di_channels.add_di_chan("Dev1/port0/line5:7", "high", LineGrouping.CHAN_FOR_ALL_LINES)
        assert task.read() == [0b0010, 0b10000, 0b10100000]
        choose(task, "high")
        assert task.in_stream.di_num_booleans_per_chan == 3
        assert task.read() == 0b10100000
        choose(task, "one, low")
        assert task.read(1) == [[0b10000], [0b0010]]
        assert task.read_waveform(1)[1].data.tolist() == [[0, 1, 0, 0]]


def test_a_channel_that_the_task_does_not_have(task):
    assert code_of(choose, task, "Dev1/ai7") == -200486
