"""Channels that do not fit into the numbers that they are to be read or written in.

"Digital Data (Integer Format)", NI-DAQmx Help: "each digital channel you read or write must fit into one integer"; the errors by name.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import LineGrouping
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.stream_readers import DigitalMultiChannelReader, DigitalSingleChannelReader
from nidaqmx.stream_writers import DigitalMultiChannelWriter, DigitalSingleChannelWriter

from tests.unit.drivers.simulated.daqmx.client_calls import code_of

ALL = LineGrouping.CHAN_FOR_ALL_LINES
WIDE, VERY_WIDE = "Dev1/port0/line0:15", "Dev1/port0,Dev1/port1"


@pytest.mark.parametrize(
    ("lines", "name", "dtype", "error"),
    [
        (WIDE, "read_many_sample_port_byte", np.uint8, DAQmxErrors.CHAN_SIZE_TOO_BIG_FOR_U_8_PORT_READ),
        ("Dev1/port0", "read_many_sample_port_uint16", np.uint16, DAQmxErrors.CHAN_SIZE_TOO_BIG_FOR_U_16_PORT_READ),
        (VERY_WIDE, "read_many_sample_port_uint32", np.uint32, DAQmxErrors.CHAN_SIZE_TOO_BIG_FOR_U_32_PORT_READ),
    ],
)
def test_reads(bench, lines, name, dtype, error):
    with bench.task() as task:
        task.di_channels.add_di_chan(lines, line_grouping=ALL)
        assert code_of(getattr(DigitalSingleChannelReader(task.in_stream), name), np.zeros(1, dtype), 1) == error
        assert code_of(getattr(DigitalMultiChannelReader(task.in_stream), name), np.zeros((1, 1), dtype), 1) == error


@pytest.mark.parametrize(
    ("lines", "name", "dtype", "error"),
    [
        (WIDE, "write_many_sample_port_byte", np.uint8, DAQmxErrors.CHAN_SIZE_TOO_BIG_FOR_U_8_PORT_WRITE),
        ("Dev1/port0", "write_many_sample_port_uint16", np.uint16, DAQmxErrors.CHAN_SIZE_TOO_BIG_FOR_U_16_PORT_WRITE),
        (VERY_WIDE, "write_many_sample_port_uint32", np.uint32, DAQmxErrors.CHAN_SIZE_TOO_BIG_FOR_U_32_PORT_WRITE),
    ],
)
def test_writes(bench, lines, name, dtype, error):
    with bench.task() as task:
        task.do_channels.add_do_chan(lines, line_grouping=ALL)
        assert code_of(getattr(DigitalSingleChannelWriter(task.out_stream), name), np.zeros(1, dtype)) == error
        assert code_of(getattr(DigitalMultiChannelWriter(task.out_stream), name), np.zeros((1, 1), dtype)) == error


def test_what_fits_is_read_and_written(bench):
    """A port of 8 lines goes into bytes, 16 lines into 16 bits, 32 into 32."""
    for lines, kind, dtype, value in (
        ("Dev1/port1", "byte", np.uint8, 0xA5), (WIDE, "uint16", np.uint16, 0xA55A), ("Dev1/port0", "uint32", np.uint32, 0xA55A0FF0),
    ):  # fmt: skip
        with bench.task() as task:
            task.do_channels.add_do_chan(lines, line_grouping=ALL)
            task.start()
            getattr(DigitalSingleChannelWriter(task.out_stream), f"write_one_sample_port_{kind}")(value)
            data = np.zeros(1, dtype)
            getattr(DigitalSingleChannelReader(task.in_stream), f"read_many_sample_port_{kind}")(data, 1)
            assert data[0] == value
