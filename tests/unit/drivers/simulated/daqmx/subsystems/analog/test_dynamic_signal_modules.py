"""Dynamic-signal modules of one chassis: one task over several of them, their clock elsewhere, rates and filter delays."""

from __future__ import annotations

import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, DigitalWidthUnits, RegenerationMode, Slope, TaskMode
from nidaqmx.system import Device

from tests.unit.drivers.simulated.daqmx.client_calls import CHASSIS_DEVICES, LSB, error_of, volts_in

CODES = 65536


def index_of(volts) -> np.ndarray:
    return np.rint((np.asarray(volts) + 10.0) * CODES / 20).astype(int)


def test_modules_of_one_task_sample_the_same_edges(make_bench):
    bench = make_bench(devices=CHASSIS_DEVICES, wiring={"PXI1Slot4/ai3": "sample_code", "PXI1Slot5/ai0": "sample_code"})
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("PXI1Slot4/ai3", min_val=-10.0, max_val=10.0)
        task.ai_channels.add_ai_voltage_chan("PXI1Slot5/ai0", min_val=-10.0, max_val=10.0)
        task.ai_channels.add_ai_accel_chan("PXI1Slot5/ai5")
        task.ai_channels.add_ai_force_bridge_two_point_lin_chan("PXI1Slot3/ai7")
        assert task.number_of_devices == 3
        task.timing.cfg_samp_clk_timing(51_200.0, samps_per_chan=400)
        start = bench.engine.time
        data = task.read(400)
        took = bench.engine.time - start
        rate = task.timing.samp_clk_rate
    np.testing.assert_array_equal(index_of(data[0]), np.arange(400))
    np.testing.assert_array_equal(data[0], data[1])
    # The module with the longest filters holds up all.
    longest = max(bench.engine.devices[name].inputs.filter_delay for name in ("PXI1Slot3", "PXI1Slot4", "PXI1Slot5"))
    assert took == pytest.approx((399 + longest) / rate, rel=1e-9)


@pytest.mark.parametrize("others", [("Dev1/ai0",), ("PXI1Slot2/ai0",), ("PXI1Slot6/ai0",)])
def test_modules_without_a_common_clock_share_no_task(make_bench, others):
    bench = make_bench(devices=CHASSIS_DEVICES)
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("PXI1Slot4/ai0")
        code, text = error_of(lambda: task.ai_channels.add_ai_voltage_chan(", ".join(others)))
        assert code == -200558
        assert "PXI1Slot4" in text
        assert task.number_of_channels == 1


@pytest.mark.parametrize(
    ("rate", "code", "device"),
    [(150e3, -200332, "PXI1Slot3"), (300e3, -200332, "PXI1Slot3"), (50.0, -200331, "PXI1Slot4")],
)
def test_the_first_module_that_cannot_is_named(make_bench, rate, code, device):
    bench = make_bench(devices=CHASSIS_DEVICES)
    with bench.task() as task:
        task.ai_channels.add_ai_force_bridge_two_point_lin_chan("PXI1Slot3/ai0")
        task.ai_channels.add_ai_voltage_chan("PXI1Slot4/ai0")

        def ask() -> float:
            task.timing.cfg_samp_clk_timing(rate)
            return task.timing.samp_clk_rate

        got, text = error_of(ask)
        assert (got, device in text) == (code, True)


def test_an_output_on_the_modules_clock_is_sampled_in_step(make_bench):
    # NI-DAQmx help, "Sample Clock Synchronization": the other device takes the clock of the first, and is started before it.
    bench = make_bench(devices=CHASSIS_DEVICES, wiring={"PXI1Slot4/ai0": "PXI1Slot2/ao0", "PXI1Slot5/ai0": "sample_code"})
    ramp = np.linspace(-9.0, 9.0, 4096)
    with bench.task() as out, bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("PXI1Slot5/ai0", min_val=-10.0, max_val=10.0)
        volts_in(task, 51_200.0, 20_000, where="PXI1Slot4/ai0", sample_mode=AcquisitionType.CONTINUOUS)
        out.ao_channels.add_ao_voltage_chan("PXI1Slot2/ao0")
        clock = "/PXI1Slot5/ai/SampleClock"
        out.timing.cfg_samp_clk_timing(51_200.0, source=clock, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=4096)
        out.out_stream.regen_mode = RegenerationMode.DONT_ALLOW_REGENERATION
        out.write(ramp, auto_start=False)
        out.start()
        task.start()
        code, read_back = task.read(4000)
    np.testing.assert_array_equal(index_of(code), np.arange(4000))
    # An update takes effect behind its edge, about which the input's filter is symmetric: the mean of the levels before and behind it,
    # to the output's 16 and the input's 24 bits, once the step to the ramp's first value is through the filter.
    np.testing.assert_allclose(read_back[25:], (ramp[24:3999] + ramp[25:4000]) / 2.0, atol=LSB)


def test_a_clock_reaches_no_card_outside_the_chassis(make_bench):
    bench = make_bench(devices=CHASSIS_DEVICES)
    with bench.task() as out:
        out.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        out.timing.cfg_samp_clk_timing(51_200.0, source="/PXI1Slot4/ai/SampleClock", sample_mode=AcquisitionType.CONTINUOUS)
        code, text = error_of(lambda: out.write(np.zeros(100), auto_start=False))
        assert code == -89125
        assert "PXI1Slot4" in text


def test_filter_delay_as_properties(make_bench):
    bench = make_bench(devices=CHASSIS_DEVICES)
    with bench.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("PXI1Slot4/ai0")
        task.timing.cfg_samp_clk_timing(51_200.0)
        rate = task.timing.samp_clk_rate
        channel.ai_filter_delay_units = DigitalWidthUnits.SAMPLE_CLOCK_PERIODS
        samples = channel.ai_filter_delay
        channel.ai_filter_delay_units = DigitalWidthUnits.SECONDS
        assert channel.ai_filter_delay == pytest.approx(samples / rate, rel=1e-12)
        assert channel.ai_remove_filter_delay
    with bench.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert error_of(lambda: channel.ai_filter_delay)[0] == -200452


def test_a_module_that_does_not_compensate_shows_what_was_before(make_bench):
    # NI: a 4461 delivers 63 samples of before the trigger.
    bench = make_bench(devices=CHASSIS_DEVICES, wiring={"PXI1Slot6/ai0": "sample_code"})
    with bench.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("PXI1Slot6/ai0", min_val=-10.0, max_val=10.0)
        task.timing.cfg_samp_clk_timing(51_200.0, samps_per_chan=500)
        assert error_of(lambda: setattr(channel, "ai_remove_filter_delay", True))[0] == -200452
        index = index_of(task.read(500))
    np.testing.assert_array_equal(index[:63], 0)
    np.testing.assert_array_equal(index[63:], np.arange(500 - 63))


def test_dynamic_signal_modules_take_nothing_on_demand(make_bench):
    bench = make_bench(devices=CHASSIS_DEVICES)
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("PXI1Slot4/ai0")
        code, text = error_of(task.read)
        assert code == -200757  # slightlynybbled/daqmx, issue 3: a USB-4431
        assert text.startswith("Sample Timing Type is set to On Demand which is not supported for analog input on this device.")


@pytest.mark.parametrize("terminal", ["PXI1Slot2/ai0", "PXI1Slot3/ai0"])
def test_iepe_where_there_is_none(make_bench, terminal):
    bench = make_bench(devices=CHASSIS_DEVICES)
    task: nidaqmx.Task
    with bench.task() as task:
        code, text = error_of(lambda: task.ai_channels.add_ai_accel_chan(terminal))
        assert code == -200431
        assert terminal.partition("/")[0] in text


def test_three_tasks_on_one_module_each_at_its_own_rate(make_bench):
    """Three tasks at the same time, each with channels that no other task has ("PXIe-4480/4481 User Manual", Timing Engines)."""
    bench = make_bench(devices=CHASSIS_DEVICES, wiring={"PXI1Slot5/ai0": "sample_code", "PXI1Slot5/ai1": "PXI1Slot2/ao0"})
    with bench.task() as level, bench.task() as first, bench.task() as second, bench.task() as third, bench.task() as fourth:
        level.ao_channels.add_ao_voltage_chan("PXI1Slot2/ao0")
        level.write(2.0)
        for task, channel, rate in ((first, 0, 51_200.0), (second, 1, 10_240.0), (third, 2, 5_120.0), (fourth, 3, 2_048.0)):
            volts_in(task, rate, where=f"PXI1Slot5/ai{channel}", sample_mode=AcquisitionType.CONTINUOUS)
        for task in (first, second, third):
            task.start()
        assert error_of(fourth.start)[0] == -50103
        terminals = [task.triggers.start_trigger.term for task in (first, second, third)]
        assert terminals == [f"/PXI1Slot5/{engine}/StartTrigger" for engine in ("ai", "te1", "te2")]
        np.testing.assert_array_equal(index_of(first.read(500)), np.arange(500))
        np.testing.assert_allclose(second.read(400)[200:], 2.0, atol=0.01)
        ratio = first.in_stream.total_samp_per_chan_acquired / second.in_stream.total_samp_per_chan_acquired
        assert ratio == pytest.approx(5.0, rel=0.2)
        third.stop()
        third.control(TaskMode.TASK_UNRESERVE)
        fourth.start()
        assert fourth.triggers.start_trigger.term == "/PXI1Slot5/te2/StartTrigger"
    assert Device("PXI1Slot5", grpc_options=bench.options).ai_num_samp_timing_engines == 3


def test_a_channel_is_one_task_s_at_a_time(make_bench):
    bench = make_bench(devices=CHASSIS_DEVICES)
    with bench.task() as one, bench.task() as other:
        for task in (one, other):
            task.ai_channels.add_ai_voltage_chan("PXI1Slot5/ai0:1" if task is one else "PXI1Slot5/ai1")
            task.timing.cfg_samp_clk_timing(10_000.0, sample_mode=AcquisitionType.CONTINUOUS)
        one.start()
        assert error_of(other.start)[0] == -50103


@pytest.mark.parametrize(("name", "product", "starts"), [
    # "The analog trigger on the PXIe-4480/4481 cannot be used as a start trigger" (user manual); "analog triggers can only act as reference
    # triggers" (NI PXIe-4330/4331 User Manual). A 4462 does not make up for the delay of its filters.
    ("PXI1Slot3", "PXIe-4331", False), ("PXI1Slot5", "PXIe-4480", False), ("PXI1Slot6", "PXI-4462", True),
])  # fmt: skip
def test_modules_that_make_up_for_their_delay_are_not_started_by_what_they_measure(make_bench, name, product, starts):
    bench = make_bench(devices=CHASSIS_DEVICES)
    assert bench.engine.devices[name].name == product
    with bench.task() as task:
        add = task.ai_channels.add_ai_bridge_chan if product == "PXIe-4331" else task.ai_channels.add_ai_voltage_chan
        add(f"{name}/ai0")
        task.timing.cfg_samp_clk_timing(5000.0, samps_per_chan=100)
        task.triggers.start_trigger.cfg_anlg_edge_start_trig(f"{name}/ai0", Slope.RISING, 0.0)
        if starts:
            task.control(TaskMode.TASK_VERIFY)
        else:
            code, text = error_of(lambda: task.control(TaskMode.TASK_VERIFY))
            assert code == -200077
            assert "Property: DAQmx_StartTrig_Type\nRequested Value: DAQmx_Val_AnlgEdge\n" in text
        task.triggers.start_trigger.disable_start_trig()
        task.triggers.reference_trigger.cfg_anlg_edge_ref_trig(f"{name}/ai0", 50, Slope.RISING, 0.0)
        task.control(TaskMode.TASK_VERIFY)
