"""Analogue input and output through the stock client, streamed."""

from __future__ import annotations

import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import READ_ALL_AVAILABLE, AcquisitionType, OverwriteMode, RegenerationMode, TaskMode
from nidaqmx.errors import DaqReadError, DaqWriteError
from nidaqmx.stream_readers import AnalogMultiChannelReader
from nidaqmx.stream_writers import AnalogSingleChannelWriter

from tests.unit.drivers.simulated.daqmx.client_calls import LSB, code_of, code_of_read, codes, decoded, let_pass, volts_out

RATE = 51200.0
BLOCK = 512


def add_inputs(task: nidaqmx.Task, *names: str, rate: float = RATE, size: int = 100_000) -> AnalogMultiChannelReader:
    for name in names:
        task.ai_channels.add_ai_voltage_chan(name, min_val=-10.0, max_val=10.0)
    task.timing.cfg_samp_clk_timing(rate, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=size)
    reader = AnalogMultiChannelReader(task.in_stream)
    reader.verify_array_shape = False
    return reader


def add_output(task: nidaqmx.Task, rate: float, name: str = "Dev1/ao0", clock: str = "/Dev1/ai/SampleClock") -> AnalogSingleChannelWriter:
    task.ao_channels.add_ao_voltage_chan(name, min_val=-10.0, max_val=10.0)
    task.timing.cfg_samp_clk_timing(rate, source=clock, sample_mode=AcquisitionType.CONTINUOUS)
    task.out_stream.regen_mode = RegenerationMode.DONT_ALLOW_REGENERATION
    return AnalogSingleChannelWriter(task.out_stream, auto_start=False)


def test_every_sample_comes_once_and_in_order(either_pace):
    with either_pace.task() as task:
        reader = add_inputs(task, "Dev1/ai0", "Dev1/ai1")
        data, seen = np.empty((2, BLOCK)), []
        for _ in range(40):
            reader.read_many_sample(data, BLOCK, 2.0)
            seen.append(decoded(data[1]))
    np.testing.assert_array_equal(np.concatenate(seen), np.arange(40 * BLOCK) % 65536)


def test_sample_code_goes_round_after_65536(bench):
    with bench.task() as task:
        reader = add_inputs(task, "Dev1/ai1", rate=1e6, size=200_000)
        data = np.empty((1, 70_000))
        reader.read_many_sample(data, 70_000, 2.0)
    np.testing.assert_array_equal(decoded(data[0]), np.arange(70_000) % 65536)


def test_streamed_output_comes_back_one_sample_later(either_pace):
    # Both tasks share a clock edge: the input sampled at it still sees the level that the output had before.
    bench, count = either_pace, 20
    ahead = 6 if bench.clock.lockstep else 100  # blocks of 10 ms: a client on a busy machine comes late by many of them
    wave = np.rint(8.0 * np.sin(np.arange((count + ahead) * BLOCK) * 0.01) / LSB) * LSB
    with bench.task() as inputs, bench.task() as outputs:
        reader = add_inputs(inputs, "Dev1/_ao0_vs_aognd")
        writer = add_output(outputs, inputs.timing.samp_clk_rate)
        writer.write_many_sample(wave[: ahead * BLOCK])
        outputs.start()
        inputs.start()
        data, seen = np.empty((1, BLOCK)), []
        for block in range(ahead, count + ahead):
            reader.read_many_sample(data, BLOCK, 2.0)
            seen.append(data[0].copy())
            writer.write_many_sample(wave[block * BLOCK : (block + 1) * BLOCK])
    back = np.concatenate(seen)
    assert back[0] == 0.0
    np.testing.assert_allclose(back[1:], wave[: len(back) - 1], atol=1e-12)


def test_output_that_runs_dry_stops_and_holds_its_last_value(bench):
    # NI: -200290 when regeneration is not allowed and the application does not write fast enough.
    with bench.task() as inputs, bench.task() as outputs:
        reader = add_inputs(inputs, "Dev1/_ao0_vs_aognd")
        writer = add_output(outputs, inputs.timing.samp_clk_rate)
        ramp = np.arange(1, 701) * LSB
        writer.write_many_sample(ramp)
        outputs.start()
        inputs.start()
        data = np.empty((1, 1000))
        reader.read_many_sample(data, 1000, 2.0)
        np.testing.assert_allclose(data[0, 1:701], ramp, atol=1e-12)
        np.testing.assert_allclose(data[0, 700:], ramp[-1], atol=1e-12)
        with pytest.raises(DaqWriteError) as caught:
            writer.write_many_sample(ramp)
        assert caught.value.error_code == -200290
        assert code_of(outputs.is_task_done) == -200290
    with bench.task() as after:
        after.ai_channels.add_ai_voltage_chan("Dev1/_ao0_vs_aognd", min_val=-10.0, max_val=10.0)
        assert after.read() == pytest.approx(700 * LSB, abs=1e-12)


def test_output_goes_on_after_its_client_is_gone(bench):
    import grpc

    gone = grpc.insecure_channel(f"127.0.0.1:{bench.server.port}")
    task = nidaqmx.Task("left", grpc_options=nidaqmx.GrpcSessionOptions(gone, ""))
    writer = add_output(task, 10_000.0, clock="")
    ramp = np.arange(1, 5001) * LSB
    writer.write_many_sample(ramp)
    task.start()
    gone.close()
    with bench.task() as look:
        look.ai_channels.add_ai_voltage_chan("Dev1/_ao0_vs_aognd", min_val=-10.0, max_val=10.0)
        let_pass(bench, 0.25)
        early = look.read()
        assert 0.0 < early < ramp[-1]
        let_pass(bench, 0.3)
        assert look.read() == pytest.approx(ramp[-1], abs=1e-12)
    assert [text for _, source, text in bench.engine.take_events() if source == "left"] == ["output ran dry and holds its last value"]


def test_regeneration_repeats_the_buffer(bench):
    with bench.task() as inputs, bench.task() as outputs:
        reader = add_inputs(inputs, "Dev1/_ao1_vs_aognd")
        outputs.ao_channels.add_ao_voltage_chan("Dev1/ao1")
        outputs.timing.cfg_samp_clk_timing(RATE, source="/Dev1/ai/SampleClock", sample_mode=AcquisitionType.CONTINUOUS)
        wave = np.arange(10) * 100 * LSB
        outputs.write(wave, auto_start=True)
        data = np.empty((1, 101))
        reader.read_many_sample(data, 101, 2.0)
    np.testing.assert_allclose(data[0, 1:], np.tile(wave, 10), atol=1e-12)


def test_unread_samples_stop_the_acquisition(either_pace):
    # NI: -200279, the application is not able to keep up with the hardware acquisition.
    bench = either_pace
    with bench.task() as slow, bench.task() as outputs:
        reader = add_inputs(slow, "Dev1/ai1", rate=1e6, size=100_000)
        slow.in_stream.input_buf_size = 20_000
        volts_out(outputs, np.zeros(100), 1000.0)
        slow.start()
        outputs.start()
        outputs.wait_until_done(5.0)  # 100 ms, in which 100,000 samples come into a buffer for 20,000
        assert code_of_read(reader.read_many_sample, np.empty((1, 100)), 100, 2.0) == -200279


def test_overwriting_allowed_still_reports_what_is_gone(bench):
    with bench.task() as slow, bench.task() as outputs:
        add_inputs(slow, "Dev1/ai1", rate=1e6)
        slow.in_stream.overwrite = OverwriteMode.OVERWRITE_UNREAD_SAMPLES
        slow.in_stream.input_buf_size = 1000
        volts_out(outputs, np.zeros(100), 1000.0)
        slow.start()
        outputs.start()
        outputs.wait_until_done(5.0)
        assert slow.in_stream.total_samp_per_chan_acquired >= 99_000
        assert code_of_read(slow.read, 10) == -200279


def test_time_out_gives_the_samples_there_are(either_pace):
    # NI: -200284; DaqReadError tells how many samples were read, and the array holds them.
    with either_pace.task() as task:
        reader = add_inputs(task, "Dev1/ai1", rate=1000.0)
        data = np.full((1, 1000), np.nan)
        with pytest.raises(DaqReadError) as caught:
            reader.read_many_sample(data, 1000, 0.1)
        assert caught.value.error_code == -200284
        count = caught.value.samps_per_chan_read
        assert 0 < count < 1000
        np.testing.assert_array_equal(decoded(data[0, :count]), np.arange(count))
        reader.read_many_sample(data, 100, 2.0)
        np.testing.assert_array_equal(decoded(data[0, :100]), np.arange(count, count + 100))


def test_finite_acquisition_reads_all_and_ends(either_pace):
    with either_pace.task() as task:
        codes(task, samples=500)
        task.start()
        np.testing.assert_array_equal(decoded(np.array(task.read(READ_ALL_AVAILABLE))), np.arange(500))
        assert task.is_task_done()
        assert code_of_read(task.read, 1) == -200278


def test_finite_task_runs_again(bench):
    with bench.task() as task:
        codes(task, samples=50)
        for _ in range(3):
            task.start()
            task.wait_until_done(1.0)
            np.testing.assert_array_equal(decoded(np.array(task.read(50))), np.arange(50))
            task.stop()


def test_full_output_buffer_makes_the_writer_wait(either_pace):
    with either_pace.task() as task:
        writer = add_output(task, 20_000.0, clock="")
        size = task.out_stream.output_buf_size = 20_000  # 1 s, by which a busy machine may be late
        writer.write_many_sample(np.zeros(size))
        task.start()
        for _ in range(40):
            writer.write_many_sample(np.full(500, 1.0), timeout=2.0)
        # The on-board memory (8191 samples) and the buffer take no more than this beyond what is out.
        assert task.out_stream.curr_write_pos - task.out_stream.total_samp_per_chan_generated <= size + 8191
        assert task.out_stream.curr_write_pos == size + 20_000


def test_write_into_a_full_buffer_times_out(bench):
    with bench.task() as task:
        writer = add_output(task, 1000.0, clock="")
        task.out_stream.output_buf_size = 1000
        writer.write_many_sample(np.zeros(1000))
        task.start()
        with pytest.raises(DaqWriteError) as caught:
            writer.write_many_sample(np.zeros(20_000), timeout=0.5)
    assert caught.value.error_code == -200292
    assert 8000 <= caught.value.samps_per_chan_written <= 10_000


def test_writing_more_than_fits_before_the_start(bench):
    with bench.task() as task:
        writer = add_output(task, 1000.0, clock="")
        task.out_stream.output_buf_size = 1000
        with pytest.raises(DaqWriteError) as caught:
            writer.write_many_sample(np.zeros(1001))
    assert caught.value.error_code == -200293


def test_starting_an_empty_generation(bench):
    with bench.task() as task:
        add_output(task, 1000.0, clock="")
        assert code_of(task.start) == -200462


def test_wait_until_done_times_out(either_pace):
    with either_pace.task() as task:
        add_inputs(task, "Dev1/ai0", rate=1000.0)
        task.start()
        assert code_of(task.wait_until_done, 0.05) == -200560


def test_start_trigger_of_another_task(bench):
    # The output has a clock of its own (a tenth of the input's rate) and starts with the input task.
    with bench.task() as inputs, bench.task() as outputs:
        reader = add_inputs(inputs, "Dev1/_ao0_vs_aognd", rate=100_000.0)
        outputs.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        outputs.timing.cfg_samp_clk_timing(10_000.0, samps_per_chan=20)
        outputs.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/ai/StartTrigger")
        wave = np.arange(1, 21) * 50 * LSB
        outputs.write(wave)
        outputs.start()
        assert outputs.out_stream.total_samp_per_chan_generated == 0
        data = np.empty((1, 250))
        reader.read_many_sample(data, 250, 2.0)
        assert outputs.is_task_done()
    np.testing.assert_allclose(data[0, 1:201], np.repeat(wave, 10), atol=1e-12)


def test_read_of_a_task_whose_clock_never_comes(bench):
    with bench.task() as inputs:
        inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        inputs.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/PFI0", sample_mode=AcquisitionType.CONTINUOUS)
        assert code_of_read(inputs.read, 10, timeout=0.1) == -200284


def test_counters_of_a_stream(bench):
    with bench.task() as inputs, bench.task() as outputs:
        reader = add_inputs(inputs, "Dev1/ai0", "Dev1/ai1")
        writer = add_output(outputs, inputs.timing.samp_clk_rate)
        writer.write_many_sample(np.zeros(2560))
        assert outputs.out_stream.space_avail == 0
        outputs.start()
        assert outputs.out_stream.space_avail == 2560  # the on-board memory took it all
        inputs.start()
        reader.read_many_sample(np.empty((2, 500)), 500, 1.0)
        assert inputs.in_stream.curr_read_pos == 500
        assert inputs.in_stream.total_samp_per_chan_acquired == 500
        assert inputs.in_stream.avail_samp_per_chan == 0
        assert outputs.out_stream.total_samp_per_chan_generated == 500
        assert outputs.out_stream.curr_write_pos == 2560


def test_commit_keeps_the_task_ready(bench):
    with bench.task() as task:
        reader = add_inputs(task, "Dev1/ai1")
        task.control(TaskMode.TASK_COMMIT)
        for _ in range(3):
            task.start()
            data = np.empty((1, 20))
            reader.read_many_sample(data, 20, 1.0)
            task.stop()
            np.testing.assert_array_equal(decoded(data[0]), np.arange(20))
