"""Analogue input channels of all kinds: what calls set, properties, and sensors that are none.

Expected values: NI's tests of its nidaqmx package (tests/component/task/channels/test_ai_channel.py, test_channel_properties.py), whose
devices these are.
"""

from __future__ import annotations

import pytest
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import error_of, set_and_reset
from tests.unit.drivers.simulated.daqmx.ni_testers import BRIDGE, CHARGE, DSA, POSITION, TEMP, add

U = c.UsageTypeAI
MADE = [
    ("voltage", "Dev1/ai0", U.VOLTAGE, {}, {"ai_voltage_units": c.VoltageUnits.VOLTS, "ai_min": -5.0, "ai_max": 5.0}),
    ("accel_4_wire_dc_voltage", CHARGE, U.ACCELERATION_4_WIRE_DC_VOLTAGE,
     {"sensitivity": 0.5, "sensitivity_units": c.AccelSensitivityUnits.VOLTS_PER_G},
     {"ai_accel_4_wire_dc_voltage_sensitivity": 0.5, "ai_accel_4_wire_dc_voltage_sensitivity_units": c.AccelSensitivityUnits.VOLTS_PER_G}),
    ("accel", DSA, U.ACCELERATION_ACCELEROMETER_CURRENT_INPUT,
     {"units": c.AccelUnits.METERS_PER_SECOND_SQUARED, "sensitivity": 0.5, "sensitivity_units": c.AccelSensitivityUnits.VOLTS_PER_G},
     {"ai_accel_units": c.AccelUnits.METERS_PER_SECOND_SQUARED, "ai_accel_sensitivity": 0.5,
      "ai_accel_sensitivity_units": c.AccelSensitivityUnits.VOLTS_PER_G, "ai_excit_val": 0.004}),
    ("accel_charge", CHARGE, U.ACCELERATION_CHARGE, {"sensitivity": 100.0}, {"ai_accel_charge_sensitivity": 100.0}),
    ("bridge", BRIDGE, U.BRIDGE,
     {"units": c.BridgeUnits.MILLIVOLTS_PER_VOLT, "bridge_config": c.BridgeConfiguration.QUARTER_BRIDGE,
      "nominal_bridge_resistance": 120.0},
     {"ai_bridge_units": c.BridgeUnits.MILLIVOLTS_PER_VOLT, "ai_bridge_cfg": c.BridgeConfiguration.QUARTER_BRIDGE,
      "ai_bridge_nom_resistance": 120.0}),
    ("charge", CHARGE, U.CHARGE, {}, {"ai_charge_units": c.ChargeUnits.COULOMBS}),
    ("current", "Dev1/ai0", U.CURRENT, {"ext_shunt_resistor_val": 99.0},
     {"ai_current_shunt_loc": c.CurrentShuntResistorLocation.EXTERNAL, "ai_current_shunt_resistance": 99.0}),
    ("force_bridge_polynomial", BRIDGE, U.FORCE_BRIDGE, {"forward_coeffs": [1.0, 2.0], "reverse_coeffs": [-0.5, 0.5]},
     {"ai_bridge_poly_forward_coeff": [1.0, 2.0], "ai_bridge_poly_reverse_coeff": [-0.5, 0.5]}),
    ("force_bridge_table", BRIDGE, U.FORCE_BRIDGE, {"electrical_vals": [-2.0, 0.0, 2.0], "physical_vals": [-200.0, 0.0, 200.0]},
     {"ai_bridge_table_electrical_vals": [-2.0, 0.0, 2.0], "ai_bridge_table_physical_vals": [-200.0, 0.0, 200.0]}),
    ("force_bridge_two_point_lin", BRIDGE, U.FORCE_BRIDGE, {"second_electrical_val": 4.0, "second_physical_val": 200.0},
     {"ai_bridge_two_point_lin_first_electrical_val": 0.0, "ai_bridge_two_point_lin_second_electrical_val": 4.0,
      "ai_bridge_two_point_lin_second_physical_val": 200.0}),
    ("force_iepe", DSA, U.FORCE_IEPE_SENSOR,
     {"units": c.ForceUnits.POUNDS, "sensitivity": 1.25, "sensitivity_units": c.ForceIEPESensorSensitivityUnits.MILLIVOLTS_PER_POUND},
     {"ai_force_units": c.ForceUnits.POUNDS, "ai_force_iepe_sensor_sensitivity": 1.25}),
    ("microphone", DSA, U.SOUND_PRESSURE_MICROPHONE, {"mic_sensitivity": 5.0, "max_snd_press_level": 50.0},
     {"ai_microphone_sensitivity": 5.0, "ai_sound_pressure_max_sound_pressure_lvl": 50.0}),
    ("pos_eddy_curr_prox_probe", DSA, U.POSITION_EDDY_CURRENT_PROX_PROBE,
     {"sensitivity": 0.2, "sensitivity_units": c.EddyCurrentProxProbeSensitivityUnits.VOLTS_PER_MIL},
     {"ai_eddy_current_prox_sensitivity": 0.2,
      "ai_eddy_current_prox_sensitivity_units": c.EddyCurrentProxProbeSensitivityUnits.VOLTS_PER_MIL}),
    ("pos_lvdt", POSITION, U.POSITION_LINEAR_LVDT,
     {"sensitivity": 0.5, "sensitivity_units": c.LVDTSensitivityUnits.MILLIVOLTS_PER_VOLT_PER_MILLI_INCH, "voltage_excit_val": 1.5,
      "voltage_excit_freq": 2000.0, "ac_excit_wire_mode": c.ACExcitWireMode.FIVE_WIRE},
     {"ai_lvdt_sensitivity": 0.5, "ai_ac_excit_wire_mode": c.ACExcitWireMode.FIVE_WIRE, "ai_excit_val": 1.5, "ai_ac_excit_freq": 2000.0}),
    ("pos_rvdt", POSITION, U.POSITION_ANGULAR_RVDT, {}, {}),
    ("pressure_bridge_table", BRIDGE, U.PRESSURE_BRIDGE, {},
     {"ai_bridge_table_electrical_vals": [-2.0, 0.0, 2.0], "ai_bridge_table_physical_vals": [-100.0, 0.0, 100.0]}),
    ("pressure_bridge_polynomial", BRIDGE, U.PRESSURE_BRIDGE, {},
     {"ai_bridge_poly_forward_coeff": [0.0, 50.0], "ai_bridge_poly_reverse_coeff": [0.0, 0.02]}),
    ("pressure_bridge_two_point_lin", BRIDGE, U.PRESSURE_BRIDGE, {}, {}),
    ("torque_bridge_polynomial", BRIDGE, U.TORQUE_BRIDGE, {}, {"ai_bridge_poly_forward_coeff": [0.0, 50.0]}),
    ("torque_bridge_table", BRIDGE, U.TORQUE_BRIDGE, {}, {"ai_bridge_table_physical_vals": [-100.0, 0.0, 100.0]}),
    ("torque_bridge_two_point_lin", BRIDGE, U.TORQUE_BRIDGE, {}, {}),
    ("resistance", "Dev1/ai0", U.RESISTANCE, {"resistance_config": c.ResistanceConfiguration.THREE_WIRE},
     {"ai_resistance_cfg": c.ResistanceConfiguration.THREE_WIRE}),
    ("rtd", "Dev1/ai0", U.TEMPERATURE_RTD, {"rtd_type": c.RTDType.PT_3851}, {"ai_rtd_type": c.RTDType.PT_3851}),
    ("strain_gage", BRIDGE, U.STRAIN_STRAIN_GAGE,
     {"strain_config": c.StrainGageBridgeType.QUARTER_BRIDGE_I, "gage_factor": 1.1, "nominal_gage_resistance": 120.0},
     {"ai_strain_gage_cfg": c.StrainGageBridgeType.QUARTER_BRIDGE_I, "ai_strain_gage_gage_factor": 1.1, "ai_bridge_nom_resistance": 120.0}),
    ("temp_built_in_sensor", "Dev1/_boardTempSensor_vs_aignd", U.TEMPERATURE_BUILT_IN_SENSOR, {}, {}),
    ("thrmcpl", TEMP, U.TEMPERATURE_THERMOCOUPLE,
     {"thermocouple_type": c.ThermocoupleType.K, "cjc_source": c.CJCSource.BUILT_IN, "cjc_val": 0.0},
     {"ai_thrmcpl_type": c.ThermocoupleType.K, "ai_thrmcpl_cjc_src": c.CJCSource.BUILT_IN, "ai_thrmcpl_cjc_val": 0.0}),
    ("thrmcpl", "Dev1/ai0", U.TEMPERATURE_THERMOCOUPLE, {}, {"ai_thrmcpl_type": c.ThermocoupleType.J}),
    # 2 mA, the call's default, is coerced: "NI-DAQmx Key Concepts", Coercion
    ("velocity_iepe", DSA, U.VELOCITY_IEPE_SENSOR, {}, {"ai_excit_val": 0.004}),
]  # fmt: skip


@pytest.mark.parametrize(("what", "where", "usage", "given", "expected"), MADE, ids=[f"{m[0]}-{m[1]}" for m in MADE])
def test_a_call_sets_the_attributes_of_the_channel(testers, what, where, usage, given, expected):
    with testers.task() as task:
        channel = add(task, what, where, **given)
        assert channel.ai_meas_type is usage
        for name, value in expected.items():
            assert getattr(channel, name) == value, name


@pytest.mark.parametrize(("call", "given"), [
    ("add_ai_thrmstr_chan_iex", {"resistance_config": c.ResistanceConfiguration.TWO_WIRE, "a": 0.1, "b": 0.2, "c": 0.3}),
    ("add_ai_thrmstr_chan_iex", {"a": 0.2, "b": 0.3, "c": 0.4}),
    ("add_ai_thrmstr_chan_vex", {"units": c.TemperatureUnits.DEG_F, "resistance_config": c.ResistanceConfiguration.FOUR_WIRE}),
])  # fmt: skip
def test_thermistors(testers, call, given):
    with testers.task() as task:
        channel = getattr(task.ai_channels, call)("Dev1/ai0", **given)
        assert channel.ai_meas_type is U.TEMPERATURE_THERMISTOR
        assert channel.ai_thrmstr_a == given.get("a", 0.001295361)
        assert channel.ai_temp_units is given.get("units", c.TemperatureUnits.DEG_C)


@pytest.mark.parametrize(("low", "high", "bridge", "ratio"), [(-10.0, 10.0, "FULL_BRIDGE", False), (-2.0, 2.0, "HALF_BRIDGE", True)])
def test_voltage_with_excitation(testers, low, high, bridge, ratio):
    with testers.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan_with_excit(
            "Dev1/ai0", min_val=low, max_val=high, bridge_config=c.BridgeConfiguration[bridge],
            voltage_excit_source=c.ExcitationSource.EXTERNAL, voltage_excit_val=5.0, use_excit_for_scaling=ratio,
        )  # fmt: skip
        assert (channel.ai_min, channel.ai_max) == (low, high)
        assert channel.ai_bridge_cfg is c.BridgeConfiguration[bridge]
        assert (channel.ai_excit_src, channel.ai_excit_val) == (c.ExcitationSource.EXTERNAL, 5.0)
        assert channel.ai_excit_use_for_scaling is ratio


# -- properties ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "name", "default", "other"), [
    ("voltage_with_excit", "ai_excit_use_for_scaling", False, True),
    ("voltage_with_excit", "ai_lossy_lsb_removal_compressed_samp_size", 16, 15),
    ("rtd", "ai_rtd_a", 0.00381, 0.058388),
    ("rtd", "ai_rtd_r0", 100.0, 1000.0),
])  # fmt: skip
def test_properties_are_set_and_reset(testers, make, name, default, other):
    # test_channel_properties.py
    with testers.task() as task:
        if make == "rtd":
            channel = add(task, "rtd", rtd_type=c.RTDType.PT_3750)
        else:
            channel = task.ai_channels.add_ai_voltage_chan_with_excit(
                "Dev1/ai0", voltage_excit_source=c.ExcitationSource.EXTERNAL, voltage_excit_val=0.1
            )
        assert getattr(channel, name) == default
        if make != "rtd" and name.endswith("scaling"):
            channel.ai_min, channel.ai_max = -100.0, 100.0
        setattr(channel, name, other)
        assert getattr(channel, name) == other
        delattr(channel, name)
        if name.endswith("scaling"):
            channel.ai_min, channel.ai_max = -10.0, 10.0
        assert getattr(channel, name) == default


def test_a_property_of_several_channels(testers):
    with testers.task() as task:
        add(task, "voltage", "Dev1/ai0:2")
        task.ai_channels["Dev1/ai0:1"].ai_max = 9.0
        assert [channel.ai_max for channel in task.ai_channels] == [10.0, 10.0, 5.0]
        assert error_of(lambda: task.ai_channels.all.ai_max)[0] == -200097
        task.ai_channels.all.ai_max = 1.0
        task.ai_channels.all.ai_min = -1.0
        assert task.ai_channels.all.ai_max == 1.0


def test_no_property_is_set_while_the_task_runs(testers):
    with testers.task() as task:
        channel = add(task, "voltage")
        task.timing.cfg_samp_clk_timing(1000.0)
        task.start()
        assert error_of(setattr, channel, "ai_max", 2.0)[0] == -200557
        assert channel.ai_max == 5.0


@pytest.mark.parametrize("name", ["ai_accel_sensitivity", "ai_bridge_cfg", "ai_thrmcpl_type", "ai_excit_val", "ai_force_units"])
def test_what_does_not_apply(testers, name):
    with testers.task() as task:
        channel = add(task, "voltage")
        assert error_of(getattr, channel, name)[0] == -200452
        assert error_of(delattr, channel, name)[0] == -200452


@pytest.mark.parametrize(("what", "where", "given", "code"), [
    ("accel", DSA, {"sensitivity": 0.0}, -200077), ("accel", DSA, {"sensitivity": float("nan")}, -200077),
    ("microphone", DSA, {"max_snd_press_level": 1e9}, -200077), ("microphone", DSA, {"mic_sensitivity": 0.0}, -200077),
    ("strain_gage", BRIDGE, {"gage_factor": 0.0}, -200077), ("bridge", BRIDGE, {"voltage_excit_val": 0.0}, -200077),
    ("force_bridge_two_point_lin", BRIDGE, {"second_electrical_val": 0.0}, -200077),
    ("force_bridge_two_point_lin", BRIDGE, {"second_physical_val": 0.0}, -200077),
    ("force_bridge_two_point_lin", BRIDGE, {"physical_units": c.BridgePhysicalUnits.BAR}, -200077),
    ("force_bridge_table", BRIDGE, {"electrical_vals": [0.0, 1.0], "physical_vals": [1.0]}, -200350),
    ("force_bridge_table", BRIDGE, {"electrical_vals": [1.0, 1.0], "physical_vals": [1.0, 2.0]}, -200598),
    ("force_bridge_polynomial", BRIDGE, {"forward_coeffs": [0.0, 0.0], "reverse_coeffs": [0.0, 1.0]}, -200407),
    ("current", "Dev1/ai0", {"ext_shunt_resistor_val": 0.0}, -200077), ("resistance", "Dev1/ai0", {"current_excit_val": 0.0}, -200077),
    ("rtd", "Dev1/ai0", {"r_0": 0.0}, -200077), ("thrmcpl", "Dev1/ai0", {"thermocouple_type": c.ThermocoupleType.A}, -200077),
])  # fmt: skip
def test_sensors_that_are_none(testers, what, where, given, code):
    with testers.task() as task:
        assert error_of(add, task, what, where, **given)[0] == code
        assert task.number_of_channels == 0


def test_configuration_is_set_and_given_back(testers):
    with testers.task() as task:
        channel = add(task, "voltage", terminal_config=c.TerminalConfiguration.NRSE)
        assert set_and_reset(channel, "ai_term_cfg", c.TerminalConfiguration.RSE) is c.TerminalConfiguration.DIFF
        assert error_of(setattr, channel, "ai_term_cfg", c.TerminalConfiguration.PSEUDO_DIFF)[0] == -200077


def test_actual_excitation_follows_until_it_is_measured(testers):
    # "AI.Excit.ActualVal": set it to what you read of the excitation with another device.
    with testers.task() as task:
        channel = add(task, "bridge", BRIDGE, voltage_excit_val=5.0)
        assert channel.ai_excit_actual_val == 5.0
        channel.ai_excit_val = 10.0
        assert channel.ai_excit_actual_val == 10.0
        channel.ai_excit_actual_val = 9.998
        assert (channel.ai_excit_val, channel.ai_excit_actual_val) == (10.0, 9.998)
