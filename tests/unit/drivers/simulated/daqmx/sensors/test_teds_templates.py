"""Sensors that describe themselves: what templates say, and the channels that are made by them.

Expected values: "An Overview of IEEE 1451.4 Transducer Electronic Data Sheets" (fields of the templates, ConRes and ConRelRes); Dewetron's
documentation of its TRION SDK, which lists a bridge's stream with what is in it; nidaqmx-python, tests/component/task/channels/
test_ai_channel.py (which attributes come from the data sheet, and its voltage sensor); nidaqmx.error_codes.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nidaqmx import constants as c

from drivers.simulated import serve_devices
from drivers.simulated.daqmx.sensors.teds_templates import Bits, read
from tests.unit.drivers.simulated.daqmx.client_calls import code_of, error_of, volt_out
from tests.unit.drivers.simulated.daqmx.sensors.sensor_sheets import BASIC, VOLTAGE_SENSOR, accelerometer, load_cell, stream

CARDS = (("Dev1", "PCIe-6363"), ("dsa", "PXIe-4466"), ("bridge", "PXIe-4331"), ("warm", "PXIe-4353"))
DEWETRON = "1F40620000000000841C000000000000000002000000000000006418008021C10EC34800000000E0"
"""Of Dewetron's documentation: a half bridge of 40 ohm, 2.5 V nominal, 1 to 6 V."""


@pytest.fixture
def rig(make_bench):
    """Dev1/ao0 is wired to a bridge, a DSA module and an input of the card."""
    return make_bench(devices=CARDS, wiring={"bridge/ai0": "Dev1/ao0", "dsa/ai0": "Dev1/ao0", "Dev1/ai0": "Dev1/ao0"})


def test_a_bridge_whose_content_is_published():
    bits = Bits(bytes.fromhex(DEWETRON))
    assert [bits.take(width) for width in (14, 15, 5, 6, 24)] == [31, 393, 0, 0, 0]
    (template,) = read(bits)
    assert template.number == 33
    expected = {"bridge": 1, "resistance": 40.0, "excitation": 2.5, "excitation_low": 1.0, "excitation_high": 6.0, "low": 0.0, "high": 0.0}
    assert {name: template.values[name] for name in expected} == expected


@pytest.mark.parametrize(("sheet", "numbers"), [
    (accelerometer(5.0), [25]), (load_cell(), [33]), (VOLTAGE_SENSOR, [30]), (stream(*BASIC), []),
    (stream(*BASIC, (0, 2), (35, 8), (0, 40)), [35]),
    # NI's sensor, cut off behind the beginning of its template's number: what is not there is zero, as in an empty memory.
    (VOLTAGE_SENSOR[:9], [30]),
])  # fmt: skip
def test_templates_of_a_sheet(virtual, sheet, numbers):
    sensor = virtual("Dev1/ai0", sheet)
    assert sensor.teds_template_ids == numbers
    assert (sensor.teds_mfg_id, sensor.teds_serial_num) == (17, 12345)


def test_a_calibration_template_behind_the_first(virtual):
    behind = load_cell()
    number, width = int.from_bytes(behind, "little"), 64 + 10 + 6 + 64 + 2 + 64 + 2 + 18 + 6 + 27 + 54
    both = (number & ((1 << width) - 1)) | (0 << width) | (40 << (width + 2))
    assert virtual("bridge/ai0", both.to_bytes(len(behind) + 8, "little")).teds_template_ids == [33, 40]


@pytest.mark.parametrize("head", [True, False])
def test_a_file_with_a_byte_for_each_bit(virtual, head):
    # As NI's virtual data sheets are, behind 40 bits: SDL-MCI/SDLMA-Core, which writes such files for NI's driver
    sheet = accelerometer(0.0102)
    bits = [sheet[place // 8] >> place % 8 & 1 for place in range(8 * len(sheet))]
    before = [int(bit) for bit in f"{0xDA6E0CCCBA:040b}"] if head else []
    sensor = virtual("dsa/ai0", bytes(before + bits))
    assert bytes(sensor.teds_bit_stream) == sheet
    assert sensor.teds_template_ids == [25]


@pytest.mark.parametrize("units", [c.AccelUnits.G, c.AccelUnits.METERS_PER_SECOND_SQUARED])
def test_an_accelerometer(rig, virtual, units):
    # test_ai_channel.py: 5 V/(m/s^2) are 49.03 V/g
    virtual("dsa/ai0", accelerometer(5.0))
    with rig.task() as task:
        channel = task.ai_channels.add_teds_ai_accel_chan("dsa/ai0", min_val=-0.8, max_val=0.8, units=units)
        assert channel.ai_meas_type is c.UsageTypeAI.ACCELERATION_ACCELEROMETER_CURRENT_INPUT
        assert channel.ai_teds_is_teds
        assert channel.ai_accel_units is units
        assert channel.ai_accel_sensitivity == pytest.approx(49.03, abs=0.02)  # ConRelRes: 0.015 %
        assert channel.ai_accel_sensitivity_units is c.AccelSensitivityUnits.VOLTS_PER_G


def test_a_force_sensor(rig, virtual):
    virtual("dsa/ai0", accelerometer(3.25e-3, force=1))
    with rig.task() as task:
        channel = task.ai_channels.add_teds_ai_force_iepe_chan("dsa/ai0", units=c.ForceUnits.NEWTONS)
        assert channel.ai_force_iepe_sensor_sensitivity == pytest.approx(3.25, abs=0.01)
        assert channel.ai_force_iepe_sensor_sensitivity_units is c.ForceIEPESensorSensitivityUnits.MILLIVOLTS_PER_NEWTON
    with rig.task() as task:
        assert code_of(lambda: task.ai_channels.add_teds_ai_accel_chan("dsa/ai0")) == -200756


def test_a_load_cell(rig, virtual):
    virtual("bridge/ai0", load_cell())
    with rig.task() as output, rig.task() as task:
        volt_out(output, 0.0100708)  # 33 steps of the output: 1.00708 mV/V of 10 V, about half of 2 mV/V
        channel = task.ai_channels.add_teds_ai_force_bridge_chan(
            "bridge/ai0", min_val=-60e3, max_val=60e3, units=c.ForceUnits.NEWTONS, voltage_excit_val=10.0
        )
        assert channel.ai_meas_type is c.UsageTypeAI.FORCE_BRIDGE
        assert channel.ai_teds_is_teds
        assert (channel.ai_bridge_cfg, channel.ai_bridge_nom_resistance) == (c.BridgeConfiguration.FULL_BRIDGE, 350.0)
        assert channel.ai_bridge_two_point_lin_second_physical_val == 50e3
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=c.AcquisitionType.FINITE, samps_per_chan=10)
        assert task.read(10) == pytest.approx([0.00100708 / 0.002 * 50e3] * 10, rel=1e-3)
    with rig.task() as task:
        assert code_of(lambda: task.ai_channels.add_teds_ai_pressure_bridge_chan("bridge/ai0")) == -200756
        assert code_of(lambda: task.ai_channels.add_teds_ai_strain_gage_chan("bridge/ai0")) == -200756


@pytest.mark.parametrize("volts", [2.5, 2.75])
def test_a_bridge_in_the_sensors_own_units(rig, virtual, volts):
    # test_ai_channel.py: units, configuration and resistance come from the file
    virtual("bridge/ai0", load_cell(measurand=5, high=100.0))
    with rig.task() as task:
        channel = task.ai_channels.add_teds_ai_bridge_chan("bridge/ai0", min_val=-90.0, max_val=90.0, voltage_excit_val=volts)
        assert channel.ai_meas_type is c.UsageTypeAI.BRIDGE
        assert channel.ai_excit_val == volts
        assert channel.ai_bridge_units is c.BridgeUnits.FROM_TEDS
        assert channel.ai_teds_units == "forcelb"
        assert (channel.ai_bridge_cfg, channel.ai_bridge_nom_resistance) == (c.BridgeConfiguration.FULL_BRIDGE, 350.0)
    with rig.task() as task:
        channel = task.ai_channels.add_teds_ai_voltage_chan_with_excit("bridge/ai0", min_val=-1.25, max_val=1.25, voltage_excit_val=5.0)
        assert channel.ai_meas_type is c.UsageTypeAI.VOLTAGE_CUSTOM_WITH_EXCITATION
        assert channel.ai_excit_use_for_scaling
        assert channel.ai_excit_val == 5.0


def test_the_voltage_sensor_of_nis_tests(rig, virtual):
    # -100 to 100 K over 0 to 10 V
    virtual("Dev1/ai0", VOLTAGE_SENSOR)
    with rig.task() as output, rig.task() as task:
        volt_out(output, 7.5)
        channel = task.ai_channels.add_teds_ai_voltage_chan("Dev1/ai0")
        assert channel.ai_teds_is_teds
        assert (channel.ai_voltage_units, channel.ai_teds_units) == (c.VoltageUnits.FROM_TEDS, "Kelvin")
    with rig.task() as task:
        task.ai_channels.add_teds_ai_voltage_chan("Dev1/ai0", min_val=-100.0, max_val=100.0)
        assert task.read() == pytest.approx(50.0, abs=0.01)


def test_ranges_that_are_none(rig, virtual):
    virtual("bridge/ai0", load_cell(low=10.0, high=10.0))
    with rig.task() as task:
        assert code_of(lambda: task.ai_channels.add_teds_ai_force_bridge_chan("bridge/ai0")) == -200815
    virtual("bridge/ai0", load_cell(electrical=0.0))
    with rig.task() as task:
        assert code_of(lambda: task.ai_channels.add_teds_ai_force_bridge_chan("bridge/ai0")) == -200816


def test_what_is_not_there_and_what_is_not_read(rig, virtual):
    with rig.task() as task:
        assert code_of(lambda: task.ai_channels.add_teds_ai_bridge_chan("bridge/ai3")) == -200709
    virtual("bridge/ai0", stream(*BASIC, (0, 2), (35, 8), (0, 80)))
    with rig.task() as task:
        code, text = error_of(task.ai_channels.add_teds_ai_strain_gage_chan, "bridge/ai0")
        assert code == -200754 and "Template ID: 35" in text


def test_the_example_of_the_guide(tmp_path):
    guide = (Path(__file__).parents[6] / "docs" / "simulated_daqmx.md").read_text(encoding="utf-8")
    bits = re.search(r"^bits = \"([0-9A-F ]+)\"", guide, re.MULTILINE)
    assert bits is not None
    assert bytes.fromhex(bits[1]) == load_cell()
    (tmp_path / "lab.toml").write_text(
        f'[[devices]]\nname = "Bridge"\nproduct = "PXIe-4331"\n[[teds]]\nterminal = "Bridge/ai1"\nbits = "{bits[1]}"\n'
    )
    with serve_devices(tmp_path / "lab.toml") as bench:
        sensor = bench.system.devices["Bridge"].ai_physical_chans["ai1"]
        sensor.configure_teds()
        assert sensor.teds_template_ids == [33]
