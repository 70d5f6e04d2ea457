"""What leaves the output buffer: events of every N samples, and outputs that have no buffer but the memory on board.

`register_every_n_samples_transferred_from_buffer_event`, nidaqmx: the event "occurs when the specified number of samples is written from
the buffer to the device", each round of a buffer that is generated over and over anew (examples/analog_out/voltage_sample.py and
gen_voltage_with_events.py). `ao_use_only_on_brd_mem`: "you cannot update onboard memory directly after you start the task"; its size is
8191 samples, shared among the channels (X Series specifications).
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, RegenerationMode
from nidaqmx.error_codes import DAQmxErrors

from tests.unit.drivers.simulated.daqmx.client_calls import Heard, code_of

FIFO = 8191
AFTER_START = DAQmxErrors.CANNOT_WRITE_AFTER_START_WITH_ONBOARD_MEMORY
TOO_SMALL = DAQmxErrors.ONBOARD_MEM_TOO_SMALL


def analogue(task):
    task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
    return np.zeros


def digital(task):
    task.do_channels.add_do_chan("Dev1/port0/line0")
    return lambda count: [True, False] * (count // 2)


BOTH = pytest.mark.parametrize("add", [analogue, digital])


@BOTH
@pytest.mark.parametrize(("written", "every"), [(1000, 1000), (100, 1000), (500, 300), (500, 100)])
def test_events_go_on_while_the_output_is_repeated(bench, add, written, every):
    heard = Heard()
    with bench.task() as task:
        samples = add(task)
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
        task.register_every_n_samples_transferred_from_buffer_event(every, heard)
        task.write(samples(written), auto_start=False)
        task.start()
        begun = bench.engine.time
        with bench.engine.lock:
            bench.engine.advance(begun + 10.0)
        heard.wait(10_000 // every)
        time.sleep(0.1)
        heard.wait(task.out_stream.total_samp_per_chan_generated // every)
        assert heard.count <= task.out_stream.total_samp_per_chan_generated // every
        # Who waits for events alone does not let time run away: it goes on to the end of a round at most.
        assert bench.engine.time - begun <= 10.0 + np.lcm(written, every) / 1000.0


@BOTH
def test_events_of_a_finite_output_that_repeats_its_buffer(bench, add):
    heard = Heard()
    with bench.task() as task:
        samples = add(task)
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=500)
        task.register_every_n_samples_transferred_from_buffer_event(100, heard)
        task.write(samples(100), auto_start=False)
        task.start()
        task.wait_until_done()
        heard.wait(5)
        assert not bench.engine.wait(lambda: heard.count > 5, lambda: None, bench.engine.patience(0.0))


def on_board(task, channels="Dev1/ao0"):
    task.ao_channels.add_ao_voltage_chan(channels)
    task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=100)
    task.ao_channels.all.ao_use_only_on_brd_mem = True
    return task


def test_the_memory_on_board_is_not_written_after_the_start(bench):
    with bench.task() as task:
        on_board(task)
        task.write(np.full(100, 1.0), auto_start=True)
        assert code_of(task.write, np.full(100, 2.0)) == AFTER_START
        task.stop()
        task.write(np.full(100, 2.0))
        task.start()


def test_lines_have_memory_on_board_as_well(bench):
    with bench.task() as task:
        task.do_channels.add_do_chan("Dev1/port0/line0").do_use_only_on_brd_mem = True
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
        assert code_of(task.write, [True] * 2048) == TOO_SMALL
        task.write([True] * 2047, auto_start=True)
        assert code_of(task.write, [True] * 10) == AFTER_START


@pytest.mark.parametrize(("channels", "count"), [("Dev1/ao0", 1), ("Dev1/ao0:1", 2)])
def test_the_memory_on_board_has_a_size(bench, channels, count):
    with bench.task() as task:
        on_board(task, channels)
        most = FIFO // count
        assert code_of(task.write, np.zeros((count, most + 1)).squeeze()) == TOO_SMALL
        assert task.write(np.zeros((count, most)).squeeze(), auto_start=False) == most
        task.start()


def test_a_buffer_is_larger_than_the_memory_on_board(bench):
    with bench.task() as task:
        on_board(task).ao_channels.all.ao_use_only_on_brd_mem = False
        task.out_stream.regen_mode = RegenerationMode.ALLOW_REGENERATION
        assert task.write(np.zeros(FIFO + 1), auto_start=True) == FIFO + 1
        assert task.write(np.zeros(100)) == 100
