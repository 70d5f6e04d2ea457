"""Reads whose samples do not come in time: what the driver says (-200284), and where the samples lie that have come."""

from __future__ import annotations

import nidaqmx.system
import numpy as np
import pytest
from nidaqmx._grpc_interpreter import _ERROR_MESSAGES
from nidaqmx.constants import AcquisitionType, LineGrouping
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.errors import DaqReadError
from nidaqmx.stream_readers import AnalogMultiChannelReader, AnalogSingleChannelReader, DigitalMultiChannelReader

from tests.unit.drivers.simulated.daqmx.client_calls import codes, decoded, error_of

LATE = DAQmxErrors.SAMPLES_NOT_YET_AVAILABLE
WORDS = _ERROR_MESSAGES[LATE]
"""NI's own copy of the driver's text."""
CONTINUOUS = AcquisitionType.CONTINUOUS


def test_the_text_is_the_driver_s(bench):
    """nidaqmx-python, tests/component/test_interpreter.py: the server's text is the one that the client has in its code, to the letter."""
    assert nidaqmx.system.System.remote(bench.options)._interpreter.get_error_string(LATE) == WORDS


def test_the_whole_text_of_a_read_of_one_sample(bench):
    """As -200279 of open-ephys/GUI, issue 396: the driver names the position, the task and the code under the text."""
    with bench.task("late") as task:
        codes(task, 1000.0, 100, sample_mode=CONTINUOUS, source="/Dev1/PFI0")
        code, text = error_of(AnalogSingleChannelReader(task.in_stream).read_one_sample, timeout=0.01)
    assert code == LATE.value
    assert text == (
        f"{WORDS}\nProperty: DAQmx_Read_RelativeTo\nCorresponding Value: DAQmx_Val_CurrReadPos\n"
        "Property: DAQmx_Read_Offset\nCorresponding Value: 0\n\nTask Name: late\n\nStatus Code: -200284"
    )


def test_what_has_come_lies_row_behind_row(bench):
    """ni/nidaqmx-python, issue 528, and tests/legacy/test_read_exceptions.py: rows of a short read follow one another without gaps."""
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai1", min_val=-10.0, max_val=10.0)
        task.ai_channels.add_ai_voltage_chan("Dev1/ai1", "again", min_val=-10.0, max_val=10.0)
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=CONTINUOUS, samps_per_chan=100)
        data = np.full((2, 40), np.nan)
        with pytest.raises(DaqReadError) as caught:
            AnalogMultiChannelReader(task.in_stream).read_many_sample(data, 40, timeout=0.0095)
    assert (caught.value.error_code, caught.value.samps_per_chan_read) == (LATE.value, 10)
    np.testing.assert_array_equal(decoded(data.ravel()[:20]), [*range(10), *range(10)])


def test_lines_that_have_come_in_time(bench):
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0:7", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        task.di_channels.add_di_chan("Dev1/port0/line8:15", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=CONTINUOUS, samps_per_chan=100)
        data = np.zeros((2, 40), np.uint32)
        with pytest.raises(DaqReadError) as caught:
            DigitalMultiChannelReader(task.in_stream).read_many_sample_port_uint32(data, 40, timeout=0.0095)
    assert caught.value.samps_per_chan_read == 10
    np.testing.assert_array_equal(data.ravel()[:10], np.arange(10))  # nothing connected: lines count in binary
    np.testing.assert_array_equal(data.ravel()[10:20], np.arange(10) << 8)
