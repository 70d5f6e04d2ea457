"""Sample clocks whose timebase comes from outside, and where clocks may come from.

Expected: "NI-DAQmx Properties", DAQmx Timing: SampClk.Timebase.Src, .Rate, .ActiveEdge; SampClk.TimebaseDiv ("the number of Sample Clock
Timebase edges that the device must receive before producing each Sample Clock pulse"); "NI-DAQmx", Clock Frequency Coercion; errors as the
driver's names of them say (nidaqmx.error_codes: SAMP_CLK_TIMEBASE_RATE_NOT_SPECD, INVALID_ROUTING_SOURCE_TERMINAL_NAME_ROUTING).
"""

from __future__ import annotations

import nidaqmx
import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.error_codes import DAQmxErrors

from drivers.simulated import serve_devices
from tests.unit.drivers.simulated.daqmx.client_calls import ADD, OUT0, code_of, not_served, train

COMMIT = c.TaskMode.TASK_COMMIT
RATE_MISSING, NO_TERMINAL = DAQmxErrors.SAMP_CLK_TIMEBASE_RATE_NOT_SPECD.value, -89120
DATA = {"ao": np.zeros(10), "do": [True, False] * 5}


def ticks(task):
    """Periods of 100 kHz since the start."""
    task.ci_channels.add_ci_count_edges_chan("Dev1/ctr3").ci_count_edges_term = "/Dev1/100kHzTimebase"
    task.start()
    return task


def divided(task, kind, source=OUT0, told=10_000.0):
    ADD[kind](task)
    task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
    task.timing.samp_clk_timebase_src = source
    if told:
        task.timing.samp_clk_timebase_rate = told


def finish(task, kind, timeout=3.0):
    """Let a finite task come to its end."""
    if kind in DATA:
        task.write(DATA[kind], auto_start=True)
    else:
        task.start()
    task.wait_until_done(timeout)


@pytest.mark.parametrize("kind", ADD)
def test_edges_of_the_timebase_are_divided(bench, kind):
    # 5 kHz where 10 kHz were told: the divisor is 10, so that 10 samples take 100 periods of 200 us.
    with bench.task() as pulses, bench.task() as task, bench.task() as clock:
        train(pulses, freq=5000.0)
        divided(task, kind)
        assert (task.timing.samp_clk_rate, task.timing.samp_clk_timebase_rate, task.timing.samp_clk_timebase_div) == (1000.0, 1e4, 10)
        pulses.start()
        ticks(clock)
        finish(task, kind)
        assert clock.read() == pytest.approx(2000, abs=25)


@pytest.mark.parametrize("kind", ADD)
def test_a_timebase_that_does_not_tick_is_waited_for(bench, kind):
    with bench.task() as pulses, bench.task() as task:
        train(pulses, freq=10_000.0)
        divided(task, kind)
        assert code_of(finish, task, kind, 0.1) == -200560
        pulses.start()
        task.wait_until_done(1.0)


def test_a_read_waits_for_a_timebase_in_vain(either_pace):
    with either_pace.task() as task:
        divided(task, "ai", "/Dev1/PFI0")
        assert code_of(task.read, 10, timeout=0.1) == -200284


@pytest.mark.parametrize("kind", ADD)
def test_the_rate_has_to_be_told(bench, kind):
    with bench.task() as task:
        divided(task, kind, told=None)
        assert code_of(task.control, COMMIT) == RATE_MISSING
        assert code_of(lambda: task.timing.samp_clk_timebase_rate) == RATE_MISSING
        task.timing.samp_clk_timebase_rate = 1e4
        if kind not in DATA:
            task.control(COMMIT)


def test_a_divisor_does_without_the_rate(bench):
    with bench.task() as pulses, bench.task() as task, bench.task() as clock:
        train(pulses, freq=2000.0)
        divided(task, "ai", told=None)
        task.timing.samp_clk_timebase_div = 4
        pulses.start()
        ticks(clock)
        assert len(task.read(10, timeout=1.0)) == 10
        assert clock.read() == pytest.approx(2000, abs=60)  # 40 periods of 500 us


def test_falling_edges_of_the_timebase(bench):
    # Each pulse is high for 90 ms: falling edges come that much later.
    with bench.task() as pulses, bench.task() as task, bench.task() as clock:
        train(pulses, freq=10.0, duty_cycle=0.9)
        divided(task, "ai", told=10.0)
        task.timing.samp_clk_rate = 10.0
        task.timing.samp_clk_timebase_active_edge = c.Edge.FALLING
        task.timing.samp_quant_samp_per_chan = 2
        task.start()
        ticks(clock)
        pulses.start()
        task.wait_until_done(2.0)
        assert clock.read() == pytest.approx(19_000, abs=200)  # falls at 90 and 190 ms, rises at 0 and 100 ms


def test_an_internal_timebase_ticks_as_it_does(bench):
    # The 20 MHz timebase, told to have 10 MHz: divided by 10,000 it makes 2 kS/s.
    with bench.task() as task, bench.task() as clock:
        divided(task, "ai", "/Dev1/20MHzTimebase", told=10e6)
        ticks(clock)
        finish(task, "ai")
        assert clock.read() == pytest.approx(450, abs=2)


def test_the_timebase_of_another_part_is_the_same(bench):
    with bench.task() as task:
        divided(task, "ao", "/Dev1/ai/SampleClockTimebase", told=None)
        assert task.timing.samp_clk_timebase_rate == 100e6
        finish(task, "ao")


def test_nothing_is_waited_for_at_a_loose_pin():
    with serve_devices({"Dev1": "PCIe-6363"}, pace="lockstep") as devices, nidaqmx.Task(grpc_options=devices.grpc_options) as task:
        divided(task, "ai", "/Dev1/PFI0")
        assert len(task.read(10, timeout=1.0)) == 10


@pytest.mark.parametrize("rate", [1e9, 100e6, 2.1e6])
def test_no_divisor_makes_a_device_faster_than_it_is(bench, rate):
    with bench.task() as task:
        ADD["ai"](task)
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
        task.timing.samp_clk_timebase_div = int(100e6 // rate) or 1
        assert code_of(task.control, COMMIT) == -200332


def test_delta_sigma_converters_are_not_served_so(make_bench):
    with make_bench(devices=(("PXI1Slot3", "PXIe-4480"),)).task() as task:
        task.ai_channels.add_ai_voltage_chan("PXI1Slot3/ai0")
        task.timing.cfg_samp_clk_timing(10_000.0, samps_per_chan=10)
        task.timing.samp_clk_timebase_src, task.timing.samp_clk_timebase_rate = "/PXI1Slot3/PFI0", 1e6
        assert not_served(task.start)


# -- where clocks come from ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ref_clk_src", "samp_clk_timebase_src"])
@pytest.mark.parametrize("source", ["foo", "/Dev1/PFI99", "PXIe_Clk100"])
@pytest.mark.parametrize("kind", ["ai", "ao"])
def test_clocks_that_are_not_there(bench, kind, name, source):
    with bench.task() as task:
        ADD[kind](task)
        task.timing.cfg_samp_clk_timing(1000.0)
        setattr(task.timing, name, source)
        task.timing.samp_clk_timebase_rate = 1e6
        assert code_of(task.control, COMMIT) == NO_TERMINAL


@pytest.mark.parametrize("name", ["ref_clk_src", "samp_clk_timebase_src", "sync_pulse_src"])
def test_clocks_that_are_not_there_of_a_module(make_bench, name):
    with make_bench(devices=(("PXI1Slot3", "PXIe-4480"),)).task() as task:
        task.ai_channels.add_ai_voltage_chan("PXI1Slot3/ai0")
        task.timing.cfg_samp_clk_timing(10_000.0)
        setattr(task.timing, name, "foo")
        assert code_of(task.control, COMMIT) == NO_TERMINAL
        setattr(task.timing, name, "PXIe_Clk100" if name == "ref_clk_src" else "/PXI1Slot3/PFI0")
        if name != "samp_clk_timebase_src":
            task.control(COMMIT)


@pytest.mark.parametrize("kind", ADD)
@pytest.mark.parametrize("rate", [1e9, 11e6])
def test_a_clock_from_outside_is_no_faster_than_the_device(bench, kind, rate):
    with bench.task() as task:
        ADD[kind](task)
        task.timing.cfg_samp_clk_timing(rate, source="/Dev1/PFI5", samps_per_chan=10)
        assert code_of(task.control, COMMIT) == -200332


def test_a_clock_from_outside_for_several_channels(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0:3")
        task.timing.cfg_samp_clk_timing(300e3, source="/Dev1/PFI5", samps_per_chan=10)
        assert code_of(task.control, COMMIT) == -200081
        task.timing.samp_clk_rate = 0.001  # a clock from outside may be as slow as it likes
        task.control(COMMIT)


# -- the convert clock -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [("ai_conv_rate", 500e3), ("ai_conv_timebase_div", 200)])
def test_the_convert_clock_limits_the_sample_clock(bench, name, value):
    # SampClk.MaxRate: "If you set AIConv.Rate, NI-DAQmx calculates the maximum sample clock rate based on that setting."
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0:3")
        task.timing.cfg_samp_clk_timing(200e3, samps_per_chan=100)
        assert task.timing.samp_clk_max_rate == 250e3
        setattr(task.timing, name, value)
        assert task.timing.samp_clk_max_rate == 125e3
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -200081
        task.timing.samp_clk_rate = 125e3
        assert len(task.read(100)[0]) == 100
