"""Timestamps, start triggers at a time, and the convert clock, through the stock client.

Expected: nidaqmx-python, tests/component/task/test_triggers_properties.py, test_timing_properties.py, test_triggers.py (defaults, errors,
1121 ticks of an NI 9205); X Series User Manual, "AI Convert Clock Signal".
"""

from __future__ import annotations

from datetime import UTC

import numpy as np
import pytest
from hightime import datetime as ht_datetime
from hightime import timedelta as ht_timedelta
from nidaqmx import error_codes
from nidaqmx.constants import AcquisitionType, Edge, Timescale, TimestampEvent, TriggerType

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, set_and_reset

E = error_codes.DAQmxErrors
FINITE = AcquisitionType.FINITE


@pytest.fixture(params=["real", "lockstep"])
def aware(request, make_bench):
    """A chassis that knows the time of day, with an NI 9215 and an NI 9205."""
    from drivers.simulated.daqmx.core.device_entries import DeviceEntry

    chassis = "cDAQ1"
    return make_bench(
        request.param,
        devices=[
            DeviceEntry(chassis, "cDAQ-9189"), DeviceEntry("Mod1", "NI 9215", chassis, 1), DeviceEntry("Mod2", "NI 9205", chassis, 2),
        ],
    )  # fmt: skip


def sampled(task, name="Mod1/ai0", rate=1000.0, samples=100):
    task.ai_channels.add_ai_voltage_chan(name)
    task.timing.cfg_samp_clk_timing(rate, sample_mode=FINITE, samps_per_chan=samples)


def now():
    return ht_datetime.now(UTC)


def test_first_sample_has_a_timestamp(aware):
    with aware.task() as task:
        sampled(task)
        before = now()
        task.start()
        stamp = task.wait_for_valid_timestamp(TimestampEvent.FIRST_SAMPLE)
        assert task.timing.first_samp_timestamp_val == stamp
        assert task.timing.first_samp_timestamp_enable
        assert task.timing.first_samp_timestamp_timescale == Timescale.USE_HOST
        assert -0.01 < (stamp - before).total_seconds() < 5.0


def test_timestamps_of_start_and_reference_trigger(aware):
    with aware.task() as task:
        sampled(task)
        start = task.triggers.start_trigger
        start.timestamp_enable = True
        task.triggers.reference_trigger.timestamp_enable = True
        task.start()
        stamp = task.wait_for_valid_timestamp(TimestampEvent.START_TRIGGER)
        assert start.timestamp_val == stamp
        task.wait_for_valid_timestamp(TimestampEvent.REFERENCE_TRIGGER)
        first = task.wait_for_valid_timestamp(TimestampEvent.FIRST_SAMPLE)
        assert abs((first - stamp).total_seconds()) < 1e-6


def test_timestamp_that_is_not_enabled_or_not_there(aware):
    with aware.task() as task:
        sampled(task)
        task.triggers.start_trigger.timestamp_enable = False
        task.start()
        assert code_of(task.wait_for_valid_timestamp, TimestampEvent.START_TRIGGER) == E.TIMESTAMP_NOT_ENABLED
    with aware.task() as task:
        sampled(task)
        assert code_of(lambda: task.timing.first_samp_timestamp_val) == E.TIMESTAMP_NOT_YET_RECEIVED


def test_start_at_a_time(aware):
    with aware.task() as task:
        sampled(task)
        start = task.triggers.start_trigger
        assert start.time_when.year in (1903, 1904)
        when = now() + ht_timedelta(seconds=1.5)  # time enough to be told, on a busy machine as well
        start.cfg_time_start_trig(when, Timescale.USE_IO_DEVICE)
        assert start.trig_type == TriggerType.TIME and start.time_timescale == Timescale.USE_IO_DEVICE
        assert abs((start.time_when - when).total_seconds()) < 1e-6
        assert len(task.read(100, timeout=5.0)) == 100
        assert abs((task.timing.first_samp_timestamp_val - when).total_seconds()) < 1e-6


def test_start_at_a_time_that_is_over(aware):
    with aware.task() as task:
        sampled(task)
        task.triggers.start_trigger.cfg_time_start_trig(now() - ht_timedelta(seconds=3.0))
        assert code_of(task.start) == E.TRIGGER_CONFIGURED_IS_IN_THE_PAST


def test_cards_do_not_know_the_time(bench):
    with bench.task() as task:
        sampled(task, "Dev1/ai0")
        assert code_of(task.triggers.start_trigger.cfg_time_start_trig, now()) == E.TIME_TRIGGER_NOT_SUPPORTED
        task.start()
        assert code_of(task.wait_for_valid_timestamp, TimestampEvent.FIRST_SAMPLE) == E.WAIT_FOR_VALID_TIMESTAMP_NOT_SUPPORTED


# -- the convert clock -----------------------------------------------------------------------------------------------------------------


def test_convert_clock_of_a_module(aware):
    with aware.task() as task:
        task.ai_channels.add_ai_voltage_chan("Mod2/ai0")
        timing = task.timing["Mod2"]
        assert timing.ai_conv_timebase_div == 1121
        default = timing.ai_conv_rate
        assert set_and_reset(timing, "ai_conv_rate", 1000.0) == default
        assert set_and_reset(timing, "ai_conv_timebase_div", 1150) == 1121
        assert timing.ai_conv_active_edge == Edge.RISING


@pytest.mark.parametrize(("rate", "channels", "interval"), [(1000.0, 4, 11e-6), (50_000.0, 4, 5e-6), (250_000.0, 4, 1e-6)])
def test_convert_clock_of_a_card(bench, rate, channels, interval):
    # 1 us of the converter and 10 us to settle; where the samples leave less, evenly spread
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan(f"Dev1/ai0:{channels - 1}")
        task.timing.cfg_samp_clk_timing(rate)
        assert 1.0 / task.timing.ai_conv_rate == pytest.approx(interval, rel=1e-9)
        assert task.timing.ai_conv_timebase_div == round(interval * 100e6)


def test_convert_clock_belongs_to_one_converter_for_all_channels(aware):
    with aware.task() as task:
        sampled(task, "Mod1/ai0")  # an NI 9215 has a converter for each
        assert code_of(lambda: task.timing.ai_conv_rate) == -200452


def test_raw_write_of_an_array_that_does_not_come_out_even(bench):
    # tests/component/test_out_stream.py: 19 samples for 2 channels are 9
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0:1")
        task.out_stream.auto_start = True
        assert task.out_stream.write(np.full(19, 0x1234, dtype=np.int16)) == 9
