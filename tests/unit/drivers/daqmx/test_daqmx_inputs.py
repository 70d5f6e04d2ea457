"""Analogue input channels of all kinds: attributes, limits, units, names, errors, and what they make of a voltage.

Expected values: NI's tests of its nidaqmx package (tests/component/task/channels/test_ai_channel.py, test_channel_properties.py,
test_di_channel.py), whose devices these are; "NI-DAQmx Help" and NI's knowledge base where named; sensors computed here from the formulas
of the textbooks.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from nidaqmx import Scale
from nidaqmx import constants as c
from nidaqmx.errors import DaqError

CARDS = (
    ("Dev1", "PCIe-6363"), ("bridgeTester", "PXIe-4331"), ("chargeTester", "PXIe-4480"), ("dsaTester", "PXIe-4466"),
    ("positionTester", "PXIe-4340"), ("tempTester", "PXIe-4353"),
)  # fmt: skip


@pytest.fixture
def rig(make_bench):
    """Devices of NI's own tests; Dev1/ai0 sees Dev1/ao0."""
    return make_bench(devices=CARDS, wiring={"Dev1/ai0": "Dev1/ao0", "bridgeTester/ai0": "Dev1/ao0", "dsaTester/ai0": "Dev1/ao0"})


def error_of(call, *args, **kwargs):
    with pytest.raises(DaqError) as caught:
        call(*args, **kwargs)
    return caught.value.error_code, str(caught.value)


def add(task, what, where="Dev1/ai0", **kwargs):
    return getattr(task.ai_channels, f"add_ai_{what}_chan")(where, **kwargs)


# -- NI's own tests of what a call sets ------------------------------------------------------------------------------------------------

BRIDGE, DSA, CHARGE, TEMP, POSITION = "bridgeTester/ai0", "dsaTester/ai0", "chargeTester/ai0", "tempTester/ai0", "positionTester/ai0"
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
def test_a_call_sets_the_attributes_of_the_channel(rig, what, where, usage, given, expected):
    with rig.task() as task:
        channel = add(task, what, where, **given)
        assert channel.ai_meas_type is usage
        for name, value in expected.items():
            assert getattr(channel, name) == value, name


@pytest.mark.parametrize(("call", "given"), [
    ("add_ai_thrmstr_chan_iex", {"resistance_config": c.ResistanceConfiguration.TWO_WIRE, "a": 0.1, "b": 0.2, "c": 0.3}),
    ("add_ai_thrmstr_chan_iex", {"a": 0.2, "b": 0.3, "c": 0.4}),
    ("add_ai_thrmstr_chan_vex", {"units": c.TemperatureUnits.DEG_F, "resistance_config": c.ResistanceConfiguration.FOUR_WIRE}),
])  # fmt: skip
def test_thermistors(rig, call, given):
    with rig.task() as task:
        channel = getattr(task.ai_channels, call)("Dev1/ai0", **given)
        assert channel.ai_meas_type is U.TEMPERATURE_THERMISTOR
        assert channel.ai_thrmstr_a == given.get("a", 0.001295361)
        assert channel.ai_temp_units is given.get("units", c.TemperatureUnits.DEG_C)


@pytest.mark.parametrize(("low", "high", "bridge", "ratio"), [(-10.0, 10.0, "FULL_BRIDGE", False), (-2.0, 2.0, "HALF_BRIDGE", True)])
def test_voltage_with_excitation(rig, low, high, bridge, ratio):
    with rig.task() as task:
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
def test_properties_are_set_and_reset(rig, make, name, default, other):
    # test_channel_properties.py
    with rig.task() as task:
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


def test_a_property_of_several_channels(rig):
    with rig.task() as task:
        add(task, "voltage", "Dev1/ai0:2")
        task.ai_channels["Dev1/ai0:1"].ai_max = 9.0
        assert [channel.ai_max for channel in task.ai_channels] == [10.0, 10.0, 5.0]
        assert error_of(lambda: task.ai_channels.all.ai_max)[0] == -200097
        task.ai_channels.all.ai_max = 1.0
        task.ai_channels.all.ai_min = -1.0
        assert task.ai_channels.all.ai_max == 1.0


def test_no_property_is_set_while_the_task_runs(rig):
    with rig.task() as task:
        channel = add(task, "voltage")
        task.timing.cfg_samp_clk_timing(1000.0)
        task.start()
        assert error_of(setattr, channel, "ai_max", 2.0)[0] == -200557
        assert channel.ai_max == 5.0


@pytest.mark.parametrize("name", ["ai_accel_sensitivity", "ai_bridge_cfg", "ai_thrmcpl_type", "ai_excit_val", "ai_force_units"])
def test_what_does_not_apply(rig, name):
    with rig.task() as task:
        channel = add(task, "voltage")
        assert error_of(getattr, channel, name)[0] == -200452
        assert error_of(delattr, channel, name)[0] == -200452


# -- limits and ranges -----------------------------------------------------------------------------------------------------------------


def test_limits_read_back_are_those_of_the_range(rig):
    # NI knowledge base kA00Z0000019Mk8SAE, Example A: +-3 V of a device with these ranges become +-5 V.
    with rig.task() as task:
        channel = add(task, "voltage", min_val=-3.0, max_val=3.0)
        assert (channel.ai_min, channel.ai_max, channel.ai_rng_low, channel.ai_rng_high) == (-5.0, 5.0, -5.0, 5.0)
        channel.ai_max = 0.15
        channel.ai_min = 0.0
        assert (channel.ai_min, channel.ai_max, channel.ai_rng_high) == (-0.2, 0.2, 0.2)


def test_limits_of_scaled_values_are_coerced_as_well(rig):
    # "NI-DAQmx Help", Input Limit Coercion: 80 degrees of a sensor of 100 mV a degree become 100 on a range of 10 V.
    with rig.task() as task:
        Scale.create_lin_scale("degrees", 10.0, grpc_options=rig.options)
        channel = add(task, "voltage", min_val=0.0, max_val=80.0, units=c.VoltageUnits.FROM_CUSTOM_SCALE, custom_scale_name="degrees")
        assert channel.ai_max == 100.0
        assert channel.ai_rng_high == 10.0


@pytest.mark.parametrize(("given", "lines"), [
    ({"min_val": -20.0, "max_val": 20.0}, ["DAQmx_AI_Min", "Requested Value: -20.0", "Maximum Value:  10.000000"]),
    ({"min_val": -1.0, "max_val": 10.5}, ["DAQmx_AI_Max", "Value:  10.500000", "Minimum Value: -10.000000", "Channel Name: Dev1/ai0"]),
    # labscript-devices, issue 62: what the driver itself says of a configuration that an input has not got.
    ({"terminal_config": c.TerminalConfiguration.PSEUDO_DIFF},
     ["Property: DAQmx_AI_TermCfg\nRequested Value: DAQmx_Val_PseudoDiff\nPossible Values: DAQmx_Val_RSE, DAQmx_Val_NRSE, DAQmx_Val_Diff"]),
])  # fmt: skip
def test_values_that_the_device_has_not(rig, given, lines):
    with rig.task("t") as task:
        code, text = error_of(add, task, "voltage", **given)
        assert code == -200077
        for line in (*lines, "Task Name: t", "Status Code: -200077"):
            assert line in text
        assert task.number_of_channels == 0


def test_a_limit_set_too_far_is_told_when_it_matters(rig):
    # "NI-DAQmx Help", Verified State: what depends on other attributes is checked when the task is verified.
    with rig.task() as task:
        channel = add(task, "voltage")
        channel.ai_max = 11.0
        assert error_of(task.start)[0] == -200077
        channel.ai_max = -6.0
        assert error_of(lambda: channel.ai_max)[0] == -200082
        channel.ai_max = 6.0
        assert channel.ai_max == 10.0


@pytest.mark.parametrize(("name", "expected"), [
    ("ai0", c.TerminalConfiguration.DIFF), ("ai7", c.TerminalConfiguration.DIFF), ("ai8", c.TerminalConfiguration.RSE),
    ("ai16", c.TerminalConfiguration.DIFF), ("ai31", c.TerminalConfiguration.RSE),
])  # fmt: skip
def test_default_configuration_of_a_multifunction_card(rig, name, expected):
    # "NI-DAQmx Help", Default Input/Output Terminal Configurations: eight differential, eight referenced single-ended, and so on.
    with rig.task() as task:
        assert add(task, "voltage", f"Dev1/{name}").ai_term_cfg is expected
    with rig.task() as task:
        if expected is c.TerminalConfiguration.RSE:
            assert error_of(add, task, "voltage", f"Dev1/{name}", terminal_config=c.TerminalConfiguration.DIFF)[0] == -200077


def test_default_configuration_and_coupling_of_modules(rig):
    with rig.task() as task:
        channel = add(task, "voltage", DSA)
        assert (channel.ai_term_cfg, channel.ai_coupling) == (c.TerminalConfiguration.PSEUDO_DIFF, c.Coupling.DC)
        channel.ai_coupling = c.Coupling.AC
        assert channel.ai_coupling is c.Coupling.AC
        channel.ai_excit_src, channel.ai_excit_val = c.ExcitationSource.INTERNAL, 0.004
        assert channel.ai_excit_val == 0.004
    with rig.task() as task:
        assert add(task, "force_bridge_two_point_lin", BRIDGE).ai_term_cfg is c.TerminalConfiguration.DIFF
    with rig.task() as task:
        assert error_of(setattr, add(task, "voltage"), "ai_coupling", c.Coupling.AC)[0] == -200077


@pytest.mark.parametrize(("what", "where"), [
    ("accel", "Dev1/ai0"), ("bridge", "Dev1/ai0"), ("voltage", BRIDGE), ("microphone", BRIDGE), ("rtd", DSA), ("charge", DSA),
    ("voltage_rms", "Dev1/ai0"), ("freq_voltage", "Dev1/ai0"), ("pos_lvdt", DSA),
])  # fmt: skip
def test_what_a_device_does_not_measure(rig, what, where):
    with rig.task() as task:
        code, text = error_of(add, task, what, where)
        assert code == -200431
        assert where.partition("/")[0] in text


@pytest.mark.parametrize(("what", "given"), [
    ("resistance", {"current_excit_source": c.ExcitationSource.INTERNAL}),
    ("current", {"shunt_resistor_loc": c.CurrentShuntResistorLocation.INTERNAL}),
    ("thrmcpl", {"cjc_source": c.CJCSource.BUILT_IN}),
    ("voltage", {"units": c.VoltageUnits.FROM_TEDS}),
])  # fmt: skip
def test_what_a_multifunction_card_has_not_got_on_board(rig, what, given):
    with rig.task() as task:
        assert error_of(add, task, what, **given)[0] == -200077


# -- names -----------------------------------------------------------------------------------------------------------------------------

NAMES = [
    # "NI-DAQmx Help", Channel Name Generation
    ("ai0:1", "", ["Dev1/ai0", "Dev1/ai1"]),
    ("ai0:7", "foo", [f"foo{n}" for n in range(8)]),
    ("ai0:7", "foo31", [f"foo{n}" for n in range(31, 39)]),
    ("ai0:7", "foo 123", [f"foo{n}" for n in range(123, 131)]),
    ("ai0:7", "a0:3, b", ["a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"]),
    # test_di_channel.py
    ("ai0", " ", ["Dev1/ai0"]),
    ("ai0", " myChan ", ["myChan"]),
    ("ai0", "myChan 0", ["myChan 0"]),
    ("ai0:7", "myChan008", [f"myChan{n:03d}" for n in range(8, 16)]),
    ("ai0:1", "  myFirstChan  ,  mySecondChan  ", ["myFirstChan", "mySecondChan"]),
    ("ai0:1", "myFirstChan, , mySecondChan", ["myFirstChan", "mySecondChan"]),
    ("ai0:7", "myFirstChan,mySecondChan", ["myFirstChan", *(f"mySecondChan{n}" for n in range(7))]),
    ("ai0:7", "myFirstChan2:5,mySecondChan34", [*(f"myFirstChan{n}" for n in range(2, 6)), *(f"mySecondChan{n}" for n in range(34, 38))]),
    ("ai0:7", "myFirstChan0:9", [f"myFirstChan{n}" for n in range(8)]),
    ("ai0:7", "myFirstChan0:6, mySecondChan, myThirdChan", [*(f"myFirstChan{n}" for n in range(7)), "mySecondChan"]),
    ("ai0:7", "myFirstChan0:5, mySecondChan0:5", [*(f"myFirstChan{n}" for n in range(6)), "mySecondChan0", "mySecondChan1"]),
]


@pytest.mark.parametrize(("physical", "given", "names"), NAMES)
def test_names_that_channels_get(rig, physical, given, names):
    with rig.task() as task:
        add(task, "voltage", f"Dev1/{physical}", name_to_assign_to_channel=given)
        assert task.channel_names == names


@pytest.mark.parametrize(("given", "name"), [
    ("", "Dev1/port0/line0..."), ("myChan", "myChan"), ("myChan0", "myChan0"), ("myFirstChan0:9", "myFirstChan0"),
    (" myChan 0 ", "myChan 0"),
])  # fmt: skip
def test_name_of_one_channel_for_all_lines(rig, given, name):
    with rig.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0, Dev1/port0/line1", given)
        assert task.channel_names == [name]


# -- what they read --------------------------------------------------------------------------------------------------------------------


def reading(rig, channel_of, volts):
    """Value of a channel that sees `volts`."""
    with rig.task() as out:
        out.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        out.write(volts)
        with rig.task() as task:
            channel_of(task)
            return task.read()


def test_current_through_a_resistor(rig):
    assert reading(rig, lambda t: add(t, "current", ext_shunt_resistor_val=100.0), 0.5) == pytest.approx(5e-3, abs=2e-6)


def test_resistance_by_current(rig):
    assert reading(rig, lambda t: add(t, "resistance", current_excit_val=0.002), 0.7) == pytest.approx(350.0, abs=0.1)


@pytest.mark.parametrize(("celsius", "units", "expected"), [
    (0.0, "DEG_C", 0.0), (100.0, "DEG_C", 100.0), (100.0, "DEG_F", 212.0), (50.0, "K", 323.15), (-50.0, "DEG_C", -50.0),
])  # fmt: skip
def test_resistance_thermometer(rig, celsius, units, expected):
    # IEC 60751: Pt100 of 3851 is R0 (1 + 3.9083e-3 t - 5.775e-7 t^2 - 4.183e-12 (t - 100) t^3 below 0): 138.5 ohm at 100 degrees.
    ohms = 100.0 * (1.0 + 3.9083e-3 * celsius - 5.775e-7 * celsius**2)
    ohms -= 100.0 * 4.183e-12 * (celsius - 100.0) * celsius**3 if celsius < 0.0 else 0.0
    assert celsius != 100.0 or ohms == pytest.approx(138.5055)

    def make(task):
        add(
            task, "rtd", min_val=-20.0, max_val=300.0, units=c.TemperatureUnits[units], rtd_type=c.RTDType.PT_3851,
            current_excit_val=2.5e-3,
        )  # fmt: skip

    assert reading(rig, make, ohms * 2.5e-3) == pytest.approx(expected, abs=0.15 * (1.8 if units == "DEG_F" else 1.0))


@pytest.mark.parametrize("units", ["DEG_C", "K"])
def test_thermistor_by_current(rig, units):
    # Steinhart and Hart with the coefficients of the call: 10 kohm is 25 degrees to a few tenths.
    log = math.log(10e3)
    kelvin = 1.0 / (1.295361e-3 + 2.343159e-4 * log + 1.018703e-7 * log**3)
    got = reading(rig, lambda t: t.ai_channels.add_ai_thrmstr_chan_iex("Dev1/ai0", min_val=273.15 if units == "K" else 0.0,
                  max_val=373.15 if units == "K" else 100.0, units=c.TemperatureUnits[units]), 10e3 * 0.15e-3)  # fmt: skip
    assert got == pytest.approx(kelvin if units == "K" else kelvin - 273.15, abs=0.02)


def test_thermistor_by_voltage(rig):
    # Equal to its series resistor it has half of the excitation; 5 kohm then.
    log = math.log(5e3)
    kelvin = 1.0 / (1.295361e-3 + 2.343159e-4 * log + 1.018703e-7 * log**3)
    assert reading(rig, lambda t: t.ai_channels.add_ai_thrmstr_chan_vex("Dev1/ai0"), 1.25) == pytest.approx(kelvin - 273.15, abs=0.02)


@pytest.mark.parametrize(("kind", "millivolts", "celsius"), [
    # NIST ITS-90 tables (Monograph 175), mV against 0 degrees.
    ("K", 20.644, 500.0), ("J", 27.393, 500.0), ("T", 9.288, 200.0), ("E", 37.005, 500.0), ("N", 16.748, 500.0), ("S", 4.233, 500.0),
    ("R", 4.471, 500.0), ("B", 1.242, 500.0), ("K", -3.554, -100.0), ("T", -3.379, -100.0),
])  # fmt: skip
def test_thermocouples(rig, kind, millivolts, celsius):
    def make(task):
        add(
            task, "thrmcpl", min_val=min(0.0, celsius), max_val=max(celsius, 100.0), thermocouple_type=c.ThermocoupleType[kind], cjc_val=0.0
        )

    # One code of the output is 0.3 mV: so the law itself is asked, through the limits that it turns into a range, and by its channel.
    with rig.task() as task:
        make(task)
        law = rig.engine.tasks[task.name].channels[0].law
        assert float(law.forward(np.array([millivolts * 1e-3]))[0]) == pytest.approx(celsius, abs=0.2)
        assert float(law.back(np.array([celsius]))[0]) == pytest.approx(millivolts * 1e-3, abs=0.6e-6)


def test_cold_junction_is_added(rig):
    # K: 1.000 mV at 25 degrees (NIST table), 4.096 mV at 100.
    with rig.task() as task:
        add(task, "thrmcpl", thermocouple_type=c.ThermocoupleType.K, cjc_val=25.0)
        law = rig.engine.tasks[task.name].channels[0].law
        assert float(law.forward(np.array([0.0]))[0]) == pytest.approx(25.0, abs=0.01)
        assert float(law.forward(np.array([3.096e-3]))[0]) == pytest.approx(100.0, abs=0.05)


def test_iepe_sensors(rig):
    read = lambda what, **kw: law_of(rig, what, DSA, **kw).forward(np.array([0.5]))[0]  # noqa: E731
    assert read("accel", sensitivity=100.0) == pytest.approx(5.0)
    assert read("accel", sensitivity=100.0, units=c.AccelUnits.METERS_PER_SECOND_SQUARED) == pytest.approx(5.0 * 9.80665)
    assert read("force_iepe", sensitivity=10.0) == pytest.approx(50.0)
    assert read("microphone", mic_sensitivity=50.0) == pytest.approx(10.0)
    assert read("velocity_iepe") == pytest.approx(5.0)
    assert read("pos_eddy_curr_prox_probe") == pytest.approx(2.5 * 25.4e-6)


def law_of(rig, what, where, **kwargs):
    with rig.task() as task:
        add(task, what, where, **kwargs)
        return rig.engine.tasks[task.name].channels[0].law


def test_loudest_sound_of_a_microphone(rig):
    # 20 uPa at 0 dB: 94 dB is 1 Pa rms, and its peak has to fit.
    with rig.task() as task:
        channel = add(task, "microphone", DSA, mic_sensitivity=50.0, max_snd_press_level=94.0)
        assert channel.ai_max >= math.sqrt(2.0) * 20e-6 * 10.0 ** (94.0 / 20.0)
        assert channel.ai_rng_high == 0.316


def test_force_bridge_by_table_and_polynomial(rig):
    common = {"voltage_excit_val": 10.0, "units": c.ForceUnits.NEWTONS, "physical_units": c.BridgePhysicalUnits.NEWTONS}
    law = law_of(rig, "force_bridge_table", BRIDGE, electrical_vals=[-2.0, 0.0, 2.0], physical_vals=[-100.0, 0.0, 80.0], min_val=-90.0,
                 max_val=70.0, **common)  # fmt: skip
    # "AI.Bridge.ScaleType": straight lines between the points, and data beyond the ends coerced to them.
    np.testing.assert_allclose(law.forward(np.array([-10e-3, 10e-3, 30e-3])), [-50.0, 40.0, 80.0])
    law = law_of(rig, "force_bridge_polynomial", BRIDGE, forward_coeffs=[1.0, 50.0, 2.0], reverse_coeffs=[-0.02, 0.02], min_val=-90.0,
                 max_val=90.0, **common)  # fmt: skip
    np.testing.assert_allclose(law.forward(np.array([10e-3])), [1.0 + 50.0 + 2.0])


@pytest.mark.parametrize(
    ("torque", "newton_metres"), [("FOOT_POUNDS", 1.3558179483), ("INCH_POUNDS", 0.1129848290), ("INCH_OUNCES", 0.00706155)]
)
def test_units_of_torque(rig, torque, newton_metres):
    law = law_of(rig, "torque_bridge_two_point_lin", BRIDGE, min_val=-10.0, max_val=10.0, units=c.TorqueUnits.NEWTON_METERS,
                 physical_units=c.BridgePhysicalUnits[torque], voltage_excit_val=2.5)  # fmt: skip
    assert float(law.forward(np.array([5e-3]))[0]) == pytest.approx(100.0 * newton_metres, rel=1e-6)


@pytest.mark.parametrize(("kind", "strain"), [
    # A gage has dR/R = GF e: ratios by the voltage dividers themselves, with the arms that each type has (Poisson's 0.3, GF 2).
    ("QUARTER_BRIDGE_I", 5e-4), ("QUARTER_BRIDGE_II", -5e-4), ("HALF_BRIDGE_I", 5e-4), ("HALF_BRIDGE_II", 5e-4), ("FULL_BRIDGE_I", 5e-4),
    ("FULL_BRIDGE_II", 5e-4), ("FULL_BRIDGE_III", -5e-4),
])  # fmt: skip
def test_strain_of_each_bridge(rig, kind, strain):
    arms = {  # share of the strain at R1, R2, R3, R4
        "QUARTER_BRIDGE_I": (0, 0, 0, 1), "QUARTER_BRIDGE_II": (0, 0, 0, 1), "HALF_BRIDGE_I": (0, 0, -0.3, 1),
        "HALF_BRIDGE_II": (0, 0, -1, 1), "FULL_BRIDGE_I": (-1, 1, -1, 1), "FULL_BRIDGE_II": (-0.3, 0.3, -1, 1),
        "FULL_BRIDGE_III": (-0.3, 1, -0.3, 1),
    }[kind]  # fmt: skip
    r1, r2, r3, r4 = (1.0 + 2.0 * share * strain for share in arms)
    ratio = r3 / (r3 + r4) - r2 / (r1 + r2)
    law = law_of(rig, "strain_gage", BRIDGE, strain_config=c.StrainGageBridgeType[kind], voltage_excit_val=2.5)
    assert float(law.forward(np.array([2.5 * ratio]))[0]) == pytest.approx(strain, rel=2e-4)
    assert float(law.back(np.array([strain]))[0]) == pytest.approx(2.5 * ratio, rel=2e-4)


def test_values_of_a_custom_scale(rig):
    Scale.create_map_scale("map", 0.0, 10.0, 0.0, 50.0, grpc_options=rig.options)
    Scale.create_table_scale("table", [-10.0, 0.0, 10.0], [-1.0, 0.0, 3.0], grpc_options=rig.options)
    own = {"units": c.VoltageUnits.FROM_CUSTOM_SCALE}
    make = lambda name, high: lambda t: add(t, "voltage", min_val=0.0, max_val=high, custom_scale_name=name, **own)  # noqa: E731
    assert reading(rig, make("map", 50.0), 4.0) == pytest.approx(20.0, abs=0.01)
    # "Map.ScaledMin": reads coerce samples that are smaller to it.
    assert reading(rig, make("map", 50.0), -4.0) == 0.0
    assert reading(rig, make("table", 3.0), 5.0) == pytest.approx(1.5, abs=0.002)


def test_custom_scales_that_do_not_fit(rig):
    Scale.create_lin_scale("ohms", 1.0, pre_scaled_units=c.UnitsPreScaled.OHMS, grpc_options=rig.options)
    Scale.create_lin_scale("gain", 2.0, grpc_options=rig.options)
    own = {"units": c.VoltageUnits.FROM_CUSTOM_SCALE}
    with rig.task() as task:
        assert error_of(add, task, "voltage", custom_scale_name="nobody", **own)[0] == -200378
        assert error_of(add, task, "voltage", custom_scale_name="gain")[0] == -200447
        assert error_of(add, task, "voltage", custom_scale_name="ohms", **own)[0] == -200212
        channel = add(task, "voltage", custom_scale_name="gain", **own)
        assert channel.ai_custom_scale.name == "gain"
        # test_channel_properties.py: a scale taken away, and then the units.
        del channel.ai_custom_scale
        channel.ai_voltage_units = c.VoltageUnits.VOLTS
        assert channel.ai_custom_scale.name == ""


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
    ("voltage", "Dev1/ai0", {"min_val": float("nan")}, -200082), ("voltage", "Dev1/ai0", {"max_val": float("inf")}, -200077),
    ("current", "Dev1/ai0", {"ext_shunt_resistor_val": 0.0}, -200077), ("resistance", "Dev1/ai0", {"current_excit_val": 0.0}, -200077),
    ("rtd", "Dev1/ai0", {"r_0": 0.0}, -200077), ("thrmcpl", "Dev1/ai0", {"thermocouple_type": c.ThermocoupleType.A}, -200077),
])  # fmt: skip
def test_sensors_that_are_none(rig, what, where, given, code):
    with rig.task() as task:
        assert error_of(add, task, what, where, **given)[0] == code
        assert task.number_of_channels == 0


def test_configuration_is_set_and_given_back(rig):
    with rig.task() as task:
        channel = add(task, "voltage", terminal_config=c.TerminalConfiguration.NRSE)
        channel.ai_term_cfg = c.TerminalConfiguration.RSE
        assert channel.ai_term_cfg is c.TerminalConfiguration.RSE
        del channel.ai_term_cfg
        assert channel.ai_term_cfg is c.TerminalConfiguration.DIFF
        assert error_of(setattr, channel, "ai_term_cfg", c.TerminalConfiguration.PSEUDO_DIFF)[0] == -200077


def test_whole_messages(make_bench):
    # As the driver worded them to users: labscript-devices, issue 62 (a USB-6366, which is differential only); navigate, issue 1009.
    bench = make_bench(devices=(("Dev1", "PXIe-6368"),))
    with bench.task("t") as task:
        _, text = error_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai0", terminal_config=c.TerminalConfiguration.RSE)
        assert text == (
            "Requested value is not a supported value for this property. The property value may be invalid because it conflicts with "
            "another property.\nProperty: DAQmx_AI_TermCfg\nRequested Value: DAQmx_Val_RSE\nPossible Values: DAQmx_Val_Diff\n"
            "Channel Name: Dev1/ai0\n\nTask Name: t\n\nStatus Code: -200077"
        )
        _, text = error_of(task.ao_channels.add_ao_voltage_chan, "Dev1/ao11")
        assert text == (
            "Physical channel specified does not exist on this device.\nRefer to the documentation for channels available on this device.\n"
            "Device: Dev1\nPhysical Channel Name: ao11\n\nTask Name: t\n\nStatus Code: -200170"
        )


def test_gains_of_a_module_are_its_ranges(rig):
    # "PXIe-4466/4467 Calibration Procedure": gains from -20 to 30 dB; 0 dB is 10 V.
    with rig.task() as task:
        channel = add(task, "voltage", DSA, min_val=-1.0, max_val=1.0)
        assert (channel.ai_gain, channel.ai_rng_high) == (20.0, 1.0)
        channel.ai_gain = 0.0
        assert (channel.ai_gain, channel.ai_rng_high, channel.ai_max) == (0.0, 10.0, 10.0)
        assert error_of(setattr, channel, "ai_gain", 7.0)[0] == -200077
        del channel.ai_gain
        assert channel.ai_gain == 20.0
    with rig.task() as task:
        assert error_of(lambda: add(task, "voltage").ai_gain)[0] == -200452


def test_actual_excitation_follows_until_it_is_measured(rig):
    # "AI.Excit.ActualVal": set it to what you read of the excitation with another device.
    with rig.task() as task:
        channel = add(task, "bridge", BRIDGE, voltage_excit_val=5.0)
        assert channel.ai_excit_actual_val == 5.0
        channel.ai_excit_val = 10.0
        assert channel.ai_excit_actual_val == 10.0
        channel.ai_excit_actual_val = 9.998
        assert (channel.ai_excit_val, channel.ai_excit_actual_val) == (10.0, 9.998)
