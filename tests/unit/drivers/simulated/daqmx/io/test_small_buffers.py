"""Buffers smaller than what a finite task acquires.

"How Is Buffer Size Determined?", NI-DAQmx Help: the size for a finite acquisition is that of its samples, and is overridden by configuring
the buffer; who does not read in time loses samples (-200279).
"""

from __future__ import annotations

import numpy as np
from nidaqmx.constants import LineGrouping, OverwriteMode

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, codes, decoded


def acquisition(bench, samples=1000, size=100):
    task = bench.task()
    codes(task, samples=samples)
    assert task.in_stream.input_buf_size == samples
    task.in_stream.input_buf_size = size
    assert task.in_stream.input_buf_size == size
    return task


def test_it_is_read_in_time(bench):
    with acquisition(bench) as task:
        task.start()
        np.testing.assert_array_equal(decoded(np.concatenate([task.read(50) for _ in range(20)])), np.arange(1000))
        assert task.is_task_done()


def test_it_is_not_read_in_time(bench):
    with acquisition(bench) as task:
        task.start()
        with bench.engine.lock:
            bench.engine.advance(0.05)
        assert code_of(task.read, 50) == -200279


def test_overwritten_samples_of_a_finite_task(bench):
    with acquisition(bench) as task:
        task.in_stream.overwrite = OverwriteMode.OVERWRITE_UNREAD_SAMPLES
        task.start()
        task.wait_until_done(1.0)
        task.in_stream.offset = 900
        np.testing.assert_array_equal(decoded(task.read(100)), np.arange(900, 1000))


def test_a_reference_trigger_needs_all_samples_at_once(bench):
    with acquisition(bench) as task:
        task.triggers.reference_trigger.cfg_dig_edge_ref_trig("/Dev1/PFI0", 10)
        assert code_of(task.start) == -200608


def test_lines(bench):
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0:7", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        task.timing.cfg_samp_clk_timing(10_000.0, samps_per_chan=256)
        task.in_stream.input_buf_size = 64
        task.start()
        np.testing.assert_array_equal(np.concatenate([task.read(32) for _ in range(8)]), np.arange(256))
