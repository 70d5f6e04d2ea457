"""What inputs and counters show to which nothing is connected, through the stock client.

Expected: NI-DAQmx user manual, "Reading and Writing with Simulated Devices" (a sine wave with 3 % noise, each channel five degrees on, its
amplitude set by the limits of the channel), and tests of NI (nidaqmx-python tests/component/_analog_utils.py: values within the limits of
the channel, however near they are; ni/grpc-device, nidaqmx_driver_api_tests.cpp).
"""

from __future__ import annotations

import numpy as np
import pytest

RATE = 10_000.0


def acquired(bench, count: int, *limits: tuple[float, float]) -> np.ndarray:
    with bench.task() as task:
        for n, (low, high) in enumerate(limits):
            task.ai_channels.add_ai_voltage_chan(f"Dev1/ai{n}", min_val=low, max_val=high)
        task.timing.cfg_samp_clk_timing(RATE, samps_per_chan=count)
        return np.array(task.read(count, timeout=5.0)).reshape(len(limits), count)


@pytest.mark.parametrize(("low", "high"), [(-5.0, 5.0), (1.0, 10.0), (0.0, 1.0), (-3.0, -2.0)])
def test_a_sine_fills_the_limits(make_bench, low, high):
    values = acquired(make_bench(), 10_000, (low, high))[0]
    half, middle = (high - low) / 2, (high + low) / 2
    assert values.min() >= low and values.max() <= high
    assert values.max() - values.min() > 0.99 * (high - low)
    wave = (values - middle) / half
    spectrum = np.abs(np.fft.rfft(wave))
    assert spectrum.argmax() > 0
    # A sine and nothing but noise of 3 % beside it, where the limits do not cut.
    model = np.fft.irfft(np.where(np.arange(len(spectrum)) == spectrum.argmax(), np.fft.rfft(wave), 0.0))
    noise = (wave - model)[np.abs(model) < 0.95]
    assert 0.025 < np.abs(noise).max() < 0.035


def test_each_channel_is_five_degrees_on(make_bench):
    values = acquired(make_bench(), 10_000, *[(-5.0, 5.0)] * 4)
    peak = np.abs(np.fft.rfft(values[0])).argmax()
    phases = np.degrees(np.angle(np.fft.rfft(values, axis=1)[:, peak]))
    np.testing.assert_allclose((np.diff(phases) + 180) % 360 - 180, 5.0, atol=0.2)


def test_limits_that_are_very_near(make_bench):
    # tests/component/conftest.py, ai_multi_channel_task: values are expected at the lower limit, to 1 mV
    bench = make_bench()
    with bench.task() as task:
        for n in range(3):
            channel = task.ai_channels.add_ai_voltage_chan(f"Dev1/ai{n}", min_val=n + 1.0, max_val=n + 1.001)
            channel.ai_rng_high = 10
            channel.ai_rng_low = -10
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=50)
        data = np.array(task.read(50))
    for n, row in enumerate(data):
        np.testing.assert_allclose(row, n + 1.0, atol=1e-3)


def test_samples_on_demand_go_on_though_time_stands_still(make_bench):
    bench = make_bench()
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", min_val=0.0, max_val=2.0)
        task.start()
        values = np.array([task.read() for _ in range(100)])
    assert len({*values}) > 50
    assert 0.0 <= values.min() < 0.1
    assert 1.9 < values.max() <= 2.0
