"""Where reads begin and writes go, raw samples, sizes of buffers, properties of streams, and events."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from nidaqmx.constants import (
    AcquisitionType,
    LineGrouping,
    OverwriteMode,
    ReadRelativeTo,
    RegenerationMode,
    SampleTimingType,
    Signal,
    TaskMode,
    WriteRelativeTo,
)
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.stream_readers import AnalogUnscaledReader
from nidaqmx.stream_writers import AnalogUnscaledWriter

from tests.unit.drivers.simulated.daqmx.client_calls import LSB, code_of, codes, decoded, levels, set_and_reset, volts_in, volts_out

CONTINUOUS = AcquisitionType.CONTINUOUS


# -- reading from a position -----------------------------------------------------------------------------------------------------------


def test_read_relative_to_the_first_sample(bench):
    with bench.task() as task:
        codes(task)
        task.start()
        task.wait_until_done(1.0)
        task.in_stream.relative_to, task.in_stream.offset = ReadRelativeTo.FIRST_SAMPLE, 30
        np.testing.assert_array_equal(decoded(task.read(10)), np.arange(30, 40))
        np.testing.assert_array_equal(decoded(task.read(10)), np.arange(30, 40))
        assert task.in_stream.curr_read_pos == 40
        task.in_stream.relative_to, task.in_stream.offset = ReadRelativeTo.CURRENT_READ_POSITION, -5
        np.testing.assert_array_equal(decoded(task.read(10)), np.arange(35, 45))
        task.in_stream.offset = 0
        np.testing.assert_array_equal(decoded(task.read(5)), np.arange(45, 50))


def test_most_recent_samples_and_overwriting(bench):
    # NI: with unread samples overwritten, the newest ones are read relative to the most recent sample.
    with bench.task() as task, bench.task() as clock:
        codes(task, sample_mode=CONTINUOUS)
        task.in_stream.input_buf_size = 200
        task.in_stream.overwrite = OverwriteMode.OVERWRITE_UNREAD_SAMPLES
        task.in_stream.relative_to, task.in_stream.offset = ReadRelativeTo.MOST_RECENT_SAMPLE, -10
        volts_out(clock, np.zeros(1001))
        task.start()
        clock.start()
        clock.wait_until_done(1.0)
        assert task.in_stream.total_samp_per_chan_acquired == 1001
        np.testing.assert_array_equal(decoded(task.read(10)), np.arange(991, 1001))
        task.in_stream.relative_to, task.in_stream.offset = ReadRelativeTo.FIRST_SAMPLE, 0
        assert code_of(task.read, 10) == DAQmxErrors.SAMPLES_NO_LONGER_AVAILABLE.value


def test_positions_that_there_are_not(bench):
    with bench.task() as task:
        codes(task)
        task.read(50)
        task.in_stream.offset = -60
        assert code_of(task.read, 1) == DAQmxErrors.NEGATIVE_READ_SAMPLE_NUMBER.value
        task.in_stream.relative_to = ReadRelativeTo.REFERENCE_TRIGGER
        assert code_of(task.read, 1) == DAQmxErrors.NO_REF_TRIG_CONFIGURED.value


def test_read_relative_to_the_reference_trigger(make_bench):
    bench = make_bench(wiring={"Dev1/PFI0": "Dev1/port0/line0", "Dev1/ai1": "sample_code"})
    with bench.task() as line, bench.task() as task:
        levels(line, [0, 0, 1, 0])
        codes(task, samples=30)
        task.triggers.reference_trigger.cfg_dig_edge_ref_trig("/Dev1/PFI0", 10)
        task.start()
        line.start()
        task.wait_until_done(1.0)
        for relative, first in ((ReadRelativeTo.REFERENCE_TRIGGER, 20), (ReadRelativeTo.FIRST_PRETRIGGER_SAMPLE, 10)):
            task.in_stream.relative_to = relative
            np.testing.assert_array_equal(decoded(task.read(5)), first + np.arange(5))


# -- writing to a position -------------------------------------------------------------------------------------------------------------


def test_write_into_a_buffer_that_is_generated_over_and_over(bench):
    with bench.task() as out, bench.task() as task:
        out.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        out.timing.cfg_samp_clk_timing(10_000.0, source="/Dev1/ai/SampleClock", sample_mode=CONTINUOUS)
        out.write(np.zeros(10))
        out.out_stream.relative_to, out.out_stream.offset = WriteRelativeTo.FIRST_SAMPLE, 4
        out.write(np.full(2, 100 * LSB))
        out.start()
        volts_in(task, where="Dev1/_ao0_vs_aognd", sample_mode=CONTINUOUS)
        task.start()
        seen = np.rint(np.array(task.read(21)) / LSB)[1:]
    np.testing.assert_array_equal(seen, np.tile([0, 0, 0, 0, 100, 100, 0, 0, 0, 0], 2))


def test_write_to_what_is_out_already(bench):
    with bench.task() as out, bench.task() as task:
        out.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        out.timing.cfg_samp_clk_timing(10_000.0, source="/Dev1/ai/SampleClock", sample_mode=CONTINUOUS)
        out.out_stream.regen_mode = RegenerationMode.DONT_ALLOW_REGENERATION
        out.write(np.zeros(100))
        out.start()
        codes(task, samples=10)
        task.read(10)
        out.out_stream.relative_to = WriteRelativeTo.FIRST_SAMPLE
        assert code_of(out.write, np.zeros(5)) == DAQmxErrors.SAMPLES_NO_LONGER_WRITEABLE.value


# -- raw samples -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["int16", "uint16", "int32", "uint32"])
def test_codes_of_the_converter(bench, kind):
    with bench.task() as task:
        codes(task)
        data = np.zeros((1, 100), dtype=kind)
        getattr(AnalogUnscaledReader(task.in_stream), f"read_{kind}")(data, 100)
    # One code a sample, from the lowest of a 16-bit converter on; unsigned ones are the same bits.
    np.testing.assert_array_equal(data[0], (np.arange(100) - 32768).astype(kind))


def test_raw_samples_of_an_input_stream(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/_ao0_vs_aognd", min_val=-10.0, max_val=10.0)
        codes(task)
        data = task.in_stream.read(50)
        assert task.in_stream.raw_data_width == 4
    assert data.dtype == np.int16
    np.testing.assert_array_equal(data.reshape(50, 2), np.column_stack([np.zeros(50), np.arange(50) - 32768]))


@pytest.mark.parametrize("kind", ["int16", "uint16", "int32", "uint32"])
def test_codes_that_are_put_out(bench, kind):
    wave = np.array([[0, 1, 1000, 32767, -32768 if kind.startswith("int") else 65535]]).astype(kind)
    with bench.task() as out, bench.task() as task:
        out.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        out.timing.cfg_samp_clk_timing(10_000.0, source="/Dev1/ai/SampleClock", samps_per_chan=5)
        assert getattr(AnalogUnscaledWriter(out.out_stream, auto_start=True), f"write_{kind}")(wave) == 5
        volts_in(task, samples=6, where="Dev1/_ao0_vs_aognd")
        seen = np.rint(np.array(task.read(6)) / LSB)[1:]
    np.testing.assert_array_equal(seen, [0, 1, 1000, 32767, {"int16": -32768, "int32": -32768, "uint16": -1, "uint32": 32767}[kind]])


def test_raw_lines(make_bench):
    bench = make_bench(wiring={f"Dev1/port0/line{n + 8}": f"Dev1/port0/line{n}" for n in range(8)})
    with bench.task() as out, bench.task() as task:
        out.do_channels.add_do_chan("Dev1/port0/line0:7", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        out.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/di/SampleClock", samps_per_chan=20)
        wave = np.arange(20, dtype=np.uint8) * 7
        out.write(wave.astype(np.uint32))
        out.start()
        task.di_channels.add_di_chan("Dev1/port0/line8:15", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=21)
        # The client's own in_stream.read asks for a property of analogue channels; this is the call below it.
        raw = np.zeros(21, dtype=np.uint16)
        _, read, size = task._interpreter.read_raw(task._handle, 21, 1.0, raw)
    assert (read, size) == (21, 2)
    np.testing.assert_array_equal(raw[1:] >> 8, wave)


# -- properties: defaults as in NI's tests of nidaqmx (tests/component/task) ---------------------------------------------------------------


def test_properties_of_streams(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        stream = task.in_stream
        assert (stream.offset, stream.relative_to, stream.sleep_time) == (0, ReadRelativeTo.CURRENT_READ_POSITION, 0.001)
        stream.offset, stream.sleep_time = 1, 1.5
        assert (stream.offset, stream.sleep_time) == (1, 1.5)
        del stream.offset, stream.sleep_time
        assert (stream.offset, stream.sleep_time) == (0, 0.001)
        assert stream.logging_file_path is None
        assert stream.logging_file_preallocation_size == 0
        assert not stream.logging_pause
        assert code_of(lambda: setattr(task.out_stream, "output_buf_size", 2000)) == -200452
        task.timing.samp_timing_type = SampleTimingType.SAMPLE_CLOCK
        default = stream.input_buf_size
        assert set_and_reset(stream, "input_buf_size", 2_000_000_000) == default
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        assert (task.out_stream.offset, task.out_stream.relative_to) == (0, WriteRelativeTo.CURRENT_WRITE_POSITION)
        task.start()
        assert task.out_stream.curr_write_pos == 0


def test_properties_of_timing(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0)
        timing = task.timing
        assert (timing.samp_clk_src, timing.samp_clk_term) == ("/Dev1/ai/SampleClockTimebase", "/Dev1/ai/SampleClock")
        assert timing.samp_clk_timebase_div == 100_000
        timing.samp_clk_timebase_div = 200_000
        assert timing.samp_clk_rate == 500
        del timing.samp_clk_timebase_div
        assert timing.samp_clk_timebase_div == 100_000
        timing.samp_clk_src = "PFI0"
        assert timing.samp_clk_src == "/Dev1/PFI0"
        del timing.samp_clk_src
        assert timing.samp_clk_src == "/Dev1/ai/SampleClockTimebase"
        del timing.samp_quant_samp_mode
        assert timing.samp_quant_samp_mode is CONTINUOUS
        timing.cfg_samp_clk_timing(1000.0, samps_per_chan=1)
        assert code_of(lambda: timing.samp_quant_samp_per_chan) == DAQmxErrors.INVALID_ATTRIBUTE_VALUE.value
        timing.cfg_samp_clk_timing(1000.0, source="Test_Invalid_Device_Source")
        assert code_of(lambda: timing.samp_clk_src) == DAQmxErrors.INVALID_ROUTING_SOURCE_TERMINAL_NAME_ROUTING.value
        from nidaqmx.system import System

        device = System.remote(bench.options).devices["Dev1"]
        assert code_of(lambda: timing[device].samp_clk_rate) == DAQmxErrors.M_STUDIO_OPERATION_DOES_NOT_SUPPORT_DEVICE_CONTEXT.value


def test_timing_types_that_the_card_has_not(bench):
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0")
        task.timing.cfg_handshaking_timing(AcquisitionType.FINITE, 2000)
        assert task.timing.samp_timing_type is SampleTimingType.HANDSHAKE
        assert task.timing.samp_quant_samp_per_chan == 2000
        assert code_of(task.control, TaskMode.TASK_VERIFY) == -200077
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_implicit_timing()
        assert code_of(task.start) == -200077


def test_properties_are_not_set_while_it_runs(bench):
    with bench.task() as task:
        codes(task, sample_mode=CONTINUOUS)
        task.start()
        assert code_of(lambda: setattr(task.timing, "samp_clk_rate", 2000.0)) == DAQmxErrors.CANNOT_SET_PROPERTY_WHEN_TASK_RUNNING.value
        assert code_of(lambda: setattr(task.triggers.start_trigger, "delay", 1.0)) == -200557


# -- events ----------------------------------------------------------------------------------------------------------------------------


def test_signal_events(make_bench):
    bench = make_bench("real")
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(100.0, samps_per_chan=10)
        seen, enough = [], threading.Event()

        def on_signal(handle, kind, data):
            seen.append(kind)
            if len(seen) == 10:
                enough.set()
            return 0

        task.register_signal_event(Signal.SAMPLE_CLOCK, on_signal)
        task.start()
        assert enough.wait(10.0)
        task.wait_until_done(5.0)
        task.stop()
        task.register_signal_event(Signal.SAMPLE_CLOCK, None)
    assert {int(getattr(kind, "value", kind)) for kind in seen} == {Signal.SAMPLE_CLOCK.value}


def test_change_detection_events(make_bench):
    bench = make_bench("real")
    with bench.task() as line, bench.task() as task:
        line.do_channels.add_do_chan("Dev1/port0/line0")
        line.write(False)
        task.di_channels.add_di_chan("Dev1/port0/line0")
        task.timing.cfg_change_detection_timing("Dev1/port0/line0", "Dev1/port0/line0", CONTINUOUS)
        seen, come = [], threading.Semaphore(0)

        def on_change(handle, kind, data):
            seen.append(task.read())
            come.release()
            return 0

        task.register_signal_event(Signal.CHANGE_DETECTION_EVENT, on_change)
        task.start()
        for level in (True, False, True):
            line.write(level)
            assert come.acquire(timeout=10.0)
        task.stop()
        task.register_signal_event(Signal.CHANGE_DETECTION_EVENT, None)
    assert seen == [True, False, True]


def test_events_that_cannot_be_registered(bench):
    nothing = lambda *event: 0  # noqa: E731
    with bench.task() as task:
        codes(task)
        register = task.register_every_n_samples_transferred_from_buffer_event
        assert code_of(register, 10, nothing) == DAQmxErrors.EVERY_N_SAMPS_TRANSFERRED_FROM_BUFFER_EVENT_NOT_SUPPORTED_BY_DEVICE.value
        assert code_of(task.register_every_n_samples_acquired_into_buffer_event, 0, nothing) == -200880
        assert code_of(task.register_signal_event, Signal.COUNTER_OUTPUT_EVENT, nothing) == -200987
        task.start()
        assert code_of(task.register_done_event, nothing) == DAQmxErrors.CANNOT_REGISTER_DA_QMX_SOFTWARE_EVENT_WHILE_TASK_IS_RUNNING.value
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.register_every_n_samples_acquired_into_buffer_event(10, nothing)
        assert code_of(task.start) == -200848
