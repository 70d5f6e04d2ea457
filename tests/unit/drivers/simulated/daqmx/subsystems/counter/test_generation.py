"""Counters that run: pulses go out, and change on the way, by triggers, buffers, clocks and writes.

Expected values by arithmetic and from NI's documents: "X Series User Manual", Counters; NI's tests of its nidaqmx package
(tests/legacy/test_read_write.py and test_stream_counter_readers_writers.py: counters wired to each other inside of a card).
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.stream_readers import CounterReader
from nidaqmx.stream_writers import CounterWriter
from nidaqmx.types import CtrFreq, CtrTick, CtrTime

from tests.unit.drivers.simulated.daqmx.client_calls import OUT0, code_of, edges_out, error_of, let_pass, train

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS


# -- pulses out, edges in --------------------------------------------------------------------------------------------------------------


def test_finite_train_is_counted(either_pace):
    with either_pace.task() as out, either_pace.task() as count:
        train(out, mode=FINITE, pulses=37, freq=12345.0)
        count.ci_channels.add_ci_count_edges_chan("Dev1/ctr1").ci_count_edges_term = OUT0
        count.start()
        out.start()
        out.wait_until_done(timeout=2)
        assert count.read() == 37
        assert count.read(number_of_samples_per_channel=2) == [37, 37]
        assert count.ci_channels[0].ci_count == 37
        assert out.co_channels[0].co_pulse_done


def test_train_lasts_as_long_as_its_pulses(make_bench):
    bench = make_bench()
    with bench.task() as out:
        train(out, mode=FINITE, pulses=10, freq=100.0, duty_cycle=0.25, initial_delay=0.5)
        out.start()
        begun = bench.engine.time
        out.wait_until_done()
    # The delay, nine whole periods, and the active quarter of the last one.
    assert bench.engine.time - begun == pytest.approx(0.5 + 9 * 0.01 + 0.0025, abs=2e-3)


def test_single_pulse_on_demand(make_bench):
    bench = make_bench(wiring={"Dev1/PFI12": "Dev1/PFI8"})
    with bench.task() as out, bench.task() as width:
        width.ci_channels.add_ci_pulse_width_chan("Dev1/ctr1", min_val=1e-6, max_val=2.0).ci_pulse_width_term = "/Dev1/PFI8"
        out.co_channels.add_co_pulse_chan_time("Dev1/ctr0", low_time=0.5, high_time=0.125)
        width.start()
        out.start()
        out.wait_until_done(timeout=10)
        assert width.read(timeout=1) == 0.125


def test_idle_high_and_output_state(bench):
    with bench.task() as out:
        channel = out.co_channels.add_co_pulse_chan_time("Dev1/ctr0", idle_state=c.Level.HIGH, low_time=0.01, high_time=0.02)
        out.start()
        assert channel.co_output_state == c.Level.HIGH
        let_pass(bench, 0.005)
        assert channel.co_output_state == c.Level.LOW
        out.wait_until_done()
        assert channel.co_output_state == c.Level.HIGH


@pytest.mark.parametrize("edge", list(c.Edge)[:2])
def test_pulse_frequency_on_demand(either_pace, edge):
    with either_pace.task() as out, either_pace.task() as back:
        train(out, freq=432.1, duty_cycle=0.37)
        channel = back.ci_channels.add_ci_pulse_chan_freq("Dev1/ctr1", min_val=100, max_val=1000)
        channel.ci_pulse_freq_term, channel.ci_pulse_freq_starting_edge = OUT0, edge
        back.start()
        out.start()
        found = back.read(timeout=2)
    # Whole ticks of 100 MHz: 231428 a period, 85628 of them high.
    assert found.freq == pytest.approx(100e6 / 231428, rel=1e-12)
    assert found.duty_cycle == pytest.approx(85628 / 231428, rel=1e-12)


def test_ticks_of_a_slow_timebase(bench):
    with bench.task() as out, bench.task() as back:
        out.co_channels.add_co_pulse_chan_ticks("Dev1/ctr0", "/Dev1/100kHzTimebase", high_ticks=345, low_ticks=678)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        channel = back.ci_channels.add_ci_pulse_chan_ticks("Dev1/ctr1", source_terminal="/Dev1/100kHzTimebase", min_val=100, max_val=1000)
        channel.ci_pulse_ticks_term = OUT0
        back.start()
        out.start()
        assert back.read(timeout=2) == CtrTick(345, 678)


def test_a_clock_from_outside_as_timebase(bench):
    """Frequency division ("X Series User Manual"): the output has the frequency of the source over high + low ticks."""
    with bench.task() as source, bench.task() as out, bench.task() as back:
        train(source, freq=10e3)
        out.co_channels.add_co_pulse_chan_ticks("Dev1/ctr1", OUT0, high_ticks=2, low_ticks=6)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        channel = back.ci_channels.add_ci_freq_chan("Dev1/ctr2", min_val=100, max_val=10000)
        channel.ci_freq_term = "/Dev1/Ctr1InternalOutput"
        for task in (back, out, source):
            task.start()
        assert back.read() == pytest.approx(1250.0, rel=1e-12)


# -- triggers --------------------------------------------------------------------------------------------------------------------------


def test_retriggered_train(bench):
    with bench.task() as out, bench.task() as count, bench.task() as line:
        line.do_channels.add_do_chan("Dev1/port1/line0")
        train(out, mode=FINITE, pulses=5, freq=1000.0)
        out.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        out.triggers.start_trigger.retriggerable = True
        counted = edges_out(count)
        out.start()
        for n in range(3):
            assert counted() == 5 * n
            line.write(True)
            line.write(False)
            let_pass(bench, 0.02)
            assert not out.is_task_done()
        assert counted() == 15


def test_pause_holds_a_train_and_a_count(bench):
    """ "X Series User Manual": while the pause trigger is active pulses stop, and edges are not counted."""
    with bench.task() as out, bench.task() as count, bench.task() as line:
        line.do_channels.add_do_chan("Dev1/port1/line0")
        train(out, freq=1000.0)
        pause = out.triggers.pause_trigger
        pause.trig_type, pause.dig_lvl_src, pause.dig_lvl_when = c.TriggerType.DIGITAL_LEVEL, "/Dev1/PFI0", c.Level.HIGH
        counted = edges_out(count)
        out.start()
        let_pass(bench, 0.0105)
        before = counted()
        line.write(True)
        let_pass(bench, 0.05)
        assert counted() == before == 11
        line.write(False)
        let_pass(bench, 0.01)
        assert counted() == 21
    with bench.task() as out:
        train(out, mode=FINITE, freq=1000.0)
        out.triggers.pause_trigger.trig_type = c.TriggerType.DIGITAL_LEVEL
        out.triggers.pause_trigger.dig_lvl_src = "/Dev1/PFI0"
        assert code_of(out.start) == -200144


def test_armed_train_clocked_count(bench):
    with bench.task() as clock, bench.task() as out, bench.task() as count:
        train(clock, mode=FINITE, pulses=40, freq=7777.0)
        train(out, "Dev1/ctr1", mode=FINITE, pulses=40, freq=7777.0)
        arm = out.triggers.arm_start_trigger
        arm.trig_type, arm.dig_edge_src, arm.dig_edge_edge = c.TriggerType.DIGITAL_EDGE, OUT0, c.Edge.RISING
        count.ci_channels.add_ci_count_edges_chan("Dev1/ctr2").ci_count_edges_term = "/Dev1/Ctr1InternalOutput"
        count.timing.cfg_samp_clk_timing(7777.0, source=OUT0, active_edge=c.Edge.FALLING, samps_per_chan=40)
        for task in (count, out, clock):
            task.start()
        assert count.read(40, timeout=2) == list(range(1, 41))


# -- buffered pulses, and changes on the way -------------------------------------------------------------------------------------------


def test_buffered_pulses_come_back(either_pace):
    rng, n = np.random.default_rng(5), 20
    high, low = rng.integers(10_000, 100_000, n + 1) / 1e8, rng.integers(10_000, 100_000, n + 1) / 1e8
    with either_pace.task() as out, either_pace.task() as back:
        out.co_channels.add_co_pulse_chan_time("Dev1/ctr0", idle_state=c.Level.HIGH)
        out.timing.cfg_implicit_timing(samps_per_chan=n + 1)
        channel = back.ci_channels.add_ci_pulse_chan_time("Dev1/ctr1", min_val=1e-4, max_val=1e-3)
        channel.ci_pulse_time_term = OUT0
        back.timing.cfg_implicit_timing(samps_per_chan=n)
        assert CounterWriter(out.out_stream).write_many_sample_pulse_time(high, low) == n + 1
        back.start()
        out.start()
        one, other = np.zeros(n), np.zeros(n)
        CounterReader(back.in_stream).read_many_sample_pulse_time(one, other, n, timeout=2)
        out.wait_until_done()
    # What was high before the first low phase is no measurement: it begins with the first rising edge.
    np.testing.assert_allclose(one, high[1:], rtol=1e-9)
    np.testing.assert_allclose(other, low[1:], rtol=1e-9)


def test_a_sample_clock_updates_a_train(bench):
    """ "X Series User Manual", Buffered Pulse Train Generation: with each sample clock edge the train goes on with the next sample."""
    with bench.task() as clock, bench.task() as out, bench.task() as back:
        train(clock, "Dev1/ctr2", freq=100.0)
        out.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=1000.0)
        out.timing.cfg_samp_clk_timing(100.0, source="/Dev1/Ctr2InternalOutput", sample_mode=CONTINUOUS)
        out.write([CtrFreq(2000.0, 0.5), CtrFreq(4000.0, 0.25)], auto_start=False)
        channel = back.ci_channels.add_ci_pulse_chan_ticks("Dev1/ctr1", source_terminal="/Dev1/100MHzTimebase", min_val=100, max_val=1e6)
        channel.ci_pulse_ticks_term = OUT0
        back.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        back.start()
        out.start()
        let_pass(bench, 0.0102)
        clock.start()
        let_pass(bench, 0.0199)
        found = [(s.high_tick, s.low_tick) for s in back.read(c.READ_ALL_AVAILABLE)]
    assert found[0] == (50_000, 50_000)
    assert (25_000, 25_000) in found
    assert found[-1] == (6_250, 18_750)


@pytest.mark.parametrize(
    ("how", "values"),
    [
        ("freq", [CtrFreq(f, d) for f, d in zip(np.linspace(1e4, 1e5, 10), np.linspace(0.1, 0.9, 10), strict=True)]),
        ("time", [CtrTime(2e-5, 8e-5), CtrTime(9e-6, 1e-6)]),
        ("ticks", [CtrTick(2000, 8000), CtrTick(900, 100)]),
    ],
)
def test_writes_to_a_running_train(either_pace, how, values):
    with either_pace.task() as out, either_pace.task() as back:
        given = {"freq": {"freq": 1e4}, "time": {}, "ticks": {"source_terminal": "100MHzTimebase"}}[how]
        getattr(out.co_channels, f"add_co_pulse_chan_{how}")("Dev1/ctr0", **given)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        channel = back.ci_channels.add_ci_pulse_chan_freq("Dev1/ctr1")
        channel.ci_pulse_freq_term = "Ctr0InternalOutput"
        out.start()
        back.start()
        for value in values:
            assert out.write(value) == 1
        found = back.read()
    assert (found.freq, found.duty_cycle) == (pytest.approx(1e5, abs=1e-6), pytest.approx(0.9, abs=1e-6))


def test_properties_change_a_running_train(bench):
    with bench.task() as out, bench.task() as back:
        train(out, freq=1e4)
        back.ci_channels.add_ci_freq_chan("Dev1/ctr1", min_val=100, max_val=1e5).ci_freq_term = OUT0
        out.start()
        assert back.read() == pytest.approx(1e4)
        out.co_channels[0].co_pulse_freq = 2e4
        let_pass(bench, 0.001)
        assert back.read() == pytest.approx(2e4)


def test_writes_that_are_refused(bench):
    with bench.task() as out:
        out.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=100.0)
        code, text = error_of(out.write, CtrFreq(10.0, 0.5), auto_start=False)
        assert code == -200875 and "To specify the frequency and/or the duty cycle while the task is not running, set" in text
        # A single pulse takes no other: ni/nidaqmx-python, issue 109.
        assert code_of(out.write, CtrFreq(10.0, 0.5), timeout=1.0) == -200474
        out.stop()
        assert code_of(out.write, CtrFreq(10.0, 1.5)) == -200684
    with bench.task() as out:
        train(out, mode=FINITE, pulses=100, freq=10.0)
        out.start()
        assert code_of(out.write, CtrFreq(20.0, 0.5)) == -201291
