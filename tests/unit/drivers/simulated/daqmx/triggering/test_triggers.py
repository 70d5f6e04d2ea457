"""Triggers, exported signals and routes through the stock client. Lines written by software, and outputs, are the signals."""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import (
    AcquisitionType,
    DigitalPatternCondition,
    DigitalWidthUnits,
    Edge,
    ExportAction,
    Level,
    LineGrouping,
    Signal,
    Slope,
    TaskMode,
    TriggerType,
    WindowTriggerCondition1,
)
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.system import System

from tests.unit.drivers.simulated.daqmx.client_calls import LSB, code_of, code_of_read, codes, decoded, levels, volts_in, volts_out

FINITE, CONTINUOUS = AcquisitionType.FINITE, AcquisitionType.CONTINUOUS
WIRES = {"Dev1/PFI0": "Dev1/port0/line0", "Dev1/PFI1": "Dev1/port0/line1", "Dev1/ai1": "sample_code", "Dev1/ai0": "Dev1/ao0"}


@pytest.fixture
def bench(make_bench):
    return make_bench(wiring=WIRES)


# -- start -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edge", "at"), [(Edge.RISING, 3e-3), (Edge.FALLING, 6e-3)])
def test_either_edge_starts(bench, edge, at):
    with bench.task() as pulse, bench.task() as task:
        levels(pulse, [0, 0, 0, 1, 1, 1, 0, 0])
        codes(task, samples=30)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0", edge)
        task.start()
        pulse.start()
        np.testing.assert_array_equal(decoded(task.read(30)), np.arange(30))
        assert bench.engine.time == pytest.approx(at + 29e-4, abs=1e-9)


@pytest.mark.parametrize(
    ("value", "units", "seconds"),
    [(2e-3, DigitalWidthUnits.SECONDS, 2e-3), (5, DigitalWidthUnits.SAMPLE_CLOCK_PERIODS, 5e-4), (1e5, DigitalWidthUnits.TICKS, 1e-3)],
)
def test_delay_from_the_start_trigger(bench, value, units, seconds):
    with bench.task() as task:
        codes(task, samples=30)
        task.triggers.start_trigger.delay_units = units
        task.triggers.start_trigger.delay = value
        begin = bench.engine.time
        task.read(30)
        assert bench.engine.time - begin == pytest.approx(seconds + 29e-4, abs=1e-9)


def test_retriggerable_acquisition(bench):
    with bench.task() as pulse, bench.task() as task:
        levels(pulse, [0, 1, 0, 0, 1, 0, 0, 0, 1, 0])
        codes(task, samples=10)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        task.triggers.start_trigger.retriggerable = True
        task.start()
        pulse.start()
        seen = [decoded(task.read(10)) for _ in range(3)]
        assert not task.is_task_done()
        assert code_of_read(task.read, 1, timeout=0.1) == -200284
    np.testing.assert_array_equal(np.concatenate(seen), np.arange(30))


def test_pattern_start(bench):
    with bench.task() as lines, bench.task() as task:
        lines.do_channels.add_do_chan("Dev1/port0/line0:1", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        lines.write(0)
        codes(task, samples=30)
        task.triggers.start_trigger.cfg_dig_pattern_start_trig("Dev1/port0/line0:1", "11", DigitalPatternCondition.PATTERN_MATCHES)
        task.start()
        for value in (1, 2, 0):
            lines.write(value)
            assert task.in_stream.total_samp_per_chan_acquired == 0
        lines.write(3)
        assert len(task.read(30)) == 30


def test_analog_edge_start_on_a_channel_of_the_task(bench):
    ramp = np.rint(np.linspace(-5.0, 5.0, 101) / LSB) * LSB
    for slope, wave in ((Slope.RISING, ramp), (Slope.FALLING, -ramp)):
        with bench.task() as out, bench.task() as task:
            volts_out(out, wave)
            volts_in(task, samples=20)
            task.triggers.start_trigger.cfg_anlg_edge_start_trig("Dev1/ai0", slope, 1.05 if slope is Slope.RISING else -1.05)
            out.start()
            task.start()
            first = np.abs(task.read(20))
        assert first[0] == pytest.approx(1.1, abs=1e-3)
        np.testing.assert_allclose(np.diff(first), 0.1, atol=1e-3)


def threshold(start, hysteresis):
    start.cfg_anlg_edge_start_trig("Dev1/ai0", Slope.RISING, 2.05)
    start.anlg_edge_hyst = hysteresis


def window(start, when):
    start.cfg_anlg_window_start_trig(3.5, 1.95, "Dev1/ai0", when)
    assert (start.anlg_win_top, start.anlg_win_btm) == (3.5, 1.95)


@pytest.mark.parametrize(
    ("configure", "how", "seen"),
    [
        # The output is 0 V before the first sample of the wave: far enough below the threshold for its first crossing to count.
        (threshold, 0.2, [2.1, 1.9, 2.1, 0.5, 3.0]),
        (threshold, 2.5, None),
        (window, WindowTriggerCondition1.ENTERING_WINDOW, [2.0, 2.1, 1.9, 2.1, 0.5]),
        (window, WindowTriggerCondition1.LEAVING_WINDOW, [1.9, 2.1, 0.5, 3.0, 3.0]),
    ],
)
def test_hysteresis_and_windows(bench, configure, how, seen):
    wave = np.rint(np.concatenate([[2.0, 2.1, 1.9, 2.1, 0.5], np.full(30, 3.0)]) / LSB) * LSB
    with bench.task() as out, bench.task() as task:
        volts_out(out, wave, source="/Dev1/ai/SampleClock")
        volts_in(task, samples=5)
        configure(task.triggers.start_trigger, how)
        out.start()
        if seen is None:
            assert code_of(task.read, 5, timeout=0.1) == -200284
        else:
            np.testing.assert_allclose(task.read(5), seen, atol=1e-3)


def test_trigger_needs_a_clock(bench):
    # NI's tests of nidaqmx (tests/component/task/test_triggers_properties.py): TRIG_WHEN_ON_DEMAND_SAMP_TIMING.
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.triggers.start_trigger.trig_type = TriggerType.ANALOG_EDGE
        assert code_of(task.control, TaskMode.TASK_VERIFY) == DAQmxErrors.TRIG_WHEN_ON_DEMAND_SAMP_TIMING.value


# -- reference -------------------------------------------------------------------------------------------------------------------------


def test_digital_reference_trigger(bench):
    with bench.task() as pulse, bench.task() as task:
        levels(pulse, [0, 0, 0, 0, 0, 1, 0])
        codes(task, samples=40)
        task.triggers.reference_trigger.cfg_dig_edge_ref_trig("/Dev1/PFI0", 10)
        task.start()
        pulse.start()
        seen = decoded(task.read(40))
        assert task.is_task_done()
    # The trigger comes at 5 ms, with sample 50 of 10 kS/s: 10 samples before it, 30 from it on.
    np.testing.assert_array_equal(seen, np.arange(40, 80))


def test_reference_trigger_waits_for_the_pretrigger_samples(bench):
    with bench.task() as pulse, bench.task() as task:
        levels(pulse, [1, 0, 0, 1, 0])
        codes(task, samples=40)
        task.triggers.reference_trigger.cfg_dig_edge_ref_trig("/Dev1/PFI0", 20)
        task.start()
        pulse.start()
        # The rise at 0 ms is too early for 20 samples before it; the one at 3 ms counts.
        np.testing.assert_array_equal(decoded(task.read(40)), np.arange(10, 50))


def test_analog_reference_trigger(bench):
    wave = np.rint(np.linspace(-5.0, 5.0, 201) / LSB) * LSB
    with bench.task() as out, bench.task() as task:
        volts_out(out, wave, source="/Dev1/ai/SampleClock")
        volts_in(task, samples=50)
        task.triggers.reference_trigger.cfg_anlg_edge_ref_trig("Dev1/ai0", 20, Slope.RISING, 2.02)
        out.start()
        seen = np.array(task.read(50))
    assert seen[19] <= 2.02 < seen[20]
    np.testing.assert_allclose(np.diff(seen), 0.05, atol=2 * LSB)


def test_reference_trigger_and_what_goes_not_with_it(bench):
    with bench.task() as task:
        codes(task, samples=30, sample_mode=CONTINUOUS)
        reference = task.triggers.reference_trigger
        assert reference.pretrig_samples == 2
        reference.cfg_dig_edge_ref_trig("PFI0", 10)
        assert reference.dig_edge_src == "/Dev1/PFI0"
        assert code_of(task.start) == DAQmxErrors.REF_TRIG_WHEN_CONTINUOUS.value
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=11)
        assert code_of(task.start) == DAQmxErrors.TOO_MANY_PRETRIG_PLUS_MIN_POST_TRIG_SAMPS.value
        reference.disable_ref_trig()
        assert len(task.read(11)) == 11
    with bench.task() as out:
        out.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        assert code_of(out.triggers.reference_trigger.cfg_dig_edge_ref_trig, "/Dev1/PFI0", 10) == -200452


# -- pause -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("when", [Level.HIGH, Level.LOW])
def test_pause_trigger(bench, when):
    with bench.task() as gate, bench.task() as task:
        levels(gate, [0, 1, 1, 0, 0, 1, 0])
        codes(task, samples=30, sample_mode=CONTINUOUS)
        pause = task.triggers.pause_trigger
        pause.trig_type, pause.dig_lvl_src, pause.dig_lvl_when = TriggerType.DIGITAL_LEVEL, "/Dev1/PFI0", when
        gate.start()
        task.start()
        with bench.task() as clock:
            clock.ao_channels.add_ao_voltage_chan("Dev1/ao1")
            clock.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=7)
            clock.write(np.zeros(7), auto_start=True)
            clock.wait_until_done(1.0)
        count = task.in_stream.total_samp_per_chan_acquired
    # 6 ms at 10 kS/s (60 samples and the first): the gate is high for 3 of them.
    assert count == (31 if when is Level.HIGH else 30)


# -- exports and routes ----------------------------------------------------------------------------------------------------------------


def test_exported_sample_clock_drives_another_task(bench):
    with bench.task() as master, bench.task() as slave:
        codes(master, rate=10_000.0, samples=50)
        master.export_signals.export_signal(Signal.SAMPLE_CLOCK, "/Dev1/PFI5")
        slave.di_channels.add_di_chan("Dev1/port0/line8:15", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        slave.timing.cfg_samp_clk_timing(10_000.0, source="/Dev1/PFI5", samps_per_chan=50)
        slave.start()
        master.start()
        np.testing.assert_array_equal(np.right_shift(slave.read(50), 8), np.arange(50))
        assert master.export_signals.samp_clk_output_term == "/Dev1/PFI5"


def test_exported_start_trigger_and_properties(bench):
    with bench.task() as master, bench.task() as slave:
        codes(master, samples=50)
        master.export_signals.start_trig_output_term = "PFI7"
        assert master.export_signals.start_trig_output_term == "/Dev1/PFI7"
        assert master.export_signals.samp_clk_output_behavior is ExportAction.PULSE
        slave.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        slave.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=5)
        slave.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI7")
        slave.write(np.arange(5.0))
        slave.start()
        assert slave.out_stream.total_samp_per_chan_generated == 0
        master.start()
        slave.wait_until_done(1.0)
        assert bench.engine.time == pytest.approx(4e-3)


def test_destination_that_there_is_not(bench):
    # NI's tests of nidaqmx (tests/component/test_export_signal_properties.py).
    with bench.task() as task:
        codes(task, samples=30)
        task.export_signals.start_trig_output_term = "RTSI"
        assert code_of(task.control, TaskMode.TASK_VERIFY) == DAQmxErrors.INVALID_ROUTING_DESTINATION_TERMINAL_NAME_ROUTING.value


def test_routes_between_terminals(bench):
    system = System.remote(bench.options)
    system.connect_terms("/Dev1/PFI0", "/Dev1/PFI6")
    with bench.task() as pulse, bench.task() as task:
        levels(pulse, [0, 1, 0])
        codes(task, samples=30)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI6")
        task.start()
        pulse.start()
        assert len(task.read(30)) == 30
    assert code_of(system.connect_terms, "/Dev1/PFI1", "/Dev1/PFI6") == DAQmxErrors.RESOURCES_IN_USE_FOR_ROUTE_ROUTING.value
    assert code_of(system.connect_terms, "/Dev1/nowhere", "/Dev1/PFI6") == -89120
    assert code_of(system.connect_terms, "/Dev1/PFI1", "/Dev1/nowhere") == -89121
    system.disconnect_terms("/Dev1/PFI0", "/Dev1/PFI6")
    system.connect_terms("/Dev1/PFI1", "/Dev1/PFI6")
    system.disconnect_terms("/Dev1/PFI1", "/Dev1/PFI6")
    system.tristate_output_term("/Dev1/PFI6")
    system.connect_terms("/Dev1/PFI0", "/Dev1/PFI6")


def test_timebase_as_a_clock(bench):
    with bench.task() as task:
        codes(task, rate=100_000.0, samples=100, source="/Dev1/100kHzTimebase")
        np.testing.assert_array_equal(decoded(task.read(100)), np.arange(100))
        assert bench.engine.time == pytest.approx(100 / 100e3, abs=2e-3)


# -- change detection ------------------------------------------------------------------------------------------------------------------


def test_change_detection_samples_what_has_changed(bench):
    with bench.task() as lines, bench.task() as task:
        lines.do_channels.add_do_chan("Dev1/port0/line0:3", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        lines.write(0)
        task.di_channels.add_di_chan("Dev1/port0/line0:3", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        task.timing.cfg_change_detection_timing("Dev1/port0/line0:1", "Dev1/port0/line1", samps_per_chan=4)
        task.start()
        for value in (0b0001, 0b0101, 0b0100, 0b0110, 0b0100, 0b0101):
            lines.write(value)
        assert task.read(4) == [0b0001, 0b0110, 0b0100, 0b0101]
        assert task.is_task_done()


def test_change_detection_as_a_clock_of_another_task(bench):
    with bench.task() as lines, bench.task() as changes, bench.task() as task:
        lines.do_channels.add_do_chan("Dev1/port0/line0")
        lines.write(False)
        changes.di_channels.add_di_chan("Dev1/port0/line0")
        changes.timing.cfg_change_detection_timing("Dev1/port0/line0", "Dev1/port0/line0", sample_mode=CONTINUOUS)
        codes(task, samples=30, source="/Dev1/ChangeDetectionEvent", sample_mode=CONTINUOUS)
        task.start()
        changes.start()
        for level in (True, False, True, True):
            lines.write(level)
        np.testing.assert_array_equal(decoded(task.read(3)), np.arange(3))
        assert task.in_stream.total_samp_per_chan_acquired == 3


def test_trigger_lines_of_a_backplane(make_bench):
    bench = make_bench(
        devices=[("Dev1", "PXIe-6363"), ("Dev2", "PXIe-6363")], wiring={"Dev2/ai1": "sample_code", "Dev1/ai1": "sample_code"}
    )
    with bench.task() as master, bench.task() as slave:
        codes(master)
        master.export_signals.start_trig_output_term = "/Dev1/PXI_Trig3"
        volts_in(slave, samples=30, where="Dev2/ai1")
        slave.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev2/PXI_Trig3")
        slave.start()
        master.start()
        np.testing.assert_array_equal(decoded(slave.read(30)), np.arange(30))


def test_change_detection_of_lines_not_in_the_task(bench):
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0:3", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        task.timing.cfg_change_detection_timing("Dev1/port0/line7")
        assert code_of(task.start) == DAQmxErrors.CHANGE_DETECTION_CHAN_NOT_IN_TASK.value
        task.timing.cfg_change_detection_timing()
        assert code_of(task.start) == DAQmxErrors.NO_CHANS_SPECD_FOR_CHANGE_DETECT.value


# -- outputs ---------------------------------------------------------------------------------------------------------------------------


def test_retriggerable_and_paused_generation(bench):
    with bench.task() as pulse, bench.task() as out, bench.task() as look:
        levels(pulse, [0, 1, 0, 0, 0, 1, 0, 0])
        out.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        out.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=3)
        out.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        out.triggers.start_trigger.retriggerable = True
        out.write([1.0, 2.0, 3.0])
        out.start()
        volts_in(look, 1000.0, 10, where="Dev1/_ao0_vs_aognd")
        look.start()
        pulse.start()
        seen = np.array(look.read(10))
        assert out.out_stream.total_samp_per_chan_generated == 6
    # Triggered at 1 and 5 ms; an input sample at the same instant still sees the level before.
    np.testing.assert_allclose(seen, [0, 0, 1, 2, 3, 3, 1, 2, 3, 3], atol=1e-3)


@pytest.mark.parametrize("kind", ["ai", "ao", "di", "do"])
def test_samples_on_demand_are_not_paused(bench, kind):
    """NI's text for -200262: "Configure the sample clock type to something other than On Demand to use a trigger"."""
    with bench.task() as task:
        where = f"Dev1/{kind}0" if kind in ("ai", "ao") else "Dev1/port0/line0"
        getattr(task, f"{kind}_channels").__getattribute__(f"add_{kind}{'_voltage' if kind in ('ai', 'ao') else ''}_chan")(where)
        pause = task.triggers.pause_trigger
        pause.trig_type, pause.dig_lvl_src = TriggerType.DIGITAL_LEVEL, "/Dev1/PFI0"
        assert code_of(task.start) == DAQmxErrors.TRIG_WHEN_ON_DEMAND_SAMP_TIMING
        task.timing.cfg_samp_clk_timing(1000.0)
        task.control(TaskMode.TASK_VERIFY)
