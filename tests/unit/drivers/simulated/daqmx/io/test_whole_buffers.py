"""Reads as large as the buffer, and larger: what a read waits for is handed over before the buffer would run over."""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, OverwriteMode

from drivers.simulated.daqmx.core.buffers import Demand, InputBuffer
from tests.unit.drivers.simulated.daqmx.client_calls import codes, decoded, error_of, let_pass

CONTINUOUS = AcquisitionType.CONTINUOUS


def rows(first: int, count: int) -> np.ndarray:
    return np.arange(first, first + count, dtype=float)[:, None]


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_full_buffer_hands_over_what_a_read_waits_for(overwrite):
    buffer = InputBuffer(1, 4, overwrite)
    buffer.demand = demand = Demand(4)
    assert buffer.append(rows(0, 7))
    assert demand.missing == 0
    np.testing.assert_array_equal(demand.parts, [[[0, 1, 2, 3]]])
    np.testing.assert_array_equal(buffer.take(3), [[4, 5, 6]])


def test_a_read_that_is_larger_gets_a_buffer_at_a_time():
    buffer = InputBuffer(1, 4)
    buffer.demand = demand = Demand(10)
    assert buffer.append(rows(0, 9))
    assert (demand.missing, buffer.available) == (2, 1)
    np.testing.assert_array_equal(np.concatenate(demand.parts, axis=1), [range(8)])


def test_nobody_waits():
    buffer = InputBuffer(1, 4)
    assert not buffer.append(rows(0, 7))
    assert buffer.available == 4


def test_samples_stay_on_board_while_the_buffer_is_full():
    buffer = InputBuffer(1, 4, fifo=2)
    assert buffer.append(rows(0, 6))
    assert (buffer.available, buffer.transferred) == (4, 4)
    np.testing.assert_array_equal(buffer.take(4), [[0, 1, 2, 3]])
    assert (buffer.available, buffer.transferred) == (2, 6)
    assert not buffer.append(rows(6, 5))
    np.testing.assert_array_equal(buffer.take(4), [[4, 5, 6, 7]])


def test_reads_of_the_whole_buffer(either_pace):
    """juliancabaleiro/nidaqmx-python-examples: six programs with their printed output read 10000 at a time from a buffer of 10000."""
    rate = 100_000.0 if either_pace.clock.lockstep else 5000.0  # buffer and memory on board last 1.2 s, by which a busy machine may be late
    with either_pace.task() as task:
        codes(task, rate, 100, sample_mode=CONTINUOUS)
        task.in_stream.input_buf_size = 2000
        np.testing.assert_array_equal(decoded(np.concatenate([task.read(2000, timeout=5.0) for _ in range(5)])), np.arange(10_000))


@pytest.mark.parametrize("overwrite", list(OverwriteMode))
def test_reads_larger_than_the_buffer(either_pace, overwrite):
    with either_pace.task() as task:
        codes(task, 50_000.0, 100, sample_mode=CONTINUOUS)
        task.in_stream.input_buf_size = 1000
        task.in_stream.overwrite = overwrite
        np.testing.assert_array_equal(decoded(task.read(5500, timeout=5.0)), np.arange(5500))


def test_whoever_reads_too_late_is_told_where(bench):
    """open-ephys/GUI, issue 396: the whole text of -200279 as the driver gave it to a user."""
    with bench.task("AITask") as task:
        codes(task, 10_000.0, 100, sample_mode=CONTINUOUS)
        task.in_stream.input_buf_size = 1000
        task.start()
        let_pass(bench, 0.2)
        code, text = error_of(task.read, 100)
    assert code == -200279
    assert text == (
        "The application is not able to keep up with the hardware acquisition.\n"
        "Increasing the buffer size, reading the data more frequently, or specifying a fixed number of samples to read instead of reading "
        "all available samples might correct the problem.\nProperty: DAQmx_Read_RelativeTo\nCorresponding Value: DAQmx_Val_CurrReadPos\n"
        "Property: DAQmx_Read_Offset\nCorresponding Value: 0\n\nTask Name: AITask\n\nStatus Code: -200279"
    )
