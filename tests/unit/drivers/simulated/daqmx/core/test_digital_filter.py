"""What digital filters of sample clocks, triggers and lines let through.

Expected values: "Digital Filtering Considerations for X Series and NI 661x Devices" and "... for C Series Devices" (NI-DAQmx: fixed widths,
custom ones not on port 0 and the same for all lines of a device; a filter that is on needs a width); "X Series User Manual", PFI Filters
(what is shorter than N clocks does not pass, what passes is N clocks late; signals from inside have no filter); errors by their names in
nidaqmx.error_codes.
"""

from __future__ import annotations

import itertools

import pytest
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, code_of_read, codes, decoded, filtered, levels

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS
WIRES = {
    "Dev1/PFI0": "Dev1/port0/line0", "Dev1/PFI1": "Dev1/port0/line1", "Dev1/port0/line8": "Dev1/port0/line0",
    "Dev1/port0/line9": "Dev1/port0/line0", "Dev1/ai1": "sample_code",
}  # fmt: skip
TIMED_OUT = -200284


@pytest.fixture
def bench(make_bench):
    return make_bench(wiring=WIRES)


PULSES = [0] + [1] * 9 + [0] * 20 + [1] * 30 + [0] * 40
"""At 10 kHz: a pulse of 0.9 ms from 0.1 ms on, one of 3 ms from 3 ms on."""


@pytest.mark.parametrize(("width", "samples"), [(0.2e-3, 2), (2e-3, 1)])
def test_a_sample_clock_goes_through_its_filter(bench, width, samples):
    with bench.task() as pulse, bench.task() as task:
        levels(pulse, PULSES, 10_000.0)
        codes(task, samples=2)
        task.timing.cfg_samp_clk_timing(10_000.0, source="/Dev1/PFI0", samps_per_chan=2)
        filtered(task.timing, "samp_clk", width)
        task.start()
        pulse.start()
        pulse.wait_until_done()
        if samples == 1:
            assert code_of(task.read, 2, timeout=0.1) == TIMED_OUT
        assert task.in_stream.total_samp_per_chan_acquired == samples


def test_a_clock_whose_pulses_are_too_short_never_comes(bench):
    with bench.task() as clock, bench.task() as task:
        levels(clock, [1, 0] * 50, 2000.0, sample_mode=CONTINUOUS)
        codes(task, samples=20)
        task.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/PFI0", samps_per_chan=20)
        filtered(task.timing, "samp_clk", 5e-3)
        task.start()
        clock.start()
        assert code_of_read(task.read, 20, timeout=0.2) == TIMED_OUT


@pytest.mark.parametrize(("width", "at"), [(0.0, 1e-4), (0.5e-3, 1e-4 + 0.5e-3), (2e-3, 3e-3 + 2e-3)])
def test_a_start_trigger_goes_through_its_filter(bench, width, at):
    with bench.task() as pulse, bench.task() as task:
        levels(pulse, PULSES, 10_000.0)
        codes(task, samples=30)
        start = task.triggers.start_trigger
        start.cfg_dig_edge_start_trig("/Dev1/PFI0")
        if width:
            filtered(start, "dig_edge", width)
        task.start()
        begin = bench.engine.time
        pulse.start()
        assert len(decoded(task.read(30))) == 30
        assert bench.engine.time - begin == pytest.approx(at + 29e-4, abs=1e-8)


def make_an_edge(line, task):
    """The line rises by hand; the task starts with it, behind a filter of 5 ms."""
    line.do_channels.add_do_chan("Dev1/port0/line0")
    line.write(False)
    codes(task, samples=30)
    task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
    filtered(task.triggers.start_trigger, "dig_edge", 5e-3)
    task.start()
    line.write(True)


def test_an_edge_that_somebody_makes_comes_the_width_later(bench):
    """Nothing runs but the task that waits: time goes on until the filter has let the edge through."""
    with bench.task() as line, bench.task() as task:
        make_an_edge(line, task)
        begin = bench.engine.time
        task.read(30, timeout=1.0)
        assert bench.engine.time - begin == pytest.approx(5e-3 + 29e-4, abs=1.1e-3)


def test_a_reference_trigger_goes_through_its_filter(bench):
    with bench.task() as pulse, bench.task() as task:
        levels(pulse, PULSES, 10_000.0)
        codes(task, samples=20)
        reference = task.triggers.reference_trigger
        reference.cfg_dig_edge_ref_trig("/Dev1/PFI0", 5)
        filtered(reference, "dig_edge", 2e-3)
        task.start()
        pulse.start()
        first = decoded(task.read(20))[0]
        assert first == pytest.approx(50 - 5, abs=1)  # 3 ms + 2 ms at 10 kHz


def test_a_pause_trigger_goes_through_its_filter(bench):
    """Of two pauses only the longer one takes effect, as long as it is, and later: 30 of 100 ticks of the clock are missing."""
    with bench.task() as pulse, bench.task() as task:
        levels(pulse, PULSES, 10_000.0)
        codes(task, samples=1000)
        task.timing.cfg_samp_clk_timing(10_000.0, sample_mode=CONTINUOUS, samps_per_chan=1000)
        pause = task.triggers.pause_trigger
        pause.trig_type, pause.dig_lvl_src, pause.dig_lvl_when = c.TriggerType.DIGITAL_LEVEL, "/Dev1/PFI0", c.Level.HIGH
        filtered(pause, "dig_lvl", 2e-3)
        task.start()
        begin = bench.engine.time
        pulse.start()
        pulse.wait_until_done()
        passed = round((bench.engine.time - begin) * 10_000.0)
        assert passed - task.in_stream.total_samp_per_chan_acquired == pytest.approx(30, abs=1)


def test_an_arm_start_trigger_goes_through_its_filter(bench):
    with bench.task() as pulse, bench.task() as count:
        levels(pulse, PULSES, 10_000.0)
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        channel.ci_count_edges_term = "/Dev1/100kHzTimebase"
        arm = count.triggers.arm_start_trigger
        arm.trig_type, arm.dig_edge_src = c.TriggerType.DIGITAL_EDGE, "/Dev1/PFI0"
        filtered(arm, "dig_edge", 2e-3)
        count.start()
        begin = bench.engine.time
        pulse.start()
        pulse.wait_until_done()
        assert count.read() == pytest.approx((bench.engine.time - begin - 5e-3) * 100e3, abs=3)


@pytest.mark.parametrize(("width", "edges"), [(None, 4), (90e-9, 4), (5.12e-6, 4), (2.56e-3, 2)])
def test_lines_go_through_their_filter(bench, width, edges):
    with bench.task() as pulse, bench.task() as lines:
        levels(pulse, PULSES, 10_000.0)
        channel = lines.di_channels.add_di_chan("Dev1/port0/line8")
        lines.timing.cfg_samp_clk_timing(20_000.0, samps_per_chan=200)
        if width is not None:
            filtered(channel, "di", width)
        lines.start()
        pulse.start()
        seen = lines.read(200)
    assert sum(a != b for a, b in itertools.pairwise(seen)) == edges
    if width == 2.56e-3:
        assert seen.index(True) == pytest.approx((3e-3 + 2.56e-3) * 20_000.0, abs=1.01)


def test_only_the_lines_that_have_one_are_filtered(bench):
    with bench.task() as pulse, bench.task() as lines:
        levels(pulse, PULSES, 10_000.0)
        lines.di_channels.add_di_chan("Dev1/port0/line8")
        channel = lines.di_channels.add_di_chan("Dev1/port0/line9")
        filtered(channel, "di", 2.56e-3)
        lines.timing.cfg_samp_clk_timing(20_000.0, samps_per_chan=200)
        lines.start()
        pulse.start()
        plain, through = lines.read(200)
    assert (sum(plain), sum(through)) == (pytest.approx(2 * 39, abs=2), pytest.approx(2 * 30, abs=2))


@pytest.mark.parametrize(("width", "changes"), [(5.12e-6, 4), (2.56e-3, 2)])
def test_changes_are_looked_for_behind_the_filter(bench, width, changes):
    with bench.task() as pulse, bench.task() as lines:
        levels(pulse, PULSES, 10_000.0)
        channel = lines.di_channels.add_di_chan("Dev1/port0/line8")
        lines.timing.cfg_change_detection_timing("Dev1/port0/line8", "Dev1/port0/line8", CONTINUOUS, 100)
        filtered(channel, "di", width)
        lines.start()
        pulse.start()
        pulse.wait_until_done()
        assert lines.read(c.READ_ALL_AVAILABLE) == [True, False] * (changes // 2)


def test_every_run_begins_anew(bench):
    """What one run of a task has seen half of is nothing to the next."""
    with bench.task() as line, bench.task() as task:
        make_an_edge(line, task)
        task.stop()
        task.start()
        assert code_of(task.read, 30, timeout=0.05) == TIMED_OUT
