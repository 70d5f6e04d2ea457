"""Counters that measure what is inside the card: its timebases, clocks of other tasks, the source of another counter.

NI's tests of its nidaqmx package measure 100kHzTimebase with an X Series card by each of its reads (test_stream_readers_ci.py in
tests/component): 100 kHz, duty cycle 0.5, 5 us, 500 ticks of 100 MHz. Other values follow from the
rates in the "X Series User Manual" (100 MHz, 20 MHz, 100 kHz, 10 MHz) and whole ticks.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, error_of, train

KHZ = "100kHzTimebase"


def measuring(task, what, source, counter="Dev1/ctr0", term="", **how):
    """A task of one counter measurement of a terminal."""
    channel = getattr(task.ci_channels, f"add_ci_{what}")(counter, **how)
    setattr(channel, term or f"ci_{what.removesuffix('_chan')}_term", source)
    return channel


@pytest.mark.parametrize(("source", "rate"), [(KHZ, 1e5), ("20MHzTimebase", 20e6), ("10MHzRefClock", 10e6), ("100MHzTimebase", 100e6)])
def test_frequency_and_period_of_a_timebase(counters, source, rate):
    for what, value in (("freq_chan", rate), ("period_chan", 1.0 / rate)):
        with counters.task() as task:
            measuring(task, what, source)
            assert task.read() == pytest.approx(value, rel=1e-12)
            assert task.read(3) == pytest.approx([value] * 3, rel=1e-12)


def test_pulses_of_a_timebase_by_frequency_time_and_ticks(counters):
    with counters.task() as task:
        measuring(task, "pulse_chan_freq", KHZ, term="ci_pulse_freq_term")
        found = task.read()
        assert (found.freq, found.duty_cycle) == pytest.approx((1e5, 0.5), rel=1e-12)
    with counters.task() as task:
        measuring(task, "pulse_chan_time", KHZ, term="ci_pulse_time_term")
        found = task.read()
        assert (found.high_time, found.low_time) == pytest.approx((5e-6, 5e-6), rel=1e-12)
    with counters.task() as task:
        measuring(task, "pulse_chan_ticks", KHZ, term="ci_pulse_ticks_term")
        found = task.read()
        assert (found.high_tick, found.low_tick) == (500, 500)


def test_half_a_tick_is_none_and_both_phases_are_the_period(counters):
    # 20 MHz has five ticks of 100 MHz a period: two and three, whatever it is read as.
    with counters.task() as task:
        measuring(task, "pulse_chan_ticks", "20MHzTimebase", term="ci_pulse_ticks_term")
        assert {(found.high_tick, found.low_tick) for found in task.read(50)} == {(2, 3)}
    with counters.task() as task:
        measuring(task, "pulse_chan_freq", "20MHzTimebase", term="ci_pulse_freq_term")
        found = task.read()
        assert (found.freq, found.duty_cycle) == pytest.approx((20e6, 0.4), rel=1e-12)
    with counters.task() as task:
        measuring(task, "semi_period_chan", "20MHzTimebase")
        task.timing.cfg_implicit_timing(samps_per_chan=4)
        assert task.read(4) == pytest.approx([2e-8, 3e-8] * 2, rel=1e-12)


@pytest.mark.parametrize("what", ["pulse_width_chan", "semi_period_chan"])
def test_what_is_shorter_than_a_tick_is_no_measurement(counters, what):
    # -200140: two edges without a timebase edge between them
    with counters.task() as task:
        measuring(task, what, "100MHzTimebase")
        assert code_of(task.read) == -200140


def test_width_separation_and_two_counters(counters):
    for what, term in (("pulse_width_chan", ""), ("two_edge_sep_chan", "ci_two_edge_sep_first_term")):
        with counters.task() as task:
            channel = measuring(task, what, KHZ, term=term)
            if term:
                channel.ci_two_edge_sep_second_term = KHZ
            assert task.read(4) == pytest.approx([5e-6] * 4, rel=1e-12)
    for method in (c.CounterFrequencyMethod.HIGH_FREQUENCY_2_COUNTERS, c.CounterFrequencyMethod.LARGE_RANGE_2_COUNTERS):
        with counters.task() as task:
            measuring(task, "freq_chan", "20MHzTimebase", meas_method=method, meas_time=1e-4, min_val=1e3, max_val=1e6)
            assert task.read() == pytest.approx(20e6, rel=1e-12)


def test_edges_are_counted_while_a_timebase_is_high(counters):
    # 100 kHz is high for half of the time: half of 20 MHz is counted. A sample comes every 1 ms.
    with counters.task() as clock, counters.task() as task:
        train(clock, "Dev1/ctr1", freq=1000.0)
        channel = measuring(task, "count_edges_chan", "20MHzTimebase")
        channel.ci_count_edges_gate_enable, channel.ci_count_edges_gate_term = True, KHZ
        task.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/Ctr1InternalOutput", samps_per_chan=5)
        task.start()
        clock.start()
        counts = task.read(5)
        assert [b - a for a, b in pairwise(counts)] == [10_000] * 4


def test_clocks_of_other_tasks(bench):
    with bench.task() as analog, bench.task() as task:
        analog.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        analog.timing.cfg_samp_clk_timing(1250.0, sample_mode=c.AcquisitionType.CONTINUOUS)
        measuring(task, "freq_chan", "/Dev1/ai/SampleClock", min_val=10.0, max_val=1e4)
        task.start()
        analog.start()
        assert task.read() == pytest.approx(1250.0, rel=1e-9)
    with bench.task() as generator, bench.task() as task:
        train(generator, "Dev1/freqout", freq=5e6)
        measuring(task, "period_chan", "/Dev1/FrequencyOutput")
        generator.start()
        assert task.read() == pytest.approx(2e-7, rel=1e-9)


def test_the_source_and_the_gate_of_another_counter(make_bench):
    bench = make_bench(wiring={"Dev1/PFI3": "Dev1/PFI12"})
    with bench.task() as pulses, bench.task() as counting, bench.task() as task:
        train(pulses, "Dev1/ctr0", freq=2000.0)
        counting.ci_channels.add_ci_count_edges_chan("Dev1/ctr1")  # at PFI3
        measuring(task, "freq_chan", "/Dev1/Ctr1Source", "Dev1/ctr2")
        counting.start()
        pulses.start()
        assert task.read() == pytest.approx(2000.0, rel=1e-9)
        counting.stop()
        assert code_of(task.read, timeout=0.01) == -200284  # the route is there as long as the counter counts
        task.stop()
        channel = counting.channels
        channel.ci_count_edges_gate_enable, channel.ci_count_edges_gate_term = True, "/Dev1/Ctr0InternalOutput"
        task.channels.ci_freq_term = "/Dev1/Ctr1Gate"
        counting.start()
        assert task.read() == pytest.approx(2000.0, rel=1e-9)


def test_the_source_of_a_counter_that_puts_pulses_out_is_its_timebase(bench):
    with bench.task() as pulses, bench.task() as task:
        train(pulses, "Dev1/ctr0", freq=0.001)  # slow enough for the timebase of 100 kHz
        measuring(task, "freq_chan", "/Dev1/Ctr0Source", "Dev1/ctr2")
        pulses.start()
        assert task.read() == pytest.approx(1e5, rel=1e-9)


def test_a_timebase_needs_the_source_of_a_counter_that_is_free(bench):
    """ "Device Routing in MAX": a route that needs a subsystem is made where that is not in use; else -89137."""
    with bench.task() as first, bench.task() as second, bench.task() as third:
        measuring(first, "freq_chan", KHZ, "Dev1/ctr0")
        first.start()
        second.ci_channels.add_ci_count_edges_chan("Dev1/ctr1")
        second.start()
        measuring(third, "freq_chan", KHZ, "Dev1/ctr2")
        code, text = error_of(third.start)
        assert code == -89137
        assert "requires resources that are currently in use by another route.\nProperty: DAQmx_CI_Freq_Term\nSource Device: Dev1\n" in text
        assert "Source Terminal: 100kHzTimebase\nDestination Device: Dev1\nDestination Terminal: Ctr2Gate\n" in text
        second.stop()
        third.start()
        assert third.read() == 1e5
        assert code_of(second.start) == -50103  # it lends its source now


def test_what_does_not_get_there_is_told_in_full(counters):
    with counters.task() as task:
        measuring(task, "pulse_chan_freq", "/Dev1/ai/SampleClockTimebase", term="ci_pulse_freq_term")
        assert error_of(task.start) == (-89136, (
            "Specified route cannot be satisfied, because the hardware does not support it.\nProperty: DAQmx_CI_Pulse_Freq_Term\n"
            "Source Device: Dev1\nSource Terminal: ai/SampleClockTimebase\nDestination Device: Dev1\nDestination Terminal: Ctr0Gate\n"
            "Channel Name: Dev1/ctr0\n\nTask Name: _unnamedTask<0>\n\nStatus Code: -89136"
        ))  # fmt: skip


def test_a_counter_module_has_no_timebase_to_measure(counters):
    with counters.task() as task:
        measuring(task, "freq_chan", "/cDAQ1/20MHzTimebase", "cDAQ1Mod1/ctr0")
        assert code_of(task.start) == -89136


def test_counters_of_a_chassis_measure_its_timebase(counters):
    with counters.task() as task:
        measuring(task, "freq_chan", "/cDAQ1/100kHzTimebase", "cDAQ1Mod2/ctr0")
        assert task.read() == 1e5


# -- what waits for itself ----------------------------------------------------------------------------------------------------------------
# MAX's table of routes has Ctr0InternalOutput among the sources of Ctr0Gate, as of every other input of the counter: the route is made, no
# edge comes, and the read ends by its time-out.


TIMED = ("freq_chan", "period_chan", "pulse_width_chan", "pulse_chan_freq", "two_edge_sep_chan")


@pytest.mark.parametrize(("counter", "source", "what"), [
    *(("Dev1/ctr0", "/Dev1/Ctr0InternalOutput", what) for what in (*TIMED, "semi_period_chan")),
    ("Dev1/ctr1", "/Dev1/Ctr1InternalOutput", "freq_chan"),
    *(("cDAQ1Mod1/ctr0", "/cDAQ1Mod1/Ctr0InternalOutput", what) for what in TIMED),
])  # fmt: skip
def test_a_counter_that_measures_its_own_output_waits(counters, counter, source, what):
    terms = {"pulse_chan_freq": "ci_pulse_freq_term", "two_edge_sep_chan": "ci_two_edge_sep_first_term"}
    with counters.task() as task:
        channel = measuring(task, what, source, counter, terms.get(what, ""))
        if what == "two_edge_sep_chan":
            channel.ci_two_edge_sep_second_term, channel.ci_two_edge_sep_second_edge = source, c.Edge.FALLING
        assert code_of(task.read, timeout=0.01) == -200284


def test_two_counters_that_measure_each_other_wait(counters):
    with counters.task() as one, counters.task() as other:
        measuring(one, "freq_chan", "/Dev1/Ctr1InternalOutput", "Dev1/ctr0")
        measuring(other, "freq_chan", "/Dev1/Ctr0InternalOutput", "Dev1/ctr1")
        one.start()
        other.start()
        for task in (one, other):
            assert code_of(task.read, timeout=0.01) == -200284


def test_a_counter_on_its_own_output_by_way_of_a_pin_waits(make_bench):
    bench = make_bench(wiring={"Dev1/PFI8": "Dev1/PFI12"})
    with bench.task() as task:
        measuring(task, "freq_chan", "/Dev1/PFI8")
        task.export_signals.export_signal(c.Signal.COUNTER_OUTPUT_EVENT, "/Dev1/PFI12")
        assert code_of(task.read, timeout=0.01) == -200284


def test_a_change_detection_by_its_own_event_waits(make_bench):
    bench = make_bench(wiring={"Dev1/port0/line0": "Dev1/PFI0"})
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0")
        task.timing.cfg_change_detection_timing("Dev1/port0/line0", "", c.AcquisitionType.CONTINUOUS)
        task.export_signals.export_signal(c.Signal.CHANGE_DETECTION_EVENT, "/Dev1/PFI0")
        task.start()
        assert code_of(task.read, timeout=0.01) == -200284


def test_a_pattern_that_only_its_own_start_makes_waits(make_bench):
    bench = make_bench(wiring={"Dev1/port0/line0": "Dev1/PFI0"})
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=5)
        task.triggers.start_trigger.cfg_dig_pattern_start_trig("Dev1/port0/line0", "1", c.DigitalPatternCondition.PATTERN_MATCHES)
        task.export_signals.export_signal(c.Signal.START_TRIGGER, "/Dev1/PFI0")
        task.start()
        assert code_of(task.read, 5, timeout=0.01) == -200284
