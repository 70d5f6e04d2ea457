"""Lines that no task has: what a line that is wired to them sees.

Expected: "Initialized States for Terminals and Output Channels" (NI-DAQmx help, initstates.html): a reset gives lines their power-up
states, so that until then they hold what was written. "Programmable Power-Up States" (USB-6423, X Series user manuals): a line is driven
low, driven high, or an input with a weak pull-down resistor. Lines with nothing attached count ("NI-DAQmx Simulated Devices").
"""

from __future__ import annotations

import pytest
from nidaqmx.constants import AcquisitionType, PowerUpStates
from nidaqmx.system import System
from nidaqmx.types import DOPowerUpState

LOW = [False] * 4
HIGH = [True] * 4


@pytest.fixture
def wired(make_bench):
    return make_bench(wiring={"Dev1/port0/line8": "Dev1/port0/line0"})


def seen(bench, line="Dev1/port0/line8"):
    with bench.task() as task:
        task.di_channels.add_di_chan(line)
        return [task.read() for _ in range(4)]


def device(bench):
    return System.remote(bench.options).devices["Dev1"]


def power_up(bench, line, state):
    system = System.remote(bench.options)
    system.set_digital_power_up_states("Dev1", [DOPowerUpState(physical_channel=line, power_up_state=state)])


@pytest.mark.parametrize("level", [True, False])
def test_a_line_holds_what_was_written_on_demand(wired, level):
    with wired.task() as task:
        task.do_channels.add_do_chan("Dev1/port0/line0")
        task.write(level)
    assert seen(wired) == [level] * 4


def test_a_line_holds_its_last_clocked_sample(wired):
    with wired.task() as task:
        task.do_channels.add_do_chan("Dev1/port0/line0")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.FINITE, samps_per_chan=4)
        task.write([False, True, False, True], auto_start=True)
        task.wait_until_done(1.0)
    assert seen(wired) == HIGH
    with wired.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line8")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=4)
        assert task.read(4) == HIGH


def test_a_reset_and_an_input_task_end_it(wired):
    for end in (lambda: device(wired).reset_device(), lambda: seen(wired, "Dev1/port0/line0")):
        with wired.task() as task:
            task.do_channels.add_do_chan("Dev1/port0/line0")
            task.write(True)
        assert seen(wired) == HIGH
        end()
        assert seen(wired) == LOW


def test_before_any_task_wired_lines_are_low_and_only_others_count(wired):
    assert seen(wired) == LOW
    assert seen(wired, "Dev1/port0/line16") == [False, True, False, True]


def test_power_up_states(wired):
    power_up(wired, "Dev1/port0/line0", PowerUpStates.HIGH)
    assert seen(wired) == LOW  # not before the next power-up
    device(wired).reset_device()
    assert seen(wired) == HIGH
    power_up(wired, "Dev1/port0/line0", PowerUpStates.TRISTATE)
    device(wired).reset_device()
    assert seen(wired) == LOW
