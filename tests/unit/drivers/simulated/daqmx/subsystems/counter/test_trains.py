"""Trains of pulses in their details: retriggering, increments, clocks that are too fast, what is told while they go out.

Expected values by arithmetic and from "X Series User Manual", Counters, Pulse Train Generation: a finite train ends with its last active
phase and takes one counter (an embedded one counts the pulses); of retriggered ones only single pulses have the initial delay again by
default (CO.EnableInitialDelayOnRetrigger); Pulse Generation for ETS; NI-DAQmx Properties (CO.PulseDone, CO.AutoIncrCnt,
CO.RdyForNewVal); errors by their names in nidaqmx.error_codes.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.stream_readers import CounterReader
from nidaqmx.stream_writers import CounterWriter
from nidaqmx.types import CtrFreq

from tests.unit.drivers.simulated.daqmx.client_calls import OUT0, code_of, let_pass, train

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS


def retriggered(task, pulses, **how):
    channel = task.co_channels.add_co_pulse_chan_time("Dev1/ctr0", **how)
    if pulses > 1:
        task.timing.cfg_implicit_timing(samps_per_chan=pulses)
    task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
    task.triggers.start_trigger.retriggerable = True
    return channel


class Delays:
    """From edges at PFI0, that lines make, to the first active edge at the output."""

    def __init__(self, bench, out, line, back):
        line.do_channels.add_do_chan("Dev1/port1/line0")
        channel = back.ci_channels.add_ci_two_edge_sep_chan("Dev1/ctr1", min_val=1e-7, max_val=1.0, second_edge=c.Edge.RISING)
        channel.ci_two_edge_sep_first_term, channel.ci_two_edge_sep_second_term = "/Dev1/PFI0", OUT0
        back.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        back.start()
        out.start()
        self._bench, self._line, self._back = bench, line, back

    def next(self, wait=0.05):
        self._line.write(True)
        self._line.write(False)
        let_pass(self._bench, wait)
        return self._back.read(timeout=1.0)


@pytest.mark.parametrize(("pulses", "again", "later"), [(1, None, True), (1, False, False), (3, None, False), (3, True, True)])
def test_initial_delay_of_later_trains(bench, pulses, again, later):
    with bench.task() as out, bench.task() as line, bench.task() as back:
        channel = retriggered(out, pulses, low_time=0.001, high_time=0.002, initial_delay=0.005)
        assert channel.co_enable_initial_delay_on_retrigger is (pulses == 1)
        if again is not None:
            channel.co_enable_initial_delay_on_retrigger = again
        delays = Delays(bench, out, line, back)
        assert delays.next() == pytest.approx(0.005, abs=2e-8)
        for _ in range(2):
            assert delays.next() == pytest.approx(0.005 if later else 2e-8, abs=2e-8)  # two ticks at least


def test_each_trigger_is_answered_later_than_the_one_before(bench):
    with bench.task() as out, bench.task() as line, bench.task() as back:
        channel = out.co_channels.add_co_pulse_chan_ticks(
            "Dev1/ctr0", "/Dev1/100kHzTimebase", initial_delay=100, low_ticks=50, high_ticks=50
        )
        channel.co_auto_incr_cnt = 10
        out.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        out.triggers.start_trigger.retriggerable = True
        delays = Delays(bench, out, line, back)
        assert [delays.next() for _ in range(4)] == pytest.approx([1.0e-3, 1.1e-3, 1.2e-3, 1.3e-3], abs=2e-5)


def test_each_idle_phase_is_longer_than_the_one_before(bench):
    with bench.task() as out, bench.task() as back:
        channel = out.co_channels.add_co_pulse_chan_ticks("Dev1/ctr0", "/Dev1/100MHzTimebase", low_ticks=1000, high_ticks=200)
        channel.co_auto_incr_cnt = 7
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        channel = back.ci_channels.add_ci_pulse_chan_ticks("Dev1/ctr1", "/Dev1/100MHzTimebase", min_val=100, max_val=1e5)
        channel.ci_pulse_ticks_term = OUT0
        back.timing.cfg_implicit_timing(samps_per_chan=5)
        back.start()
        out.start()
        found = back.read(5)
        assert {pulse.high_tick for pulse in found} == {200}
        assert np.diff([pulse.low_tick for pulse in found]).tolist() == [7] * 4
        assert code_of(setattr, out.co_channels[0], "co_pulse_high_ticks", 300) == -201330


def test_done_is_told_once_of_each_train(bench):
    with bench.task() as out, bench.task() as line:
        channel = retriggered(out, 3, low_time=0.001, high_time=0.001)
        line.do_channels.add_do_chan("Dev1/port1/line0")
        out.start()
        assert not channel.co_pulse_done
        for _ in range(2):
            line.write(True)
            line.write(False)
            let_pass(bench, 0.002)
            assert not channel.co_pulse_done
            let_pass(bench, 0.02)
            assert channel.co_pulse_done
            assert not channel.co_pulse_done
        assert not out.is_task_done()


def test_where_the_counter_stands(bench):
    """The count register counts a phase down; the output is what the phase is."""
    with bench.task() as out:
        channel = out.co_channels.add_co_pulse_chan_ticks("Dev1/ctr0", "/Dev1/100kHzTimebase", low_ticks=1000, high_ticks=500)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        assert code_of(lambda: channel.co_count) == -200983
        out.start()
        let_pass(bench, 0.00205)
        assert channel.co_output_state is c.Level.HIGH
        assert channel.co_count == pytest.approx(500 - 203, abs=3)
        let_pass(bench, 0.005)
        assert channel.co_output_state is c.Level.LOW
        assert not channel.co_pulse_done


def test_ready_for_a_new_value(bench):
    with bench.task() as out:
        channel = out.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=100.0)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        out.start()
        assert channel.co_rdy_for_new_val
        channel.co_pulse_freq = 200.0
        assert not channel.co_rdy_for_new_val
        let_pass(bench, 0.03)
        assert channel.co_rdy_for_new_val
    with bench.task() as out:
        channel = out.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=100.0)
        out.start()
        assert code_of(lambda: channel.co_rdy_for_new_val) == -200999


def test_a_finite_train_leaves_the_other_counters_alone(bench):
    """In its embedded mode a finite train takes one counter only."""
    tasks = [bench.task() for _ in range(4)]
    for number, task in enumerate(tasks):
        train(task, f"Dev1/ctr{number}", mode=FINITE, pulses=10, freq=1000.0)
        task.start()
    for task in tasks:
        task.wait_until_done(timeout=1.0)
        assert task.co_channels[0].co_pulse_done
        assert task.is_task_done()
        task.close()


def test_a_counter_has_one_task(bench):
    with bench.task() as out, bench.task() as back:
        out.co_channels.add_co_pulse_chan_freq("Dev1/ctr0")
        back.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        out.start()
        assert code_of(back.start) == -50103
        with bench.task() as two:
            two.ci_channels.add_ci_freq_chan("Dev1/ctr1", meas_method=c.CounterFrequencyMethod.HIGH_FREQUENCY_2_COUNTERS)
            assert code_of(two.start) == -50103  # counters 0 and 1 measure together


def test_a_finite_train_that_is_longer_than_its_buffer(bench):
    """Three pulses over and over, ten in all, in order."""
    with bench.task() as out, bench.task() as back:
        out.co_channels.add_co_pulse_chan_ticks("Dev1/ctr0", "/Dev1/100MHzTimebase")
        out.timing.cfg_implicit_timing(samps_per_chan=10)
        out.out_stream.output_buf_size = 3
        CounterWriter(out.out_stream, auto_start=False).write_many_sample_pulse_ticks(
            np.array([100, 200, 300], dtype=np.uint32), np.array([1000, 2000, 3000], dtype=np.uint32)
        )
        channel = back.ci_channels.add_ci_pulse_chan_ticks("Dev1/ctr1", "/Dev1/100MHzTimebase", min_val=50, max_val=1e5)
        channel.ci_pulse_ticks_term = OUT0
        back.timing.cfg_implicit_timing(samps_per_chan=9)
        back.start()
        out.start()
        out.wait_until_done(timeout=1.0)
        high, low = (np.zeros(9, dtype=np.uint32) for _ in range(2))
        CounterReader(back.in_stream).read_many_sample_pulse_ticks(high, low, 9)
    assert high.tolist() == [100, 200, 300] * 3
    assert low.tolist() == [2000, 3000, 1000] * 3  # the idle phase that follows is the next sample's


def test_a_sample_clock_that_is_faster_than_the_pulses(bench):
    """-201318: a second sample clock edge before a pulse of the sample before went out."""
    with bench.task() as out, bench.task() as clock:
        train(clock, "Dev1/ctr1", freq=1000.0)
        out.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=50.0)
        out.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/Ctr1InternalOutput", sample_mode=CONTINUOUS)
        out.write([CtrFreq(50.0, 0.5), CtrFreq(60.0, 0.5)] * 10, auto_start=False)
        out.start()
        clock.start()
        let_pass(bench, 0.1)
        assert code_of(out.wait_until_done, timeout=1.0) == -201318


@pytest.mark.parametrize("level", [c.Level.LOW, c.Level.HIGH])
def test_the_output_rests_at_its_idle_state(make_bench, level):
    bench = make_bench(wiring={"Dev1/PFI12": "Dev1/port0/line3"})
    with bench.task() as out, bench.task() as line:
        line.di_channels.add_di_chan("Dev1/port0/line3")
        out.co_channels.add_co_pulse_chan_time("Dev1/ctr0", idle_state=level, low_time=0.01, high_time=0.02)
        out.start()
        assert line.read() is (level is c.Level.HIGH)
        # Without a delay the active phase begins two ticks behind the start.
        let_pass(bench, 0.005)
        assert line.read() is (level is c.Level.LOW)
        out.wait_until_done()
        assert line.read() is (level is c.Level.HIGH)


@pytest.mark.parametrize(("how", "names", "code"), [
    ("freq", ("co_pulse_high_time", "co_pulse_low_ticks", "co_pulse_time_units", "co_pulse_ticks_initial_delay"), -200452),
    ("time", ("co_pulse_freq", "co_pulse_duty_cyc", "co_pulse_high_ticks", "co_pulse_freq_initial_delay"), -200452),
    ("ticks", ("co_pulse_freq", "co_pulse_low_time", "co_pulse_freq_units", "co_pulse_time_initial_delay"), -200452),
])  # fmt: skip
def test_pulses_of_one_type_have_no_properties_of_another(bench, how, names, code):
    with bench.task() as out:
        given = {"source_terminal": "PFI0"} if how == "ticks" else {}
        channel = getattr(out.co_channels, f"add_co_pulse_chan_{how}")("Dev1/ctr0", **given)
        for name in (*names, "co_constrained_gen_mode", "co_ctr_timebase_master_timebase_div"):
            assert code_of(getattr, channel, name) == code, name


def test_what_can_be_set_while_pulses_go_out(bench):
    """ "Settable while task is running": the figures of the pulses; -200557 for the rest."""
    with bench.task() as out:
        channel = out.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=1000.0)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        out.start()
        for name, value in (("co_pulse_idle_state", c.Level.HIGH), ("co_pulse_term", "/Dev1/PFI3"), ("co_auto_incr_cnt", 3),
                            ("co_pulse_freq_initial_delay", 0.1), ("co_ctr_timebase_src", "20MHzTimebase")):  # fmt: skip
            assert code_of(setattr, channel, name, value) == -200557, name
        channel.co_pulse_freq, channel.co_pulse_duty_cyc = 3e6, 0.3
        assert channel.co_pulse_freq == pytest.approx(100e6 / 33)
        assert code_of(setattr, channel, "co_pulse_freq", 60e6) == -200685
        assert code_of(out.write, CtrFreq(60e6, 0.5)) == -200685


# -- one pulse at a time, through the streams --------------------------------------------------------------------------------------------

PULSES = [("freq", "frequency", 10_000.0, 0.25), ("time", "time", 40e-6, 160e-6), ("ticks", "ticks", 4000, 16_000)]


@pytest.mark.parametrize(("how", "name", "first", "second"), PULSES, ids=["freq", "time", "ticks"])
def test_single_pulses_are_written_and_read(bench, how, name, first, second):
    """5 kHz of 100 MHz ticks, or what is written: frequency and duty cycle, high and low time, high and low ticks."""
    source = {"source_terminal": "/Dev1/100MHzTimebase"} if how == "ticks" else {}
    with bench.task() as out, bench.task() as back:
        getattr(out.co_channels, f"add_co_pulse_chan_{how}")("Dev1/ctr0", **source)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        writer = CounterWriter(out.out_stream, auto_start=True)
        getattr(writer, f"write_one_sample_pulse_{name}")(first, second)
        limits = {"freq": (1e3, 1e6), "time": (1e-6, 1e-3), "ticks": (100, 1e6)}[how]
        channel = getattr(back.ci_channels, f"add_ci_pulse_chan_{how}")(
            "Dev1/ctr1", min_val=limits[0], max_val=limits[1], **source
        )  # fmt: skip
        setattr(channel, f"ci_pulse_{how}_term", OUT0)
        reader = CounterReader(back.in_stream)
        let_pass(bench, 0.05)
        found = getattr(reader, f"read_one_sample_pulse_{name}")(timeout=1.0)
        assert tuple(found)[:2] == pytest.approx((first, second), rel=1e-9)


def test_single_numbers_are_read(bench):
    with bench.task() as out, bench.task() as back, bench.task() as count:
        train(out, freq=1000.0)
        back.ci_channels.add_ci_period_chan("Dev1/ctr1", min_val=1e-5, max_val=0.1).ci_period_term = OUT0
        count.ci_channels.add_ci_count_edges_chan("Dev1/ctr2").ci_count_edges_term = OUT0
        count.start()
        out.start()
        reader = CounterReader(back.in_stream)
        assert reader.read_one_sample_double(timeout=1.0) == pytest.approx(1e-3)
        assert reader.read_one_sample_uint32(timeout=1.0) == 100_000  # raw: ticks of 100 MHz
        assert CounterReader(count.in_stream).read_one_sample_uint32() == int(count.read())
        back.timing.cfg_implicit_timing(samps_per_chan=5)
        values, raw = np.zeros(5), np.zeros(5, dtype=np.uint32)
        assert reader.read_many_sample_double(values, 5, timeout=1.0) == 5
        assert values == pytest.approx([1e-3] * 5)
        back.stop()
        assert reader.read_many_sample_uint32(raw, 5, timeout=1.0) == 5
        assert raw.tolist() == [100_000] * 5
