"""Sync pulses, reference clocks and timebases of sample clocks.

Expected values: "NI-DAQmx Properties", DAQmx Timing (SyncPulse.*, RefClk.*, SampClk.Timebase.*, MasterTimebase.*); "X Series User Manual",
AI Sample Clock Timebase Signal (100 MHz, 20 MHz, 100 kHz, PFI); nidaqmx-python, examples/analog_in/ai_multi_task_pxie_ref_clk.py.
"""

from __future__ import annotations

import pytest
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import code_of

CARDS = (("Dev1", "PCIe-6363"), ("PXI1Slot2", "PXIe-4466"), ("PXI1Slot3", "PXIe-4466"), ("PXI1Slot4", "PXIe-4331"))
FINITE = c.AcquisitionType.FINITE


@pytest.fixture
def rig(make_bench):
    """A card, and modules of one chassis."""
    return make_bench(devices=CARDS)


def test_two_tasks_by_reference_clock_and_sync_pulse(rig):
    with rig.task() as first, rig.task() as second:
        for task, device in ((first, "PXI1Slot2"), (second, "PXI1Slot3")):
            task.ai_channels.add_ai_voltage_chan(f"{device}/ai0:3")
            task.timing.cfg_samp_clk_timing(51_200.0, sample_mode=FINITE, samps_per_chan=100)
            task.timing.ref_clk_src, task.timing.ref_clk_rate = "PXIe_Clk100", 100e6
            assert (task.timing.ref_clk_src, task.timing.ref_clk_rate) == ("PXIe_Clk100", 100e6)
        assert first.timing.sync_pulse_term == "/PXI1Slot2/SyncPulse"
        second.timing.sync_pulse_src = "/PXI1Slot2/SyncPulse"
        assert second.timing.sync_pulse_src == "/PXI1Slot2/SyncPulse"
        longest = max(first.timing.sync_pulse_sync_time, second.timing.sync_pulse_sync_time)
        assert 0.0 < longest < 0.1
        first.timing.sync_pulse_min_delay_to_start = longest
        assert first.timing.sync_pulse_min_delay_to_start == longest
        second.triggers.start_trigger.cfg_dig_edge_start_trig("/PXI1Slot2/ai/StartTrigger")
        second.start()
        first.start()
        assert len(first.read(100)[0]) == len(second.read(100)[3]) == 100


@pytest.mark.parametrize("name", ["sync_pulse_src", "sync_pulse_term", "sync_pulse_sync_time", "sync_pulse_min_delay_to_start"])
def test_a_card_has_no_sync_pulse(rig, name):
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0)
        assert code_of(lambda: getattr(task.timing, name)) == -200452


@pytest.mark.parametrize("name", ["sync_pulse_sync_time", "sync_pulse_term"])
def test_what_is_only_read(rig, name):
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("PXI1Slot2/ai0")
        with pytest.raises(AttributeError):  # the client has no setter
            setattr(task.timing, name, 1.0)


@pytest.mark.parametrize("name", ["master_timebase_rate", "master_timebase_src", "sync_pulse_reset_time", "sync_pulse_reset_delay",
                                  "sync_pulse_type", "sync_clk_interval"])  # fmt: skip
@pytest.mark.parametrize("where", ["Dev1/ai0", "PXI1Slot2/ai0"])
def test_of_other_devices(rig, name, where):
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan(where)
        assert code_of(lambda: getattr(task.timing, name)) == -200452


def test_a_sample_clock_is_divided_from_its_timebase(rig):
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        timing = task.timing
        timing.cfg_samp_clk_timing(30_000.0, sample_mode=FINITE, samps_per_chan=10)
        assert (timing.samp_clk_timebase_rate, timing.samp_clk_timebase_src) == (100e6, "/Dev1/100MHzTimebase")
        assert timing.samp_clk_rate == pytest.approx(100e6 / 3333)
        timing.samp_clk_timebase_src = "/Dev1/20MHzTimebase"
        assert (timing.samp_clk_timebase_rate, timing.samp_clk_timebase_src) == (20e6, "/Dev1/20MHzTimebase")
        assert timing.samp_clk_rate == pytest.approx(20e6 / 666)
        assert timing.samp_clk_timebase_div == 666
        timing.samp_clk_timebase_src, timing.samp_clk_timebase_rate = "/Dev1/PFI0", 1e6
        assert timing.samp_clk_rate == pytest.approx(1e6 / 33)
        del timing.samp_clk_timebase_src
        assert timing.samp_clk_timebase_rate == 100e6
        assert len(task.read(10)) == 10
