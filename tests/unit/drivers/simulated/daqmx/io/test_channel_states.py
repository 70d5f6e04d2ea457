"""States of channels that devices watch, and what programs ask of devices that have not got it.

Expected values: "NI-DAQmx Properties", DAQmx Read, OverloadedChansExist ("reading this property clears the overload status", and it comes
before OverloadedChans: OVERLOADED_CHANS_EXIST_NOT_READ), DAQmx Timing, SampClk.UnderflowBehavior; ni/nidaqmx-python, issue 33: a property
that a device or a kind of channel has not got is -200452; ni/grpc-device, pull request 1033: -200431 for a measurement that a device does
not make.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import code_of

CARDS = (
    ("Dev1", "PCIe-6363"), ("dsaTester", "PXIe-4466"), ("chargeTester", "PXIe-4480"), ("bridgeTester", "PXIe-4331"),
    ("tempTester", "PXIe-4353"), ("aoTester", "PXIe-4322"), ("positionTester", "PXIe-4340"),
)  # fmt: skip
FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS


@pytest.fixture
def rig(make_bench):
    """Two inputs of a DSA module see Dev1/ao0 and Dev1/ao1."""
    return make_bench(devices=CARDS, wiring={"dsaTester/ai0": "Dev1/ao0", "dsaTester/ai1": "Dev1/ao1", "Dev1/ai0": "Dev1/ao0"})


def measured(rig, task, volts) -> None:
    with rig.task() as output:
        output.ao_channels.add_ao_voltage_chan("Dev1/ao0:1", min_val=-10.0, max_val=10.0)
        output.write(volts)
    task.read(50)
    task.stop()


def test_overloads_are_named_once_and_cleared(rig):
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("dsaTester/ai0", "first", min_val=-1.0, max_val=1.0)
        task.ai_channels.add_ai_voltage_chan("dsaTester/ai1", "second", min_val=-10.0, max_val=10.0)
        task.timing.cfg_samp_clk_timing(10e3, sample_mode=FINITE, samps_per_chan=50)
        stream = task.in_stream
        assert code_of(lambda: stream.overloaded_chans) == -200362
        measured(rig, task, [0.5, 5.0])
        assert stream.overloaded_chans_exist is False
        assert stream.overloaded_chans == []
        measured(rig, task, [3.0, 5.0])
        assert stream.overloaded_chans_exist is True
        assert stream.overloaded_chans == ["first"]
        assert stream.overloaded_chans_exist is False


def test_bridges_report_overloads_and_faults_of_excitation(rig):
    with rig.task() as task:
        task.ai_channels.add_ai_bridge_chan("bridgeTester/ai0")
        stream = task.in_stream
        assert stream.overloaded_chans_exist is False
        assert stream.excit_fault_chans_exist is False
        assert stream.excit_fault_chans == []
        assert stream.accessory_insertion_or_removal_detected is False


def test_sensors_with_current_are_connected(rig):
    with rig.task() as task:
        task.ai_channels.add_ai_accel_chan("dsaTester/ai0")
        assert task.in_stream.open_current_loop_chans_exist is False
        assert task.in_stream.open_current_loop_chans == []
    with rig.task() as task:
        task.ai_channels.add_ai_thrmcpl_chan("tempTester/ai0")
        assert task.in_stream.open_thrmcpl_chans_exist is False
        assert task.in_stream.common_mode_range_error_chans_exist is False


@pytest.mark.parametrize("name", [
    "overloaded_chans_exist", "overloaded_chans", "open_chans_exist", "open_chans", "open_chans_details", "open_current_loop_chans_exist",
    "open_thrmcpl_chans_exist", "excit_fault_chans_exist", "overcurrent_chans_exist", "power_supply_fault_chans_exist",
    "input_limits_fault_chans_exist", "pll_unlocked_chans_exist", "sync_unlocked_chans_exist", "aux_power_error_chans_exist",
    "remote_sense_error_chans_exist", "reverse_voltage_error_chans_exist", "overtemperature_chans_exist",
    "accessory_insertion_or_removal_detected",
])  # fmt: skip
def test_a_multifunction_card_watches_nothing(rig, name):
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert code_of(lambda: getattr(task.in_stream, name)) == -200452


def test_outputs_that_watch(rig):
    with rig.task() as task:
        task.ao_channels.add_ao_voltage_chan("aoTester/ao0")
        assert task.out_stream.overcurrent_chans_exist is False
        assert task.out_stream.overcurrent_chans == []
        assert code_of(lambda: task.out_stream.open_current_loop_chans_exist) == -200452
    with rig.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        assert code_of(lambda: task.out_stream.overcurrent_chans_exist) == -200452


@pytest.mark.parametrize("name", [
    "ai_dig_fltr_enable", "ai_dig_fltr_type", "ai_dig_fltr_lowpass_cutoff_freq", "ai_adc_timing_mode", "ai_adc_custom_timing_mode",
    "ai_enhanced_alias_rejection_enable", "ai_averaging_win_size", "ai_auto_zero_mode", "ai_input_src", "ai_dither_enable",
    "ai_open_thrmcpl_detect_enable", "ai_filter_delay_adjustment", "ai_bridge_shunt_cal_shunt_cal_b_resistance",
])  # fmt: skip
def test_what_a_multifunction_card_has_not_got(rig, name):
    with rig.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert code_of(lambda: getattr(channel, name)) == -200452


def test_enhanced_rejection_of_aliases_is_the_module_s(rig):
    with rig.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("dsaTester/ai0")
        assert channel.ai_enhanced_alias_rejection_enable is True
        channel.ai_enhanced_alias_rejection_enable = False
        assert channel.ai_enhanced_alias_rejection_enable is False
        del channel.ai_enhanced_alias_rejection_enable
        assert channel.ai_enhanced_alias_rejection_enable is True
    with rig.task() as task:
        assert code_of(lambda: task.ai_channels.add_ai_voltage_chan("chargeTester/ai0").ai_enhanced_alias_rejection_enable) == -200452


@pytest.mark.parametrize("where", ["Dev1/ai0", "dsaTester/ai0"])
def test_measurements_of_other_devices(rig, where):
    with rig.task() as task:
        channels = task.ai_channels
        assert code_of(lambda: channels.add_ai_power_chan(where, 1.0, 1.0, True)) == -200431
        assert code_of(lambda: channels.add_ai_calculated_power_chan(where, where)) == -200431
        assert code_of(lambda: channels.add_ai_current_rms_chan(where)) == -200431
        assert code_of(lambda: channels.add_ai_voltage_rms_chan(where)) == -200431
        tee, first = c.StrainGageRosetteType.TEE, [c.StrainGageRosetteMeasurementType.PRINCIPAL_STRAIN_1]
        assert code_of(lambda: channels.add_ai_rosette_strain_gage_chan(where, tee, 0.0, first)) == -200431
        assert code_of(lambda: channels.add_ai_power_chan("Nowhere/power", 1.0, 1.0, True)) == -200220


def test_an_output_that_runs_dry_waits_for_more(rig):
    # SampClk.UnderflowBehavior: Pause Until Data Available; by default the generation ends with -200290
    with rig.task() as output, rig.task() as inputs:
        output.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        output.timing.cfg_samp_clk_timing(1000.0, sample_mode=CONTINUOUS, samps_per_chan=100)
        assert output.timing.samp_clk_underflow_behavior is c.UnderflowBehavior.HALT_OUTPUT_AND_ERROR
        output.timing.samp_clk_underflow_behavior = c.UnderflowBehavior.PAUSE_UNTIL_DATA_AVAILABLE
        output.out_stream.regen_mode = c.RegenerationMode.DONT_ALLOW_REGENERATION
        output.write(np.full(100, 1.0))
        output.start()
        rig.engine.advance(rig.engine.time + 0.5)
        assert output.out_stream.total_samp_per_chan_generated == 100
        inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert inputs.read() == pytest.approx(1.0, abs=1e-3)
        output.write(np.full(100, 2.0))
        rig.engine.advance(rig.engine.time + 0.5)
        assert output.out_stream.total_samp_per_chan_generated == 200
        assert inputs.read() == pytest.approx(2.0, abs=1e-3)
        output.stop()
