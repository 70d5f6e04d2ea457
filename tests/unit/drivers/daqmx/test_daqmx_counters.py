"""Counters that run: pulses go out, edges are counted, intervals timed, encoders followed.

Expected values by arithmetic and from NI's documents: "X Series User Manual", Counters; NI's tests of its nidaqmx package
(tests/legacy/test_read_write.py and test_stream_counter_readers_writers.py: counters wired to each other inside of a card);
"NI-DAQmx Help", Reading and Writing with NI-DAQmx Simulated Devices.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.errors import DaqError
from nidaqmx.stream_readers import CounterReader
from nidaqmx.stream_writers import CounterWriter
from nidaqmx.types import CtrFreq, CtrTick, CtrTime

from drivers.simulated.plant import NoPlant

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS
OUT0 = "/Dev1/Ctr0InternalOutput"


def code_of(call, *args, **kwargs):
    with pytest.raises(DaqError) as caught:
        call(*args, **kwargs)
    return caught.value.error_code


def let_pass(bench, seconds):
    with bench.engine.lock:
        bench.engine.advance(bench.engine.time + seconds, exact=True)


def train(task, counter="Dev1/ctr0", mode=CONTINUOUS, pulses=1000, **how):
    task.co_channels.add_co_pulse_chan_freq(counter, **how)
    task.timing.cfg_implicit_timing(sample_mode=mode, samps_per_chan=pulses)


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


def test_frequency_output_divides_its_clocks_by_up_to_sixteen(bench):
    """X Series specifications, Frequency Generator: 20 MHz, 10 MHz, 100 kHz over 1 to 16; output at PFI14."""
    with bench.task() as out, bench.task() as back:
        train(out, "Dev1/freqout", freq=10e3)
        channel = back.ci_channels.add_ci_pulse_chan_freq("Dev1/ctr0", min_val=1e3, max_val=1e5)
        channel.ci_pulse_freq_term = "/Dev1/PFI14"
        out.start()
        found = back.read()
        assert (found.freq, found.duty_cycle) == (pytest.approx(10e3), 0.5)
    with bench.task() as out:
        train(out, "Dev1/freqout", freq=100.0)
        assert code_of(out.start) == -201443


# -- triggers ----------------------------------------------------------------------------------------------------------------------------


def edges_out(bench, task, terminal="/Dev1/PFI12"):
    """A running count of what comes out at a terminal."""
    task.ci_channels.add_ci_count_edges_chan("Dev1/ctr3").ci_count_edges_term = terminal
    task.start()
    return lambda: int(task.read())


def test_retriggered_train(bench):
    with bench.task() as out, bench.task() as count, bench.task() as line:
        line.do_channels.add_do_chan("Dev1/port1/line0")
        train(out, mode=FINITE, pulses=5, freq=1000.0)
        out.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        out.triggers.start_trigger.retriggerable = True
        counted = edges_out(bench, count)
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
        counted = edges_out(bench, count)
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


# -- buffered pulses, and changes on the way -----------------------------------------------------------------------------------------------


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
        assert code_of(out.write, CtrFreq(10.0, 0.5), auto_start=False) == -200875
        # A single pulse takes no other: ni/nidaqmx-python, issue 109.
        assert code_of(out.write, CtrFreq(10.0, 0.5), timeout=1.0) == -200474
        out.stop()
        assert code_of(out.write, CtrFreq(10.0, 1.5)) == -200684
    with bench.task() as out:
        train(out, mode=FINITE, pulses=100, freq=10.0)
        out.start()
        assert code_of(out.write, CtrFreq(20.0, 0.5)) == -201291


# -- measurements ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", list(c.CounterFrequencyMethod)[:3])
def test_frequency_by_every_method(bench, method):
    with bench.task() as out, bench.task() as back:
        train(out, freq=12_500.0)
        channel = back.ci_channels.add_ci_freq_chan(
            "Dev1/ctr2", min_val=1000, max_val=1e5, meas_method=method, meas_time=0.01, divisor=10
        )  # fmt: skip
        channel.ci_freq_term = OUT0
        back.timing.cfg_implicit_timing(samps_per_chan=5)
        back.start()
        out.start()
        # 12500 Hz is 8000 ticks of 100 MHz, and 125 edges in 10 ms.
        assert back.read(5)[1:] == pytest.approx([12_500.0] * 4, rel=1e-12)


def test_period_semi_period_and_width(bench):
    with bench.task() as out:
        out.co_channels.add_co_pulse_chan_time("Dev1/ctr0", high_time=0.0003, low_time=0.0007)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        out.start()
        for name, want in (("period", [0.001, 0.001]), ("semi_period", [0.0003, 0.0007]), ("pulse_width", [0.0003, 0.0003])):
            with bench.task() as back:
                channel = getattr(back.ci_channels, f"add_ci_{name}_chan")("Dev1/ctr1", min_val=1e-5, max_val=0.1)
                setattr(channel, f"ci_{name}_term", OUT0)
                back.timing.cfg_implicit_timing(samps_per_chan=2)
                assert back.read(2) == pytest.approx(want, rel=1e-12), name


def test_separation_of_two_edges(bench):
    with bench.task() as out, bench.task() as back:
        out.co_channels.add_co_pulse_chan_time("Dev1/ctr0", high_time=0.0003, low_time=0.0007)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        channel = back.ci_channels.add_ci_two_edge_sep_chan(
            "Dev1/ctr1", min_val=1e-5, max_val=0.1, first_edge=c.Edge.FALLING, second_edge=c.Edge.RISING
        )  # fmt: skip
        channel.ci_two_edge_sep_first_term = channel.ci_two_edge_sep_second_term = OUT0
        back.start()
        out.start()
        assert back.read() == pytest.approx(0.0007, rel=1e-12)


def test_a_clock_faster_than_the_signal_is_an_overrun(bench):
    """ "X Series User Manual": without a pulse between two sample clocks there is an overrun error."""
    with bench.task() as out, bench.task() as clock, bench.task() as back:
        train(out, freq=100.0)
        train(clock, "Dev1/ctr2", freq=1000.0)
        back.ci_channels.add_ci_period_chan("Dev1/ctr1", min_val=1e-3, max_val=0.1).ci_period_term = OUT0
        back.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/Ctr2InternalOutput", samps_per_chan=100)
        for task in (back, out, clock):
            task.start()
        assert code_of(back.read, 100) == -201314


def test_unconnected_counters_read_zero_at_once(either_pace):
    """ "NI-DAQmx Help", Reading and Writing with NI-DAQmx Simulated Devices: counter data is always 0, and there at once."""
    either_pace.engine.at_once = True
    with either_pace.task() as back:
        back.ci_channels.add_ci_freq_chan("Dev1/ctr0", min_val=100.0, max_val=1000.0)
        assert back.read() == 0.0
    with either_pace.task() as back:
        back.ci_channels.add_ci_pulse_chan_freq("Dev1/ctr0")
        back.timing.cfg_implicit_timing(samps_per_chan=10)
        assert back.read(10) == [CtrFreq(0.0, 0.0)] * 10


def test_unconnected_counters_wait_where_that_is_wanted(bench):
    with bench.task() as back:
        back.ci_channels.add_ci_freq_chan("Dev1/ctr0", min_val=100.0, max_val=1000.0)
        assert code_of(back.read, timeout=0.1) == -200284


# -- counts and positions ------------------------------------------------------------------------------------------------------------------


def steps(task, *states):
    for state in states:
        task.write(state)


def test_count_direction_initial_count_and_reset(bench):
    with bench.task() as line, bench.task() as count:
        line.do_channels.add_do_chan("Dev1/port1/line0:2", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0", initial_count=10, count_direction=c.CountDirection.EXTERNAL_SOURCE)
        channel.ci_count_edges_term, channel.ci_count_edges_dir_term = "/Dev1/PFI0", "/Dev1/PFI1"
        channel.ci_count_edges_count_reset_enable, channel.ci_count_edges_count_reset_term = True, "/Dev1/PFI2"
        channel.ci_count_edges_count_reset_reset_cnt = 100
        count.start()
        assert count.read() == 10
        steps(line, 0b010, 0b011, 0b010, 0b011)  # high is up
        assert count.read() == 12
        steps(line, 0b000, 0b001)
        assert count.read() == 11
        steps(line, 0b100)
        assert count.read() == 100
        steps(line, 0b110, 0b111)
        assert CounterReader(count.in_stream).read_one_sample_uint32() == 101


def test_a_count_goes_over_its_end(bench):
    with bench.task() as line, bench.task() as count:
        line.do_channels.add_do_chan("Dev1/port1/line0")
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0", initial_count=2**32 - 1)
        channel.ci_count_edges_term = "/Dev1/PFI0"
        count.start()
        assert not channel.ci_tc_reached
        steps(line, True, False)
        assert channel.ci_count == 0
        assert channel.ci_tc_reached


def test_a_timebase_is_counted(bench):
    with bench.task() as count:
        count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0").ci_count_edges_term = "/Dev1/100MHzTimebase"
        count.start()
        let_pass(bench, 0.25)
        let_pass(bench, 0.25)
        assert count.read() == pytest.approx(50e6, abs=1.0)


class Wheel(NoPlant):
    """The two lines of an encoder that makes a cycle in 40 ms."""

    digital_outputs = ("a", "b")

    def __init__(self):
        self.now = 0.0

    def advance(self, times, volts, lines):
        self.now = times[-1]
        return super().advance(times, volts, lines)

    def read_lines(self):
        quarter = int(self.now / 0.01) % 4
        return np.array([quarter in (1, 2), quarter in (2, 3)])


def test_encoder_of_the_plant(make_bench):
    bench = make_bench(plant=Wheel(), wiring={"Dev1/PFI8": "a", "Dev1/PFI10": "b"})
    with bench.task() as angle, bench.task() as back:
        angle.ci_channels.add_ci_ang_encoder_chan("Dev1/ctr0", pulses_per_rev=90)
        angle.start()
        let_pass(bench, 0.4005)
        assert angle.read() == pytest.approx(40.0)  # four counts a cycle, a degree each
        back.ci_channels.add_ci_period_chan("Dev1/ctr1", min_val=1e-3, max_val=0.1).ci_period_term = "/Dev1/PFI8"
        # A line of the plant is looked at every millisecond.
        assert back.read() == pytest.approx(0.04, abs=1.1e-3)


FORWARD = (0b01, 0b11, 0b10, 0b00)
"""A in the first line leads B in the second one: a cycle of an encoder."""


@pytest.mark.parametrize(("decoding", "counts"), [(c.EncoderType.X_1, 1), (c.EncoderType.X_2, 2), (c.EncoderType.X_4, 4)])
def test_encoder_goes_forth_and_back(bench, decoding, counts):
    with bench.task() as line, bench.task() as angle:
        line.do_channels.add_do_chan("Dev1/port1/line0:1", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        channel = angle.ci_channels.add_ci_ang_encoder_chan("Dev1/ctr0", decoding_type=decoding, pulses_per_rev=36, initial_angle=5.0)
        channel.ci_encoder_a_input_term, channel.ci_encoder_b_input_term = "/Dev1/PFI0", "/Dev1/PFI1"
        angle.start()
        steps(line, *FORWARD * 3)
        assert angle.read() == pytest.approx(5.0 + 30.0)
        assert CounterReader(angle.in_stream).read_one_sample_uint32() == 3 * counts
        steps(line, *(0b10, 0b11, 0b01, 0b00) * 4)
        assert angle.read() == pytest.approx(5.0 - 10.0)
        assert CounterReader(angle.in_stream).read_one_sample_uint32() == 2**32 - counts


def test_position_by_a_sample_clock(make_bench):
    """A position is sampled as it is at each clock edge, however many counts lie between ("X Series User Manual", Buffered Position)."""
    bench = make_bench(wiring={f"Dev1/PFI{n}": f"Dev1/port0/line{n}" for n in (0, 1)})
    with bench.task() as ab, bench.task() as place:
        ab.do_channels.add_do_chan("Dev1/port0/line0:1", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        ab.timing.cfg_samp_clk_timing(1000.0, sample_mode=FINITE, samps_per_chan=400)
        ab.write(np.tile(np.array(FORWARD, dtype=np.uint32), 100))
        channel = place.ci_channels.add_ci_lin_encoder_chan("Dev1/ctr0", decoding_type=c.EncoderType.X_4, dist_per_pulse=4.0)
        channel.ci_encoder_a_input_term, channel.ci_encoder_b_input_term = "/Dev1/PFI0", "/Dev1/PFI1"
        place.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/do/SampleClock", samps_per_chan=400)
        place.start()
        ab.start()
        assert place.read(400) == list(range(400))


def test_mean_over_a_sample_period(bench):
    with bench.task() as out, bench.task() as clock, bench.task() as back:
        train(out, freq=30e3)
        train(clock, "Dev1/ctr2", freq=1000.0)
        channel = back.ci_channels.add_ci_freq_chan("Dev1/ctr1", min_val=1e3, max_val=1e5)
        channel.ci_freq_term, channel.ci_freq_enable_averaging = OUT0, True
        back.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/Ctr2InternalOutput", samps_per_chan=10)
        for task in (back, out, clock):
            task.start()
        # 3333 ticks a period.
        assert back.read(10)[1:] == pytest.approx([100e6 / 3333] * 9, rel=1e-12)


def test_two_pulse_encoder_in_metres(bench):
    with bench.task() as line, bench.task() as place:
        line.do_channels.add_do_chan("Dev1/port1/line0:1", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        channel = place.ci_channels.add_ci_lin_encoder_chan(
            "Dev1/ctr0", decoding_type=c.EncoderType.TWO_PULSE_COUNTING, dist_per_pulse=0.25, initial_pos=1.0
        )  # fmt: skip
        channel.ci_encoder_a_input_term, channel.ci_encoder_b_input_term = "/Dev1/PFI0", "/Dev1/PFI1"
        place.start()
        steps(line, 1, 0, 1, 0, 1, 0, 2, 0)
        assert place.read() == 1.5


def test_index_reloads_in_its_phase(bench):
    """ "X Series User Manual", Channel Z Behavior: a high level on Z in the phase reloads, after the count of the edge itself."""
    with bench.task() as line, bench.task() as angle:
        line.do_channels.add_do_chan("Dev1/port1/line0:2", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        channel = angle.ci_channels.add_ci_ang_encoder_chan(
            "Dev1/ctr0", zidx_enable=True, zidx_val=90.0, zidx_phase=c.EncoderZIndexPhase.AHIGH_BHIGH, pulses_per_rev=90
        )  # fmt: skip
        for name, pin in (("a", 0), ("b", 1), ("z", 2)):
            setattr(channel, f"ci_encoder_{name}_input_term", f"/Dev1/PFI{pin}")
        angle.start()
        steps(line, *FORWARD, 0b001)
        assert angle.read() == pytest.approx(5.0)  # a degree a count
        steps(line, 0b111)
        assert angle.read() == pytest.approx(90.0)
        steps(line, 0b010, 0b000)
        assert angle.read() == pytest.approx(92.0)


# -- what is refused, and events ----------------------------------------------------------------------------------------------------


def test_counters_have_no_clock_of_their_own(bench):
    with bench.task() as count:
        count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        assert code_of(count.ci_channels.add_ci_count_edges_chan, "Dev1/ctr1") == -200147
        count.timing.cfg_samp_clk_timing(1000.0)
        assert code_of(count.start) == -200303


def test_event_of_every_pulse_at_a_pin(bench):
    with bench.task() as out, bench.task() as count:
        train(out, mode=FINITE, pulses=5, freq=1000.0)
        out.export_signals.export_signal(c.Signal.COUNTER_OUTPUT_EVENT, "/Dev1/PFI3")
        counted = edges_out(bench, count, "/Dev1/PFI3")
        out.start()
        out.wait_until_done()
        assert counted() == 5


def test_pulses_clock_and_trigger_an_acquisition(either_pace):
    with either_pace.task() as clock, either_pace.task() as pulse, either_pace.task() as volts:
        train(clock, mode=FINITE, pulses=60, freq=1000.0)
        pulse.co_channels.add_co_pulse_chan_time("Dev1/ctr1", initial_delay=0.0105)
        volts.ai_channels.add_ai_voltage_chan("Dev1/ai1", min_val=-10.0, max_val=10.0)
        volts.timing.cfg_samp_clk_timing(1000.0, source=OUT0, samps_per_chan=20)
        volts.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI13")
        volts.start()
        pulse.start()
        clock.start()
        codes = np.rint((np.array(volts.read(20)) + 10.0) * 3276.8)
        np.testing.assert_array_equal(np.diff(codes), 1)


def test_an_event_for_every_pulse(bench):
    seen = []
    with bench.task() as out:
        train(out, mode=FINITE, pulses=7, freq=100.0)
        out.register_signal_event(c.Signal.COUNTER_OUTPUT_EVENT, lambda *args: seen.append(args) or 0)
        out.start()
        out.wait_until_done()
        deadline = time.monotonic() + 10.0
        while len(seen) < 7 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert len(seen) == 7


# -- counter modules --------------------------------------------------------------------------------------------------------------

CHASSIS = (("cDAQ1", "cDAQ-9189"), ("cDAQ1Mod1", "NI 9361"), ("cDAQ1Mod2", "NI 9401"))


def test_counters_of_a_chassis(make_bench):
    """Counters of a chassis meet inside of it; the eight of an NI 9361 share a task, and have the clock of the chassis."""
    bench = make_bench(devices=CHASSIS, wiring={"cDAQ1Mod1/PFI0": "cDAQ1Mod2/PFI1", "cDAQ1Mod1/PFI1": "cDAQ1Mod2/PFI1"})
    with bench.task() as out, bench.task() as back, bench.task() as module:
        train(out, "cDAQ1Mod2/ctr0", freq=1000.0)
        out.co_channels[0].co_pulse_term = "/cDAQ1Mod2/PFI1"
        channel = back.ci_channels.add_ci_freq_chan("cDAQ1Mod2/ctr1", min_val=10, max_val=1e4)
        channel.ci_freq_term = "/cDAQ1/Ctr0InternalOutput"
        module.ci_channels.add_ci_count_edges_chan("cDAQ1Mod1/ctr0")
        module.ci_channels.add_ci_count_edges_chan("cDAQ1Mod1/ctr1", edge=c.Edge.FALLING)
        module.timing.cfg_samp_clk_timing(100.0, samps_per_chan=5)
        out.start()
        assert back.read() == pytest.approx(1000.0)
        module.start()
        rises, falls = np.array(module.read(5))
        np.testing.assert_array_equal(np.diff(rises), 10)
        np.testing.assert_array_equal(np.diff(falls), 10)


def test_implicit_timing_is_for_one_counter(make_bench):
    bench = make_bench(devices=CHASSIS)
    with bench.task() as module:
        module.ci_channels.add_ci_period_chan("cDAQ1Mod1/ctr0:1")
        module.timing.cfg_implicit_timing(samps_per_chan=5)
        assert code_of(module.start) == -200077
