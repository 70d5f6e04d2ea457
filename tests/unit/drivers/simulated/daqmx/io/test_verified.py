"""The task state model where a task is verified, reserved or committed first, and changed then.

"Task State Model" of the NI-DAQmx help: a transition that has occurred already is not repeated; "setting the value of a channel, timing, or
triggering attribute/property does not implicitly transition the task back to the Unverified state. Instead, the task remains in its
current state" (Transitioning the State Backwards). What the driver does beside, as ladisk/nidaqwrapper found it (its tests run against the
driver): channels are added to a verified task; limits that cannot be are found by the verification, not by the call that makes the channel.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, codes, decoded, error_of

VERIFY, RESERVE, COMMIT = c.TaskMode.TASK_VERIFY, c.TaskMode.TASK_RESERVE, c.TaskMode.TASK_COMMIT
CONTINUOUS = c.AcquisitionType.CONTINUOUS
CHASSIS = [("cDAQ1", "cDAQ-9174"), ("cDAQ1Mod1", "NI 9234"), ("cDAQ1Mod2", "NI 9215"), ("cDAQ1Mod3", "NI 9237")]
NO_RATE = (
    "Task contains physical channels on one or more devices that require you to specify the Sample Clock rate.\nUse the Sample Clock "
    "Timing function/VI to specify a Sample Clock rate. You cannot specify a Sample Clock rate if Mode is set to On Demand."
)


# -- verified, then changed --------------------------------------------------------------------------------------------------------------


def test_a_verified_task_takes_more_channels(bench):
    """nidaqwrapper adds a channel, configures timing, verifies, looks at the channels, and adds the next one."""
    with bench.task() as task:
        for n in range(3):
            task.ai_channels.add_ai_voltage_chan(f"Dev1/ai{n}", f"force{n}")
            task.timing.cfg_samp_clk_timing(1000.0, sample_mode=CONTINUOUS)
            task.control(VERIFY)
            assert [channel.physical_channel.name for channel in task.ai_channels] == [f"Dev1/ai{k}" for k in range(n + 1)]
        assert np.shape(task.read(5)) == (3, 5)


@pytest.mark.parametrize("mode", [RESERVE, COMMIT])
def test_a_task_that_has_its_resources_takes_no_channel(bench, mode):
    """NI's text of -200160: all channels must be created before."""
    with bench.task() as task:
        codes(task)
        task.control(mode)
        assert code_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai2") == -200160
        task.control(c.TaskMode.TASK_UNRESERVE)
        task.ai_channels.add_ai_voltage_chan("Dev1/ai2")


@pytest.mark.parametrize("mode", [RESERVE, COMMIT])
@pytest.mark.parametrize(
    "change",
    [
        lambda task: setattr(task.timing, "samp_clk_rate", 2000.0), lambda task: task.timing.cfg_samp_clk_timing(2e3, samps_per_chan=100),
        lambda task: setattr(task.ai_channels.all, "ai_max", 5.0), lambda task: task.triggers.start_trigger.cfg_dig_edge_start_trig("PFI0"),
        lambda task: setattr(task.in_stream, "input_buf_size", 5000),
    ],
)  # fmt: skip
def test_a_changed_task_keeps_its_state_and_its_resources(bench, mode, change):
    with bench.task() as task, bench.task() as other:
        codes(task)
        task.control(mode)
        change(task)
        other.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert code_of(other.read) == -50103
        assert code_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai2") == -200160
        task.control(c.TaskMode.TASK_UNRESERVE)
        other.read()


def test_a_committed_task_runs_as_it_was_changed(bench):
    with bench.task() as task:
        codes(task, 1000.0, 50)
        task.control(COMMIT)
        task.timing.samp_clk_rate = 4000.0
        begun = bench.engine.time
        np.testing.assert_array_equal(decoded(task.read(50)), np.arange(50))
        assert bench.engine.time - begun == pytest.approx(49 / 4000.0)
        assert code_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai2") == -200160  # committed again


def test_a_change_that_cannot_be_is_told_when_the_task_is_asked_for_more(bench):
    with bench.task() as task, bench.task() as other:
        codes(task)
        task.control(COMMIT)
        task.timing.samp_clk_rate = 1e9
        assert code_of(task.control, VERIFY) == -200332
        assert code_of(task.control, COMMIT) == -200332
        assert code_of(task.start) == -200332
        other.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert code_of(other.read) == -50103
        task.timing.samp_clk_rate = 1000.0
        task.start()


def test_a_running_task_has_been_through_every_state(bench):
    with bench.task() as task:
        codes(task, sample_mode=CONTINUOUS)
        task.start()
        for mode in (VERIFY, RESERVE, COMMIT):
            task.control(mode)
        assert code_of(task.start) == -200479
        assert code_of(task.control, c.TaskMode.TASK_UNRESERVE) == -200479
        assert code_of(setattr, task.timing, "samp_clk_rate", 2.0) == -200557
        assert code_of(setattr, task.ai_channels.all, "ai_max", 2.0) == -200557
        task.stop()
        task.stop()


@pytest.mark.parametrize(("mode", "kept"), [(VERIFY, False), (RESERVE, True), (COMMIT, True)])
def test_a_stop_leads_back_to_where_the_start_was(bench, mode, kept):
    with bench.task() as task, bench.task() as other:
        codes(task, sample_mode=CONTINUOUS)
        task.control(mode)
        other.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        for _ in range(2):
            task.start()
            task.read(5)
            task.stop()
        if kept:
            assert code_of(other.read) == -50103
        else:
            other.read()


# -- limits ------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "code"), [(10.0, -10.0, -200082), (1.0, 1.0, -200082), (float("nan"), 1.0, -200082), (-1e5, 1e5, -200077)]
)
def test_limits_that_cannot_be_are_found_by_the_verification(bench, low, high, code):
    with bench.task() as inputs, bench.task() as outputs:
        for task, add in ((inputs, inputs.ai_channels.add_ai_voltage_chan), (outputs, outputs.ao_channels.add_ao_voltage_chan)):
            kind = "ai" if task is inputs else "ao"
            channel = add(f"Dev1/{kind}0", min_val=low, max_val=high)
            assert code_of(task.control, VERIFY) == code
            assert code_of(getattr, channel, f"{kind}_max") == code
            assert code_of(task.start) == code
            setattr(channel, f"{kind}_max", 5.0)
            setattr(channel, f"{kind}_min", -5.0)
            task.control(VERIFY)


# -- modules that need a sample clock ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("channels", ["cDAQ1Mod1/ai0", "cDAQ1Mod2/ai0, cDAQ1Mod1/ai0"])
def test_what_needs_a_rate_says_so_whenever_its_task_is_verified(make_bench, channels):
    """nidaqwrapper, issue 5: an NI 9234 without timing answers every look at a channel or the timing, and TASK_VERIFY, with -201087."""
    with make_bench(devices=CHASSIS).task("iepe") as task:
        task.ai_channels.add_ai_voltage_chan(channels)
        assert task.channel_names == [name.strip() for name in channels.split(",")]  # of the task itself: nothing to verify
        for look in (
            task.read, task.start, lambda: task.control(VERIFY), lambda: task.ai_channels[0].physical_channel.name,
            lambda: task.channels.chan_type, lambda: task.timing.samp_clk_rate, lambda: task.timing.samp_quant_samp_mode,
        ):  # fmt: skip
            code, text = error_of(look)
            assert (code, text) == (-201087, f"{NO_RATE}\n\nTask Name: iepe\n\nStatus Code: -201087")
        task.timing.cfg_samp_clk_timing(25_600.0, samps_per_chan=10)
        assert task.timing.samp_clk_rate == pytest.approx(25_600.0)
        assert np.shape(task.read(10)) in ((10,), (2, 10))


def test_channels_of_such_a_module_are_added_one_by_one(make_bench):
    """nidaqwrapper, test_hardware.py, TestIEPEConsecutiveAdd."""
    with make_bench(devices=CHASSIS).task() as task:
        for n in (1, 2):
            task.ai_channels.add_ai_accel_chan(f"cDAQ1Mod1/ai{n}", f"acc{n}", current_excit_val=0.002)
            task.timing.cfg_samp_clk_timing(25_600.0, sample_mode=CONTINUOUS)
            task.control(VERIFY)
        assert [channel.name for channel in task.ai_channels] == ["acc1", "acc2"]


def test_a_bridge_module_of_a_chassis_needs_a_rate_and_a_converter_for_each_channel_does_not(make_bench):
    bench = make_bench(devices=CHASSIS)
    with bench.task() as task:
        task.ai_channels.add_ai_bridge_chan("cDAQ1Mod3/ai0")
        assert code_of(task.read) == -201087
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("cDAQ1Mod2/ai0")
        assert isinstance(task.read(), float)
