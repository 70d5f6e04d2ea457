"""What counters are asked to do and what the driver says: timebases by range, prescalers, terminals, timing, triggers.

Expected numbers: the constraints that NI-DAQmx tells in its errors (names in nidaqmx.error_codes): two ticks at least, 2^32 - 1 at most;
"NI-DAQmx Key Concepts", Configuring a Time Measurement (the internal timebase of the highest resolution that covers the range); "X Series
User Manual": timebases of 100 MHz, 20 MHz and 100 kHz, Routing a Signal to Counter n Source, Gate and A, Frequency Generator, Prescaling;
"NI-9361 Getting Started", Counter Signal Routing.
"""

from __future__ import annotations

import pytest
from nidaqmx import constants as c
from nidaqmx.errors import DaqError
from nidaqmx.types import CtrFreq

CARDS = (("Dev1", "PCIe-6363"), ("Dev2", "PCIe-6363"), ("cDAQ1", "cDAQ-9189"), ("cDAQ1Mod1", "NI 9361"), ("cDAQ1Mod2", "NI 9401"))
FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS
OUT0 = "/Dev1/Ctr0InternalOutput"


@pytest.fixture
def rig(make_bench):
    return make_bench(devices=CARDS)


def code_of(call, *args, **kwargs):
    with pytest.raises(DaqError) as caught:
        call(*args, **kwargs)
    return caught.value.error_code


# -- the timebase that is taken ----------------------------------------------------------------------------------------------------------

TIMES = ("period", "pulse_width", "semi_period", "two_edge_sep")
SLOWER = [(1.0, "100MHzTimebase"), (42.9, "100MHzTimebase"), (43.0, "20MHzTimebase"), (214.7, "20MHzTimebase"), (215.0, "100kHzTimebase")]
RATES = {"100MHzTimebase": 100e6, "20MHzTimebase": 20e6, "100kHzTimebase": 100e3, "80MHzTimebase": 80e6}


@pytest.mark.parametrize("kind", [*TIMES, "pulse_chan_time"])
@pytest.mark.parametrize(("longest", "name"), SLOWER)
def test_times_choose_the_fastest_timebase_that_counts_them(rig, kind, longest, name):
    with rig.task() as task:
        add = getattr(task.ci_channels, f"add_ci_{kind}" + ("" if "chan" in kind else "_chan"))
        channel = add("Dev1/ctr0", min_val=1e-3, max_val=longest)
        assert (channel.ci_ctr_timebase_src, channel.ci_ctr_timebase_rate) == (f"/Dev1/{name}", RATES[name])


@pytest.mark.parametrize(("lowest", "name"), [(2.0, "100MHzTimebase"), (0.0233, "100MHzTimebase"), (0.0232, "20MHzTimebase"),
                                              (0.0046, "100kHzTimebase")])  # fmt: skip
def test_frequencies_choose_by_the_lowest(rig, lowest, name):
    with rig.task() as task:
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
def test_ranges_that_no_timebase_covers(rig, add, given, code):
    with rig.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{add}")("Dev1/ctr0", **given)
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == code
        assert code_of(lambda: channel.ci_ctr_timebase_rate) == code


@pytest.mark.parametrize("periods", [2, 1000])
def test_a_divided_signal_lasts_longer(rig, periods):
    """Large range: the interval that is timed is as many periods as the divisor."""
    with rig.task() as task:
        channel = task.ci_channels.add_ci_freq_chan(
            "Dev1/ctr0", min_val=1.0, max_val=10e3, meas_method=c.CounterFrequencyMethod.LARGE_RANGE_2_COUNTERS, divisor=periods
        )
        assert channel.ci_ctr_timebase_rate == (100e6 if periods < 43 else 100e3)


@pytest.mark.parametrize(("given", "name"), [
    ({"freq": 1000.0}, "100MHzTimebase"), ({"freq": 0.0233}, "100MHzTimebase"), ({"freq": 0.02}, "20MHzTimebase"),
    ({"freq": 0.001}, "100kHzTimebase"), ({"freq": 10.0, "initial_delay": 100.0}, "20MHzTimebase"),
])  # fmt: skip
def test_pulses_by_frequency_choose_their_timebase(rig, given, name):
    with rig.task() as task:
        channel = task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", **given)
        assert (channel.co_ctr_timebase_src, channel.co_ctr_timebase_rate) == (f"/Dev1/{name}", RATES[name])


def test_pulses_by_time_choose_their_timebase(rig):
    for high, name in ((0.5, "100MHzTimebase"), (60.0, "20MHzTimebase"), (1000.0, "100kHzTimebase")):
        with rig.task() as task:
            channel = task.co_channels.add_co_pulse_chan_time("Dev1/ctr0", low_time=0.01, high_time=high)
            assert channel.co_ctr_timebase_src == f"/Dev1/{name}"
            assert channel.co_pulse_high_time == pytest.approx(high, rel=1e-9)
    with rig.task() as task:
        assert task.co_channels.add_co_pulse_chan_time("cDAQ1Mod2/ctr0").co_ctr_timebase_src == "/cDAQ1/80MHzTimebase"


@pytest.mark.parametrize(("how", "given", "code"), [
    ("freq", {"freq": 60e6}, -200136), ("freq", {"freq": 1e-6}, -200136), ("freq", {"freq": 30e6}, -200745),
    ("freq", {"freq": 1000.0, "initial_delay": 1e5}, -200136),
    ("time", {"low_time": 1e-8, "high_time": 1.0}, -200137), ("time", {"low_time": 1.0, "high_time": 43e3}, -200137),
    ("time", {"low_time": 1e-6, "high_time": 1e3}, -200137),
])  # fmt: skip
def test_pulses_that_no_timebase_makes(rig, how, given, code):
    with rig.task() as task:
        getattr(task.co_channels, f"add_co_pulse_chan_{how}")("Dev1/ctr0", **given)
        assert code_of(task.start) == code


def test_a_pulse_comes_out_in_ticks_of_its_timebase(rig):
    with rig.task() as out, rig.task() as back:
        channel = out.co_channels.add_co_pulse_chan_time("Dev1/ctr0", low_time=0.01, high_time=0.1234567)
        channel.co_ctr_timebase_src = "100kHzTimebase"
        assert channel.co_pulse_high_time == pytest.approx(0.12346, rel=1e-12)
        back.ci_channels.add_ci_pulse_width_chan("Dev1/ctr1", min_val=1e-3, max_val=1.0).ci_pulse_width_term = OUT0
        back.start()
        out.start()
        assert back.read() == pytest.approx(0.12346, abs=1e-8)


def test_what_is_asked_becomes_the_nearest_that_can_be_made(rig):
    """NI-DAQmx, Counter Frequency Coercion: 100 MHz over 33 and over 14; 5 ticks of 14 high."""
    with rig.task() as task:
        channel = task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=3e6)
        assert channel.co_pulse_freq == pytest.approx(100e6 / 33, rel=1e-12)
        channel.co_pulse_freq, channel.co_pulse_duty_cyc = 7e6, 0.35
        assert (channel.co_pulse_freq, channel.co_pulse_duty_cyc) == (pytest.approx(100e6 / 14), pytest.approx(5 / 14))
    with rig.task() as task:
        channel = task.co_channels.add_co_pulse_chan_time("Dev1/ctr0", low_time=1.2345678e-6, high_time=3e-6)
        assert (channel.co_pulse_low_time, channel.co_pulse_high_time) == (pytest.approx(1.23e-6), pytest.approx(3e-6))


# -- a timebase that is chosen -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["freq_chan", "period_chan", "pulse_width_chan", "two_edge_sep_chan", "pulse_chan_time", "pulse_chan_freq"]
)
def test_a_timebase_from_outside_needs_its_rate(rig, kind):
    with rig.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{kind}")("Dev1/ctr0")
        channel.ci_ctr_timebase_src = "/Dev1/PFI0"
        assert channel.ci_ctr_timebase_src == "/Dev1/PFI0"
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -200143
        assert code_of(task.start) == -200143
        channel.ci_min, channel.ci_max = (1e3, 1e5) if "freq" in kind else (1e-5, 1.0)
        channel.ci_ctr_timebase_rate = 1e6
        task.control(c.TaskMode.TASK_VERIFY)
        assert channel.ci_ctr_timebase_rate == 1e6


@pytest.mark.parametrize("kind", ["freq", "period", "pulse_width"])
def test_ticks_need_no_rate(rig, kind):
    units = {"freq": c.FrequencyUnits.TICKS}.get(kind, c.TimeUnits.TICKS)
    with rig.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{kind}_chan")("Dev1/ctr0", units=units, min_val=2.0, max_val=1e6)
        channel.ci_ctr_timebase_src = "/Dev1/PFI0"
        task.control(c.TaskMode.TASK_VERIFY)


@pytest.mark.parametrize(("how", "code"), [("freq", -200143), ("time", -200143), ("ticks", None)])
def test_pulses_of_a_timebase_from_outside(rig, how, code):
    """NI-DAQmx Properties, CO.CtrTimebaseRate: without the rate pulses can be defined in ticks only."""
    with rig.task() as task:
        given = {"source_terminal": "PFI0"} if how == "ticks" else {}
        channel = getattr(task.co_channels, f"add_co_pulse_chan_{how}")("Dev1/ctr0", **given)
        if how != "ticks":
            channel.co_ctr_timebase_src = "PFI0"
            assert code_of(task.control, c.TaskMode.TASK_VERIFY) == code
            channel.co_ctr_timebase_rate = 1e6
        task.control(c.TaskMode.TASK_VERIFY)


def test_scaling_goes_by_the_rate_that_was_told(rig):
    with rig.task() as base, rig.task() as out, rig.task() as back:
        for task, counter, freq in ((base, "Dev1/ctr0", 1e6), (out, "Dev1/ctr1", 1000.0)):
            task.co_channels.add_co_pulse_chan_freq(counter, freq=freq)
            task.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        channel = back.ci_channels.add_ci_period_chan("Dev1/ctr2", min_val=1e-5, max_val=1.0)
        channel.ci_period_term, channel.ci_ctr_timebase_src, channel.ci_ctr_timebase_rate = "/Dev1/Ctr1InternalOutput", OUT0, 2e6
        for task in (base, back, out):
            task.start()
        assert back.read() == pytest.approx(0.0005)  # a thousand ticks, said to be of 2 MHz


def test_a_timebase_and_its_rate_agree(rig):
    with rig.task() as task:
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


def test_a_period_without_a_tick(rig):
    """-200140: two edges of the input without one of the timebase between them."""
    with rig.task() as base, rig.task() as out, rig.task() as back:
        for task, counter, freq in ((base, "Dev1/ctr0", 100.0), (out, "Dev1/ctr1", 1000.0)):
            task.co_channels.add_co_pulse_chan_freq(counter, freq=freq)
            task.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        channel = back.ci_channels.add_ci_period_chan("Dev1/ctr2", units=c.TimeUnits.TICKS, min_val=2, max_val=1000)
        channel.ci_period_term, channel.ci_ctr_timebase_src = "/Dev1/Ctr1InternalOutput", OUT0
        back.timing.cfg_implicit_timing(samps_per_chan=10)
        for task in (base, back, out):
            task.start()
        assert code_of(back.read, 10) == -200140


# -- prescalers --------------------------------------------------------------------------------------------------------------------------


def test_prescalers_are_for_signals_from_outside(rig):
    with rig.task() as task:
        channel = task.ci_channels.add_ci_period_chan("Dev1/ctr0")
        assert (channel.ci_prescaler, channel.ci_dup_count_prevention) == (1, True)
        channel.ci_prescaler = 8
        assert not channel.ci_dup_count_prevention
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -200840
        with pytest.raises(DaqError):
            channel.ci_prescaler = 3
    with rig.task() as task:
        task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0").co_prescaler = 2
        assert code_of(task.start) == -200840
    with rig.task() as task:
        channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        channel.ci_count_edges_term, channel.ci_prescaler = "/Dev1/100MHzTimebase", 2
        assert code_of(task.start) == -200841


def test_a_prescaler_is_in_what_is_scaled(rig):
    """NI-DAQmx Properties, CI.Prescaler: "Scaled data that you read takes this setting into account"."""
    with rig.task() as out, rig.task() as count:
        out.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=1000.0)
        out.timing.cfg_implicit_timing(samps_per_chan=100)
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr1")
        channel.ci_count_edges_term, channel.ci_prescaler = OUT0, 8
        count.start()
        out.start()
        out.wait_until_done()
        assert channel.ci_count == 12  # 100 // 8
        with rig.task() as high, rig.task() as fast:
            fast.co_channels.add_co_pulse_chan_freq("Dev1/ctr2", freq=1e5)
            fast.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
            out.close()
            count.close()
            channel = high.ci_channels.add_ci_freq_chan(
                "Dev1/ctr0", min_val=1e3, max_val=1e6, meas_method=c.CounterFrequencyMethod.HIGH_FREQUENCY_2_COUNTERS, meas_time=0.01
            )
            channel.ci_freq_term, channel.ci_prescaler = "/Dev1/Ctr2InternalOutput", 8
            fast.start()
            high.start()
            assert high.read() == pytest.approx(1e5, abs=8 / 0.01)


# -- terminals -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("add", "name", "terminal", "code"), [
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/PFI99", -200254),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/ao0", -200254),
    ("count_edges_chan", "ci_count_edges_term", "/Dev9/PFI0", -200220),
    ("count_edges_chan", "ci_count_edges_term", "/Dev2/PFI0", -89125),  # two cards without a cable
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/Ctr0InternalOutput", -89136),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/Ctr0Source", -89131),
    ("count_edges_chan", "ci_count_edges_term", "OnboardClock", -200814),
    ("freq_chan", "ci_freq_term", "/Dev1/PFI16", -200254),
    ("freq_chan", "ci_freq_term", "/Dev1/20MHzTimebase", -89136),  # a timebase does not get to the gate
    ("period_chan", "ci_period_term", "/Dev1/Ctr9InternalOutput", -200254),
    ("pulse_width_chan", "ci_pulse_width_term", "/Dev1/port0/line0", -200254),
    ("two_edge_sep_chan", "ci_two_edge_sep_second_term", "nonsense", -200254),
    ("ang_encoder_chan", "ci_encoder_a_input_term", "/Dev1/ai/SampleClock", -89136),
    ("ang_encoder_chan", "ci_encoder_b_input_term", "/Dev1/PFI77", -200254),
    ("period_chan", "ci_ctr_timebase_src", "/Dev1/PFI99", -200254),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/Ctr1InternalOutput", None),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/ai/SampleClock", None),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/20MHzTimebase", None),
    ("freq_chan", "ci_freq_term", "/Dev1/ai/StartTrigger", None),
    ("freq_chan", "ci_freq_term", "PFI3", None),
    ("ang_encoder_chan", "ci_encoder_z_input_term", "/Dev1/PFI77", None),  # Z is not enabled
])  # fmt: skip
def test_terminals_are_looked_up_and_routed(rig, add, name, terminal, code):
    with rig.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{add}")("Dev1/ctr0")
        setattr(channel, name, terminal)
        if name == "ci_ctr_timebase_src":
            channel.ci_ctr_timebase_rate = 1e6
            channel.ci_min = 1e-4
        if code is None:
            task.control(c.TaskMode.TASK_VERIFY)
        else:
            assert code_of(task.start) == code


@pytest.mark.parametrize(("terminal", "code"), [("/Dev1/PFI99", -200254), ("/Dev1/20MHzTimebase", -89136),
                                                ("/Dev1/ai/StartTrigger", -89136),
                                                ("/Dev1/PFI0", None), ("/Dev1/RTSI3", None)])  # fmt: skip
def test_where_pulses_can_go(rig, terminal, code):
    with rig.task() as task:
        task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0").co_pulse_term = terminal
        if code is None:
            task.control(c.TaskMode.TASK_VERIFY)
        else:
            assert code_of(task.start) == code


def test_gates_and_resets_are_looked_up_where_they_are_used(rig):
    with rig.task() as task:
        channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        for enable, term in (("gate_enable", "gate_term"), ("count_reset_enable", "count_reset_term")):
            setattr(channel, f"ci_count_edges_{term}", "/Dev1/PFI99")
            task.control(c.TaskMode.TASK_VERIFY)
            setattr(channel, f"ci_count_edges_{enable}", True)
            assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -200254
            setattr(channel, f"ci_count_edges_{enable}", False)
        with pytest.raises(DaqError) as caught:
            channel.ci_count_edges_term = ""
        assert caught.value.error_code == -200797


def test_default_lines_of_a_counter_module(rig):
    """ "NI-9361 Getting Started", Default Routing for Counter Signals, counters 0 and 6."""
    for number, source, reset, direction, gate, second, b, z in ((0, 0, 4, 7, 3, 4, 4, 7), (6, 6, 2, 1, 5, 2, 2, 1)):
        here, where = "/cDAQ1Mod1/PFI", f"cDAQ1Mod1/ctr{number}"
        with rig.task() as task:
            channel = task.ci_channels.add_ci_count_edges_chan(where)
            assert channel.ci_count_edges_term == f"{here}{source}"
            assert channel.ci_count_edges_count_reset_term == f"{here}{reset}"
            assert channel.ci_count_edges_dir_term == f"{here}{direction}"
            assert channel.ci_count_edges_gate_term == f"{here}{gate}"
        with rig.task() as task:
            channel = task.ci_channels.add_ci_two_edge_sep_chan(where)
            assert (channel.ci_two_edge_sep_first_term, channel.ci_two_edge_sep_second_term) == (f"{here}{source}", f"{here}{second}")
        with rig.task() as task:
            channel = task.ci_channels.add_ci_ang_encoder_chan(where)
            found = [getattr(channel, f"ci_encoder_{name}_input_term") for name in "abz"]
            assert found == [f"{here}{source}", f"{here}{b}", f"{here}{z}"]


# -- the frequency output ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("asked", "clock", "divisor"), [
    (20e6, 20e6, 1), (9e6, 20e6, 2), (3e6, 20e6, 7), (1e6, 10e6, 10), (0.7e6, 10e6, 14), (100e3, 100e3, 1), (40e3, 100e3, 3),
    (6250.0, 100e3, 16),
])  # fmt: skip
def test_the_frequency_output_reads_back_what_it_makes(rig, asked, clock, divisor):
    """20 MHz, 10 MHz or 100 kHz over 1 to 16; high for (D - 1) / 2 cycles of the clock where D is odd."""
    with rig.task() as out:
        channel = out.co_channels.add_co_pulse_chan_freq("Dev1/freqout", freq=asked)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        assert channel.co_pulse_freq == pytest.approx(clock / divisor, rel=1e-12)
        duty = 0.5 if divisor == 1 or divisor % 2 == 0 else (divisor - 1) / 2 / divisor
        assert channel.co_pulse_duty_cyc == pytest.approx(duty)
        if asked < 50e3:
            with rig.task() as back:
                back.ci_channels.add_ci_pulse_chan_freq("Dev1/ctr1").ci_pulse_freq_term = "/Dev1/FrequencyOutput"
                out.start()
                found = back.read()
                assert (found.freq, found.duty_cycle) == (pytest.approx(clock / divisor), pytest.approx(duty))


def test_the_frequency_output_of_a_chassis(rig):
    with rig.task() as out, rig.task() as back:
        out.co_channels.add_co_pulse_chan_freq("cDAQ1Mod2/freqout", freq=10e3)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        back.ci_channels.add_ci_freq_chan("cDAQ1Mod2/ctr0", min_val=1e3, max_val=1e5).ci_freq_term = "/cDAQ1/FrequencyOutput"
        out.start()
        assert back.read() == pytest.approx(10e3)


@pytest.mark.parametrize("asked", [21e6, 6000.0, 1.0])
def test_what_the_frequency_output_cannot_make(rig, asked):
    with rig.task() as out:
        out.co_channels.add_co_pulse_chan_freq("Dev1/freqout", freq=asked)
        assert code_of(out.start) == -201443


def test_the_frequency_output_is_continuous_and_stays_as_it_is(rig):
    with rig.task() as out:
        channel = out.co_channels.add_co_pulse_chan_freq("Dev1/freqout", freq=10e3)
        out.timing.cfg_implicit_timing(sample_mode=FINITE, samps_per_chan=5)
        assert code_of(out.start) == -200747
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        out.start()
        assert code_of(out.write, CtrFreq(20e3, 0.5)) == -200844
        with pytest.raises(DaqError) as caught:
            channel.co_pulse_freq = 20e3
        assert caught.value.error_code == -200844


# -- timing and triggers -------------------------------------------------------------------------------------------------------------------


def pause_at(task, source="/Dev1/PFI3"):
    pause = task.triggers.pause_trigger
    pause.trig_type, pause.dig_lvl_src = c.TriggerType.DIGITAL_LEVEL, source


def test_pauses_are_for_counts_on_demand(rig):
    """-200145: "Pause trigger is only valid for event counting if sample clock is not used"."""
    with rig.task() as task:
        task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        pause_at(task)
        task.control(c.TaskMode.TASK_VERIFY)
        task.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/PFI0")
        assert code_of(task.start) == -200145
    with rig.task() as task:
        task.ci_channels.add_ci_freq_chan("Dev1/ctr0")
        pause_at(task)
        assert code_of(task.start) == -200145


@pytest.mark.parametrize("edge", [c.Edge.RISING, c.Edge.FALLING])
def test_a_separation_has_two_different_edges(rig, edge):
    with rig.task() as task:
        channel = task.ci_channels.add_ci_two_edge_sep_chan("Dev1/ctr0", first_edge=edge, second_edge=edge)
        task.control(c.TaskMode.TASK_VERIFY)
        channel.ci_two_edge_sep_first_term = channel.ci_two_edge_sep_second_term = "/Dev1/PFI0"
        assert code_of(task.start) == -201442
        channel.ci_two_edge_sep_second_edge = c.Edge.FALLING if edge is c.Edge.RISING else c.Edge.RISING
        task.control(c.TaskMode.TASK_VERIFY)


@pytest.mark.parametrize(("add", "implicit", "clocked"), [
    # "NI cDAQ-917x User Manual", Counter Timing Measurements.
    ("count_edges_chan", -200077, None), ("pulse_width_chan", None, None), ("pulse_chan_time", None, None),
    ("semi_period_chan", None, -200077), ("freq_chan", None, None), ("period_chan", None, None), ("ang_encoder_chan", -200077, None),
    ("two_edge_sep_chan", None, None),
])  # fmt: skip
def test_timing_by_measurement(rig, add, implicit, clocked):
    for code, configure in ((implicit, lambda t: t.timing.cfg_implicit_timing()),
                            (clocked, lambda t: t.timing.cfg_samp_clk_timing(1e3, source="/Dev1/PFI0"))):  # fmt: skip
        with rig.task() as task:
            getattr(task.ci_channels, f"add_ci_{add}")("Dev1/ctr0")
            configure(task)
            if code is None:
                task.control(c.TaskMode.TASK_VERIFY)
            else:
                assert code_of(task.control, c.TaskMode.TASK_VERIFY) == code


@pytest.mark.parametrize("method", list(c.CounterFrequencyMethod)[1:3])
def test_two_counters_take_no_sample_clock(rig, method):
    with rig.task() as task:
        task.ci_channels.add_ci_freq_chan("Dev1/ctr0", meas_method=method)
        task.timing.cfg_samp_clk_timing(1e3, source="/Dev1/PFI0")
        assert code_of(task.start) == -201323


def test_clocks_come_from_outside(rig):
    with rig.task() as task:
        task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0")
        task.timing.cfg_samp_clk_timing(100.0)
        assert code_of(task.write, [CtrFreq(1e3, 0.5)] * 4) == -200303


def test_what_is_retriggered(rig):
    def configured(task, **timing):
        task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=1e3)
        if timing:
            task.timing.cfg_implicit_timing(**timing)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        task.triggers.start_trigger.retriggerable = True

    with rig.task() as task:
        configured(task, sample_mode=CONTINUOUS)
        assert code_of(task.start) == -201320
    with rig.task() as task:
        configured(task, sample_mode=FINITE, samps_per_chan=5)
        task.triggers.start_trigger.disable_start_trig()
        assert code_of(task.start) == -201320
    with rig.task() as task:
        configured(task)  # a single pulse
        task.control(c.TaskMode.TASK_VERIFY)
    with rig.task() as task:
        configured(task, sample_mode=FINITE, samps_per_chan=5)
        task.timing.cfg_samp_clk_timing(100.0, source="/Dev1/PFI1", samps_per_chan=5)
        assert code_of(task.write, [CtrFreq(1e3, 0.5)] * 5) == -201439


def test_several_counters_have_no_buffer(rig):
    with rig.task() as task:
        task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0:1")
        task.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        task.control(c.TaskMode.TASK_VERIFY)
        task.out_stream.output_buf_size = 10
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -201317
        task.timing.cfg_samp_clk_timing(100.0, source="/Dev1/PFI0", samps_per_chan=4)
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -201324
