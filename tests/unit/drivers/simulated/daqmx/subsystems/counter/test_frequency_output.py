"""The frequency output of a card and of a chassis: "X Series User Manual", Frequency Generator."""

from __future__ import annotations

import pytest
from nidaqmx import constants as c
from nidaqmx.types import CtrFreq

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, train

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS


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


@pytest.mark.parametrize(("asked", "clock", "divisor"), [
    (20e6, 20e6, 1), (9e6, 20e6, 2), (3e6, 20e6, 7), (1e6, 10e6, 10), (0.7e6, 10e6, 14), (100e3, 100e3, 1), (40e3, 100e3, 3),
    (6250.0, 100e3, 16),
])  # fmt: skip
def test_the_frequency_output_reads_back_what_it_makes(counters, asked, clock, divisor):
    """20 MHz, 10 MHz or 100 kHz over 1 to 16; high for (D - 1) / 2 cycles of the clock where D is odd."""
    with counters.task() as out:
        channel = out.co_channels.add_co_pulse_chan_freq("Dev1/freqout", freq=asked)
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        assert channel.co_pulse_freq == pytest.approx(clock / divisor, rel=1e-12)
        duty = 0.5 if divisor == 1 or divisor % 2 == 0 else (divisor - 1) / 2 / divisor
        assert channel.co_pulse_duty_cyc == pytest.approx(duty)
        if asked < 50e3:
            with counters.task() as back:
                back.ci_channels.add_ci_pulse_chan_freq("Dev1/ctr1").ci_pulse_freq_term = "/Dev1/FrequencyOutput"
                out.start()
                found = back.read()
                assert (found.freq, found.duty_cycle) == (pytest.approx(clock / divisor), pytest.approx(duty))


def test_the_frequency_output_of_a_chassis(counters):
    with counters.task() as out, counters.task() as back:
        train(out, "cDAQ1Mod2/freqout", freq=10e3)
        back.ci_channels.add_ci_freq_chan("cDAQ1Mod2/ctr0", min_val=1e3, max_val=1e5).ci_freq_term = "/cDAQ1/FrequencyOutput"
        out.start()
        assert back.read() == pytest.approx(10e3)


@pytest.mark.parametrize("asked", [21e6, 6000.0, 1.0])
def test_what_the_frequency_output_cannot_make(counters, asked):
    with counters.task() as out:
        out.co_channels.add_co_pulse_chan_freq("Dev1/freqout", freq=asked)
        assert code_of(out.start) == -201443


def test_the_frequency_output_is_continuous_and_stays_as_it_is(counters):
    with counters.task() as out:
        channel = out.co_channels.add_co_pulse_chan_freq("Dev1/freqout", freq=10e3)
        out.timing.cfg_implicit_timing(sample_mode=FINITE, samps_per_chan=5)
        assert code_of(out.start) == -200747
        out.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        out.start()
        assert code_of(out.write, CtrFreq(20e3, 0.5)) == -200844
        assert code_of(setattr, channel, "co_pulse_freq", 20e3) == -200844
