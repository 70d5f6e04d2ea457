"""Timing, triggers and exported signals that a task's device has not got, and calls by the names of properties.

Expected values: the NI-DAQmx property reference (advance triggers are those of switches, windows of triggers those of oscilloscopes,
handshaking that of 653x cards), and -200452 of nidaqmx.error_codes; ni/grpc-device, nidaqmx.proto (calls for timestamps).
"""

from __future__ import annotations

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from nidaqmx import constants as c
from nidaqmx._stubs import nidaqmx_pb2, nidaqmx_pb2_grpc
from nidaqmx.errors import RpcError

from drivers.simulated.daqmx.core.device_entries import DeviceEntry
from tests.unit.drivers.simulated.daqmx.client_calls import code_of

CARDS = [
    DeviceEntry("Dev1", "PCIe-6363"), DeviceEntry("hs", "PCIe-6535"), DeviceEntry("br", "PXIe-4331"), DeviceEntry("cDAQ1", "cDAQ-9189"),
    DeviceEntry("Mod1", "NI 9215", "cDAQ1", 1),
]  # fmt: skip


@pytest.fixture
def rig(make_bench):
    return make_bench(devices=CARDS)


@pytest.mark.parametrize(("part", "name"), [
    ("export_signals", "adv_trig_output_term"), ("export_signals", "adv_cmplt_event_pulse_width"), ("export_signals", "hshk_event_delay"),
    ("export_signals", "rdy_for_start_event_output_term"), ("timing", "hshk_start_cond"), ("timing", "first_samp_clk_when"),
    ("timing", "implicit_underflow_behavior"), ("timing", "samp_timing_engine"),
])  # fmt: skip
def test_what_a_card_has_not_got(rig, part, name):
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert code_of(lambda: getattr(getattr(task, part), name)) == -200452


@pytest.mark.parametrize(("trigger", "name"), [
    ("start_trigger", "trig_win"), ("reference_trigger", "max_num_trigs_to_detect"), ("reference_trigger", "auto_triggered"),
    ("handshake_trigger", "interlocked_src"),
])  # fmt: skip
def test_triggers_that_a_card_has_not_got(rig, trigger, name):
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert code_of(lambda: getattr(getattr(task.triggers, trigger), name)) == -200452


def test_what_a_card_may_have_is_not_served(rig):
    with rig.task() as task:
        task.di_channels.add_di_chan("hs/port0/line0")
        with pytest.raises(RpcError):
            _ = task.timing.hshk_start_cond


def test_a_bridge_without_excitation(rig):
    """By default the call asks for none."""
    with rig.task() as task:
        assert code_of(task.ai_channels.add_ai_voltage_chan_with_excit, "br/ai0") == -200077


def test_calls_by_the_name_of_a_property(rig):
    stub = nidaqmx_pb2_grpc.NiDAQmxStub(rig.channel)
    when = Timestamp(seconds=1_800_000_000, nanos=250)
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("Mod1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0)
        handle = task._handle
        assert stub.SetStartTrigTrigWhen(nidaqmx_pb2.SetStartTrigTrigWhenRequest(task=handle, data=when)).status == 0
        assert stub.GetStartTrigTrigWhen(nidaqmx_pb2.GetStartTrigTrigWhenRequest(task=handle)).data == when
        task.start()
        stamp = task.wait_for_valid_timestamp(c.TimestampEvent.FIRST_SAMPLE)
        data = stub.GetFirstSampTimestampVal(nidaqmx_pb2.GetFirstSampTimestampValRequest(task=handle)).data
        assert data.seconds + data.nanos * 1e-9 == pytest.approx(stamp.timestamp(), abs=1e-6)
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        with pytest.raises(grpc.RpcError, match="-200452"):
            stub.GetStartTrigTrigWhen(nidaqmx_pb2.GetStartTrigTrigWhenRequest(task=task._handle))
