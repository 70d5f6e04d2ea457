"""Errors, states, reservations, properties and events, as NI documents them."""

from __future__ import annotations

import threading

import grpc
import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import (
    READ_ALL_AVAILABLE,
    AccelUnits,
    AcquisitionType,
    BridgeElectricalUnits,
    BridgePhysicalUnits,
    ChannelType,
    Coupling,
    Edge,
    ForceUnits,
    OutputDataTransferCondition,
    ProductCategory,
    RegenerationMode,
    SampleTimingType,
    TaskMode,
    TerminalConfiguration,
    UsageTypeAI,
)
from nidaqmx.errors import DaqError, DaqReadError, RpcError
from nidaqmx.system import System
from waiting import until

from drivers.errors import Refused
from drivers.simulated.daqmx.service.server import serve
from tests.unit.drivers.simulated.daqmx.client_calls import LSB, code_of, codes, decoded, error_of, not_served, volt_out, volts_in

# -- devices ---------------------------------------------------------------------------------------------------------------------------


def test_devices_of_the_system(make_bench):
    bench = make_bench(devices=[("Dev1", "PCIe-6363"), ("PXI1Slot2", "PXIe-4466"), ("PXI1Slot3", "PXIe-4331")])
    system = System.remote(bench.options)
    assert system.devices.device_names == ["Dev1", "PXI1Slot2", "PXI1Slot3"]
    assert system.driver_version >= (24, 5)
    card = system.devices["Dev1"]
    # X Series 6363 specifications: 32 AI, 4 AO, 48 DIO as 32 + 8 + 8; 2 MS/s one channel, 1 MS/s aggregate; AO 2.86 MS/s.
    assert card.product_type == "PCIe-6363"
    assert card.product_category is ProductCategory.X_SERIES_DAQ
    assert card.is_simulated
    assert [len(x) for x in (card.ai_physical_chans, card.ao_physical_chans, card.di_lines, card.do_ports)] == [32, 4, 48, 3]
    assert [port.do_port_width for port in card.do_ports] == [32, 8, 8]
    # The highest output rate as the driver itself answers it (labscript-devices, capabilities.json).
    assert (card.ai_max_single_chan_rate, card.ai_max_multi_chan_rate, card.ao_max_rate) == (2e6, 1e6, 2857142.8571428573)
    assert card.ai_voltage_rngs == [x for r in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0) for x in (-r, r)]
    assert system.devices["PXI1Slot2"].ai_simultaneous_sampling_supported
    # NI's tests of nidaqmx read the same back from a PXIe-4331 (tests/component/system/test_device.py: V/V, and 102.4 kS/s).
    assert system.devices["PXI1Slot3"].ai_bridge_rngs == [-0.025, 0.025, -0.1, 0.1]
    assert system.devices["PXI1Slot3"].ai_max_single_chan_rate == 102_400.0
    assert code_of(lambda: system.devices["Dev9"].product_type) == -200220


def test_what_a_device_has_not_got_is_said(make_bench):
    bench = make_bench(devices=[("Dev2", "PXIe-4466")])
    device = System.remote(bench.options).devices["Dev2"]
    assert code_of(lambda: device.ao_max_rate) == -200197
    assert list(device.ao_physical_chans) == []


# -- names and values ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("physical", "code"),
    [("Dev1/ai32", -200170), ("Dev9/ai0", -200220), ("", -200099), ("Dev1/ai0:x", -200498), ("Dev1/port0", -200430), ("Dev1/ao0", -200430)],
)
def test_wrong_physical_channels(bench, physical, code):
    with bench.task() as task:
        assert code_of(task.ai_channels.add_ai_voltage_chan, physical) == code


def test_message_names_device_channel_and_task(bench):
    with bench.task("shaker") as task, pytest.raises(DaqError) as caught:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai99")
    text = str(caught.value)
    assert "Physical channel specified does not exist on this device." in text
    assert all(part in text for part in ("Device: Dev1", "Physical Channel Name: ai99", "Task Name: shaker", "Status Code: -200170"))


def test_limits_of_a_channel(bench):
    with bench.task() as task:
        wrong = TerminalConfiguration.PSEUDO_DIFF
        assert code_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai0", terminal_config=wrong) == -200077


def test_channel_names(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0:1", "load")
        task.ai_channels.add_ai_voltage_chan("dev1/AI5")
        assert task.channel_names == ["load0", "load1", "Dev1/ai5"]
        assert task.ai_channels["load1"].physical_channel.name == "Dev1/ai1"
        assert code_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai7", "load0") == -200489
        assert code_of(lambda: task.ai_channels["stroke"].ai_max) == -200486


def test_one_type_of_channel_a_task(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert code_of(task.ao_channels.add_ao_voltage_chan, "Dev1/ao0") == -200559


def test_measurement_that_the_device_cannot_make(bench):
    with bench.task() as task:
        assert code_of(task.ai_channels.add_ai_accel_chan, "Dev1/ai0") == -200431


@pytest.mark.parametrize(("channels", "rate", "code"), [("ai0", 2.1e6, -200332), ("ai0:3", 250_001.0, -200081), ("ai0", 1e-3, -200331)])
def test_rates_that_the_card_has_not(bench, channels, rate, code):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan(f"Dev1/{channels}")
        task.timing.cfg_samp_clk_timing(rate)
        assert code_of(task.start) == code


def test_rate_is_that_of_a_whole_divisor_of_the_timebase(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0:7")
        for asked in (51_200.0, 100_000.0, 33_333.0, 7.0):
            task.timing.cfg_samp_clk_timing(asked)
            got = task.timing.samp_clk_rate
            assert 100e6 / got == pytest.approx(round(100e6 / got), abs=1e-6)
            assert asked <= got < asked * 1.001


def test_dynamic_signal_module_coerces_to_its_own_grid(make_bench):
    bench = make_bench(devices=[("Dev2", "PXIe-4466")])
    with bench.task() as task:
        task.ai_channels.add_ai_accel_chan("Dev2/ai0:3")
        task.timing.cfg_samp_clk_timing(51_200.0)
        assert task.timing.samp_clk_rate == pytest.approx(51_200.0, abs=2e-4)


@pytest.mark.parametrize(
    ("rate", "asked", "size"),
    [(100.0, 10, 1_000), (5_000.0, 10, 10_000), (51_200.0, 10, 100_000), (1e6, 10, 100_000), (1000.0, 50_000, 50_000)],
)
def test_default_input_buffer(bench, rate, asked, size):
    # NI-DAQmx help, "How is buffer size determined?": table by sample rate, or samples per channel where that is more.
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(rate, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=asked)
        assert task.in_stream.input_buf_size == size


# -- scaling ---------------------------------------------------------------------------------------------------------------------------


def test_accelerometer_in_its_units(make_bench):
    bench = make_bench(devices=[("Dev2", "PXIe-4466"), ("Dev1", "PCIe-6363")], wiring={"Dev2/ai0": "Dev1/ao0"})
    with bench.task() as out, bench.task() as task:
        volt_out(out, 0.5)
        task.ai_channels.add_ai_accel_chan(
            "Dev2/ai0", min_val=-50.0, max_val=50.0, units=AccelUnits.METERS_PER_SECOND_SQUARED, sensitivity=100.0, current_excit_val=0.004
        ).ai_coupling = Coupling.DC
        task.timing.cfg_samp_clk_timing(10_000.0, samps_per_chan=2)
        # 0.5 V at 100 mV/g is 5 g, within half a step of the output (0.3 mV).
        assert task.read(2)[1] == pytest.approx(5.0 * 9.80665, abs=0.5 * LSB / 0.1 * 9.80665)
        assert task.ai_channels.all.ai_meas_type is UsageTypeAI.ACCELERATION_ACCELEROMETER_CURRENT_INPUT
        assert task.ai_channels.all.ai_accel_sensitivity == 100.0


def test_dynamic_signal_module_delivers_late_but_in_time(make_bench):
    # The module compensates for the group delay of its filters: samples belong to their clock edges, and come later by the delay.
    bench = make_bench(
        devices=[("Dev2", "PXIe-4466"), ("Dev1", "PCIe-6363")], wiring={"Dev2/ai0": "sample_code", "Dev1/ai0": "sample_code"}
    )
    took = {}
    for device in ("Dev1", "Dev2"):
        with bench.task() as task:
            volts_in(task, samples=100, where=f"{device}/ai0")
            start = bench.engine.time
            volts = np.array(task.read(100))
            took[device] = bench.engine.time - start
            assert task.is_task_done()
        np.testing.assert_array_equal(decoded(volts), np.arange(100))
    assert took["Dev1"] == pytest.approx(99e-4, rel=1e-6)
    assert took["Dev2"] > took["Dev1"] + 1e-3


def test_force_bridge_through_two_points(make_bench):
    bench = make_bench(devices=[("Dev2", "PXIe-4331"), ("Dev1", "PCIe-6363")], wiring={"Dev2/ai1": "Dev1/ao0"})
    with bench.task() as out, bench.task() as task:
        volt_out(out, 0.01)
        task.ai_channels.add_ai_force_bridge_two_point_lin_chan(
            "Dev2/ai1", min_val=-50e3, max_val=50e3, units=ForceUnits.NEWTONS, voltage_excit_val=10.0, nominal_bridge_resistance=350.0,
            first_electrical_val=0.0, second_electrical_val=2.0, electrical_units=BridgeElectricalUnits.MILLIVOLTS_PER_VOLT,
            first_physical_val=0.0, second_physical_val=50e3, physical_units=BridgePhysicalUnits.NEWTONS,
        )  # fmt: skip
        assert task.read() == pytest.approx(25e3, rel=0.02)  # 10 mV at 10 V is 1 mV/V; the output has steps of 0.3 mV


# -- states and reservations ----------------------------------------------------------------------------------------------------------


def test_two_tasks_want_one_input_engine(bench):
    # NI: -50103, the specified resource is reserved.
    with bench.task() as one, bench.task() as two:
        one.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        two.ai_channels.add_ai_voltage_chan("Dev1/ai1")
        one.control(TaskMode.TASK_RESERVE)
        assert code_of(two.read) == -50103
        one.control(TaskMode.TASK_UNRESERVE)
        two.read()
        one.start()
        assert code_of(two.start) == -50103
        one.stop()
        two.start()


def test_two_tasks_want_one_line_or_output(bench):
    with bench.task() as one, bench.task() as two:
        one.do_channels.add_do_chan("Dev1/port0/line0:3")
        two.do_channels.add_do_chan("Dev1/port0/line3:4")
        one.start()
        assert code_of(two.write, 8) == -200587
    with bench.task() as one, bench.task() as two:
        one.ao_channels.add_ao_voltage_chan("Dev1/ao0:1")
        two.ao_channels.add_ao_voltage_chan("Dev1/ao1")
        one.start()
        assert code_of(two.write, 1.0) == -50103


def test_running_task_takes_no_changes(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
        task.start()
        assert code_of(task.start) == -200479
        assert code_of(task.timing.cfg_samp_clk_timing, 2000.0) == -200479
        assert code_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai1") == -200479
        task.stop()
        task.timing.cfg_samp_clk_timing(2000.0)


def test_task_without_channels(bench):
    with bench.task() as task:
        assert code_of(task.start) == -200478
        assert code_of(task.timing.cfg_samp_clk_timing, 1000.0) == -200478


def test_tasks_by_name(bench):
    # Device server: a name that exists is attached to, unless a new session is asked for.
    from nidaqmx.grpc_session_options import SessionInitializationBehavior

    with bench.task("one") as one:
        one.ai_channels.add_ai_voltage_chan("Dev1/ai3")
        with bench.task("one") as same:
            assert same.channel_names == ["Dev1/ai3"]
        new = nidaqmx.GrpcSessionOptions(bench.channel, "", initialization_behavior=SessionInitializationBehavior.INITIALIZE_SERVER_SESSION)
        with pytest.raises(RpcError) as caught:
            nidaqmx.Task("one", grpc_options=new)
        assert caught.value.rpc_code is grpc.StatusCode.ALREADY_EXISTS


def test_closed_task_is_gone_on_the_server(bench):
    task = bench.task("brief")
    task.close()
    assert "brief" not in bench.engine.tasks


def test_read_with_the_wrong_type_of_channel(bench):
    with bench.task() as task:
        task.do_channels.add_do_chan("Dev1/port0/line0")
        assert code_of(task._interpreter.read_analog_f64, task._handle, 1, 1.0, 0, np.zeros(1)) == -200525


def test_output_value_outside_of_the_range(bench):
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0", min_val=-5.0, max_val=5.0)
        assert code_of(task.write, 5.5) == -200561
        assert code_of(task.write, float("nan")) == -200561


def test_read_all_available_of_a_continuous_task(bench):
    with bench.task() as task:
        codes(task, 1000.0, 1000, sample_mode=AcquisitionType.CONTINUOUS)
        task.start()
        assert task.read(READ_ALL_AVAILABLE) == []
        assert len(task.read(25)) == 25
        assert task.read(READ_ALL_AVAILABLE) == []


def test_stop_while_another_thread_reads(make_bench):
    bench = make_bench("real")
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
        task.start()
        seen = []

        def read():
            try:
                task.read(100_000, timeout=30.0)
            except DaqReadError as error:
                seen.append(error.error_code)

        reader = threading.Thread(target=read)
        reader.start()
        until(lambda: bench.engine.asleep == 1, "it reads")
        task.stop()
        reader.join(5.0)
        assert seen == [-200475]


# -- properties ------------------------------------------------------------------------------------------------------------------------


def test_properties_of_a_task(bench):
    with bench.task("rig") as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0:1", min_val=-4.0, max_val=4.0)
        assert task.timing.samp_timing_type is SampleTimingType.ON_DEMAND
        task.timing.cfg_samp_clk_timing(1000.0, active_edge=Edge.FALLING, samps_per_chan=77)
        assert (task.name, task.number_of_channels, [d.name for d in task.devices]) == ("rig", 2, ["Dev1"])
        assert (task.timing.samp_quant_samp_mode, task.timing.samp_quant_samp_per_chan) == (AcquisitionType.FINITE, 77)
        assert task.timing.samp_clk_active_edge is Edge.FALLING
        channel = task.ai_channels[0]
        # NI knowledge base kA00Z0000019Mk8SAE: limits read back are those of the range that the driver has chosen.
        assert (channel.ai_min, channel.ai_max, channel.ai_rng_low, channel.ai_rng_high) == (-5.0, 5.0, -5.0, 5.0)
        assert channel.chan_type is ChannelType.ANALOG_INPUT
        assert channel.ai_resolution == 16
        assert task.in_stream.num_chans == 2
        assert task.in_stream.read_all_avail_samp is False
        assert code_of(lambda: channel.ai_force_units) == -200452
        assert code_of(lambda: task.in_stream.total_samp_per_chan_acquired) == -200983


def test_properties_of_an_output_task(bench):
    with bench.task() as task:
        channel = task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
        assert task.out_stream.regen_mode is RegenerationMode.ALLOW_REGENERATION
        assert channel.ao_data_xfer_req_cond is OutputDataTransferCondition.ON_BOARD_MEMORY_LESS_THAN_FULL
        channel.ao_data_xfer_req_cond = OutputDataTransferCondition.ON_BOARD_MEMORY_HALF_FULL_OR_LESS
        assert channel.ao_data_xfer_req_cond is OutputDataTransferCondition.ON_BOARD_MEMORY_HALF_FULL_OR_LESS
        assert task.out_stream.output_onbrd_buf_size == 8191
        task.out_stream.output_buf_size = 4000
        assert task.out_stream.output_buf_size == 4000


def test_what_is_not_served_says_so(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        for call in (lambda: task.timing.ai_conv_src, lambda: task.timing.delay_from_samp_clk_delay):
            assert not_served(call)


def test_buffer_too_small_to_start(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
        task.in_stream.input_buf_size = 0
        assert code_of(task.start) == -200608


def test_properties_of_the_other_direction(bench):
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        assert code_of(lambda: task.in_stream.avail_samp_per_chan) == -200452
        assert code_of(lambda: task.in_stream.input_buf_size) == -200452


# -- events ----------------------------------------------------------------------------------------------------------------------------


def test_event_of_every_n_samples(either_pace):
    task = either_pace.task()
    codes(task, samples=1000, sample_mode=AcquisitionType.CONTINUOUS)
    seen, enough = [], threading.Event()

    def on_samples(handle, kind, count, data):
        if len(seen) < 20:
            seen.append(task.read(count))
        if len(seen) == 20:
            enough.set()
        return 0

    task.register_every_n_samples_acquired_into_buffer_event(100, on_samples)
    task.start()
    assert enough.wait(10.0)
    task.stop()
    task.register_every_n_samples_acquired_into_buffer_event(100, None)
    task.close()
    np.testing.assert_array_equal(decoded(np.concatenate(seen)), np.arange(2000))


def test_event_of_the_end(make_bench):
    bench = make_bench("real")
    task = bench.task()
    task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
    task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=100)
    ended, status = threading.Event(), []

    def on_done(handle, code, data):
        status.append(code)
        ended.set()
        return 0

    task.register_done_event(on_done)
    task.start()
    assert ended.wait(10.0)
    task.stop()
    task.register_done_event(None)
    task.close()
    assert status == [0]


# -- the server itself ----------------------------------------------------------------------------------------------------------------


def test_port_in_use_and_foreign_address(bench):
    with pytest.raises(Refused, match=f"port {bench.server.port}"):
        serve(bench.engine, port=bench.server.port)
    with pytest.raises(Refused, match="loopback"):
        serve(bench.engine, host="0.0.0.0")


def test_malformed_message_is_refused(bench):
    call = bench.channel.unary_unary("/nidaqmx_grpc.NiDAQmx/WriteAnalogF64")
    for raw in (b"\x3a\xff\xff\xff\xff\x0f", b"\x3a\x03abc", b"\xff" * 20):
        with pytest.raises(grpc.RpcError):
            call(raw)
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.read()


def test_unknown_task(bench):
    from nidaqmx._stubs import nidaqmx_pb2 as pb
    from nidaqmx._stubs import nidaqmx_pb2_grpc as stubs

    request = pb.StartTaskRequest()
    request.task.name = "nobody"
    with pytest.raises(grpc.RpcError) as caught:
        stubs.NiDAQmxStub(bench.channel).StartTask(request)
    assert dict(caught.value.trailing_metadata())["ni-error"] == "-200088"
    assert caught.value.code() is grpc.StatusCode.UNKNOWN


def test_a_stop_leads_back_to_where_the_task_was_before_its_start(bench):
    # NI-DAQmx Key Concepts, "Transitioning the State Backwards"; so channels can be added after a write that started the task by itself
    # (examples/ao_voltage_sw_timed.py and analog_in/ai_raw.py of nidaqmx-python do).
    with bench.task() as task:
        volt_out(task, 1.0)
        task.start()
        task.stop()
        task.ao_channels.add_ao_voltage_chan("Dev1/ao1")
        assert task.channel_names == ["Dev1/ao0", "Dev1/ao1"]


@pytest.mark.parametrize(("kind", "stream", "name"), [("ai", "in_stream", "input_buf_size"), ("ao", "out_stream", "output_buf_size")])
def test_the_size_of_a_buffer_is_a_property(bench, kind, stream, name):
    """Text of -200557: a property "cannot be set while the task is running"."""
    with bench.task() as task:
        getattr(getattr(task, f"{kind}_channels"), f"add_{kind}_voltage_chan")(f"Dev1/{kind}0")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=1000)
        if kind == "ao":
            task.write([0.0] * 1000)
        task.start()
        code, text = error_of(setattr, getattr(task, stream), name, 5000)
        assert code == -200557 and f"DAQmx_Buf_{'Input' if kind == 'ai' else 'Output'}_BufSize" in text
