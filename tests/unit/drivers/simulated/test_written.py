"""What a program wrote to outputs is asserted sample by sample, as NI documents what leaves a device."""

from __future__ import annotations

import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, LineGrouping, RegenerationMode

from drivers.simulated import serve_devices
from drivers.simulated.daqmx.core.written import Recorder

LSB = 20.0 / 2**16
RATE = 1000.0


@pytest.fixture
def bench():
    with serve_devices({"Dev1": "PCIe-6363", "cDAQ1": "cDAQ-9178"}, pace="lockstep") as made:
        yield made


def output(bench, mode=AcquisitionType.CONTINUOUS, samples=1000):
    task = nidaqmx.Task(grpc_options=bench.grpc_options)
    task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
    task.timing.cfg_samp_clk_timing(RATE, sample_mode=mode, samps_per_chan=samples)
    return task


def test_a_buffer_is_regenerated(bench):
    # NI-DAQmx Help, "Regeneration": the data in the buffer are generated again and again.
    bench.record("Dev1/ao0")
    wave = np.array([1.0, 2.0, -3.0])
    with output(bench) as task:
        task.write(wave)
        task.start()
        bench.advance(0.0100001)
        written = bench.written("Dev1/ao0")
    assert written.lost == 0
    np.testing.assert_allclose(written.times, np.arange(11) / RATE, atol=1e-9)
    np.testing.assert_allclose(written.values, wave[np.arange(11) % 3], atol=LSB)
    assert np.abs(written.values - 1.0).max() > 1.0


def test_a_finite_generation_puts_out_so_many_and_holds_its_last(bench):
    bench.record("Dev1/ao0")
    wave = np.linspace(0.0, 5.0, 20)
    with output(bench, AcquisitionType.FINITE, 50) as task:
        task.write(wave)  # NI-DAQmx: a finite generation of more samples than were written begins the buffer again
        task.start()
        task.wait_until_done()
        bench.advance(1.0)
        written = bench.written("Dev1/ao0")
    assert len(written.times) == 50
    np.testing.assert_allclose(written.values, wave[np.arange(50) % 20], atol=LSB)
    np.testing.assert_allclose(written.at([0.0, 0.0485, 0.9]), [wave[0], wave[48 % 20], wave[49 % 20]], atol=LSB)


def test_a_write_in_mid_run_without_regeneration_comes_out_behind_the_one_before(bench):
    bench.record("Dev1/ao0")
    first, second = np.full(100, 1.0), np.linspace(-1.0, 1.0, 100)
    with output(bench, samples=1000) as task:
        task.out_stream.regen_mode = RegenerationMode.DONT_ALLOW_REGENERATION
        task.out_stream.output_buf_size = 1000
        task.write(first)
        task.start()
        bench.advance(0.05)
        task.write(second)
        bench.advance(0.149)
        written = bench.written("Dev1/ao0")
    np.testing.assert_allclose(written.values[:200], np.concatenate((first, second)), atol=LSB)
    np.testing.assert_allclose(written.times[:200], np.arange(200) / RATE, atol=1e-9)


def test_a_stop_holds_the_value_of_the_moment(bench):
    bench.record("Dev1/ao0")
    with output(bench) as task:
        task.write([1.0, 2.0, 3.0, 4.0])
        task.start()
        bench.advance(0.0055)
        task.stop()
        bench.advance(1.0)
    written = bench.written("Dev1/ao0")
    assert written.times[-1] == pytest.approx(0.005)
    assert written.at(1.0)[0] == pytest.approx(2.0, abs=LSB)
    with pytest.raises(ValueError, match="asked for the output at -1 s, the first sample is at 0 s"):
        written.at(-1.0)


def test_software_timed_outputs_are_recorded_write_by_write(bench):
    bench.record("Dev1/ao0", "Dev1/port0/line0")
    with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        task.write(1.5)
        bench.advance(0.25)
        task.write([2.5, 3.5], auto_start=True)
    written = bench.written("Dev1/ao0")
    assert written.times.tolist() == pytest.approx([0.0, 0.25, 0.25])
    np.testing.assert_allclose(written.values, [1.5, 2.5, 3.5], atol=LSB)
    bench.system.devices["Dev1"].reset_device()
    assert bench.written("Dev1/ao0").values[-1] == 0.0
    with nidaqmx.Task(grpc_options=bench.grpc_options) as lines:
        lines.do_channels.add_do_chan("Dev1/port0/line0:3", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        for number in (1, 1, 14):
            lines.write(number)
    assert bench.written("Dev1/port0/line0").values.tolist() == [True, True, False]


def test_clocked_lines_are_recorded_sample_by_sample(bench):
    bench.record("Dev1/port0/line1")
    pattern = [0b10, 0b01, 0b11, 0b11]
    with nidaqmx.Task(grpc_options=bench.grpc_options) as lines:
        lines.do_channels.add_do_chan("Dev1/port0/line0:1", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        lines.timing.cfg_samp_clk_timing(RATE, samps_per_chan=8)
        lines.write(pattern)
        lines.start()
        lines.wait_until_done()
    written = bench.written("Dev1/port0/line1")
    assert written.values.tolist() == [True, False, True, True] * 2 and written.values.dtype == np.bool_
    np.testing.assert_allclose(written.times, np.arange(8) / RATE, atol=1e-9)


@pytest.mark.parametrize("counter", ["Dev1/ctr0", "cDAQ1/_ctr0"])
def test_pulses_of_a_counter_are_edges_at_exact_times(bench, counter):
    bench.record(counter)
    with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.co_channels.add_co_pulse_chan_time(counter, low_time=3e-3, high_time=1e-3)
        task.timing.cfg_implicit_timing(sample_mode=AcquisitionType.FINITE, samps_per_chan=5)
        task.start()
        task.wait_until_done()
    written = bench.written(counter)
    assert written.values.tolist() == [True, False] * 5
    np.testing.assert_allclose(np.diff(written.times), ([1e-3, 3e-3] * 5)[:9], atol=20e-9)


def test_of_a_pin_its_edges_are_recorded(bench):
    bench.record("Dev1/PFI12", "Dev1/ctr0")
    with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=100.0)
        task.timing.cfg_implicit_timing(samps_per_chan=3)
        task.start()
        task.wait_until_done()
    pin, counter = bench.written("Dev1/PFI12"), bench.written("Dev1/ctr0")
    assert pin.times.tolist() == counter.times.tolist() and len(pin.times) == 6


def test_what_is_kept_is_bounded_and_what_fell_off_is_counted(bench):
    bench.record("Dev1/ao0", most=250)
    with output(bench) as task:
        task.write(np.linspace(-5.0, 5.0, 100))
        task.start()
        bench.advance(1.9995)
        written = bench.written("Dev1/ao0")
    assert (len(written.times), written.lost) == (250, 1750)
    np.testing.assert_allclose(written.times, (1750 + np.arange(250)) / RATE, atol=1e-9)
    with pytest.raises(ValueError, match=r"asked for the output at 0 s, the first sample is at 1\.75 s"):
        written.at(0.0)


def test_memory_is_that_of_the_bound():
    recorder = Recorder()
    recorder.record("dev1/ao0", 1000)
    for n in range(5000):
        recorder.put(n * 1e-3, {"dev1/ao0": float(n)})
    track = recorder._tracks["dev1/ao0"]
    assert track.kept <= 1000 and len(track.parts) <= 1000 and track.count == 5000


def test_what_is_not_recorded_says_how_it_is(bench):
    with pytest.raises(ValueError, match=r'Dev1/ao1 is not recorded; bench\.record\("Dev1/ao1"\) before the program writes'):
        bench.written("Dev1/ao1")
    for name in ("Dev1/ai0", "Dev1/ao9", "Dev9/ao0", "Dev1/ctr9"):
        with pytest.raises(ValueError, match=f"record: {name} is no output of these devices"):
            bench.record(name)
    with pytest.raises(ValueError, match="most: expected a number of samples from 1 on, got 0"):
        bench.record("Dev1/ao0", most=0)
    bench.record("Dev1/ao0")
    assert not len(bench.written("Dev1/ao0").times)
    with pytest.raises(ValueError, match="nothing was written"):
        bench.written("Dev1/ao0").at(0.0)
