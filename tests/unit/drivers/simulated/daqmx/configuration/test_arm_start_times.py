"""Arm start triggers at a time of day, by counters of a CompactDAQ chassis.

Expected values: NI-DAQmx Properties, DAQmx Trigger, "Arm Start: Time" (the counter is armed at that time); nidaqmx-python, tests/component/
task/test_triggers.py (a counter `_ctr0` of a cDAQ-9189, and a time that nobody told), nidaqmx.error_codes; cDAQ-9185/9189 User Manual (four
counters in the chassis, a PFI).
"""

from __future__ import annotations

import pytest
from hightime import timedelta as ht_timedelta
from nidaqmx.constants import AcquisitionType, Edge, Timescale, TimestampEvent, TriggerType
from nidaqmx.error_codes import DAQmxErrors as E
from nidaqmx.system import System

from drivers.simulated.daqmx.core.device_entries import DeviceEntry
from tests.unit.drivers.simulated.daqmx.client_calls import code_of
from tests.unit.drivers.simulated.daqmx.configuration.test_timestamps import now

CHASSIS = [DeviceEntry("cDAQ1", "cDAQ-9189"), DeviceEntry("Mod1", "NI 9215", "cDAQ1", 1), DeviceEntry("Dev1", "PCIe-6363")]


@pytest.fixture(params=["real", "lockstep"])
def aware(request, make_bench):
    return make_bench(request.param, devices=CHASSIS)


@pytest.fixture
def rig(make_bench):
    return make_bench(devices=CHASSIS)


def counting(task, counter="cDAQ1/_ctr0"):
    channel = task.ci_channels.add_ci_count_edges_chan(counter, edge=Edge.RISING)
    channel.ci_count_edges_term = f"/{counter.partition('/')[0]}/100kHzTimebase"
    return task.triggers.arm_start_trigger


def test_a_count_that_begins_at_a_time(aware):
    """The counts tell how long ago the counter was armed, in steps of 10 us."""
    with aware.task() as clock, aware.task() as task:
        clock.ai_channels.add_ai_voltage_chan("Mod1/ai0")
        clock.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=10000)
        arm = counting(task)
        task.timing.cfg_samp_clk_timing(1000.0, source="/cDAQ1/ai/SampleClock", samps_per_chan=20)
        arm.trig_type, arm.timestamp_enable = TriggerType.TIME, True
        when = now() + ht_timedelta(seconds=1.5)  # time enough to be told and to start, on a busy machine as well
        arm.time_when, arm.time_timescale = when, Timescale.USE_IO_DEVICE
        assert abs((arm.time_when - when).total_seconds()) < 1e-6
        task.start()
        clock.start()
        counts = task.read(20, timeout=10.0)
        assert abs((arm.timestamp_val - when).total_seconds()) < 1e-6
        first = (task.timing.first_samp_timestamp_val - when).total_seconds()
        assert 0.0 <= first <= 1e-3 + 1e-6
        assert counts == pytest.approx([(first + n * 1e-3) * 1e5 for n in range(20)], abs=1.01)


def test_a_time_that_nobody_told(rig):
    with rig.task() as task:
        arm = counting(task)
        task.timing.cfg_samp_clk_timing(1000, source="PFI0")
        assert arm.time_when.year in (1903, 1904)
        assert arm.time_timescale is Timescale.USE_HOST
        arm.trig_type, arm.timestamp_enable = TriggerType.TIME, True
        before = now()
        task.start()
        stamp = task.wait_for_valid_timestamp(TimestampEvent.ARM_START_TRIGGER)
        assert -0.01 < (stamp - before).total_seconds() < 5.0


def test_a_time_that_is_over(rig):
    with rig.task() as task:
        arm = counting(task)
        arm.trig_type, arm.time_when = TriggerType.TIME, now() - ht_timedelta(seconds=3.0)
        assert code_of(task.start) == E.TRIGGER_CONFIGURED_IS_IN_THE_PAST


def test_a_card_does_not_know_the_time(rig):
    with rig.task() as task:
        arm = counting(task, "Dev1/ctr0")
        arm.trig_type = TriggerType.TIME
        assert code_of(task.start) == E.TIME_TRIGGER_NOT_SUPPORTED
        assert code_of(lambda: arm.time_when) == -200452


def test_pulses_that_would_start_before_they_are_armed(rig):
    with rig.task() as task:
        task.co_channels.add_co_pulse_chan_freq("cDAQ1/_ctr1", freq=1000.0)
        task.timing.cfg_implicit_timing(samps_per_chan=10)
        task.triggers.start_trigger.cfg_time_start_trig(now() + ht_timedelta(seconds=10.0))
        arm = task.triggers.arm_start_trigger
        arm.trig_type, arm.time_when = TriggerType.TIME, now() + ht_timedelta(seconds=20.0)
        assert code_of(task.start) == -209849


def test_counters_of_a_chassis_are_not_listed(rig):
    devices = System.remote(rig.options).devices
    assert devices["cDAQ1"].ci_physical_chans.channel_names == []
    with rig.task() as task:
        assert code_of(task.ci_channels.add_ci_count_edges_chan, "cDAQ1/ctr0") == -200170
    with rig.task() as task:
        assert code_of(task.ci_channels.add_ci_count_edges_chan, "cDAQ1/_ctr4") == -200170
