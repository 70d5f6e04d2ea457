"""Digital lines by a sample clock: acquired, generated, wired to each other and to PFI pins, and as clocks and triggers of other tasks."""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import READ_ALL_AVAILABLE, AcquisitionType, Edge, LineGrouping, RegenerationMode
from nidaqmx.errors import DaqError, DaqWriteError
from nidaqmx.stream_readers import DigitalMultiChannelReader, DigitalSingleChannelReader
from nidaqmx.stream_writers import DigitalSingleChannelWriter

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, code_of_read, codes, decoded

FINITE, CONTINUOUS = AcquisitionType.FINITE, AcquisitionType.CONTINUOUS
ALL_LINES = LineGrouping.CHAN_FOR_ALL_LINES
LOOP = {f"Dev1/port0/line{n + 8}": f"Dev1/port0/line{n}" for n in range(8)}
"""Lines 0 to 7 of port 0 wired to lines 8 to 15."""


def inputs(task, lines, rate=1000.0, mode=FINITE, samples=100, grouping=ALL_LINES, **timing):
    task.di_channels.add_di_chan(lines, line_grouping=grouping)
    task.timing.cfg_samp_clk_timing(rate, sample_mode=mode, samps_per_chan=samples, **timing)


def outputs(task, lines, rate=1000.0, mode=FINITE, samples=100, **timing):
    task.do_channels.add_do_chan(lines, line_grouping=ALL_LINES)
    task.timing.cfg_samp_clk_timing(rate, sample_mode=mode, samps_per_chan=samples, **timing)


# NI's tests of nidaqmx (tests/component/_digital_utils.py): simulated digital signals count from 0 in binary within each group of 8 lines.


def test_unconnected_lines_count_in_binary_within_eight(either_pace):
    with either_pace.task() as task:
        inputs(task, "Dev1/port0/line0:3")
        assert task.read(100) == [n % 16 for n in range(100)]


def test_whole_port_and_single_lines(bench):
    with bench.task() as task:
        inputs(task, "Dev1/port0")
        assert task.read(READ_ALL_AVAILABLE)[:3] == [0, 0x01010101, 0x02020202]
    with bench.task() as task:
        inputs(task, "Dev1/port0/line6:9", grouping=LineGrouping.CHAN_PER_LINE)
        data = np.array(task.read(100))
    n = np.arange(100)
    np.testing.assert_array_equal(data, [n >> 6 & 1, n >> 7 & 1, n & 1, n >> 1 & 1])


def test_channels_of_different_widths(bench):
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0:1", line_grouping=ALL_LINES)
        inputs(task, "Dev1/port0/line4:7")
        data = np.zeros((2, 100), dtype=np.uint32)
        DigitalMultiChannelReader(task.in_stream).read_many_sample_port_uint32(data, 100)
    np.testing.assert_array_equal(data, [np.arange(100) & 0b11, np.arange(100) & 0xF0])


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_numbers_of_every_width(make_bench, bits):
    bench, kind, name = make_bench(wiring=LOOP), f"uint{bits}", "byte" if bits == 8 else f"uint{bits}"
    wave = np.random.default_rng(bits).integers(0, 256, 100).astype(kind)
    with bench.task() as out, bench.task() as back:
        outputs(out, "Dev1/port0/line0:7", source="/Dev1/di/SampleClock")
        inputs(back, "Dev1/port0/line0:7", samples=101)
        writer = DigitalSingleChannelWriter(out.out_stream, auto_start=True)
        assert getattr(writer, f"write_many_sample_port_{name}")(wave) == 100
        data = np.zeros(101, dtype=kind)
        getattr(DigitalSingleChannelReader(back.in_stream), f"read_many_sample_port_{name}")(data, 101)
    # Both share a clock edge: what is put out at it is seen at the next one.
    np.testing.assert_array_equal(data[1:], wave)


def test_generation_wired_to_input_lines(make_bench):
    bench = make_bench(wiring=LOOP)
    wave = np.random.default_rng(1).integers(0, 256, 50)
    with bench.task() as out, bench.task() as back:
        outputs(out, "Dev1/port0/line0:7", source="/Dev1/di/SampleClock", samples=50)
        inputs(back, "Dev1/port0/line8:15", samples=51)
        out.write(wave.astype(np.uint32))
        out.start()
        data = np.array(back.read(51))
        assert out.is_task_done()
    np.testing.assert_array_equal(data[1:] >> 8, wave)


def test_regeneration_repeats_and_streaming_goes_on(make_bench):
    bench = make_bench(wiring=LOOP)
    with bench.task() as out, bench.task() as back:
        outputs(out, "Dev1/port0/line0:7", source="/Dev1/di/SampleClock", mode=CONTINUOUS)
        inputs(back, "Dev1/port0/line8:15", mode=CONTINUOUS)
        out.write(np.arange(10, dtype=np.uint32), auto_start=True)
        np.testing.assert_array_equal(np.array(back.read(101))[1:] >> 8, np.tile(np.arange(10), 10))
    with bench.task() as out, bench.task() as back:
        outputs(out, "Dev1/port0/line0:7", source="/Dev1/di/SampleClock", mode=CONTINUOUS)
        out.out_stream.regen_mode = RegenerationMode.DONT_ALLOW_REGENERATION
        out.out_stream.output_buf_size = 200
        inputs(back, "Dev1/port0/line8:15", mode=CONTINUOUS)
        wave = np.random.default_rng(2).integers(0, 256, 1000).astype(np.uint32)
        out.write(wave[:200])
        out.start()
        back.start()
        seen = []
        for block in range(1, 6):
            seen.append(np.array(back.read(100)) >> 8)
            out.write(wave[100 + block * 100 : 200 + block * 100])
    np.testing.assert_array_equal(np.concatenate(seen)[1:], wave[:499])


def test_generation_that_runs_dry(bench):
    # NI: -200290, stopped to prevent the regeneration of old samples.
    with bench.task() as out:
        outputs(out, "Dev1/port0/line0:7", mode=CONTINUOUS)
        out.out_stream.regen_mode = RegenerationMode.DONT_ALLOW_REGENERATION
        out.write(np.full(100, 0xA5, dtype=np.uint32), auto_start=True)
        with pytest.raises(DaqError) as caught:
            out.wait_until_done(1.0)
        assert caught.value.error_code == -200290
        with pytest.raises(DaqWriteError) as caught:
            out.write(np.zeros(10, dtype=np.uint32))
        assert caught.value.error_code == -200290
    with bench.task() as look:
        look.do_channels.add_do_chan("Dev1/port0/line0:7", line_grouping=ALL_LINES)
        assert look.read() == 0xA5


def test_unread_samples_stop_the_acquisition(bench):
    with bench.task() as slow, bench.task() as other:
        inputs(slow, "Dev1/port0/line0", rate=1e6, mode=CONTINUOUS)
        slow.in_stream.input_buf_size = 1000
        outputs(other, "Dev1/port0/line1", rate=1000.0, samples=10)
        other.write([True, False] * 5)
        slow.start()
        other.start()
        other.wait_until_done(1.0)
        assert code_of_read(slow.read, 10) == -200279


def test_static_ports_take_no_clock(bench):
    # X Series User Manual: only port 0 does hardware-timed input and output; ports 1 and 2 are static.
    with bench.task() as task:
        inputs(task, "Dev1/port1/line0")
        with pytest.raises(DaqError) as caught:
            task.start()
    assert caught.value.error_code == -200077
    assert "Possible Values: DAQmx_Val_OnDemand" in str(caught.value)


def test_one_clocked_task_of_a_direction(bench):
    with bench.task() as one, bench.task() as two, bench.task() as on_demand:
        inputs(one, "Dev1/port0/line0", mode=CONTINUOUS)
        inputs(two, "Dev1/port0/line1", mode=CONTINUOUS)
        on_demand.di_channels.add_di_chan("Dev1/port0/line2")
        one.start()
        on_demand.read()
        assert code_of(two.start) == -50103


# -- lines as clocks and triggers of others: a wire leads a generated line to a PFI pin ---------------------------------------------------

PFI_WIRES = {"Dev1/PFI0": "Dev1/port0/line0", "Dev1/ai1": "sample_code"}


def square(bench, task, cycles, rate=10_000.0):
    """Cycles of low and high on port0/line0, at `rate` / 2."""
    outputs(task, "Dev1/port0/line0", rate=rate, samples=2 * cycles)
    task.write([False, True] * cycles)


@pytest.mark.parametrize("edge", [Edge.RISING, Edge.FALLING])
def test_external_sample_clock(make_bench, edge):
    bench = make_bench(wiring=PFI_WIRES)
    with bench.task() as clock, bench.task() as task:
        square(bench, clock, 50)
        codes(task, samples=1000, source="/Dev1/PFI0", active_edge=edge, sample_mode=CONTINUOUS)
        task.start()
        clock.start()
        assert code_of_read(task.read, 60, timeout=0.5) == -200284
        # The last sample left the line high: 50 rises, 49 falls.
        assert task.in_stream.total_samp_per_chan_acquired == (50 if edge is Edge.RISING else 49)


def test_lines_written_by_software_are_a_clock_too(make_bench):
    bench = make_bench(wiring=PFI_WIRES)
    with bench.task() as line, bench.task() as task:
        line.do_channels.add_do_chan("Dev1/port0/line0")
        inputs(task, "Dev1/port0/line8:15", source="PFI0", mode=CONTINUOUS)
        task.start()
        for _ in range(5):
            line.write([True])
            line.write([False])
        assert np.right_shift(task.read(5), 8).tolist() == [0, 1, 2, 3, 4]


def test_start_trigger_from_a_pin(make_bench):
    bench = make_bench(wiring=PFI_WIRES)
    with bench.task() as pulse, bench.task() as task:
        outputs(pulse, "Dev1/port0/line0", rate=1000.0, samples=10)
        pulse.write([False] * 7 + [True] * 3)
        codes(task, samples=30)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        task.start()
        begin = bench.engine.time
        pulse.start()
        seen = decoded(task.read(30))
        assert bench.engine.time - begin == pytest.approx(7e-3 + 29e-4, abs=1e-9)
    np.testing.assert_array_equal(seen, np.arange(30))


def test_pins_of_static_lines_are_pfi(bench):
    # X Series User Manual: PFI 0..7 are the pins of port 1, PFI 8..15 those of port 2.
    with bench.task() as line, bench.task() as task:
        line.do_channels.add_do_chan("Dev1/port1/line3")
        inputs(task, "Dev1/port0/line0:7", source="/Dev1/PFI3", mode=CONTINUOUS)
        task.start()
        for level in (True, False, True):
            line.write(level)
        assert task.read(2) == [0, 1]
