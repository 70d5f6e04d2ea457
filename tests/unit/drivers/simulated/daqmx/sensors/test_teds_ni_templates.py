"""Sensors whose templates were learned from NI's own virtual data sheets, and channels that are made by them.

Expected values: nidaqmx-python, tests/test_assets/teds (the sheets, written out here field by field) and tests/component/task/channels/
test_ai_channel.py (what the driver says of them); the equation of Steinhart and Hart; sound pressure and current by their sensitivity.
"""

from __future__ import annotations

import math

import pytest
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, volt_out
from tests.unit.drivers.simulated.daqmx.sensors.sensor_sheets import (
    RESISTANCE,
    accelerometer,
    current,
    microphone,
    rtd,
    single,
    thermistor,
)

CARDS = (("Dev1", "PCIe-6363"), ("dsa", "PXIe-4466"))


@pytest.fixture
def rig(make_bench):
    return make_bench(devices=CARDS, wiring={"dsa/ai0": "Dev1/ao0", "Dev1/ai0": "Dev1/ao0"})


def volts(rig, value):
    with rig.task() as output:
        volt_out(output, value)


@pytest.mark.parametrize("level", [50.0, 100.0])
def test_a_microphone(rig, virtual, level):
    assert virtual("dsa/ai0", microphone()).teds_template_ids == [27]
    with rig.task() as task:
        channel = task.ai_channels.add_teds_ai_microphone_chan("dsa/ai0", max_snd_press_level=level)
        assert channel.ai_meas_type is c.UsageTypeAI.SOUND_PRESSURE_MICROPHONE
        assert channel.ai_teds_is_teds
        assert channel.ai_sound_pressure_max_sound_pressure_lvl == level
        assert channel.ai_microphone_sensitivity == pytest.approx(1999.81, abs=0.01)


def test_a_thermistor(rig, virtual):
    virtual("Dev1/ai0", thermistor())
    volts(rig, 1.5)  # 10 kohm at 150 uA
    log = math.log(1.5 / 150e-6)
    with rig.task() as task:
        channel = task.ai_channels.add_teds_ai_thrmstr_chan_iex("Dev1/ai0", resistance_config=c.ResistanceConfiguration.TWO_WIRE)
        assert channel.ai_meas_type is c.UsageTypeAI.TEMPERATURE_THERMISTOR
        assert channel.ai_teds_is_teds
        read = (channel.ai_thrmstr_a, channel.ai_thrmstr_b, channel.ai_thrmstr_c)
        assert read == pytest.approx((1.3e-3, 2.3e-4, 1.0e-7), rel=1e-6)
        assert task.read() == pytest.approx(1.0 / (1.3e-3 + 2.3e-4 * log + 1e-7 * log**3) - 273.15, abs=0.02)


def test_a_thermistor_in_a_divider(rig, virtual):
    virtual("Dev1/ai0", thermistor())
    volts(rig, 1.0)  # of 2.5 V over 5 kohm in series: 3333 ohm
    log = math.log(5000.0 / 1.5)
    with rig.task() as task:
        channel = task.ai_channels.add_teds_ai_thrmstr_chan_vex("Dev1/ai0", r_1=5000.0)
        assert channel.ai_thrmstr_r1 == 5000.0
        assert task.read() == pytest.approx(1.0 / (1.3e-3 + 2.3e-4 * log + 1e-7 * log**3) - 273.15, abs=0.02)


def test_a_current_in_the_sensors_own_units(rig, virtual):
    virtual("Dev1/ai0", current((3, 2), single(0.0), single(0.02)))
    volts(rig, 3.0)  # 0.012 A in 250 ohm: 60 % of the way from -100 K to 100 K
    with rig.task() as task:
        channel = task.ai_channels.add_teds_ai_current_chan("Dev1/ai0", min_val=-100.0, max_val=100.0, ext_shunt_resistor_val=250.0)
        assert (channel.ai_meas_type, channel.ai_current_units) == (c.UsageTypeAI.CURRENT, c.CurrentUnits.FROM_TEDS)
        assert (channel.ai_teds_units, channel.ai_current_shunt_resistance) == ("Kelvin", 250.0)
        assert channel.ai_current_shunt_loc is c.CurrentShuntResistorLocation.EXTERNAL
        assert task.read() == pytest.approx(20.0, abs=0.05)


def test_sensors_whose_scale_is_not_known(rig, virtual):
    """NI's sheets of these tell what the tests look for, and leave out what a value would take."""
    virtual("Dev1/ai0", current())
    with rig.task() as task:
        channel = task.ai_channels.add_teds_ai_current_chan("Dev1/ai0", ext_shunt_resistor_val=99.0)
        assert (channel.ai_teds_units, channel.ai_current_shunt_resistance) == ("Kelvin", 99.0)
        assert code_of(task.read) == -200754
    virtual("Dev1/ai0", RESISTANCE)
    with rig.task() as task:
        channel = task.ai_channels.add_teds_ai_resistance_chan("Dev1/ai0", resistance_config=c.ResistanceConfiguration.THREE_WIRE)
        assert (channel.ai_meas_type, channel.ai_teds_is_teds) == (c.UsageTypeAI.RESISTANCE, True)
        assert channel.ai_resistance_cfg is c.ResistanceConfiguration.THREE_WIRE


def test_an_rtd(rig, virtual):
    virtual("Dev1/ai0", rtd())
    with rig.task() as task:
        channel = task.ai_channels.add_teds_ai_rtd_chan("Dev1/ai0", resistance_config=c.ResistanceConfiguration.THREE_WIRE)
        assert (channel.ai_meas_type, channel.ai_teds_is_teds) == (c.UsageTypeAI.TEMPERATURE_RTD, True)
        assert channel.ai_rtd_type is c.RTDType.CUSTOM
        assert (channel.ai_rtd_a, channel.ai_rtd_b, channel.ai_rtd_c) == pytest.approx((3.81e-3, -6.02e-7, -6e-12))
    virtual("Dev1/ai0", rtd(curve=1 << 20))
    with rig.task() as task:
        assert code_of(lambda: task.ai_channels.add_teds_ai_rtd_chan("Dev1/ai0")) == -200754


@pytest.mark.parametrize("add", [
    "add_teds_ai_current_chan", "add_teds_ai_resistance_chan", "add_teds_ai_rtd_chan", "add_teds_ai_thrmstr_chan_iex",
    "add_teds_ai_thrmstr_chan_vex", "add_teds_ai_voltage_chan",
])  # fmt: skip
def test_a_wrong_sensor_and_none(rig, virtual, add):
    with rig.task() as task:
        assert code_of(lambda: getattr(task.ai_channels, add)("Dev1/ai1")) == -200709
    virtual("Dev1/ai0", microphone())
    with rig.task() as task:
        assert code_of(lambda: getattr(task.ai_channels, add)("Dev1/ai0")) == -200756


def test_a_sheet_without_a_manufacturer(rig, virtual):
    """Accelerometer.ted has none, ForceSensor.ted no letter of a version; nothing but zeros is no sheet."""
    head = accelerometer(5.0)
    number = int.from_bytes(head, "little") >> 64 << 64
    sensor = virtual("dsa/ai0", number.to_bytes(len(head), "little"))
    assert (sensor.teds_mfg_id, sensor.teds_serial_num, sensor.teds_template_ids) == (0, 0, [25])
    assert code_of(lambda: virtual("dsa/ai0", bytes(32))) == -200753
