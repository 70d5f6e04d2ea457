"""Properties of analogue channels that programs ask and seldom set: defaults, units, and what the devices here have not got.

Expected values: defaults of the client's own calls (nidaqmx-python, `add_ai_*_chan` and `add_ao_*_chan`); tests/component/task/channels/
test_channel_properties.py and tests/legacy/test_properties.py there; "X Series User Manual" (16 bits, DMA, USB by signal streams);
"NI-DAQmx Properties", DAQmx Channel (which conditioners have filters, power for sensors, adjustable bridges: SCXI, SCC, FieldDAQ);
ni/nidaqmx-python, issue 33: a property that neither the device nor the kind of channel has is -200452.
"""

from __future__ import annotations

import pytest
from nidaqmx import constants as c

from tests.tiers import quick
from tests.unit.drivers.simulated.daqmx.client_calls import code_of

CARDS = (
    ("Dev1", "PCIe-6363"), ("dsaTester", "PXIe-4466"), ("chargeTester", "PXIe-4480"), ("bridgeTester", "PXIe-4331"),
    ("positionTester", "PXIe-4340"), ("mioDAQ", "USB-6423"), ("aoTester", "PXIe-4322"),
)  # fmt: skip
CARD, DSA, CHARGE, BRIDGE, POSITION = "Dev1/ai0", "dsaTester/ai0", "chargeTester/ai0", "bridgeTester/ai0", "positionTester/ai0"


@pytest.fixture
def rig(make_bench):
    """Devices of NI's own tests."""
    return make_bench(devices=CARDS)


def make(task, kind, where, **given):
    end = "" if kind.endswith(("iex", "vex", "excit")) else "_chan"
    return getattr(task.ai_channels, f"add_ai_{kind}{end}")(where, **given)


DEFAULTS = [
    ("voltage", CARD, "ai_resolution", 16.0), ("voltage", CARD, "ai_resolution_units", c.ResolutionType.BITS),
    ("voltage", CARD, "ai_raw_samp_size", 16), ("voltage", CARD, "ai_raw_samp_justification", c.DataJustification.RIGHT),
    ("voltage", CARD, "ai_raw_data_compression_type", c.RawDataCompressionType.NONE), ("voltage", CARD, "ai_mem_map_enable", False),
    ("voltage", CARD, "ai_data_xfer_mech", c.DataTransferActiveTransferMode.DMA),
    ("voltage", "mioDAQ/ai0", "ai_data_xfer_mech", c.DataTransferActiveTransferMode.USB_BULK),
    ("voltage", CARD, "ai_data_xfer_req_cond", c.InputDataTransferCondition.ON_BOARD_MEMORY_NOT_EMPTY),
    ("voltage", CARD, "ai_teds_is_teds", False), ("voltage", CARD, "ai_teds_units", ""), ("voltage", CARD, "ai_voltage_db_ref", 1.0),
    ("voltage", DSA, "ai_resolution", 24.0), ("voltage", DSA, "ai_raw_samp_size", 32),
    ("accel_charge", CHARGE, "ai_accel_charge_sensitivity_units", c.AccelChargeSensitivityUnits.PICO_COULOMBS_PER_G),
    ("accel", DSA, "ai_excit_voltage_or_current", c.ExcitationVoltageOrCurrent.USE_CURRENT), ("accel", DSA, "ai_excit_d_cor_ac",
     c.ExcitationDCorAC.USE_DC),
    ("bridge", BRIDGE, "ai_excit_voltage_or_current", c.ExcitationVoltageOrCurrent.USE_VOLTAGE),
    ("velocity_iepe", DSA, "ai_velocity_iepe_sensor_sensitivity", 100.0),
    ("velocity_iepe", DSA, "ai_velocity_iepe_sensor_sensitivity_units",
     c.VelocityIEPESensorSensitivityUnits.MILLIVOLTS_PER_INCH_PER_SECOND),
    ("microphone", DSA, "ai_sound_pressure_db_ref", 20e-6),
    ("force_bridge_two_point_lin", BRIDGE, "ai_bridge_electrical_units", c.BridgeElectricalUnits.MILLIVOLTS_PER_VOLT),
    ("force_bridge_two_point_lin", BRIDGE, "ai_bridge_physical_units", c.BridgePhysicalUnits.POUNDS),
    ("force_bridge_two_point_lin", BRIDGE, "ai_bridge_two_point_lin_first_physical_val", 0.0),
    ("force_bridge_two_point_lin", BRIDGE, "ai_bridge_scale_type", c.ScaleType.TWO_POINT_LINEAR),
    ("force_bridge_table", BRIDGE, "ai_bridge_scale_type", c.ScaleType.TABLE),
    ("force_bridge_polynomial", BRIDGE, "ai_bridge_scale_type", c.ScaleType.POLYNOMIAL),
    ("strain_gage", BRIDGE, "ai_strain_gage_poisson_ratio", 0.3), ("strain_gage", BRIDGE, "ai_lead_wire_resistance", 0.0),
    ("thrmcpl", CARD, "ai_thrmcpl_scale_type", c.ScaleType.POLYNOMIAL),
    ("thrmcpl", CARD, "ai_thrmcpl_lead_offset_voltage", 0.0),
    ("thrmstr_chan_iex", CARD, "ai_thrmstr_b", 0.0002343159), ("thrmstr_chan_iex", CARD, "ai_thrmstr_c", 1.018703e-07),
    ("thrmstr_chan_vex", CARD, "ai_thrmstr_r1", 5000.0),
    ("rtd", CARD, "ai_rtd_b", -6.02e-7), ("rtd", CARD, "ai_rtd_c", -6.0e-12),
    ("pos_lvdt", POSITION, "ai_lvdt_sensitivity_units", c.LVDTSensitivityUnits.MILLIVOLTS_PER_VOLT_PER_MILLIMETER),
    ("pos_rvdt", POSITION, "ai_rvdt_sensitivity", 50.0),
    ("pos_rvdt", POSITION, "ai_rvdt_sensitivity_units", c.RVDTSensitivityUnits.MILLIVOLTS_PER_VOLT_PER_DEGREE),
    ("pos_lvdt", POSITION, "ai_ac_excit_sync_enable", False),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "where", "name", "expected"), DEFAULTS, ids=[f"{d[0]}-{d[2]}" for d in DEFAULTS])
def test_default(rig, kind, where, name, expected):
    with rig.task() as task:
        assert getattr(make(task, kind, where), name) == expected


UNITS = [
    ("current", CARD, "ai_current_units", c.CurrentUnits.AMPS, None),
    ("resistance", CARD, "ai_resistance_units", c.ResistanceUnits.OHMS, None),
    ("strain_gage", BRIDGE, "ai_strain_units", c.StrainUnits.STRAIN, None),
    ("microphone", DSA, "ai_sound_pressure_units", c.SoundPressureUnits.PA, None),
    ("pressure_bridge_two_point_lin", BRIDGE, "ai_pressure_units", c.PressureUnits.POUNDS_PER_SQ_INCH, c.PressureUnits.BAR),
    ("torque_bridge_two_point_lin", BRIDGE, "ai_torque_units", c.TorqueUnits.INCH_POUNDS, c.TorqueUnits.NEWTON_METERS),
    ("velocity_iepe", DSA, "ai_velocity_units", c.VelocityUnits.INCHES_PER_SECOND, c.VelocityUnits.METERS_PER_SECOND),
    ("pos_lvdt", POSITION, "ai_lvdt_units", c.LengthUnits.METERS, c.LengthUnits.INCHES),
    ("pos_rvdt", POSITION, "ai_rvdt_units", c.AngleUnits.DEGREES, c.AngleUnits.RADIANS),
    ("pos_eddy_curr_prox_probe", DSA, "ai_eddy_current_prox_units", c.LengthUnits.METERS, c.LengthUnits.INCHES),
]  # fmt: skip
SIZES = {
    # One of the first in the other, by the definitions of the units.
    "ai_pressure_units": 0.0689475729, "ai_torque_units": 0.112984829, "ai_velocity_units": 0.0254, "ai_lvdt_units": 39.3700787,
    "ai_rvdt_units": 0.0174532925, "ai_eddy_current_prox_units": 39.3700787,
}  # fmt: skip


@pytest.mark.parametrize(("kind", "where", "name", "first", "other"), UNITS, ids=[u[2] for u in UNITS])
def test_units_and_what_becomes_of_the_limits(rig, kind, where, name, first, other):
    with rig.task() as task:
        channel = make(task, kind, where)
        assert getattr(channel, name) is first
        if other is not None:
            top = channel.ai_max
            channel.ai_max, channel.ai_min = SIZES[name] * channel.ai_max * 0.99, SIZES[name] * channel.ai_min * 0.99
            setattr(channel, name, other)
            assert getattr(channel, name) is other
            assert channel.ai_max == pytest.approx(SIZES[name] * top, rel=1e-6)


CONDITIONERS = (
    "ai_atten", "ai_bridge_balance_coarse_pot", "ai_chop_enable", "ai_dc_offset", "ai_filter_enable", "ai_filter_freq", "ai_filter_order",
    "ai_filter_response", "ai_force_read_from_chan", "ai_lowpass_cutoff_freq", "ai_lowpass_switch_cap_clk_src", "ai_probe_atten",
    "ai_sensor_power_cfg", "ai_sensor_power_voltage", "ai_open_chan_detect_enable", "ai_overcurrent_detect_enable",
    "ai_power_supply_fault_detect_enable", "ai_excit_use_multiplexed", "ai_input_limits_fault_detect_enable", "ai_analog_path_delay",
    "ai_remove_analog_path_delay", "ai_dig_fltr_order", "ai_dig_fltr_response",
)  # fmt: skip


@pytest.mark.parametrize("name", quick(CONDITIONERS, 6))
def test_conditioners_of_other_devices(rig, name):
    for kind, where in (("voltage", CARD), ("voltage", DSA), ("bridge", BRIDGE)):
        with rig.task() as task:
            assert code_of(getattr, make(task, kind, where), name) == -200452


@pytest.mark.parametrize("name", ["ao_common_mode_offset", "ao_enhanced_image_rejection_enable", "ao_filter_delay", "ao_func_gen_freq",
                                  "ao_gain", "ao_load_impedance", "ao_output_impedance", "ao_usb_xfer_req_size",
                                  "ao_voltage_current_limit"])  # fmt: skip
def test_outputs_of_other_devices(rig, name):
    with rig.task() as task:
        assert code_of(getattr, task.ao_channels.add_ao_voltage_chan("Dev1/ao0"), name) == -200452


def test_defaults_of_outputs(rig):
    with rig.task() as task:
        channel = task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        assert channel.ao_resolution_units is c.ResolutionType.BITS
        assert channel.ao_dac_ref_src is c.SourceSelection.INTERNAL
        assert channel.ao_data_xfer_mech is c.DataTransferActiveTransferMode.DMA
        assert (channel.ao_mem_map_enable, channel.ao_use_only_on_brd_mem, channel.ao_reglitch_enable) == (False, False, False)
        assert channel.ao_dev_scaling_coeff[1] == pytest.approx(2**15 / 10.0)
