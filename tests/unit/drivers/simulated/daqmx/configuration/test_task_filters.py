"""Digital filters, and what else of clocks and triggers, that the devices have not got, or that are not simulated.

Expected values: "Digital Filtering Considerations for X Series and NI 661x Devices" and "... for C Series Devices" (NI-DAQmx: fixed widths,
custom ones not on port 0 and the same for all lines of a device; a filter that is on needs a width); "X Series User Manual", PFI Filters
(signals from inside have no filter); errors by their names in nidaqmx.error_codes.
"""

from __future__ import annotations

import pytest
from nidaqmx import constants as c
from nidaqmx.errors import DaqError

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, codes, filtered, not_served, verified


def test_filters_that_are_refused(bench):
    verify = c.TaskMode.TASK_VERIFY
    with bench.task() as task:
        codes(task, samples=30)
        start = task.triggers.start_trigger
        start.cfg_dig_edge_start_trig("/Dev1/PFI0")
        start.dig_edge_dig_fltr_enable = True
        assert code_of(task.control, verify) == -200771
        start.dig_edge_dig_fltr_min_pulse_width = 1e-6
        task.control(verify)
        start.dig_edge_dig_fltr_timebase_src = "nonsense"
        assert code_of(task.control, verify) == -89120
        start.dig_edge_dig_fltr_timebase_src = "/Dev1/PFI2"
        assert code_of(task.control, verify) == -200077  # its rate is to be told
        start.dig_edge_dig_fltr_timebase_rate = 1e6
        start.dig_edge_dig_fltr_min_pulse_width = 2.5e-6
        assert start.dig_edge_dig_fltr_min_pulse_width == pytest.approx(3e-6)  # whole cycles of the filter clock
        start.dig_edge_dig_fltr_timebase_src = ""
        start.dig_edge_src = "/Dev1/ao/StartTrigger"
        assert code_of(task.control, verify) == -201367
        start.dig_edge_dig_fltr_enable = False
        task.control(verify)


@pytest.mark.parametrize("width", [-1.0, 1e12, float("nan")])
def test_widths_that_no_filter_has(bench, width):
    with bench.task() as task, bench.task() as lines:
        codes(task, samples=30)
        channel = lines.di_channels.add_di_chan("Dev1/port0/line8")
        for owner, name in (
            (task.timing, "samp_clk"), (task.triggers.start_trigger, "dig_edge"), (task.triggers.reference_trigger, "dig_edge"),
            (task.triggers.pause_trigger, "dig_lvl"), (channel, "di"),
        ):  # fmt: skip
            assert code_of(setattr, owner, f"{name}_dig_fltr_min_pulse_width", width) == -200077, name


def test_the_longest_width_is_one_of_32_bits_of_the_filter_clock(bench):
    with bench.task() as task:
        codes(task, samples=30)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        filtered(task.triggers.start_trigger, "dig_edge", 100.0)
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -200077
        task.triggers.start_trigger.dig_edge_dig_fltr_timebase_src = "/Dev1/100kHzTimebase"
        task.control(c.TaskMode.TASK_VERIFY)


def test_the_lines_of_port_0_take_the_three_fixed_widths(bench):
    with bench.task() as task:
        channel = task.di_channels.add_di_chan("Dev1/port0/line8")
        task.timing.cfg_samp_clk_timing(1000.0)
        channel.di_dig_fltr_enable = True
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -200771
        for width in (90e-9, 5.12e-6, 2.56e-3):
            channel.di_dig_fltr_min_pulse_width = width
            task.control(c.TaskMode.TASK_VERIFY)
            assert channel.di_dig_fltr_min_pulse_width == width
        channel.di_dig_fltr_min_pulse_width = 2e-6
        with pytest.raises(DaqError, match=r"Possible Values: 9e-08, 5.12e-06, 0.00256") as caught:
            task.control(c.TaskMode.TASK_VERIFY)
        assert caught.value.error_code == -200077


def test_a_device_has_one_custom_width(bench):
    with bench.task() as task, bench.task() as other:
        codes(task, samples=30)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        filtered(task.triggers.start_trigger, "dig_edge", 2e-6)
        task.triggers.reference_trigger.cfg_dig_edge_ref_trig("/Dev1/PFI1", 10)
        for width, code in ((5.12e-6, 0), (2e-6, 0), (3e-6, -200807)):
            filtered(task.triggers.reference_trigger, "dig_edge", width)
            assert verified(task) == code
        task.triggers.reference_trigger.dig_edge_src = "/Dev1/PFI0"
        assert verified(task) == -200774
        task.triggers.reference_trigger.disable_ref_trig()
        task.control(c.TaskMode.TASK_RESERVE)
        channel = other.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        for pin, width, code in (("PFI3", 3e-6, -200806), ("PFI0", 5.12e-6, -200775), ("PFI3", 5.12e-6, 0), ("PFI0", 2e-6, 0)):
            channel.ci_count_edges_term = f"/Dev1/{pin}"
            filtered(channel, "ci_count_edges", width)
            assert verified(other) == code


@pytest.mark.parametrize(("owner", "name"), [
    ("timing", "samp_clk_dig_sync_enable"), ("triggers.start_trigger", "dig_edge_dig_sync_enable"),
    ("triggers.reference_trigger", "dig_edge_dig_sync_enable"), ("triggers.pause_trigger", "dig_lvl_dig_sync_enable"),
    ("triggers.start_trigger", "anlg_edge_dig_fltr_enable"), ("triggers.start_trigger", "anlg_win_dig_sync_enable"),
    ("triggers.reference_trigger", "anlg_edge_dig_fltr_enable"), ("triggers.pause_trigger", "anlg_lvl_dig_fltr_enable"),
])  # fmt: skip
def test_what_is_not_simulated_cannot_be_switched_on(bench, owner, name):
    with bench.task() as task:
        codes(task, samples=30)
        for part in owner.split("."):
            owner = getattr(owner if not isinstance(owner, str) else task, part)
        assert getattr(owner, name) is False
        setattr(owner, name, False)
        assert not_served(setattr, owner, name, True)
        assert getattr(owner, name) is False


def test_inputs_of_counters_are_not_synchronised_here(bench):
    with bench.task() as task:
        channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        channel.ci_count_edges_dig_sync_enable = True
        assert not_served(task.start)
        channel.ci_count_edges_dig_sync_enable = False
        task.start()


NOT_THERE = [("delay", 0.0, 1e-3), ("auto_trig_enable", False, True), ("retriggerable", False, True)]


@pytest.mark.parametrize(("name", "usual", "other"), NOT_THERE)
def test_what_reference_triggers_have_not_got_here(bench, name, usual, other):
    with bench.task() as task:
        codes(task, samples=30)
        trigger = task.triggers.reference_trigger
        assert getattr(trigger, name) == usual
        setattr(trigger, name, usual)
        assert not_served(setattr, trigger, name, other)
        assert getattr(trigger, name) == usual


def test_triggers_of_tasks_are_not_synchronised_here(bench):
    with bench.task() as task:
        codes(task, samples=30)
        assert not_served(setattr, task.triggers, "sync_type", c.SyncType.MASTER)
        assert task.triggers.sync_type is c.SyncType.NONE


def test_lines_that_are_read_on_demand_have_no_filter_here(bench):
    with bench.task() as task:
        channel = task.di_channels.add_di_chan("Dev1/port0/line8")
        filtered(channel, "di", 2.56e-3)
        assert not_served(task.read)


def test_devices_whose_filters_are_not_simulated(make_bench):
    bench = make_bench(devices=(("DSA", "PXIe-4480"), ("Chassis", "cDAQ-9189"), ("ChassisMod1", "NI 9215"), ("ChassisMod2", "NI 9401")))
    with bench.task() as task, bench.task() as modules, bench.task() as lines:
        task.ai_channels.add_ai_voltage_chan("DSA/ai0")
        assert not_served(setattr, task.triggers.start_trigger, "dig_edge_dig_fltr_enable", True)
        modules.ai_channels.add_ai_voltage_chan("ChassisMod1/ai0")
        modules.timing.cfg_samp_clk_timing(1000.0)
        modules.triggers.start_trigger.cfg_dig_edge_start_trig("/ChassisMod2/PFI0")
        filtered(modules.triggers.start_trigger, "dig_edge", 112.5e-9)
        modules.control(c.TaskMode.TASK_VERIFY)
        assert modules.triggers.start_trigger.dig_edge_dig_fltr_min_pulse_width == pytest.approx(112.5e-9)
        assert not_served(setattr, lines.di_channels.add_di_chan("ChassisMod2/port0/line0"), "di_dig_fltr_enable", True)


@pytest.mark.parametrize("name", ["anlg_edge_coupling", "anlg_win_coupling"])
def test_analogue_triggers_are_coupled_to_dc_only(bench, name):
    """X Series cards couple their inputs, which the trigger circuit sees, to DC only ("X Series User Manual", Analog Input Circuitry)."""
    with bench.task() as task:
        codes(task, samples=30)
        start = task.triggers.start_trigger
        start.cfg_anlg_edge_start_trig("Dev1/ai1")
        setattr(start, name, c.Coupling.DC)
        assert code_of(setattr, start, name, c.Coupling.AC) == -200077
        assert getattr(start, name) is c.Coupling.DC
