"""Timebases that counters choose, or are given, and prescalers in front of them.

Expected numbers: the constraints that NI-DAQmx tells in its errors (names in nidaqmx.error_codes): two ticks at least, 2^32 - 1 at most;
"NI-DAQmx Key Concepts", Configuring a Time Measurement (the internal timebase of the highest resolution that covers the range); "X Series
User Manual": timebases of 100 MHz, 20 MHz and 100 kHz, Prescaling.
"""

from __future__ import annotations

import pytest
from nidaqmx import constants as c
from nidaqmx.errors import DaqError

from tests.unit.drivers.simulated.daqmx.client_calls import OUT0, code_of, train

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS


# -- the timebase that is taken --------------------------------------------------------------------------------------------------------


TIMES = ("period", "pulse_width", "semi_period", "two_edge_sep")


SLOWER = [(1.0, "100MHzTimebase"), (42.9, "100MHzTimebase"), (43.0, "20MHzTimebase"), (214.7, "20MHzTimebase"), (215.0, "100kHzTimebase")]


RATES = {"100MHzTimebase": 100e6, "20MHzTimebase": 20e6, "100kHzTimebase": 100e3, "80MHzTimebase": 80e6}


@pytest.mark.parametrize("kind", [*TIMES, "pulse_chan_time"])
@pytest.mark.parametrize(("longest", "name"), SLOWER)
def test_times_choose_the_fastest_timebase_that_counts_them(counters, kind, longest, name):
    with counters.task() as task:
        add = getattr(task.ci_channels, f"add_ci_{kind}" + ("" if "chan" in kind else "_chan"))
        channel = add("Dev1/ctr0", min_val=1e-3, max_val=longest)
        assert (channel.ci_ctr_timebase_src, channel.ci_ctr_timebase_rate) == (f"/Dev1/{name}", RATES[name])


@pytest.mark.parametrize(("lowest", "name"), [(2.0, "100MHzTimebase"), (0.0233, "100MHzTimebase"), (0.0232, "20MHzTimebase"),
                                              (0.0046, "100kHzTimebase")])  # fmt: skip
def test_frequencies_choose_by_the_lowest(counters, lowest, name):
    with counters.task() as task:
        channel = task.ci_channels.add_ci_freq_chan("Dev1/ctr0", min_val=lowest, max_val=100.0)
        assert (channel.ci_ctr_timebase_src, channel.ci_ctr_timebase_rate) == (f"/Dev1/{name}", RATES[name])


@pytest.mark.parametrize(("add", "given", "code"), [
    ("period_chan", {"min_val": 1e-8, "max_val": 0.1}, -200138),  # one tick of 100 MHz
    ("period_chan", {"min_val": 1e-3, "max_val": 43_000.0}, -200138),  # too long for 100 kHz
    ("pulse_width_chan", {"min_val": 1e-6, "max_val": 50_000.0}, -200138),
    ("two_edge_sep_chan", {"min_val": 1e-6, "max_val": 1e3}, -200138),  # 100 kHz counts the longest, not the shortest
    ("freq_chan", {"min_val": 100.0, "max_val": 60e6}, -200139),
    ("freq_chan", {"min_val": 1e-6, "max_val": 100.0}, -200139),
    ("freq_chan", {"min_val": 0.001, "max_val": 60e3}, -200139),
    ("pulse_chan_freq", {"min_val": 1.0, "max_val": 51e6}, -200139),
])  # fmt: skip
def test_ranges_that_no_timebase_covers(counters, add, given, code):
    with counters.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{add}")("Dev1/ctr0", **given)
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == code
        assert code_of(lambda: channel.ci_ctr_timebase_rate) == code


@pytest.mark.parametrize("periods", [2, 1000])
def test_a_divided_signal_lasts_longer(counters, periods):
    """Large range: the interval that is timed is as many periods as the divisor."""
    with counters.task() as task:
        channel = task.ci_channels.add_ci_freq_chan(
            "Dev1/ctr0", min_val=1.0, max_val=10e3, meas_method=c.CounterFrequencyMethod.LARGE_RANGE_2_COUNTERS, divisor=periods
        )
        assert channel.ci_ctr_timebase_rate == (100e6 if periods < 43 else 100e3)


@pytest.mark.parametrize(("given", "name"), [
    ({"freq": 1000.0}, "100MHzTimebase"), ({"freq": 0.0233}, "100MHzTimebase"), ({"freq": 0.02}, "20MHzTimebase"),
    ({"freq": 0.001}, "100kHzTimebase"), ({"freq": 10.0, "initial_delay": 100.0}, "20MHzTimebase"),
])  # fmt: skip
def test_pulses_by_frequency_choose_their_timebase(counters, given, name):
    with counters.task() as task:
        channel = task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", **given)
        assert (channel.co_ctr_timebase_src, channel.co_ctr_timebase_rate) == (f"/Dev1/{name}", RATES[name])


def test_pulses_by_time_choose_their_timebase(counters):
    for high, name in ((0.5, "100MHzTimebase"), (60.0, "20MHzTimebase"), (1000.0, "100kHzTimebase")):
        with counters.task() as task:
            channel = task.co_channels.add_co_pulse_chan_time("Dev1/ctr0", low_time=0.01, high_time=high)
            assert channel.co_ctr_timebase_src == f"/Dev1/{name}"
            assert channel.co_pulse_high_time == pytest.approx(high, rel=1e-9)
    with counters.task() as task:
        assert task.co_channels.add_co_pulse_chan_time("cDAQ1Mod2/ctr0").co_ctr_timebase_src == "/cDAQ1/80MHzTimebase"


@pytest.mark.parametrize(("how", "given", "code"), [
    ("freq", {"freq": 60e6}, -200136), ("freq", {"freq": 1e-6}, -200136), ("freq", {"freq": 30e6}, -200745),
    ("freq", {"freq": 1000.0, "initial_delay": 1e5}, -200136),
    ("time", {"low_time": 1e-8, "high_time": 1.0}, -200137), ("time", {"low_time": 1.0, "high_time": 43e3}, -200137),
    ("time", {"low_time": 1e-6, "high_time": 1e3}, -200137),
])  # fmt: skip
def test_pulses_that_no_timebase_makes(counters, how, given, code):
    with counters.task() as task:
        getattr(task.co_channels, f"add_co_pulse_chan_{how}")("Dev1/ctr0", **given)
        assert code_of(task.start) == code


def test_a_pulse_comes_out_in_ticks_of_its_timebase(counters):
    with counters.task() as out, counters.task() as back:
        channel = out.co_channels.add_co_pulse_chan_time("Dev1/ctr0", low_time=0.01, high_time=0.1234567)
        channel.co_ctr_timebase_src = "100kHzTimebase"
        assert channel.co_pulse_high_time == pytest.approx(0.12346, rel=1e-12)
        back.ci_channels.add_ci_pulse_width_chan("Dev1/ctr1", min_val=1e-3, max_val=1.0).ci_pulse_width_term = OUT0
        back.start()
        out.start()
        assert back.read() == pytest.approx(0.12346, abs=1e-8)


def test_what_is_asked_becomes_the_nearest_that_can_be_made(counters):
    """NI-DAQmx, Counter Frequency Coercion: 100 MHz over 33 and over 14; 5 ticks of 14 high."""
    with counters.task() as task:
        channel = task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=3e6)
        assert channel.co_pulse_freq == pytest.approx(100e6 / 33, rel=1e-12)
        channel.co_pulse_freq, channel.co_pulse_duty_cyc = 7e6, 0.35
        assert (channel.co_pulse_freq, channel.co_pulse_duty_cyc) == (pytest.approx(100e6 / 14), pytest.approx(5 / 14))
    with counters.task() as task:
        channel = task.co_channels.add_co_pulse_chan_time("Dev1/ctr0", low_time=1.2345678e-6, high_time=3e-6)
        assert (channel.co_pulse_low_time, channel.co_pulse_high_time) == (pytest.approx(1.23e-6), pytest.approx(3e-6))


# -- a timebase that is chosen ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["freq_chan", "period_chan", "pulse_width_chan", "two_edge_sep_chan", "pulse_chan_time", "pulse_chan_freq"]
)
def test_a_timebase_from_outside_needs_its_rate(counters, kind):
    with counters.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{kind}")("Dev1/ctr0")
        channel.ci_ctr_timebase_src = "/Dev1/PFI0"
        assert channel.ci_ctr_timebase_src == "/Dev1/PFI0"
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -200143
        assert code_of(task.start) == -200143
        channel.ci_min, channel.ci_max = (1e3, 1e5) if "freq" in kind else (1e-5, 1.0)
        channel.ci_ctr_timebase_rate = 1e6
        task.control(c.TaskMode.TASK_VERIFY)
        assert channel.ci_ctr_timebase_rate == 1e6


@pytest.mark.parametrize(("kind", "ticks"), [("freq", 1000), ("period", 1000), ("pulse_width", 250)])
def test_ticks_need_no_rate(counters, kind, ticks):
    units = {"freq": c.FrequencyUnits.TICKS}.get(kind, c.TimeUnits.TICKS)
    with counters.task() as base, counters.task() as out, counters.task() as back:
        train(base, freq=1e6)
        train(out, "Dev1/ctr1", freq=1000.0, duty_cycle=0.25)
        channel = getattr(back.ci_channels, f"add_ci_{kind}_chan")("Dev1/ctr2", units=units, min_val=2.0, max_val=1e6)
        channel.ci_ctr_timebase_src = OUT0
        setattr(channel, f"ci_{kind}_term", "/Dev1/Ctr1InternalOutput")
        for task in (base, back, out):
            task.start()
        assert back.read() == ticks


@pytest.mark.parametrize(("how", "code"), [("freq", -200143), ("time", -200143), ("ticks", None)])
def test_pulses_of_a_timebase_from_outside(counters, how, code):
    """NI-DAQmx Properties, CO.CtrTimebaseRate: without the rate pulses can be defined in ticks only."""
    with counters.task() as task:
        given = {"source_terminal": "PFI0"} if how == "ticks" else {}
        channel = getattr(task.co_channels, f"add_co_pulse_chan_{how}")("Dev1/ctr0", **given)
        if how != "ticks":
            channel.co_ctr_timebase_src = "PFI0"
            assert code_of(task.control, c.TaskMode.TASK_VERIFY) == code
            channel.co_ctr_timebase_rate = 1e6
        task.control(c.TaskMode.TASK_VERIFY)


def test_scaling_goes_by_the_rate_that_was_told(counters):
    with counters.task() as base, counters.task() as out, counters.task() as back:
        for task, counter, freq in ((base, "Dev1/ctr0", 1e6), (out, "Dev1/ctr1", 1000.0)):
            train(task, counter, freq=freq)
        channel = back.ci_channels.add_ci_period_chan("Dev1/ctr2", min_val=1e-5, max_val=1.0)
        channel.ci_period_term, channel.ci_ctr_timebase_src, channel.ci_ctr_timebase_rate = "/Dev1/Ctr1InternalOutput", OUT0, 2e6
        for task in (base, back, out):
            task.start()
        assert back.read() == pytest.approx(0.0005)  # a thousand ticks, said to be of 2 MHz


def test_a_timebase_and_its_rate_agree(counters):
    with counters.task() as task:
        channel = task.ci_channels.add_ci_period_chan("Dev1/ctr0")
        channel.ci_ctr_timebase_src = "20MHzTimebase"
        assert channel.ci_ctr_timebase_rate == 20e6
        channel.ci_ctr_timebase_rate = 100e6
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -200134
        del channel.ci_ctr_timebase_src
        assert channel.ci_ctr_timebase_src == "/Dev1/100MHzTimebase"
        channel.ci_ctr_timebase_rate = 50e6
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -200142
        channel.ci_ctr_timebase_rate = 100e3
        channel.ci_min = 1e-4
        assert channel.ci_ctr_timebase_src == "/Dev1/100kHzTimebase"
        del channel.ci_ctr_timebase_rate
        assert channel.ci_ctr_timebase_rate == 100e6


def test_a_period_without_a_tick(counters):
    """-200140: two edges of the input without one of the timebase between them."""
    with counters.task() as base, counters.task() as out, counters.task() as back:
        for task, counter, freq in ((base, "Dev1/ctr0", 100.0), (out, "Dev1/ctr1", 1000.0)):
            train(task, counter, freq=freq)
        channel = back.ci_channels.add_ci_period_chan("Dev1/ctr2", units=c.TimeUnits.TICKS, min_val=2, max_val=1000)
        channel.ci_period_term, channel.ci_ctr_timebase_src = "/Dev1/Ctr1InternalOutput", OUT0
        back.timing.cfg_implicit_timing(samps_per_chan=10)
        for task in (base, back, out):
            task.start()
        assert code_of(back.read, 10) == -200140


# -- prescalers ------------------------------------------------------------------------------------------------------------------------


def test_prescalers_are_for_signals_from_outside(counters):
    with counters.task() as task:
        channel = task.ci_channels.add_ci_period_chan("Dev1/ctr0")
        assert (channel.ci_prescaler, channel.ci_dup_count_prevention) == (1, True)
        channel.ci_prescaler = 8
        assert not channel.ci_dup_count_prevention
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -200840
        with pytest.raises(DaqError):
            channel.ci_prescaler = 3
    with counters.task() as task:
        task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0").co_prescaler = 2
        assert code_of(task.start) == -200840
    with counters.task() as task:
        channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        channel.ci_count_edges_term, channel.ci_prescaler = "/Dev1/100MHzTimebase", 2
        assert code_of(task.start) == -200841


def test_a_prescaler_is_in_what_is_scaled(counters):
    """NI-DAQmx Properties, CI.Prescaler: "Scaled data that you read takes this setting into account"."""
    with counters.task() as out, counters.task() as count:
        train(out, mode=FINITE, pulses=100, freq=1000.0)
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr1")
        channel.ci_count_edges_term, channel.ci_prescaler = OUT0, 8
        count.start()
        out.start()
        out.wait_until_done()
        assert channel.ci_count == 12  # 100 // 8
        with counters.task() as high, counters.task() as fast:
            train(fast, "Dev1/ctr2", freq=1e5)
            out.close()
            count.close()
            channel = high.ci_channels.add_ci_freq_chan(
                "Dev1/ctr0", min_val=1e3, max_val=1e6, meas_method=c.CounterFrequencyMethod.HIGH_FREQUENCY_2_COUNTERS, meas_time=0.01
            )
            channel.ci_freq_term, channel.ci_prescaler = "/Dev1/Ctr2InternalOutput", 8
            fast.start()
            high.start()
            assert high.read() == pytest.approx(1e5, abs=8 / 0.01)
