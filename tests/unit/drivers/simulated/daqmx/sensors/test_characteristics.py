"""What analogue input channels of all kinds make of a voltage: currents, resistances, temperatures, bridges, sound, custom scales.

Expected values are computed here from the formulas of the textbooks, or stand in the tables that are named.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from nidaqmx import Scale
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import error_of, volt_out
from tests.unit.drivers.simulated.daqmx.ni_testers import BRIDGE, DSA, add


def reading(testers, channel_of, volts):
    """Value of a channel that sees `volts`."""
    with testers.task() as out:
        volt_out(out, volts)
        with testers.task() as task:
            channel_of(task)
            return task.read()


def test_current_through_a_resistor(testers):
    assert reading(testers, lambda t: add(t, "current", ext_shunt_resistor_val=100.0), 0.5) == pytest.approx(5e-3, abs=2e-6)


def test_resistance_by_current(testers):
    assert reading(testers, lambda t: add(t, "resistance", current_excit_val=0.002), 0.7) == pytest.approx(350.0, abs=0.1)


@pytest.mark.parametrize(("celsius", "units", "expected"), [
    (0.0, "DEG_C", 0.0), (100.0, "DEG_C", 100.0), (100.0, "DEG_F", 212.0), (50.0, "K", 323.15), (-50.0, "DEG_C", -50.0),
])  # fmt: skip
def test_resistance_thermometer(testers, celsius, units, expected):
    # IEC 60751: Pt100 of 3851 is R0 (1 + 3.9083e-3 t - 5.775e-7 t^2 - 4.183e-12 (t - 100) t^3 below 0): 138.5 ohm at 100 degrees.
    ohms = 100.0 * (1.0 + 3.9083e-3 * celsius - 5.775e-7 * celsius**2)
    ohms -= 100.0 * 4.183e-12 * (celsius - 100.0) * celsius**3 if celsius < 0.0 else 0.0
    assert celsius != 100.0 or ohms == pytest.approx(138.5055)

    def make(task):
        add(
            task, "rtd", min_val=-20.0, max_val=300.0, units=c.TemperatureUnits[units], rtd_type=c.RTDType.PT_3851,
            current_excit_val=2.5e-3,
        )  # fmt: skip

    assert reading(testers, make, ohms * 2.5e-3) == pytest.approx(expected, abs=0.15 * (1.8 if units == "DEG_F" else 1.0))


@pytest.mark.parametrize("units", ["DEG_C", "K"])
def test_thermistor_by_current(testers, units):
    # Steinhart and Hart with the coefficients of the call: 10 kohm is 25 degrees to a few tenths.
    log = math.log(10e3)
    kelvin = 1.0 / (1.295361e-3 + 2.343159e-4 * log + 1.018703e-7 * log**3)
    got = reading(testers, lambda t: t.ai_channels.add_ai_thrmstr_chan_iex("Dev1/ai0", min_val=273.15 if units == "K" else 0.0,
                  max_val=373.15 if units == "K" else 100.0, units=c.TemperatureUnits[units]), 10e3 * 0.15e-3)  # fmt: skip
    assert got == pytest.approx(kelvin if units == "K" else kelvin - 273.15, abs=0.02)


def test_thermistor_by_voltage(testers):
    # Equal to its series resistor it has half of the excitation; 5 kohm then.
    log = math.log(5e3)
    kelvin = 1.0 / (1.295361e-3 + 2.343159e-4 * log + 1.018703e-7 * log**3)
    assert reading(testers, lambda t: t.ai_channels.add_ai_thrmstr_chan_vex("Dev1/ai0"), 1.25) == pytest.approx(kelvin - 273.15, abs=0.02)


@pytest.mark.parametrize(("kind", "millivolts", "celsius"), [
    # NIST ITS-90 tables (Monograph 175), mV against 0 degrees.
    ("K", 20.644, 500.0), ("J", 27.393, 500.0), ("T", 9.288, 200.0), ("E", 37.005, 500.0), ("N", 16.748, 500.0), ("S", 4.233, 500.0),
    ("R", 4.471, 500.0), ("B", 1.242, 500.0), ("K", -3.554, -100.0), ("T", -3.379, -100.0),
])  # fmt: skip
def test_thermocouples(testers, kind, millivolts, celsius):
    def make(task):
        add(
            task, "thrmcpl", min_val=min(0.0, celsius), max_val=max(celsius, 100.0), thermocouple_type=c.ThermocoupleType[kind], cjc_val=0.0
        )

    # One code of the output is 0.3 mV: so the law itself is asked, through the limits that it turns into a range, and by its channel.
    with testers.task() as task:
        make(task)
        law = testers.engine.tasks[task.name].channels[0].law
        assert float(law.forward(np.array([millivolts * 1e-3]))[0]) == pytest.approx(celsius, abs=0.2)
        assert float(law.back(np.array([celsius]))[0]) == pytest.approx(millivolts * 1e-3, abs=0.6e-6)


def test_cold_junction_is_added(testers):
    # K: 1.000 mV at 25 degrees (NIST table), 4.096 mV at 100.
    with testers.task() as task:
        add(task, "thrmcpl", thermocouple_type=c.ThermocoupleType.K, cjc_val=25.0)
        law = testers.engine.tasks[task.name].channels[0].law
        assert float(law.forward(np.array([0.0]))[0]) == pytest.approx(25.0, abs=0.01)
        assert float(law.forward(np.array([3.096e-3]))[0]) == pytest.approx(100.0, abs=0.05)


def test_iepe_sensors(testers):
    read = lambda what, **kw: law_of(testers, what, DSA, **kw).forward(np.array([0.5]))[0]  # noqa: E731
    assert read("accel", sensitivity=100.0) == pytest.approx(5.0)
    assert read("accel", sensitivity=100.0, units=c.AccelUnits.METERS_PER_SECOND_SQUARED) == pytest.approx(5.0 * 9.80665)
    assert read("force_iepe", sensitivity=10.0) == pytest.approx(50.0)
    assert read("microphone", mic_sensitivity=50.0) == pytest.approx(10.0)
    assert read("velocity_iepe") == pytest.approx(5.0)
    assert read("pos_eddy_curr_prox_probe") == pytest.approx(2.5 * 25.4e-6)


def law_of(testers, what, where, **kwargs):
    with testers.task() as task:
        add(task, what, where, **kwargs)
        return testers.engine.tasks[task.name].channels[0].law


def test_loudest_sound_of_a_microphone(testers):
    # 20 uPa at 0 dB: 94 dB is 1 Pa rms, and its peak has to fit.
    with testers.task() as task:
        channel = add(task, "microphone", DSA, mic_sensitivity=50.0, max_snd_press_level=94.0)
        assert channel.ai_max >= math.sqrt(2.0) * 20e-6 * 10.0 ** (94.0 / 20.0)
        assert channel.ai_rng_high == 0.316


def test_force_bridge_by_table_and_polynomial(testers):
    common = {"voltage_excit_val": 10.0, "units": c.ForceUnits.NEWTONS, "physical_units": c.BridgePhysicalUnits.NEWTONS}
    law = law_of(testers, "force_bridge_table", BRIDGE, electrical_vals=[-2.0, 0.0, 2.0], physical_vals=[-100.0, 0.0, 80.0], min_val=-90.0,
                 max_val=70.0, **common)  # fmt: skip
    # "AI.Bridge.ScaleType": straight lines between the points, and data beyond the ends coerced to them.
    np.testing.assert_allclose(law.forward(np.array([-10e-3, 10e-3, 30e-3])), [-50.0, 40.0, 80.0])
    law = law_of(testers, "force_bridge_polynomial", BRIDGE, forward_coeffs=[1.0, 50.0, 2.0], reverse_coeffs=[-0.02, 0.02], min_val=-90.0,
                 max_val=90.0, **common)  # fmt: skip
    np.testing.assert_allclose(law.forward(np.array([10e-3])), [1.0 + 50.0 + 2.0])


@pytest.mark.parametrize(
    ("torque", "newton_metres"), [("FOOT_POUNDS", 1.3558179483), ("INCH_POUNDS", 0.1129848290), ("INCH_OUNCES", 0.00706155)]
)
def test_units_of_torque(testers, torque, newton_metres):
    law = law_of(testers, "torque_bridge_two_point_lin", BRIDGE, min_val=-10.0, max_val=10.0, units=c.TorqueUnits.NEWTON_METERS,
                 physical_units=c.BridgePhysicalUnits[torque], voltage_excit_val=2.5)  # fmt: skip
    assert float(law.forward(np.array([5e-3]))[0]) == pytest.approx(100.0 * newton_metres, rel=1e-6)


@pytest.mark.parametrize(("kind", "strain"), [
    # A gage has dR/R = GF e: ratios by the voltage dividers themselves, with the arms that each type has (Poisson's 0.3, GF 2).
    ("QUARTER_BRIDGE_I", 5e-4), ("QUARTER_BRIDGE_II", -5e-4), ("HALF_BRIDGE_I", 5e-4), ("HALF_BRIDGE_II", 5e-4), ("FULL_BRIDGE_I", 5e-4),
    ("FULL_BRIDGE_II", 5e-4), ("FULL_BRIDGE_III", -5e-4),
])  # fmt: skip
def test_strain_of_each_bridge(testers, kind, strain):
    arms = {  # share of the strain at R1, R2, R3, R4
        "QUARTER_BRIDGE_I": (0, 0, 0, 1), "QUARTER_BRIDGE_II": (0, 0, 0, 1), "HALF_BRIDGE_I": (0, 0, -0.3, 1),
        "HALF_BRIDGE_II": (0, 0, -1, 1), "FULL_BRIDGE_I": (-1, 1, -1, 1), "FULL_BRIDGE_II": (-0.3, 0.3, -1, 1),
        "FULL_BRIDGE_III": (-0.3, 1, -0.3, 1),
    }[kind]  # fmt: skip
    r1, r2, r3, r4 = (1.0 + 2.0 * share * strain for share in arms)
    ratio = r3 / (r3 + r4) - r2 / (r1 + r2)
    law = law_of(testers, "strain_gage", BRIDGE, strain_config=c.StrainGageBridgeType[kind], voltage_excit_val=2.5)
    assert float(law.forward(np.array([2.5 * ratio]))[0]) == pytest.approx(strain, rel=2e-4)
    assert float(law.back(np.array([strain]))[0]) == pytest.approx(2.5 * ratio, rel=2e-4)


def test_values_of_a_custom_scale(testers):
    Scale.create_map_scale("map", 0.0, 10.0, 0.0, 50.0, grpc_options=testers.options)
    Scale.create_table_scale("table", [-10.0, 0.0, 10.0], [-1.0, 0.0, 3.0], grpc_options=testers.options)
    own = {"units": c.VoltageUnits.FROM_CUSTOM_SCALE}
    make = lambda name, high: lambda t: add(t, "voltage", min_val=0.0, max_val=high, custom_scale_name=name, **own)  # noqa: E731
    assert reading(testers, make("map", 50.0), 4.0) == pytest.approx(20.0, abs=0.01)
    # "Map.ScaledMin": reads coerce samples that are smaller to it.
    assert reading(testers, make("map", 50.0), -4.0) == 0.0
    assert reading(testers, make("table", 3.0), 5.0) == pytest.approx(1.5, abs=0.002)


def test_custom_scales_that_do_not_fit(testers):
    Scale.create_lin_scale("ohms", 1.0, pre_scaled_units=c.UnitsPreScaled.OHMS, grpc_options=testers.options)
    Scale.create_lin_scale("gain", 2.0, grpc_options=testers.options)
    own = {"units": c.VoltageUnits.FROM_CUSTOM_SCALE}
    with testers.task() as task:
        assert error_of(add, task, "voltage", custom_scale_name="nobody", **own)[0] == -200378
        assert error_of(add, task, "voltage", custom_scale_name="gain")[0] == -200447
        assert error_of(add, task, "voltage", custom_scale_name="ohms", **own)[0] == -200212
        channel = add(task, "voltage", custom_scale_name="gain", **own)
        assert channel.ai_custom_scale.name == "gain"
        # test_channel_properties.py: a scale taken away, and then the units.
        del channel.ai_custom_scale
        channel.ai_voltage_units = c.VoltageUnits.VOLTS
        assert channel.ai_custom_scale.name == ""
