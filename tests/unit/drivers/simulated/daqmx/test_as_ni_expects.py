"""Behaviour that NI's own published tests and examples of nidaqmx-python expect; each test names the file it is learned from."""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, Signal, SyncType, TriggerType
from nidaqmx.error_codes import DAQmxErrors

from tests.unit.drivers.simulated.daqmx.client_calls import Heard, code_of, code_of_read, set_and_reset

FINITE, CONTINUOUS = AcquisitionType.FINITE, AcquisitionType.CONTINUOUS


def voltage(task, name="Dev1/ai0"):
    return task.ai_channels.add_ai_voltage_chan(name)


# -- events: tests/component/task/test_task_events.py ----------------------------------------------------------------------------------


def test_events_are_registered_before_there_is_timing(make_bench):
    with make_bench("real").task() as task:
        voltage(task)
        every, sample, done = Heard(), Heard(), Heard()
        task.register_every_n_samples_acquired_into_buffer_event(100, every)
        task.register_signal_event(Signal.SAMPLE_COMPLETE, sample)
        task.register_done_event(done)
        task.timing.cfg_samp_clk_timing(10_000.0, sample_mode=FINITE, samps_per_chan=1000)
        task.start()
        every.wait(10)
        sample.wait(1000)
        done.wait(1)
        assert (every.count, sample.count, done.count) == (10, 1000, 1)


def test_second_registrations(bench):
    with bench.task() as task:
        voltage(task)
        task.register_every_n_samples_acquired_into_buffer_event(100, Heard())
        code = code_of(task.register_every_n_samples_acquired_into_buffer_event, 100, Heard())
        assert code == DAQmxErrors.EVERY_N_SAMPS_ACQ_INTO_BUFFER_EVENT_ALREADY_REGISTERED
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        code = code_of(task.register_every_n_samples_acquired_into_buffer_event, 100, Heard())
        assert code == DAQmxErrors.EVERY_N_SAMPLES_ACQ_INTO_BUFFER_EVENT_NOT_SUPPORTED_BY_DEVICE
        task.register_every_n_samples_transferred_from_buffer_event(100, Heard())
        code = code_of(task.register_every_n_samples_transferred_from_buffer_event, 100, Heard())
        assert code == DAQmxErrors.EVERY_N_SAMPS_TRANSFERRED_FROM_BUFFER_EVENT_ALREADY_REGISTERED


# -- tasks and reads -------------------------------------------------------------------------------------------------------------------


def test_on_demand_task_is_done(bench):
    # tests/component/test_task.py
    with bench.task() as task:
        voltage(task)
        assert task.is_task_done()
        task.start()
        task.wait_until_done(0.0)
        assert task.is_task_done()


def test_more_samples_than_a_finite_task_has(bench):
    # tests/component/test_task_read_ai.py: read_too_many_sample gives what there is
    with bench.task() as task:
        voltage(task, "Dev1/ai1")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=FINITE, samps_per_chan=5)
        assert len(task.read(10)) == 5
        task.start()
        assert len(task.read(10)) == 5
        assert code_of_read(task.read, 10) == -200278


def test_raw_read_into_an_array_that_does_not_come_out_even(bench):
    # tests/component/test_in_stream.py: 19 places for 2 channels are 9 samples; unconnected inputs stay within their limits
    with bench.task() as task:
        for n in (2, 3):
            task.ai_channels.add_ai_voltage_chan(f"Dev1/ai{n}", min_val=-2.5, max_val=2.5)
        data = np.full(19, -32768, dtype=np.int16)
        assert task.in_stream.read_into(data) == 9
        assert data[-1] == 0 and (np.abs(data[:-1].astype(int)) <= 16384).all()


@pytest.mark.parametrize("limit", [2.5, 5.0])
def test_unconnected_inputs_stay_below_their_upper_limit(bench, limit):
    # tests/component/test_in_stream.py: codes from -16384 to 16383 for half the range
    with bench.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai2", min_val=-limit, max_val=limit)
        half = round(limit / (channel.ai_rng_high / 32768))
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=FINITE, samps_per_chan=500)
        codes = task.in_stream.read(500)
        assert codes.max() == half - 1 and codes.min() == -half


# -- terminals without a device: examples/synchronization/ai_ao_sync.py, cont_ai_di_acq.py ------------------------------------------------


def test_terminals_of_the_tasks_own_device_need_no_device(bench):
    with bench.task() as inputs, bench.task() as outputs:
        voltage(inputs, "Dev1/ai1")
        inputs.timing.cfg_samp_clk_timing(1000.0, sample_mode=FINITE, samps_per_chan=20)
        outputs.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        outputs.timing.cfg_samp_clk_timing(1000.0, sample_mode=FINITE, samps_per_chan=20)
        outputs.triggers.start_trigger.cfg_dig_edge_start_trig("ai/StartTrigger")
        assert outputs.triggers.start_trigger.dig_edge_src == "/Dev1/ai/StartTrigger"
        outputs.write(np.zeros(20))
        outputs.start()
        assert not outputs.is_task_done()
        inputs.start()
        inputs.wait_until_done(1.0)
        outputs.wait_until_done(1.0)


def test_sample_clock_of_another_part_needs_no_device(bench):
    with bench.task() as inputs, bench.task() as lines:
        voltage(inputs, "Dev1/ai1")
        inputs.timing.cfg_samp_clk_timing(1000.0, sample_mode=FINITE, samps_per_chan=20)
        lines.di_channels.add_di_chan("Dev1/port0/line0:7")
        lines.timing.cfg_samp_clk_timing(1000.0, source="ai/SampleClock", sample_mode=FINITE, samps_per_chan=20)
        lines.start()
        inputs.start()
        assert lines.read(20, timeout=1.0) == list(range(20))


# -- properties ------------------------------------------------------------------------------------------------------------------------


def test_limits_that_were_reset_are_not_specified(bench):
    # tests/legacy/test_properties.py
    with bench.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai0", max_val=5)
        channel.ai_max = 10
        del channel.ai_max
        assert code_of(lambda: channel.ai_max) == DAQmxErrors.AI_MAX_NOT_SPECIFIED
        channel.ai_max = 5
        assert channel.ai_max == 5


def test_tasks_without_handshake_and_synchronisation(bench):
    # tests/component/task/triggering; examples/analog_in/ai_multi_task_pxie_ref_clk.py
    with bench.task() as task:
        voltage(task)
        assert code_of(setattr, task.triggers.handshake_trigger, "trig_type", TriggerType.INTERLOCKED) == -200452
        assert task.triggers.sync_type == SyncType.NONE


def test_polynomial_of_a_bridge_without_one(make_bench):
    # nidaqmx-python, tests of properties that are lists: empty, set, reset to empty
    with make_bench(devices=[("Bridge", "PXIe-4331")]).task() as task:
        channel = task.ai_channels.add_ai_bridge_chan("Bridge/ai0")
        assert channel.ai_bridge_poly_forward_coeff == []
        assert set_and_reset(channel, "ai_bridge_poly_forward_coeff", [1.0, -2.0, 3.0]) == []
