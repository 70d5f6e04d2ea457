"""Counters that time: frequencies, periods, widths, separations, also in a chassis; and counters to which nothing is connected.

Expected values by arithmetic and from NI's documents: "X Series User Manual", Counters; NI's tests of its nidaqmx package
(tests/legacy/test_read_write.py and test_stream_counter_readers_writers.py: counters wired to each other inside of a card);
"NI-DAQmx Help", Reading and Writing with NI-DAQmx Simulated Devices.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.types import CtrFreq

from tests.unit.drivers.simulated.daqmx.client_calls import COUNTER_DEVICES, OUT0, code_of, train

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS


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


def test_counters_of_a_chassis(make_bench):
    """Counters of a chassis meet inside of it; the eight of an NI 9361 share a task, and have the clock of the chassis."""
    bench = make_bench(devices=COUNTER_DEVICES, wiring={"cDAQ1Mod1/PFI0": "cDAQ1Mod2/PFI1", "cDAQ1Mod1/PFI1": "cDAQ1Mod2/PFI1"})
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
