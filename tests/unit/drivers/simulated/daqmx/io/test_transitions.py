"""What writes do to the state of a task, and where a stop leads back to.

Expected: "NI-DAQmx Key Concepts", Operations That Require State Transitions (Write commits a task with a buffer), Transitioning the State
Backwards (a task that was started implicitly goes back to the state it was in before, which unreserves it); -50103 "the specified resource
is reserved", -200587 for lines, -200462 "... the buffer is empty".
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import code_of

RESERVE, UNRESERVE, COMMIT = c.TaskMode.TASK_RESERVE, c.TaskMode.TASK_UNRESERVE, c.TaskMode.TASK_COMMIT
KINDS = {
    "ao": (lambda task: task.ao_channels.add_ao_voltage_chan("Dev1/ao0"), np.zeros(10), 0.0, -50103),
    "do": (lambda task: task.do_channels.add_do_chan("Dev1/port0/line0"), [True, False] * 5, True, -200587),
}


def clocked(task, kind):
    KINDS[kind][0](task)
    task.timing.cfg_samp_clk_timing(10_000.0, samps_per_chan=10)
    return KINDS[kind][1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_write_commits_and_so_reserves(bench, kind):
    code = KINDS[kind][3]
    with bench.task() as first, bench.task() as second, bench.task() as simple:
        data = clocked(first, kind)
        first.write(data, auto_start=False)
        clocked(second, kind)
        assert code_of(second.control, RESERVE) == code
        assert code_of(second.start) == code
        assert code_of(second.write, data, auto_start=False) == code
        KINDS[kind][0](simple)
        assert code_of(simple.write, KINDS[kind][2]) == code
        first.control(UNRESERVE)
        simple.write(KINDS[kind][2])
        second.write(data, auto_start=False)
        assert code_of(first.write, data, auto_start=False) == code


def test_a_write_of_pulses_commits_and_so_reserves(bench):
    from nidaqmx.types import CtrTime

    with bench.task() as first, bench.task() as second:
        for task in (first, second):
            task.co_channels.add_co_pulse_chan_time("Dev1/ctr0")
            task.timing.cfg_implicit_timing(samps_per_chan=2)
        first.write([CtrTime(0.001, 0.001)] * 2, auto_start=False)
        assert code_of(second.control, RESERVE) == -50103


@pytest.mark.parametrize("kind", KINDS)
def test_a_task_that_a_write_has_started_is_where_it_was_after_the_stop(bench, kind):
    with bench.task() as task, bench.task() as other:
        data = clocked(task, kind)
        task.write(data, auto_start=True)
        task.wait_until_done(1.0)
        task.stop()
        assert code_of(task.start) == -200462
        clocked(other, kind)
        other.control(RESERVE)  # nothing is reserved any more
        other.control(UNRESERVE)
        task.write(data, auto_start=True)
        task.wait_until_done(1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_task_that_was_committed_before_keeps_its_samples(bench, kind):
    with bench.task() as task:
        data = clocked(task, kind)
        task.write(data, auto_start=False)
        for _ in range(3):
            task.start()
            task.wait_until_done(1.0)
            assert task.out_stream.total_samp_per_chan_generated == len(data)
            task.stop()
    with bench.task() as task:
        clocked(task, kind)
        task.control(COMMIT)
        task.write(data, auto_start=True)
        task.wait_until_done(1.0)
        task.stop()
        task.start()
        task.wait_until_done(1.0)
        assert task.out_stream.total_samp_per_chan_generated == len(data)


@pytest.mark.parametrize("kind", KINDS)
def test_a_write_whose_start_fails_leaves_the_task_where_it_was(bench, kind):
    with bench.task() as task, bench.task() as other:
        clocked(task, kind)
        assert code_of(task.write, KINDS[kind][2], auto_start=True) == -200609  # a buffer of one sample
        clocked(other, kind)
        other.control(RESERVE)
