"""Digital lines, on-demand analogue samples and the hardware watchdog through the stock client."""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import Level, LineGrouping
from nidaqmx.stream_readers import DigitalMultiChannelReader, DigitalSingleChannelReader
from nidaqmx.stream_writers import DigitalSingleChannelWriter
from nidaqmx.system.watchdog import WatchdogTask
from nidaqmx.types import DOExpirationState

from tests.unit.drivers.simulated.daqmx.client_calls import ADD, LSB, code_of, volt_out


def test_one_line_written_and_read_back(bench):
    with bench.task() as task:
        task.do_channels.add_do_chan("Dev1/port0/line3")
        for state in (True, False, True):
            assert task.write(state) == 1
            assert task.read() is state


def test_lines_of_one_channel_as_bits_of_a_number(bench):
    with bench.task() as task:
        task.do_channels.add_do_chan("Dev1/port0/line0:7", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        task.write(0b1010_0101)
        assert task.read() == 0b1010_0101
        assert [c.do_num_lines for c in task.do_channels] == [8]
        writer = DigitalSingleChannelWriter(task.out_stream, auto_start=True)
        writer.write_one_sample_multi_line(np.array([True, False] * 4))
        assert task.read() == 0b0101_0101


def test_whole_port(bench):
    with bench.task() as task:
        task.do_channels.add_do_chan("Dev1/port0")
        task.write(0x8000_0001)
        assert task.read() == 0x8000_0001


def test_one_channel_a_line(bench):
    with bench.task() as task:
        task.do_channels.add_do_chan("Dev1/port1/line0:2", line_grouping=LineGrouping.CHAN_PER_LINE)
        assert task.channel_names == ["Dev1/port1/line0", "Dev1/port1/line1", "Dev1/port1/line2"]
        task.write([True, False, True])
        assert task.read() == [True, False, True]


def test_unconnected_input_lines_count_in_binary(bench):
    # NI: a simulated device gives a binary count on its digital lines.
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0:3")
        assert [task.read() for _ in range(20)] == [n % 16 for n in range(20)]


def test_output_wired_to_an_input_line(make_bench):
    bench = make_bench(wiring={"Dev1/port1/line0": "Dev1/port0/line5"})
    with bench.task() as out, bench.task() as back:
        out.do_channels.add_do_chan("Dev1/port0/line5")
        back.di_channels.add_di_chan("Dev1/port1/line0")
        for state in (True, False):
            out.write(state)
            assert back.read() is state


def test_stream_readers_of_lines(bench):
    with bench.task() as out, bench.task() as task:
        out.do_channels.add_do_chan("Dev1/port0/line0:1")
        out.write(0b10)
        task.di_channels.add_di_chan("Dev1/port0/line0:1")
        lines = np.zeros(2, dtype=bool)
        DigitalSingleChannelReader(task.in_stream).read_one_sample_multi_line(lines)
        assert lines.tolist() == [False, True]
    with bench.task() as out, bench.task() as task:
        out.do_channels.add_do_chan("Dev1/port0/line0:1")
        out.write(0b10)
        task.di_channels.add_di_chan("Dev1/port0/line0:1")
        task.di_channels.add_di_chan("Dev1/port0/line1")
        both = np.zeros(2, dtype=np.uint32)
        DigitalMultiChannelReader(task.in_stream).read_one_sample_port_uint32(both)
        assert both.tolist() == [0b10, 0b10]


def test_lines_keep_their_state_when_the_task_is_gone(bench):
    with bench.task() as task:
        task.do_channels.add_do_chan("Dev1/port0/line7")
        task.write(True)
    with bench.task() as task:
        task.do_channels.add_do_chan("Dev1/port0/line7")
        assert task.read() is True


def test_write_without_auto_start(bench):
    # NI: -200846 for an on-demand write when the task is not running and auto start is false.
    for kind, value in (("do", True), ("ao", 1.0)):
        with bench.task() as task:
            ADD[kind](task)
            assert code_of(task.write, value, auto_start=False) == -200846


def test_output_on_demand_is_held_and_quantised(bench):
    with bench.task() as out, bench.task() as back:
        out.ao_channels.add_ao_voltage_chan("Dev1/ao2")
        back.ai_channels.add_ai_voltage_chan("Dev1/_ao2_vs_aognd", min_val=-10.0, max_val=10.0)
        for volts in (1.0, -9.5, 0.0001):
            out.write(volts)
            assert back.read() == pytest.approx(round(volts / LSB) * LSB, abs=1e-12)
        out.close()
        assert back.read() == 0.0
        with bench.task() as again:
            again.ao_channels.add_ao_voltage_chan("Dev1/ao2")
            again.write(2.5)
        assert back.read() == pytest.approx(2.5)


def test_input_saturates_at_its_range(bench):
    with bench.task() as out, bench.task() as back:
        volt_out(out, 7.0)
        back.ai_channels.add_ai_voltage_chan("Dev1/_ao0_vs_aognd", min_val=-1.5, max_val=1.5)
        assert back.ai_channels.all.ai_rng_high == 2.0  # next range of the card
        assert back.read() == pytest.approx(2.0 - 4.0 / 65536)


def test_unconnected_input_is_a_noisy_sine_within_the_range(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", min_val=-5.0, max_val=5.0)
        task.timing.cfg_samp_clk_timing(10_000.0, samps_per_chan=10_000)
        volts = np.array(task.read(10_000, timeout=5.0))
    assert 4.5 < volts.max() <= 5.0
    assert -5.0 <= volts.min() < -4.5
    noise = volts - 5.0 * np.sin(2 * np.pi * 10.0 * np.arange(10_000) / 10_000)
    assert 0.02 * 5.0 < np.abs(noise[np.abs(volts) < 4.0]).max() <= 0.031 * 5.0


# -- watchdog --------------------------------------------------------------------------------------------------------------------------


def guarded(bench, timeout):
    dog = WatchdogTask("Dev1", timeout=timeout, grpc_options=bench.options)
    dog.cfg_watchdog_do_expir_states([
        DOExpirationState(physical_channel="Dev1/port0/line0", expiration_state=Level.HIGH),
        DOExpirationState(physical_channel="Dev1/port0/line1", expiration_state=Level.LOW),
    ])  # fmt: skip
    return dog


def let_pass(bench, seconds):
    """Let bench time pass: a finite generation of that length."""
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao3")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=round(seconds * 1000))
        task.write(np.zeros(round(seconds * 1000)))
        task.start()
        task.wait_until_done(10.0)


def test_watchdog_puts_the_lines_into_their_states(either_pace):
    bench = either_pace
    dog = guarded(bench, 1.0)
    dog.start()
    with bench.task() as lines:
        lines.do_channels.add_do_chan("Dev1/port0/line0:1")
        lines.write(0b10)
        for _ in range(6):
            let_pass(bench, 0.2)
            dog.reset_timer()
            assert lines.read() == 0b10
        assert not dog.expired
        let_pass(bench, 1.2)
        assert dog.expired
        assert lines.read() == 0b01
        assert code_of(lines.write, 0b10) == -200678
        assert code_of(dog.reset_timer) == -200644
        dog.clear_expiration()
        assert not dog.expired
        lines.write(0b10)
        assert lines.read() == 0b10
    dog.close()


def test_watchdog_expires_at_its_very_instant(make_bench):
    bench = make_bench()
    dog = guarded(bench, 0.25)
    dog.start()
    let_pass(bench, 0.6)
    assert [(round(when, 9), who, text) for when, who, text in bench.engine.take_events()] == [(0.25, "Dev1", "watchdog expired")]
    dog.close()


def test_stopped_watchdog_does_not_expire(bench):
    dog = guarded(bench, 0.1)
    dog.start()
    dog.stop()
    let_pass(bench, 0.3)
    assert bench.engine.take_events() == []
    dog.close()


def test_watchdog_will_not_start_beside_running_tasks(bench):
    with bench.task() as other:
        other.do_channels.add_do_chan("Dev1/port0/line9")
        other.start()
        dog = guarded(bench, 1.0)
        assert code_of(dog.start) == -201477
        dog.close()


def test_watchdog_of_a_device_without_one(make_bench):
    bench = make_bench(devices=[("Dev2", "PXIe-4331")])
    assert code_of(WatchdogTask, "Dev2", timeout=1.0, grpc_options=bench.options) == -200662


def test_bench_clock_slips_when_the_host_stalls(monkeypatch):
    from drivers.simulated.clock import BenchClock

    wall = [100.0]
    monkeypatch.setattr("drivers.simulated.clock.host_clock.now", lambda: wall[0])
    clock = BenchClock("real")
    clock.start()
    before = clock.now()
    wall[0] += 0.2
    assert clock.now() - before == pytest.approx(clock.longest_gap)
    assert clock.slips == 1
    assert clock.slipped == pytest.approx(0.2 - clock.longest_gap)
