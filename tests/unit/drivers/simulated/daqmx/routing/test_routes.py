"""Routes that cannot be made, and terminals that are taken (NI's texts for the numbers named in `nidaqmx.error_codes`)."""

from __future__ import annotations

import pytest
from nidaqmx.constants import AcquisitionType, Signal, TaskMode
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.errors import DaqError
from nidaqmx.system import System

from drivers.simulated.daqmx.core.device_entries import DeviceEntry
from tests.unit.drivers.simulated.daqmx.client_calls import code_of

UNSUPPORTED = DAQmxErrors.ROUTE_NOT_SUPPORTED_BY_HW_ROUTING
SAME = DAQmxErrors.ROUTE_SRC_AND_DEST_SAME_ROUTING
IN_USE = DAQmxErrors.RESOURCES_IN_USE_FOR_ROUTE_ROUTING
NO_LINE = DAQmxErrors.TRIG_LINE_NOT_FOUND_ROUTING


def reserved(task):
    return code_of(task.control, TaskMode.TASK_RESERVE)


@pytest.mark.parametrize(
    ("source", "destination", "error"),
    [
        ("/Dev1/PFI0", "/Dev1/PFI0", SAME),
        ("/Dev1/PFI0", "/Dev1/20MHzTimebase", UNSUPPORTED),  # sources only: timebases, events, outputs of counters
        ("/Dev1/PFI0", "/Dev1/ChangeDetectionEvent", UNSUPPORTED),
        ("/Dev1/PFI0", "/Dev1/Ctr0InternalOutput", UNSUPPORTED),
        ("/Dev1/PFI0", "/Dev1/APFI0", UNSUPPORTED),
        ("/Dev1/APFI0", "/Dev1/PFI0", UNSUPPORTED),
        ("/Dev1/PFI0", "/Dev2/PFI0", NO_LINE),  # a card in a computer and one on USB share no trigger lines
    ],
)
def test_routes_that_there_are_not(make_bench, source, destination, error):
    bench = make_bench(devices=[("Dev1", "PCIe-6363"), ("Dev2", "USB-6363")])
    assert code_of(System.remote(bench.options).connect_terms, source, destination) == error


def test_slots_of_a_chassis_share_trigger_lines(make_bench):
    bench = make_bench(devices=[("PXI1Slot2", "PXIe-6363"), ("PXI1Slot3", "PXIe-4466")])
    System.remote(bench.options).connect_terms("/PXI1Slot2/PFI0", "/PXI1Slot3/PFI0")
    with bench.task() as line, bench.task() as task:
        line.do_channels.add_do_chan("PXI1Slot2/port1/line0")  # PFI 0
        task.ai_channels.add_ai_voltage_chan("PXI1Slot3/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/PXI1Slot3/PFI0")
        task.start()
        assert code_of(task.read, 10, timeout=0.1) == DAQmxErrors.SAMPLES_NOT_YET_AVAILABLE
        line.write(True)
        assert len(task.read(10, timeout=1.0)) == 10


def test_a_terminal_in_an_active_route_is_not_tristated(bench):
    """C reference, DAQmxTristateOutputTerm: on a terminal in an active route "the function fails and returns an error"."""
    system = System.remote(bench.options)
    system.connect_terms("/Dev1/PFI0", "/Dev1/PFI6")
    assert code_of(system.tristate_output_term, "/Dev1/PFI6") == DAQmxErrors.CANNOT_TRISTATE_BUSY_TERM_ROUTING
    assert code_of(system.tristate_output_term, "/Dev1/ai/StartTrigger") == DAQmxErrors.CANNOT_TRISTATE_TERM_ROUTING
    system.disconnect_terms("/Dev1/PFI0", "/Dev1/PFI6")
    system.tristate_output_term("/Dev1/PFI6")


@pytest.mark.parametrize(
    ("source", "error"),
    [
        # "In many cases, such as when configuring an external clock ..., you must select a PFI, PXI Trigger, or RTSI line" (-89131).
        ("/Dev1/ai/SampleClock", SAME),
        ("/Dev1/PFI99", DAQmxErrors.INVALID_ROUTING_SOURCE_TERMINAL_NAME_ROUTING),
        ("/Dev1/APFI0", UNSUPPORTED),
        ("/Dev2/PFI0", NO_LINE),
        ("/Dev9/PFI0", DAQmxErrors.INVALID_DEVICE_ID),
    ],
)
def test_clocks_and_triggers_from_where_they_cannot_come(make_bench, source, error):
    bench = make_bench(devices=[("Dev1", "PCIe-6363"), ("Dev2", "USB-6363")])
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, source=source, samps_per_chan=10)
        assert reserved(task) == error
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
        task.triggers.start_trigger.cfg_dig_edge_start_trig(source.replace("SampleClock", "StartTrigger"))
        assert reserved(task) == error


def test_where_signals_can_go(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/PFI0", samps_per_chan=10)
        exported = task.export_signals
        exported.samp_clk_output_term = "/Dev1/PFI0"
        assert reserved(task) == DAQmxErrors.RESOURCES_IN_USE_FOR_ROUTE_IN_TASK_ROUTING
        exported.samp_clk_output_term, exported.start_trig_output_term = "/Dev1/PFI4", "/Dev1/PFI4"
        assert reserved(task) == DAQmxErrors.EXPORT_TWO_SIGNALS_ON_SAME_TERMINAL
        exported.start_trig_output_term = "/Dev1/100kHzTimebase"
        assert reserved(task) == UNSUPPORTED
        exported.start_trig_output_term = "/Dev1/PFI5"
        task.control(TaskMode.TASK_RESERVE)


def test_terminals_that_somebody_drives(bench):
    system = System.remote(bench.options)
    with bench.task() as one, bench.task() as other, bench.task() as lines:
        for task, name in ((one, "ai0"), (other, "ao0")):
            (task.ai_channels.add_ai_voltage_chan if name == "ai0" else task.ao_channels.add_ao_voltage_chan)(f"Dev1/{name}")
            task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
            task.export_signals.export_signal(Signal.SAMPLE_CLOCK, "/Dev1/PFI4")
        one.control(TaskMode.TASK_RESERVE)
        assert reserved(other) == IN_USE
        assert code_of(system.connect_terms, "/Dev1/PFI0", "/Dev1/PFI4") == IN_USE
        # PFI 5 is line 5 of port 1 ("X Series Physical Channels").
        lines.do_channels.add_do_chan("Dev1/port1/line5")
        lines.control(TaskMode.TASK_RESERVE)
        assert code_of(system.connect_terms, "/Dev1/PFI0", "/Dev1/PFI5") == IN_USE
        lines.control(TaskMode.TASK_UNRESERVE)
        system.connect_terms("/Dev1/PFI0", "/Dev1/PFI5")
        assert reserved(lines) == DAQmxErrors.DIG_LINES_RESERVED_OR_UNAVAILABLE


def test_lines_of_one_nibble_have_one_direction(make_bench):
    """NI 9401 getting started guide: the direction is set for four lines, 0 to 3 and 4 to 7; the number: NI's text for -201105."""
    bench = make_bench(devices=[DeviceEntry("cDAQ1", "cDAQ-9189"), DeviceEntry("cDAQ1Mod1", "NI 9401", "cDAQ1", 1)])
    with bench.task() as inputs, bench.task() as outputs:
        inputs.di_channels.add_di_chan("cDAQ1Mod1/port0/line0")
        outputs.do_channels.add_do_chan("cDAQ1Mod1/port0/line1:4")
        inputs.control(TaskMode.TASK_RESERVE)
        assert reserved(outputs) == DAQmxErrors.RESOURCE_RESERVED_WITH_CONFLICTING_SETTINGS
        assert code_of(outputs.write, 30) == DAQmxErrors.RESOURCE_RESERVED_WITH_CONFLICTING_SETTINGS
        inputs.control(TaskMode.TASK_UNRESERVE)
        outputs.control(TaskMode.TASK_RESERVE)
        assert code_of(inputs.read) == DAQmxErrors.RESOURCE_RESERVED_WITH_CONFLICTING_SETTINGS
    with bench.task() as inputs, bench.task() as outputs:
        inputs.di_channels.add_di_chan("cDAQ1Mod1/port0/line0:3")
        outputs.do_channels.add_do_chan("cDAQ1Mod1/port0/line4:7")
        inputs.start()
        outputs.write(240)


def test_a_line_that_two_tasks_put_out(bench):
    """NI's text for -200587: "these lines are reserved by another task"; published with the line "Device: Dev1" under it."""
    with bench.task() as one, bench.task() as other:
        for task in (one, other):
            task.do_channels.add_do_chan("Dev1/port0/line0")
        one.start()
        with pytest.raises(DaqError, match="Device: Dev1") as caught:
            other.start()
        assert caught.value.error_code == DAQmxErrors.DIG_LINES_RESERVED_OR_UNAVAILABLE


# "Device Resetting and Interactions with Routing" (NI-DAQmx Key Concepts, DevResetRouting.html): a reset invalidates every immediate route
# and every task of the device, and a task of another device that has a route to it.
CHASSIS = [("PXI1Slot2", "PXIe-6363"), ("PXI1Slot3", "PXIe-6363"), ("PXI1Slot4", "PXIe-6363")]


def test_a_reset_undoes_the_immediate_routes_of_its_device(make_bench):
    bench = make_bench(devices=CHASSIS)
    system = System.remote(bench.options)
    system.connect_terms("/PXI1Slot2/PFI0", "/PXI1Slot2/PFI6")
    system.connect_terms("/PXI1Slot2/PFI1", "/PXI1Slot3/PFI6")
    system.connect_terms("/PXI1Slot3/PFI0", "/PXI1Slot3/PFI7")
    system.devices["PXI1Slot2"].reset_device()
    system.tristate_output_term("/PXI1Slot2/PFI6")
    system.tristate_output_term("/PXI1Slot3/PFI6")
    assert code_of(system.tristate_output_term, "/PXI1Slot3/PFI7") == DAQmxErrors.CANNOT_TRISTATE_BUSY_TERM_ROUTING


def test_a_reset_ends_the_task_of_another_device_that_has_a_route_to_it(make_bench):
    bench = make_bench(devices=CHASSIS)
    with bench.task() as routed, bench.task() as other:
        for task, slot, source in ((routed, 3, 2), (other, 4, 3)):
            task.ai_channels.add_ai_voltage_chan(f"PXI1Slot{slot}/ai0")
            task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
            task.triggers.start_trigger.cfg_dig_edge_start_trig(f"/PXI1Slot{source}/PFI0")
            task.start()
        System.remote(bench.options).devices["PXI1Slot2"].reset_device()
        assert routed.is_task_done()
        assert not other.is_task_done()


# "X Series User Manual", Default Counter/Timer Pinouts: CTR 0 OUT is PFI 12, line 4 of port 2, and takes a route there like any other.


def pulses(task, counter="ctr0", term=None):
    channel = task.co_channels.add_co_pulse_chan_freq(f"Dev1/{counter}", freq=1000.0)
    if term is not None:
        channel.co_pulse_term = term
    task.timing.cfg_implicit_timing(sample_mode=AcquisitionType.CONTINUOUS)


def test_pulses_go_to_no_pin_that_another_route_has(bench):
    with bench.task() as inputs, bench.task() as out:
        inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        inputs.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
        inputs.export_signals.export_signal(Signal.SAMPLE_CLOCK, "/Dev1/PFI6")
        inputs.start()
        pulses(out, term="/Dev1/PFI6")
        assert code_of(out.start) == IN_USE
        inputs.stop()
        out.start()
        assert code_of(inputs.start) == IN_USE
    system = System.remote(bench.options)
    system.connect_terms("/Dev1/PFI0", "/Dev1/PFI12")
    with bench.task() as out:
        pulses(out)
        assert reserved(out) == IN_USE
        system.disconnect_terms("/Dev1/PFI0", "/Dev1/PFI12")
        out.start()
        assert code_of(system.connect_terms, "/Dev1/PFI0", "/Dev1/PFI12") == IN_USE


def test_a_task_shares_its_own_route(bench):
    """ "Routing and Hardware Sharing" (NI-DAQmx Key Concepts): task-based and immediate routes with the same ends go together."""
    system = System.remote(bench.options)
    with bench.task() as out:
        pulses(out)
        for _ in range(2):
            out.start()
            system.connect_terms("/Dev1/Ctr0InternalOutput", "/Dev1/PFI12")
            assert code_of(system.connect_terms, "/Dev1/Ctr1InternalOutput", "/Dev1/PFI12") == IN_USE
            out.stop()


def test_two_counters_have_two_pins(bench):
    with bench.task() as one, bench.task() as other, bench.task() as same, bench.task() as both:
        pulses(one)
        one.start()
        pulses(other, "ctr1", "/Dev1/PFI12")
        assert code_of(other.start) == IN_USE
        pulses(same)
        assert code_of(same.start) == DAQmxErrors.PAL_RESOURCE_RESERVED
        other.co_channels.all.co_pulse_term = "/Dev1/PFI13"
        other.start()
        pulses(both, "ctr2", "/Dev1/PFI4")
        both.co_channels.add_co_pulse_chan_freq("Dev1/ctr3").co_pulse_term = "/Dev1/PFI4"
        assert reserved(both) == DAQmxErrors.RESOURCES_IN_USE_FOR_ROUTE_IN_TASK_ROUTING


def test_a_line_and_a_counter_are_not_one_pin(bench):
    with bench.task() as out, bench.task() as line:
        pulses(out)
        line.do_channels.add_do_chan("Dev1/port2/line4")
        out.start()
        assert code_of(line.write, True) == DAQmxErrors.DIG_LINES_RESERVED_OR_UNAVAILABLE
        out.stop()
        line.start()
        assert code_of(out.start) == IN_USE
        line.stop()
        out.start()
