"""What counters make of their signals: digital filters, velocities, averaged periods, gates, resets, ends of a count.

Expected numbers: "X Series User Manual", PFI Filters (table of settings; what passes for sure and what does not) and Edge Counting;
"NI-9361 Getting Started", Incremental Encoder Measurements and Measurement Method; NI-DAQmx Properties; errors by their names in
nidaqmx.error_codes.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.stream_writers import CounterWriter

from tests.tiers import quick
from tests.unit.drivers.simulated.daqmx.client_calls import OUT0, code_of, let_pass, train

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS
RATES = {"100MHzTimebase": 100e6, "20MHzTimebase": 20e6, "100kHzTimebase": 100e3}


# -- digital filters -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "asked", "made"), [
    ("100MHzTimebase", 90e-9, 90e-9), ("100MHzTimebase", 5.12e-6, 5.12e-6), ("100MHzTimebase", 91e-9, 100e-9),
    ("20MHzTimebase", 1.01e-6, 1.05e-6), ("100kHzTimebase", 2.56e-3, 2.56e-3), ("100kHzTimebase", 1e-6, 1e-5),
])  # fmt: skip
def test_a_filter_takes_whole_cycles_of_its_clock(counters, source, asked, made):
    with counters.task() as task:
        channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        assert not channel.ci_count_edges_dig_fltr_enable
        channel.ci_count_edges_dig_fltr_enable = True
        channel.ci_count_edges_dig_fltr_timebase_src = source
        channel.ci_count_edges_dig_fltr_min_pulse_width = asked
        assert channel.ci_count_edges_dig_fltr_min_pulse_width == pytest.approx(made, rel=1e-12)
        assert channel.ci_count_edges_dig_fltr_timebase_rate == RATES[source]


def test_filters_that_are_refused(counters):
    with counters.task() as task:
        channel = task.ci_channels.add_ci_two_edge_sep_chan("Dev1/ctr0")
        channel.ci_two_edge_sep_first_dig_fltr_enable = True
        assert code_of(task.start) == -200771
        channel.ci_two_edge_sep_first_dig_fltr_min_pulse_width = 1e-6
        task.control(c.TaskMode.TASK_VERIFY)
        channel.ci_two_edge_sep_first_dig_sync_enable = True
        assert code_of(task.start) == -200770
        channel.ci_two_edge_sep_first_dig_sync_enable = False
        channel.ci_two_edge_sep_first_term = channel.ci_two_edge_sep_second_term = "/Dev1/PFI0"
        channel.ci_two_edge_sep_second_edge, channel.ci_two_edge_sep_second_dig_fltr_enable = c.Edge.FALLING, True
        channel.ci_two_edge_sep_second_dig_fltr_min_pulse_width = 2e-6
        assert code_of(task.start) == -200774
        channel.ci_two_edge_sep_first_term = OUT0.replace("0", "1")
        assert code_of(task.start) == -201367


def test_a_filter_lets_no_glitch_through(make_bench):
    """PFI Filters: pulses of N clocks pass for sure, shorter ones of N - 1 do not; here pulses of 100, 99 and 250 cycles of 100 MHz."""
    bench = make_bench(wiring={"Dev1/PFI12": "Dev1/PFI8"})
    with bench.task() as out, bench.task() as count, bench.task() as raw:
        out.co_channels.add_co_pulse_chan_ticks("Dev1/ctr0", "/Dev1/100MHzTimebase")
        out.timing.cfg_implicit_timing(samps_per_chan=30)
        high = np.array([100, 99, 250] * 10, dtype=np.uint32)
        CounterWriter(out.out_stream).write_many_sample_pulse_ticks(high, np.full(30, 400, dtype=np.uint32))
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr1")
        channel.ci_count_edges_term = "/Dev1/PFI8"
        channel.ci_count_edges_dig_fltr_enable, channel.ci_count_edges_dig_fltr_min_pulse_width = True, 1e-6
        raw.ci_channels.add_ci_count_edges_chan("Dev1/ctr2").ci_count_edges_term = "/Dev1/PFI12"
        for task in (count, raw, out):
            task.start()
        out.wait_until_done()
        let_pass(bench, 1e-4)
        assert (count.read(), raw.read()) == (20, 30)


def test_a_filter_delays_what_it_lets_through(make_bench):
    """One of two inputs with a filter of 10 us: the separation of the same two edges is as much longer."""
    bench = make_bench(wiring={"Dev1/PFI12": "Dev1/PFI8"})
    with bench.task() as out, bench.task() as back:
        out.co_channels.add_co_pulse_chan_time("Dev1/ctr0", high_time=100e-6, low_time=300e-6)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        channel = back.ci_channels.add_ci_two_edge_sep_chan("Dev1/ctr1", min_val=1e-6, max_val=0.1, second_edge=c.Edge.FALLING)
        channel.ci_two_edge_sep_first_term = channel.ci_two_edge_sep_second_term = "/Dev1/PFI8"
        out.start()
        assert back.read() == pytest.approx(100e-6)
        channel.ci_two_edge_sep_second_term = "/Dev1/PFI12"
        channel.ci_two_edge_sep_second_dig_fltr_enable, channel.ci_two_edge_sep_second_dig_fltr_min_pulse_width = True, 10e-6
        assert back.read() == pytest.approx(110e-6)


# -- velocities, and periods that are averaged -------------------------------------------------------------------------------------------

MODULES = (("cDAQ1", "cDAQ-9189"), ("cDAQ1Mod1", "NI 9361"), ("cDAQ1Mod2", "NI 9401"), ("Dev1", "PCIe-6363"))


class Wheel:
    """Two lines of a card as an encoder at PFI0 and PFI4 of a counter module: a cycle in four samples."""

    def __init__(self, make_bench):
        self.bench = make_bench(devices=MODULES, wiring={"cDAQ1Mod1/PFI0": "Dev1/port0/line0", "cDAQ1Mod1/PFI4": "Dev1/port0/line1"})

    def turn(self, lines, rate, backwards=False):
        states = [0b01, 0b11, 0b10, 0b00]
        lines.do_channels.add_do_chan("Dev1/port0/line0:1", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        lines.timing.cfg_samp_clk_timing(4.0 * rate, sample_mode=CONTINUOUS)
        lines.write(np.array(states[::-1] if backwards else states, dtype=np.uint32), auto_start=False)
        lines.start()


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("decoding", quick([c.EncoderType.X_1, c.EncoderType.X_2, c.EncoderType.X_4], 1))
@pytest.mark.parametrize(("units", "expected"), [(c.AngularVelocityUnits.RPM, 60.0), (c.AngularVelocityUnits.RADIANS_PER_SECOND, 2 * np.pi),
                                                 (c.AngularVelocityUnits.DEGREES_PER_SECOND, 360.0)])  # fmt: skip
def test_angular_velocity(make_bench, decoding, units, expected, backwards):
    """ "NI-9361 Getting Started": counts with their sign over the ticks between them. 100 cycles a second, 100 a turn."""
    wheel = Wheel(make_bench)
    with wheel.bench.task() as lines, wheel.bench.task() as speed:
        speed.ci_channels.add_ci_ang_velocity_chan(
            "cDAQ1Mod1/ctr0", min_val=-1e3, max_val=1e3, decoding_type=decoding, units=units, pulses_per_rev=100
        )
        wheel.turn(lines, 100.0, backwards)
        speed.start()
        speed.read()
        assert speed.read() == pytest.approx(-expected if backwards else expected, rel=1e-9)


@pytest.mark.parametrize(("units", "divisor", "time"), [(c.VelocityUnits.METERS_PER_SECOND, 1, 1e-3),
                                                        (c.VelocityUnits.INCHES_PER_SECOND, 10, 1.0)])  # fmt: skip
def test_linear_velocity_by_the_clock_of_the_chassis(make_bench, units, divisor, time):
    wheel = Wheel(make_bench)
    with wheel.bench.task() as lines, wheel.bench.task() as speed:
        channel = speed.ci_channels.add_ci_lin_velocity_chan("cDAQ1Mod1/ctr0", units=units, dist_per_pulse=0.002)
        channel.ci_velocity_div, channel.ci_velocity_meas_time = divisor, time
        speed.timing.cfg_samp_clk_timing(50.0, samps_per_chan=20)
        wheel.turn(lines, 250.0)
        # 250 pulses a second, of 2 mm or 2 thousandths of an inch.
        assert speed.read(20)[5:] == pytest.approx([0.5] * 15, rel=1e-9)


def test_a_wheel_at_rest_repeats_its_last_velocity(make_bench):
    """CI.SampClkOverrunBehavior of counter modules: Repeat Last Sample."""
    wheel = Wheel(make_bench)
    with wheel.bench.task() as speed:
        speed.ci_channels.add_ci_ang_velocity_chan("cDAQ1Mod1/ctr0")
        speed.timing.cfg_samp_clk_timing(100.0, samps_per_chan=10)
        assert speed.read(10) == [0.0] * 10


@pytest.mark.parametrize(("divisor", "time"), [(1, 1.0), (8, 1.0), (10_000, 0.005)])
def test_frequency_by_dynamic_averaging(make_bench, divisor, time):
    """The divisor, or the measurement time where that is over first."""
    bench = make_bench(devices=MODULES, wiring={"cDAQ1Mod1/PFI0": "Dev1/PFI12"})
    with bench.task() as out, bench.task() as back:
        train(out, freq=12_345.0)
        back.ci_channels.add_ci_freq_chan(
            "cDAQ1Mod1/ctr0", min_val=1.0, max_val=1e5, meas_method=c.CounterFrequencyMethod.DYNAMIC_AVERAGING, meas_time=time,
            divisor=divisor,
        )  # fmt: skip
        out.start()
        back.start()
        begun = bench.engine.time
        assert back.read() == pytest.approx(100e6 / 8100, rel=1e-9)
        assert bench.engine.time - begun < 0.02


def test_duty_cycle(make_bench):
    bench = make_bench(devices=MODULES, wiring={"cDAQ1Mod1/PFI0": "Dev1/PFI12"})
    for edge in (c.Edge.RISING, c.Edge.FALLING):
        with bench.task() as out, bench.task() as back:
            train(out, freq=1000.0, duty_cycle=0.3)
            back.ci_channels.add_ci_duty_cycle_chan("cDAQ1Mod1/ctr0", edge=edge)
            out.start()
            assert back.read() == pytest.approx(0.3, rel=1e-9)


# -- counts --------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("when", "counted"), [(c.Level.HIGH, 2), (c.Level.LOW, 3)])
def test_a_gate_lets_edges_count(counters, when, counted):
    """CI.CountEdges.GateWhen: whether the counter counts while the signal is high or low."""
    with counters.task() as line, counters.task() as count:
        line.do_channels.add_do_chan("Dev1/port1/line0:1", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        channel.ci_count_edges_term = "/Dev1/PFI0"
        channel.ci_count_edges_gate_enable, channel.ci_count_edges_gate_term = True, "/Dev1/PFI1"
        channel.ci_count_edges_gate_when = when
        count.start()
        for state in (0b00, 0b01, 0b00, 0b01, 0b00, 0b01, 0b00, 0b10, 0b11, 0b10, 0b11, 0b10):
            line.write(state)
        assert count.read() == counted


@pytest.mark.parametrize("edge", [c.Edge.RISING, c.Edge.FALLING])
def test_a_reset_by_either_edge_loads_its_count(counters, edge):
    with counters.task() as line, counters.task() as count:
        line.do_channels.add_do_chan("Dev1/port1/line0:1", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0", initial_count=5)
        channel.ci_count_edges_term = "/Dev1/PFI0"
        channel.ci_count_edges_count_reset_enable, channel.ci_count_edges_count_reset_term = True, "/Dev1/PFI1"
        channel.ci_count_edges_count_reset_active_edge, channel.ci_count_edges_count_reset_reset_cnt = edge, 1000
        count.start()
        line.write(0b01)
        assert count.read() == 6
        line.write(0b10)
        assert count.read() == (1000 if edge is c.Edge.RISING else 6)
        line.write(0b00)
        assert count.read() == 1000
        line.write(0b01)
        assert count.read() == 1001


@pytest.mark.parametrize(("start", "direction", "counts"), [
    (2**32 - 2, c.CountDirection.COUNT_UP, [2**32 - 1, 0, 1]), (1, c.CountDirection.COUNT_DOWN, [0, 2**32 - 1, 2**32 - 2]),
])  # fmt: skip
def test_a_count_rolls_over(counters, start, direction, counts):
    """32 bits; the output of the counter goes with its terminal count: a pulse, or the other level each time."""
    with counters.task() as line, counters.task() as count, counters.task() as event:
        line.do_channels.add_do_chan("Dev1/port1/line0")
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0", initial_count=start, count_direction=direction)
        channel.ci_count_edges_term = "/Dev1/PFI0"
        count.export_signals.ctr_out_event_output_behavior = c.ExportAction.TOGGLE
        event.ci_channels.add_ci_count_edges_chan("Dev1/ctr1").ci_count_edges_term = OUT0
        for task in (event, count):
            task.start()
        assert channel.ci_output_state is c.Level.LOW
        for expected in counts:
            line.write(True)
            line.write(False)
            assert count.read() == expected
        assert channel.ci_tc_reached
        assert channel.ci_output_state is c.Level.HIGH
        let_pass(counters, 1e-3)
        assert event.read() == 1


@pytest.mark.parametrize(("polarity", "level"), [(c.Polarity.ACTIVE_HIGH, c.Level.LOW), (c.Polarity.ACTIVE_LOW, c.Level.HIGH)])
def test_the_output_of_a_counter_that_pulses_rests(counters, polarity, level):
    with counters.task() as count:
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        count.export_signals.ctr_out_event_pulse_polarity = polarity
        count.start()
        assert channel.ci_output_state is level


def test_the_first_sample_is_at_the_first_clock_edge(counters):
    """ "X Series User Manual", Buffered (Sample Clock) Edge Counting: the count since the counter was armed, at each edge of the clock."""
    with counters.task() as out, counters.task() as clock, counters.task() as count:
        for task, counter, freq in ((out, "Dev1/ctr0", 1000.0), (clock, "Dev1/ctr1", 100.0)):
            train(task, counter, freq=freq)
        count.ci_channels.add_ci_count_edges_chan("Dev1/ctr2", initial_count=7).ci_count_edges_term = OUT0
        count.timing.cfg_samp_clk_timing(100.0, source="/Dev1/Ctr1InternalOutput", samps_per_chan=5)
        count.start()
        out.start()
        let_pass(counters, 0.0455)
        clock.start()
        assert count.read(5) == [7 + 46 + 10 * n for n in range(5)]


@pytest.mark.parametrize("when", [c.Level.HIGH, c.Level.LOW])
def test_a_pause_holds_a_count_on_demand(counters, when):
    """ "X Series User Manual", Single Point (On-Demand) Edge Counting: edges are not counted while the pause trigger is active."""
    with counters.task() as line, counters.task() as count:
        line.do_channels.add_do_chan("Dev1/port1/line0:1", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0").ci_count_edges_term = "/Dev1/PFI0"
        pause = count.triggers.pause_trigger
        pause.trig_type, pause.dig_lvl_src, pause.dig_lvl_when = c.TriggerType.DIGITAL_LEVEL, "/Dev1/PFI1", when
        count.start()
        for state in (0b00, 0b01, 0b00, 0b01, 0b00, 0b10, 0b11, 0b10):
            line.write(state)
        assert count.read() == (2 if when is c.Level.HIGH else 1)


@pytest.mark.parametrize("kind", ["period", "freq"])
def test_sample_clocked_periods_are_means_unless_that_is_switched_off(counters, kind):
    """CI.Freq.EnableAveraging, by default True: mean over the periods since the clock edge before; else the last period alone."""
    with counters.task() as out, counters.task() as clock, counters.task() as back:
        out.co_channels.add_co_pulse_chan_ticks("Dev1/ctr0", "/Dev1/100MHzTimebase")
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS, samps_per_chan=2)
        CounterWriter(out.out_stream, auto_start=False).write_many_sample_pulse_ticks(
            np.array([1000, 1000], dtype=np.uint32), np.array([1000, 5000], dtype=np.uint32)
        )
        clock.co_channels.add_co_pulse_chan_ticks("Dev1/ctr1", "/Dev1/100MHzTimebase", low_ticks=40_000, high_ticks=40_000)
        clock.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        limits = {"min_val": 1e-6, "max_val": 1.0} if kind == "period" else {"min_val": 100.0, "max_val": 1e6}
        channel = getattr(back.ci_channels, f"add_ci_{kind}_chan")("Dev1/ctr2", **limits)
        setattr(channel, f"ci_{kind}_term", OUT0)
        assert getattr(channel, f"ci_{kind}_enable_averaging") is True
        means = []
        for averaging in (True, False):
            setattr(channel, f"ci_{kind}_enable_averaging", averaging)
            back.timing.cfg_samp_clk_timing(1250.0, source="/Dev1/Ctr1InternalOutput", samps_per_chan=20)
            for task in (back, out, clock):
                task.start()
            means.append(set(np.rint(np.array(back.read(20))[2:] * 1e8 if kind == "period" else 1e8 / np.array(back.read(20))[2:])))
            for task in (back, out, clock):
                task.stop()
    # 20 periods of 2000 and 6000 ticks in turn between two edges of the clock.
    assert means[0] == {4000.0}
    assert means[1] <= {2000.0, 6000.0}


@pytest.mark.parametrize("kind", ["freq", "pulse_freq"])
def test_samples_without_a_new_measurement_are_told(make_bench, kind):
    """CI.SampClkOverrunBehavior Return Sentinel Value: "data is read but a new value was not detected during a sample clock"."""
    bench = make_bench(devices=MODULES, wiring={"cDAQ1Mod1/PFI0": "Dev1/PFI12"})
    with bench.task() as out, bench.task() as back:
        train(out, freq=100.0)
        add = back.ci_channels.add_ci_freq_chan if kind == "freq" else back.ci_channels.add_ci_pulse_chan_freq
        channel = add("cDAQ1Mod1/ctr0", min_val=1.0, max_val=1e4)
        channel.ci_samp_clk_overrun_behavior = c.SampClkOverrunBehavior.RETURN_SENTINEL_VALUE
        channel.ci_samp_clk_overrun_sentinel_val = -7
        back.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=100)
        out.start()
        found = [getattr(value, "freq", value) for value in back.read(100)]
        back.stop()
        channel.ci_samp_clk_overrun_behavior = c.SampClkOverrunBehavior.REPEAT_LAST_SAMPLE
        repeated = [getattr(value, "freq", value) for value in back.read(100)]
        assert repeated[40:] == pytest.approx([100.0] * 60)
    assert found.count(-7.0) == pytest.approx(91, abs=2)
    assert [value for value in found if value != -7.0] == pytest.approx([100.0] * (100 - found.count(-7.0)))


def test_a_timebase_has_a_filter_too(make_bench):
    """Glitches of 100 ns in a timebase of 10 us are no ticks where its filter takes 1 us."""
    bench = make_bench(wiring={"Dev1/PFI12": "Dev1/PFI8"})
    with bench.task() as out, bench.task() as gate, bench.task() as back:
        out.co_channels.add_co_pulse_chan_ticks("Dev1/ctr0", "/Dev1/100MHzTimebase")
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS, samps_per_chan=2)
        CounterWriter(out.out_stream, auto_start=False).write_many_sample_pulse_ticks(
            np.array([400, 10], dtype=np.uint32), np.array([400, 190], dtype=np.uint32)
        )
        gate.co_channels.add_co_pulse_chan_time("Dev1/ctr2", low_time=0.5e-3, high_time=0.5e-3)
        gate.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        channel = back.ci_channels.add_ci_period_chan("Dev1/ctr1", units=c.TimeUnits.TICKS, min_val=2, max_val=1e6)
        channel.ci_period_term, channel.ci_ctr_timebase_src = "/Dev1/Ctr2InternalOutput", "/Dev1/PFI8"
        channel.ci_ctr_timebase_dig_fltr_min_pulse_width = 1e-6
        for enabled, ticks in ((False, 200), (True, 100)):
            channel.ci_ctr_timebase_dig_fltr_enable = enabled
            for task in (out, gate, back):
                task.start()
            back.read()
            assert back.read() == pytest.approx(ticks, abs=1)
            for task in (out, gate, back):
                task.stop()
