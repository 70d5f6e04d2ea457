"""Waveforms, through the stock client. Expected: nidaqmx-python, tests/component/stream_readers/test_digital_single_channel_reader.py,
test_analog_*_reader.py, stream_writers/test_digital_single_channel_writer.py, task/test_task_write_waveform*.py (values, names, units,
sample intervals, what each attribute mode leaves out).
"""

from __future__ import annotations

from datetime import UTC

import numpy as np
import pytest
from hightime import datetime as ht_datetime
from hightime import timedelta as ht_timedelta
from nidaqmx.constants import AcquisitionType, LineGrouping, TemperatureUnits, VoltageUnits, WaveformAttributeMode
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.errors import DaqError
from nidaqmx.scale import Scale
from nidaqmx.stream_readers import AnalogSingleChannelReader, DigitalMultiChannelReader, DigitalSingleChannelReader
from nidaqmx.stream_writers import DigitalMultiChannelWriter, DigitalSingleChannelWriter
from nitypes.waveform import AnalogWaveform, DigitalWaveform, SampleIntervalMode

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, codes, decoded

FINITE, ALL, EACH = AcquisitionType.FINITE, LineGrouping.CHAN_FOR_ALL_LINES, LineGrouping.CHAN_PER_LINE
PORTS = {f"Dev1/port1/line{n}": f"Dev1/port0/line{n}" for n in range(8)}


def finite(task, rate=1000.0, samples=50):
    task.timing.cfg_samp_clk_timing(rate, sample_mode=FINITE, samps_per_chan=samples)


def near_now(timestamp) -> bool:
    return abs((timestamp - ht_datetime.now(UTC)).total_seconds()) < 5.0


def lowest_first(waveform) -> list[int]:
    return [int(sum(int(bit) << n for n, bit in enumerate(row))) for row in waveform.data]


@pytest.fixture
def loop(make_bench):
    """Lines of port 0 wired to those of port 1, the sample code on ai1."""
    return make_bench(wiring={**PORTS, "Dev1/ai1": "sample_code"})


# -- analogue --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [1000.0, 2000.0, 10_000_000 / 8])
def test_analogue_waveform_has_time_name_and_unit(either_pace, rate):
    with either_pace.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai1", name_to_assign_to_channel="code")
        finite(task, rate, 50)
        waveform = AnalogWaveform(50)
        assert AnalogSingleChannelReader(task.in_stream).read_waveform(waveform, 50) == 50
        assert waveform.sample_count == 50
        assert waveform.channel_name == "code" and waveform.units == "Volts"
        assert waveform.timing.sample_interval == ht_timedelta(seconds=1 / rate)
        assert near_now(waveform.timing.timestamp)


def test_waveforms_follow_each_other(bench):
    with bench.task() as task:
        codes(task, 1000.0, 1000, sample_mode=AcquisitionType.CONTINUOUS)
        task.start()
        first, second = task.read_waveform(20), task.read_waveform(30)
    assert (second.timing.timestamp - first.timing.timestamp).total_seconds() == pytest.approx(0.020, abs=2e-7)
    assert decoded(np.concatenate([first.raw_data, second.raw_data])).tolist() == list(range(50))


def test_more_than_there_is(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0:2")
        finite(task)
        assert [w.sample_count for w in task.read_waveform(100)] == [50, 50, 50]


def test_waveform_on_demand_has_no_interval(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai1")
        waveform = task.read_waveform(3)
    assert waveform.sample_count == 3
    assert waveform.timing.sample_interval_mode == SampleIntervalMode.NONE


def test_unit_of_a_temperature_and_of_a_custom_scale(bench):
    Scale.create_lin_scale("cubits", 2.0, scaled_units="cubits", grpc_options=bench.options)
    with bench.task() as task:
        task.ai_channels.add_ai_thrmcpl_chan("Dev1/ai0", units=TemperatureUnits.DEG_C)
        assert task.read_waveform(1).units == "Deg C"
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", custom_scale_name="cubits", units=VoltageUnits.FROM_CUSTOM_SCALE)
        assert task.read_waveform(1).units == "cubits"


@pytest.mark.parametrize("timing", [True, False])
@pytest.mark.parametrize("names", [True, False])
def test_attribute_modes(bench, timing, names):
    mode = (WaveformAttributeMode.TIMING if timing else WaveformAttributeMode.NONE) | (
        WaveformAttributeMode.EXTENDED_PROPERTIES if names else WaveformAttributeMode.NONE
    )
    with bench.task() as task, bench.task() as lines:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai1")
        lines.di_channels.add_di_chan("Dev1/port0/line0")
        waveforms = []
        for each in (task, lines):
            finite(each)
            each.in_stream.waveform_attribute_mode = mode
            waveforms.append(each.read_waveform(10))
    for waveform, name in zip(waveforms, ("Dev1/ai1", "Dev1/port0/line0"), strict=True):
        assert waveform.timing.sample_interval_mode == (SampleIntervalMode.REGULAR if timing else SampleIntervalMode.NONE)
        assert waveform.channel_name == (name if names else "")
    assert waveforms[0].units == ("Volts" if names else "")


def test_written_analogue_waveforms(make_bench):
    bench = make_bench(wiring={"Dev1/ai0": "Dev1/ao0", "Dev1/ai1": "Dev1/ao1"})
    with bench.task() as outputs, bench.task() as inputs:
        outputs.ao_channels.add_ao_voltage_chan("Dev1/ao0:1")
        finite(outputs, samples=100)
        waveforms = [AnalogWaveform.from_array_1d(np.linspace(0.0, top, 100)) for top in (2.0, -3.0)]
        assert outputs.write(waveforms, auto_start=True) == 100
        outputs.wait_until_done(1.0)
        inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0:1", min_val=-10.0, max_val=10.0)
        assert inputs.read() == pytest.approx([2.0, -3.0], abs=1e-3)
        assert code_of(outputs.write, [waveforms[0]] * 3) == -200524


# -- lines -----------------------------------------------------------------------------------------------------------------------------


def test_lines_that_were_named_come_in_their_order(bench):
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0:7", line_grouping=ALL)
        finite(task)
        waveform = DigitalWaveform(50, 8)
        assert DigitalSingleChannelReader(task.in_stream).read_waveform(waveform) == 50
    assert lowest_first(waveform) == list(range(50))
    assert waveform.timing.sample_interval == ht_timedelta(seconds=1 / 1000) and near_now(waveform.timing.timestamp)


def test_a_port_comes_with_its_highest_line_first(bench):
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0", line_grouping=ALL)
        finite(task)
        waveform = task.read_waveform(10)
    assert waveform.signal_count == 32 and waveform.channel_name == "Dev1/port0"
    groups = np.flip(waveform.data, axis=1).reshape(10, 4, 8)  # line 0 first: each group of eight lines counts
    assert [[lowest_first_of(bits) for bits in sample] for sample in groups] == [[n] * 4 for n in range(10)]


def lowest_first_of(bits) -> int:
    return int(sum(int(bit) << n for n, bit in enumerate(bits)))


def test_lines_and_a_port_in_one_channel(bench):
    # test_digital_single_channel_reader.py, lines_and_port: these numbers and names
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0:2, Dev1/port1", line_grouping=ALL)
        waveform = DigitalWaveform(10, 11)
        assert DigitalSingleChannelReader(task.in_stream).read_waveform(waveform, 10) == 10
        assert lowest_first(waveform) == [0, 1025, 514, 1539, 260, 1285, 774, 1799, 128, 1153]
        assert waveform._get_line_names() == [f"Dev1/port0/line{n}" for n in range(3)] + [f"Dev1/port1/line{n}" for n in range(7, -1, -1)]
        assert waveform.channel_name == task.di_channels[0].name


def test_a_channel_for_each_line(bench):
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0:7", line_grouping=EACH)
        finite(task)
        waveforms = [DigitalWaveform(10) for _ in range(8)]
        assert DigitalMultiChannelReader(task.in_stream).read_waveforms(waveforms, 10) == 10
    assert [w.channel_name for w in waveforms] == [f"Dev1/port0/line{n}" for n in range(8)]
    for line, waveform in enumerate(waveforms):
        assert lowest_first(waveform) == [n >> line & 1 for n in range(10)]


def written(samples: int, lines: int) -> DigitalWaveform:
    waveform = DigitalWaveform(samples, lines)
    for n in range(samples):
        waveform.data[n] = [n >> line & 1 for line in range(lines)]
    return waveform


@pytest.mark.parametrize("port", [False, True])
def test_written_lines(loop, port):
    with loop.task() as outputs, loop.task() as inputs:
        outputs.do_channels.add_do_chan("Dev1/port1" if port else "Dev1/port1/line0:7", line_grouping=ALL)
        inputs.di_channels.add_di_chan("Dev1/port1" if port else "Dev1/port1/line0:7", line_grouping=ALL)
        outputs.start()
        writer = DigitalSingleChannelWriter(outputs.out_stream)
        for count in range(1, 10):
            assert writer.write_waveform(written(count, 8)) == count
            last = count - 1
            assert inputs.read() == (int(f"{last:08b}"[::-1], 2) if port else last)


def test_written_channels_of_one_line_with_a_clock(loop):
    with loop.task() as outputs, loop.task() as inputs:
        outputs.do_channels.add_do_chan("Dev1/port0/line0:1", line_grouping=EACH)
        finite(outputs, samples=10)
        waveforms = [written(10, 1), written(9, 1)]
        writer = DigitalMultiChannelWriter(outputs.out_stream, auto_start=True)
        with pytest.raises(ValueError, match="sample count"):
            writer.write_waveforms(waveforms)
        assert writer.write_waveforms([written(10, 1), written(10, 1)]) == 10
        outputs.wait_until_done(1.0)
        inputs.di_channels.add_di_chan("Dev1/port0/line0:1", line_grouping=EACH)
        assert inputs.read() == [True, True]


def test_number_of_lines_that_does_not_fit(loop):
    with loop.task() as outputs:
        outputs.do_channels.add_do_chan("Dev1/port0/line0", line_grouping=ALL)
        outputs.start()
        with pytest.raises(DaqError) as caught:
            DigitalSingleChannelWriter(outputs.out_stream).write_waveform(written(20, 3))
    assert caught.value.error_type == DAQmxErrors.NUM_LINES_MISMATCH_IN_READ_OR_WRITE
    assert "because the number of lines in the data" in str(caught.value)
