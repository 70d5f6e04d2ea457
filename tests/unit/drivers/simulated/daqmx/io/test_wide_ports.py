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


READS = {"byte": "read_many_sample_port_byte", "uint16": "read_many_sample_port_uint16", "uint32": "read_many_sample_port_uint32"}
WRITES = {"byte": "write_many_sample_port_byte", "uint16": "write_many_sample_port_uint16", "uint32": "write_many_sample_port_uint32"}
TOO_WIDE = pytest.mark.parametrize(("lines", "kind", "bits"), [(WIDE, "byte", 8), ("Dev1/port0", "uint16", 16), (VERY_WIDE, "uint32", 32)])


@TOO_WIDE
def test_reads(bench, lines, kind, bits):
    name, dtype, error = READS[kind], f"uint{bits}", DAQmxErrors[f"CHAN_SIZE_TOO_BIG_FOR_U_{bits}_PORT_READ"]
    with bench.task() as task:
        task.di_channels.add_di_chan(lines, line_grouping=ALL)
        assert code_of(getattr(DigitalSingleChannelReader(task.in_stream), name), np.zeros(1, dtype), 1) == error
        assert code_of(getattr(DigitalMultiChannelReader(task.in_stream), name), np.zeros((1, 1), dtype), 1) == error


@TOO_WIDE
def test_writes(bench, lines, kind, bits):
    name, dtype, error = WRITES[kind], f"uint{bits}", DAQmxErrors[f"CHAN_SIZE_TOO_BIG_FOR_U_{bits}_PORT_WRITE"]
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
            getattr(DigitalSingleChannelReader(task.in_stream), READS[kind])(data, 1)
            assert data[0] == value
