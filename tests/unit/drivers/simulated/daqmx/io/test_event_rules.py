"""What events forbid: starting by reading or writing, and unregistering while the task runs (NI's texts for -200984 to -200986)."""

from __future__ import annotations

import pytest
from nidaqmx.constants import AcquisitionType
from nidaqmx.error_codes import DAQmxErrors

from tests.unit.drivers.simulated.daqmx.client_calls import code_of


def told(*_):
    return 0


@pytest.mark.parametrize("clocked", [True, False])
def test_a_read_does_not_start_a_task_with_events(bench, clocked):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        if clocked:
            task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.FINITE, samps_per_chan=10)
        task.register_done_event(told)
        assert code_of(task.read) == DAQmxErrors.AUTO_START_READ_NOT_ALLOWED_EVENT_REGISTERED
        task.start()
        task.read()
        task.stop()
        task.register_done_event(None)
        task.read()


def test_a_write_does_not_start_a_task_with_events(bench):
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.FINITE, samps_per_chan=10)
        task.register_done_event(told)
        assert code_of(task.write, [0.0] * 10, auto_start=True) == DAQmxErrors.AUTO_START_WRITE_NOT_ALLOWED_EVENT_REGISTERED
        task.write([0.0] * 10, auto_start=False)
        task.start()
        task.wait_until_done()
    with bench.task() as lines:
        lines.do_channels.add_do_chan("Dev1/port0/line0")
        lines.register_done_event(told)
        assert code_of(lines.write, True, auto_start=True) == DAQmxErrors.AUTO_START_WRITE_NOT_ALLOWED_EVENT_REGISTERED


def test_events_are_unregistered_before_the_start(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
        task.register_every_n_samples_acquired_into_buffer_event(100, told)
        task.start()
        unregister = task.register_every_n_samples_acquired_into_buffer_event
        assert code_of(unregister, 100, None) == DAQmxErrors.CANNOT_UNREGISTER_DA_QMX_SOFTWARE_EVENT_WHILE_TASK_IS_RUNNING
        task.stop()
