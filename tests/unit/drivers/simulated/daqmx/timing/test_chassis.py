"""Tasks on the modules of a CompactDAQ chassis through the stock client: what they share, whose clocks they have, at which rates.

Expected: NI-DAQmx user manual ("cDAQ-91xx and TestScale Chassis Timing Engines", "C Series Physical Channels"), "NI cDAQ-9138 User Manual"
(an input task can hold channels of several modules; channels of one module cannot be in several tasks; three timing engines).
"""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, LineGrouping, RegenerationMode, TaskMode
from nidaqmx.error_codes import DAQmxErrors

from tests.unit.drivers.simulated.daqmx.client_calls import LSB, code_of, volts_in

CHASSIS = (
    ("cDAQ1", "cDAQ-9189"),
    ("cDAQ1Mod1", "NI 9215"),
    ("cDAQ1Mod2", "NI 9205"),
    ("cDAQ1Mod3", "NI 9263"),
    ("cDAQ1Mod4", "NI 9401"),
    ("cDAQ1Mod5", "NI 9234"),
    ("cDAQ1Mod6", "NI 9237"),
    ("cDAQ2", "cDAQ-9178"),
    ("cDAQ2Mod1", "NI 9215"),
    ("Dev1", "PCIe-6363"),
)


@pytest.fixture
def bench(make_bench):
    return make_bench(devices=CHASSIS, wiring={"cDAQ1Mod1/ai1": "sample_code", "cDAQ1Mod2/ai3": "cDAQ1Mod3/ao2"})


def inputs(task, *channels: str, rate: float = 1000.0, count: int = 100) -> None:
    for channel in channels:
        task.ai_channels.add_ai_voltage_chan(channel, min_val=-10.0, max_val=10.0)
    task.timing.cfg_samp_clk_timing(rate, samps_per_chan=count)


def test_modules_of_a_chassis_share_a_task(bench):
    with bench.task() as task:
        inputs(task, "cDAQ1Mod1/ai1", "cDAQ1Mod2/ai3")
        assert [d.name for d in task.devices] == ["cDAQ1Mod1", "cDAQ1Mod2"]
        data = np.array(task.read(100))
    np.testing.assert_allclose(data[0], -10.0 + np.arange(100) * LSB, atol=LSB)
    np.testing.assert_allclose(data[1], 0.0, atol=LSB)


@pytest.mark.parametrize("other", ["cDAQ2Mod1/ai0", "Dev1/ai0"])
def test_modules_of_two_chassis_do_not(bench, other):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("cDAQ1Mod1/ai0")
        assert code_of(task.ai_channels.add_ai_voltage_chan, other) == -200558


def test_the_clock_is_the_chassis(bench):
    # "If NI-DAQmx automatically selects the timing engine [...] the output terminals are undefined until you reserve the task."
    with bench.task() as task:
        inputs(task, "cDAQ1Mod1/ai0")
        unreserved = DAQmxErrors.CANNOT_GET_PROPERTY_WHEN_TASK_NOT_RESERVED_COMMITTED_OR_RUNNING
        assert code_of(lambda: task.timing.samp_clk_term) == unreserved
        task.control(TaskMode.TASK_RESERVE)
        assert task.timing.samp_clk_term == "/cDAQ1/ai/SampleClock"
        assert task.triggers.start_trigger.term == "/cDAQ1/ai/StartTrigger"


def test_three_input_tasks_at_once_and_no_fourth(bench):
    with contextlib.ExitStack() as stack:
        tasks = [stack.enter_context(bench.task()) for _ in range(4)]
        for task, module in zip(tasks, ("cDAQ1Mod1", "cDAQ1Mod2", "cDAQ1Mod5"), strict=False):
            task.ai_channels.add_ai_voltage_chan(f"{module}/ai0", min_val=-5.0, max_val=5.0)
            task.timing.cfg_samp_clk_timing(5120.0, sample_mode=AcquisitionType.CONTINUOUS)
            task.start()
        assert len({task.timing.samp_clk_term for task in tasks[:3]}) == 3
        for task in tasks[:3]:
            assert len(task.read(100)) == 100
        tasks[3].ai_channels.add_ai_force_bridge_two_point_lin_chan("cDAQ1Mod6/ai0")
        tasks[3].timing.cfg_samp_clk_timing(5000.0)
        assert code_of(tasks[3].start) == -50103


def test_channels_of_one_module_are_in_one_task(bench):
    with bench.task() as one, bench.task() as two:
        inputs(one, "cDAQ1Mod1/ai0")
        inputs(two, "cDAQ1Mod1/ai1")
        one.start()
        assert code_of(two.start) == -50103


@pytest.mark.parametrize(
    ("channel", "asked", "made"),
    [
        ("cDAQ1Mod1/ai0", 1000.0, 1000.0),
        ("cDAQ1Mod1/ai0", 30_000.0, 80e6 / 2666),
        # 51.2 kS/s and its whole parts down to the 31st; the next one above.
        ("cDAQ1Mod5/ai0", 51_200.0, 51_200.0),
        ("cDAQ1Mod5/ai0", 20_000.0, 25_600.0),
        ("cDAQ1Mod5/ai0", 1_000.0, 51_200.0 / 31),
    ],
)
def test_rates_of_modules(bench, channel, asked, made):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan(channel, min_val=-5.0, max_val=5.0)
        task.timing.cfg_samp_clk_timing(asked)
        assert task.timing.samp_clk_rate == pytest.approx(made, rel=1e-12)


@pytest.mark.parametrize("channel", ["cDAQ1Mod1/ai0", "cDAQ1Mod5/ai0"])
def test_rates_that_are_too_high(bench, channel):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan(channel, min_val=-5.0, max_val=5.0)

        def ask() -> float:
            task.timing.cfg_samp_clk_timing(200e3)
            return task.timing.samp_clk_rate

        assert code_of(ask) == -200332


def test_an_input_follows_the_outputs_clock(bench):
    ramp = np.linspace(-8.0, 8.0, 256)
    with bench.task() as out, bench.task() as back:
        out.ao_channels.add_ao_voltage_chan("cDAQ1Mod3/ao2")
        out.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=256)
        out.out_stream.regen_mode = RegenerationMode.ALLOW_REGENERATION
        out.write(ramp, auto_start=False)
        volts_in(back, 1000.0, 200, where="cDAQ1Mod2/ai3", source="/cDAQ1/ao/SampleClock")
        back.start()
        out.start()
        read = np.array(back.read(200))
    np.testing.assert_allclose(read[1:], ramp[:199], atol=LSB)


def test_a_trigger_that_starts_two_tasks(bench):
    with bench.task() as out, bench.task() as back:
        out.ao_channels.add_ao_voltage_chan("cDAQ1Mod3/ao0")
        out.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=50)
        out.triggers.start_trigger.cfg_dig_edge_start_trig("/cDAQ1/ai/StartTrigger")
        out.write(np.zeros(50), auto_start=False)
        out.start()
        inputs(back, "cDAQ1Mod1/ai0", count=50)
        assert not out.is_task_done()
        back.start()
        assert len(back.read(50)) == 50
        out.wait_until_done(1.0)


def test_lines_of_a_module(bench):
    with bench.task() as out, bench.task() as back:
        out.do_channels.add_do_chan("cDAQ1Mod4/port0/line0:3", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        back.di_channels.add_di_chan("cDAQ1Mod4/port0/line0:3", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        out.write(0b1010)
        assert back.read() == 0b1010


def test_a_module_that_is_in_the_way_of_no_other_chassis(bench):
    with bench.task() as one, bench.task() as two:
        inputs(one, "cDAQ1Mod1/ai0")
        inputs(two, "cDAQ2Mod1/ai0")
        one.start()
        two.start()
        assert (len(one.read(100)), len(two.read(100))) == (100, 100)
