"""Numbers that are none, choices that are none, and time-outs that the driver does not take.

Expected values: the driver's text of -200453 ("0, positive numbers up to 4294967, and -1"); -200077 for a value that no property takes.
"""

from __future__ import annotations

import math

import grpc
import pytest
from nidaqmx import constants as c
from nidaqmx._stubs import nidaqmx_pb2 as pb
from nidaqmx._stubs.nidaqmx_pb2_grpc import NiDAQmxStub
from nidaqmx.constants import StrainGageRosetteMeasurementType as Measurement
from nidaqmx.constants import StrainGageRosetteType as Rosette
from nidaqmx.scale import Scale
from nidaqmx.types import CtrTime

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, error_of

NONE = (math.nan, math.inf, -math.inf)


@pytest.mark.parametrize("timeout", [4294968.0, 1e300, *NONE, -2.0, -0.5])
def test_a_timeout_that_is_not_supported(bench, timeout):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
        assert code_of(task.read, 10, timeout=timeout) == -200453
        code, text = error_of(task.wait_until_done, timeout=timeout)
        assert code == -200453 and "positive numbers up to 4294967, and -1" in text
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        assert code_of(task.write, 1.0, timeout=timeout) == -200453


@pytest.mark.parametrize("timeout", [4294967.0, -1.0])
def test_the_longest_timeouts(bench, timeout):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
        assert len(task.read(10, timeout=timeout)) == 10


CHANNELS = [
    ("ai", "strain_gage_chan", "bridgeTester/ai0", "poisson_ratio", "AI_StrainGage_PoissonRatio"),
    ("ai", "strain_gage_chan", "bridgeTester/ai0", "lead_wire_resistance", "AI_LeadWireResistance"),
    ("ai", "strain_gage_chan", "bridgeTester/ai0", "initial_bridge_voltage", "AI_Bridge_InitialVoltage"),
    ("ai", "bridge_chan", "bridgeTester/ai0", "nominal_bridge_resistance", "AI_Bridge_NomResistance"),
    ("ai", "thrmcpl_chan", "tempTester/ai0", "cjc_val", "AI_Thrmcpl_CJCVal"),
    ("ai", "microphone_chan", "dsaTester/ai0", "mic_sensitivity", "AI_Microphone_Sensitivity"),
    ("co", "pulse_chan_freq", "Dev1/ctr0", "freq", "CO_Pulse_Freq"),
    ("co", "pulse_chan_time", "Dev1/ctr0", "initial_delay", "CO_Pulse_Time_InitialDelay"),
    ("co", "pulse_chan_time", "Dev1/ctr0", "high_time", "CO_Pulse_HighTime"),
]


@pytest.mark.parametrize("value", NONE)
@pytest.mark.parametrize(("kind", "call", "where", "field", "name"), CHANNELS)
def test_channels_of_no_number(testers, kind, call, where, field, name, value):
    with testers.task() as task:
        code, text = error_of(getattr(getattr(task, f"{kind}_channels"), f"add_{kind}_{call}"), where, **{field: value})
    assert code == -200077 and f"Property: DAQmx_{name}\n" in text


@pytest.mark.parametrize("value", NONE)
@pytest.mark.parametrize(("part", "name"), [
    ("timing", "samp_clk_rate"), ("timing", "ref_clk_rate"), ("channel", "ai_min"), ("channel", "ai_rng_high"), ("start", "delay"),
])  # fmt: skip
def test_properties_of_no_number(bench, part, name, value):
    with bench.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0)
        owner = {"timing": task.timing, "channel": channel, "start": task.triggers.start_trigger}[part]
        before = getattr(owner, name)
        assert code_of(setattr, owner, name, value) == -200077
        assert getattr(owner, name) == before


@pytest.mark.parametrize("value", NONE)
def test_triggers_clocks_and_scales_of_no_number(bench, value):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        start = task.triggers.start_trigger
        code, text = error_of(start.cfg_anlg_edge_start_trig, "Dev1/ai0", trigger_level=value)
        assert code == -200077 and "Property: DAQmx_AnlgEdge_StartTrig_Lvl\n" in text and f"Task Name: {task.name}" in text
        assert code_of(start.cfg_anlg_window_start_trig, value, 1.0, "Dev1/ai0") == -200077
        assert start.trig_type is c.TriggerType.NONE
        assert code_of(task.timing.cfg_samp_clk_timing, value) == -200077
    assert code_of(Scale.create_lin_scale, "none", value, grpc_options=bench.options) == -200077
    assert code_of(Scale.create_polynomial_scale, "none", [0.0, value], [0.0, 1.0], grpc_options=bench.options) == -200077


@pytest.mark.parametrize("value", NONE)
def test_a_rosette_that_points_nowhere(testers, value):
    with testers.task() as task:
        add = task.ai_channels.add_ai_rosette_strain_gage_chan
        code, text = error_of(add, "bridgeTester/ai0:2", Rosette.RECTANGULAR, value, [Measurement.PRINCIPAL_STRAIN_1])
        assert code == -200077 and "Property: DAQmx_AI_RosetteStrainGage_Orientation\n" in text
        assert len(task.channel_names) == 0


@pytest.mark.parametrize("rate", [*NONE, 0.0, -1.0])
def test_a_burst_at_no_rate(make_bench, rate):
    bench = make_bench(devices=(("hs", "PCIe-6535"),))
    with bench.task() as task:
        task.di_channels.add_di_chan("hs/port0/line0")
        assert code_of(task.timing.cfg_burst_handshaking_timing_import_clock, rate, "PFI5") == -200077
        assert code_of(task.timing.cfg_burst_handshaking_timing_export_clock, rate, "PFI4") == -200077


@pytest.mark.parametrize("value", [math.inf, 1e305, math.nan])
def test_pulses_of_no_number_are_not_written(bench, value):
    """-200686, -200687: "Pulse high (low) time specified is not supported for this device given the Counter Timebase Rate"."""
    with bench.task() as task:
        task.co_channels.add_co_pulse_chan_time("Dev1/ctr0")
        task.start()
        assert code_of(task.write, CtrTime(value, 0.5)) == -200686
        assert code_of(task.write, CtrTime(0.5, value)) == -200687


def test_pulses_that_begin_too_late(bench):
    with bench.task() as task:
        task.co_channels.add_co_pulse_chan_time("Dev1/ctr0", initial_delay=1e305)
        assert code_of(task.start) == -200137


BURST = {
    "sample_mode_raw": c.AcquisitionType.FINITE.value, "samps_per_chan": 100, "sample_clk_rate": 1000.0,
    "sample_clk_active_edge_raw": c.Edge.RISING.value, "sample_clk_pulse_polarity_raw": c.Polarity.ACTIVE_HIGH.value,
    "pause_when_raw": c.Level.HIGH.value, "ready_event_active_level_raw": c.Polarity.ACTIVE_HIGH.value,
}  # fmt: skip


@pytest.mark.parametrize(("call", "field", "name"), [
    ("Import", "sample_clk_active_edge", "SampClk_ActiveEdge"), ("Import", "pause_when", "DigLvl_PauseTrig_When"),
    ("Export", "sample_clk_pulse_polarity", "Exported_SampClk_Pulse_Polarity"),
    ("Export", "ready_event_active_level", "Exported_RdyForXferEvent_Lvl_ActiveLvl"),
])  # fmt: skip
def test_a_burst_with_what_is_no_choice(make_bench, call, field, name):
    bench = make_bench(devices=(("hs", "PCIe-6535"),))
    with bench.task() as task:
        task.di_channels.add_di_chan("hs/port0/line0")
        request = getattr(pb, f"CfgBurstHandshakingTiming{call}ClockRequest")
        known = {key: value for key, value in BURST.items() if key in request.DESCRIPTOR.fields_by_name}
        stub = getattr(NiDAQmxStub(bench.channel), f"CfgBurstHandshakingTiming{call}Clock")
        with pytest.raises(grpc.RpcError) as caught:
            stub(request(task=task._handle, **{**known, f"{field}_raw": 7}))
        assert ("ni-error", "-200077") in [(key, value) for key, value in caught.value.trailing_metadata()]
        assert f"Property: DAQmx_{name}\n" in caught.value.details()


def test_a_delay_that_is_hardly_a_number(bench):
    """-200333: "shorter than the shortest delay that can be generated", two cycles of 100 MHz."""
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0)
        task.triggers.start_trigger.delay = 1e-320
        code, text = error_of(task.start)
        assert code == -200333 and "Minimum Value:  20.0e-9" in text


def test_a_filter_of_too_many_clocks(bench):
    """A 32-bit counter makes the width ("Digital Filtering Considerations", NI-DAQmx): 2**32 cycles of 100 MHz at the most."""
    with bench.task() as task:
        channel = task.ci_channels.add_ci_freq_chan("Dev1/ctr0")
        channel.ci_freq_dig_fltr_min_pulse_width = 1e305
        assert channel.ci_freq_dig_fltr_min_pulse_width == 1e305
        channel.ci_freq_dig_fltr_enable = True
        code, text = error_of(task.start)
        assert code == -200077 and "Property: DAQmx_CI_Freq_DigFltr_MinPulseWidth\n" in text and "Maximum Value:  42.949673" in text
        channel.ci_freq_dig_fltr_min_pulse_width = 1e-6
        task.start()
