"""Power-up states of outputs and lines, and data sheets of sensors, through the stock client.

Expected values: NI's own tests of its nidaqmx package (tests/component/system/test_system.py, test_physical_channel.py,
test_physical_channel_properties.py, tests/legacy/test_power_up_states.py, test_teds.py), and of its device server (ni/grpc-device,
nidaqmx_driver_api_tests.cpp).
"""

from __future__ import annotations

import pytest
from nidaqmx.constants import LogicFamily, PowerUpChannelType, PowerUpStates, ResistorState
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.system import System
from nidaqmx.types import AOPowerUpState, DOPowerUpState, DOResistorPowerUpState

from tests.unit.drivers.simulated.daqmx.client_calls import code_of
from tests.unit.drivers.simulated.daqmx.sensors.sensor_sheets import VOLTAGE_SENSOR

DEVICES = (("aoTester", "PXIe-4322"), ("Dev1", "PCIe-6363"), ("mioDAQ", "USB-6423"), ("dsaTester", "PXIe-4466"))


@pytest.fixture
def system(make_bench) -> System:
    return System.remote(make_bench(devices=DEVICES).options)


@pytest.fixture
def sensor_file(tmp_path):
    path = tmp_path / "Voltage.ted"
    path.write_bytes(VOLTAGE_SENSOR)
    return path


# -- power-up states -------------------------------------------------------------------------------------------------------------------


def states(level: float, kind: PowerUpChannelType, *second: float) -> list[AOPowerUpState]:
    return [AOPowerUpState(f"aoTester/ao{n}", value, kind) for n, value in enumerate((level, *(second or (level,))))]


def test_isolated_outputs_power_up_with_high_impedance(system):
    names = ["aoTester/ao0", "aoTester/ao1"]
    found = system.get_analog_power_up_states_with_output_type(names)
    assert found == [AOPowerUpState(name, 0.0, PowerUpChannelType.CHANNEL_HIGH_IMPEDANCE) for name in names]
    with pytest.deprecated_call():
        everywhere = system.get_analog_power_up_states("aoTester")
    assert [s.physical_channel for s in everywhere] == [f"aoTester/ao{n}" for n in range(8)]


def test_analogue_power_up_states_are_kept(system):
    wanted = states(-1.0, PowerUpChannelType.CHANNEL_VOLTAGE)
    system.set_analog_power_up_states_with_output_type(wanted)
    assert system.get_analog_power_up_states_with_output_type(["aoTester/ao0", "aoTester/ao1"]) == wanted
    other = states(2.0, PowerUpChannelType.CHANNEL_VOLTAGE)
    with pytest.deprecated_call():
        system.set_analog_power_up_states("aoTester", other)
    assert system.get_analog_power_up_states_with_output_type(["aoTester/ao0", "aoTester/ao1"]) == other


def test_high_impedance_has_no_level(system):
    """NI's tests (component/system/test_system.py) set -1 V with high impedance, and find 0 V behind that."""
    system.set_analog_power_up_states_with_output_type(states(-1.0, PowerUpChannelType.CHANNEL_HIGH_IMPEDANCE))
    found = system.get_analog_power_up_states_with_output_type(["aoTester/ao0", "aoTester/ao1"])
    assert found == states(0.0, PowerUpChannelType.CHANNEL_HIGH_IMPEDANCE)


def test_levels_beyond_the_range_change_nothing(system):
    wrong = states(1.0, PowerUpChannelType.CHANNEL_VOLTAGE, 20.0)
    assert code_of(lambda: system.set_analog_power_up_states_with_output_type(wrong)) == DAQmxErrors.INVALID_ATTRIBUTE_VALUE
    assert system.get_analog_power_up_states_with_output_type(["aoTester/ao0"])[0].power_up_state == 0.0


def test_a_reset_brings_the_power_up_state(make_bench):
    # NI-DAQmx C reference, DAQmxResetDevice: the device returns to its initialised state.
    bench = make_bench(devices=DEVICES)
    system = System.remote(bench.options)
    system.set_analog_power_up_states_with_output_type(states(1.5, PowerUpChannelType.CHANNEL_VOLTAGE))
    with bench.task() as out:
        out.ao_channels.add_ao_voltage_chan("aoTester/ao0")
        out.write(-3.0)
    system.devices["aoTester"].reset_device()
    assert bench.engine.board.levels["aotester/ao0"] == 1.5


def test_digital_power_up_states_of_a_port(system):
    port = "Dev1/port0"
    system.set_digital_power_up_states("Dev1", [DOPowerUpState(port, PowerUpStates.LOW)])
    found = {s.physical_channel: s.power_up_state for s in system.get_digital_power_up_states("Dev1")}
    assert len(found) == 48
    assert {state for name, state in found.items() if port in name} == {PowerUpStates.LOW}
    assert {state for name, state in found.items() if port not in name} == {PowerUpStates.TRISTATE}
    system.set_digital_power_up_states("Dev1", [DOPowerUpState(port, PowerUpStates.TRISTATE)])
    assert {s.power_up_state for s in system.get_digital_power_up_states("Dev1")} == {PowerUpStates.TRISTATE}


def test_pull_resistors(system):
    lines = "Dev1/port0/line0"
    system.set_digital_pull_up_pull_down_states("Dev1", [DOResistorPowerUpState(lines, ResistorState.PULL_UP)])
    found = system.get_digital_pull_up_pull_down_states("Dev1")
    assert [s.power_up_state for s in found[:2]] == [ResistorState.PULL_UP, ResistorState.PULL_DOWN]


def test_logic_families(system):
    system.set_digital_logic_family_power_up_state("mioDAQ", LogicFamily.FIVE_V)
    assert system.get_digital_logic_family_power_up_state("mioDAQ") is LogicFamily.FIVE_V
    call = lambda: system.set_digital_logic_family_power_up_state("mioDAQ", LogicFamily.ONE_POINT_EIGHT_V)  # noqa: E731
    assert code_of(call) == DAQmxErrors.INVALID_ATTRIBUTE_VALUE
    assert code_of(lambda: system.get_digital_logic_family_power_up_state("Dev1")) == DAQmxErrors.ATTR_NOT_SUPPORTED


def test_a_device_that_keeps_none(system):
    assert code_of(lambda: system.get_digital_power_up_states("aoTester")) == DAQmxErrors.ATTR_NOT_SUPPORTED
    wrong = [AOPowerUpState("Dev1/ao0", 1.0, PowerUpChannelType.CHANNEL_VOLTAGE)]
    assert code_of(lambda: system.set_analog_power_up_states_with_output_type(wrong)) == DAQmxErrors.ATTR_NOT_SUPPORTED


# -- data sheets of sensors ------------------------------------------------------------------------------------------------------------


def test_the_data_sheet_of_nis_tests(system, sensor_file):
    channel = system.devices["Dev1"].ai_physical_chans["ai3"]
    channel.configure_teds(str(sensor_file))
    assert (channel.teds_mfg_id, channel.teds_model_num) == (17, 1)
    assert (channel.teds_version_letter, channel.teds_version_num) == ("A", 1)
    assert channel.teds_template_ids == [30]
    assert channel.teds_serial_num == 12345
    assert bytes(channel.teds_bit_stream) == VOLTAGE_SENSOR
    channel.clear_teds()
    assert code_of(lambda: channel.teds_mfg_id) == DAQmxErrors.TEDS_SENSOR_NOT_DETECTED


def test_a_file_with_the_check_sums_of_the_memory(system, tmp_path):
    # DS2433 and its kin: the first byte of each page of 32 brings the page's sum to a multiple of 256 (IEEE 1451.4).
    body = VOLTAGE_SENSOR + b"\0" * 34
    pages = [body[at : at + 31] for at in (0, 31)]
    raw = b"".join(bytes([-sum(page) % 256]) + page for page in pages)
    path = tmp_path / "memory.ted"
    path.write_bytes(raw)
    channel = system.devices["dsaTester"].ai_physical_chans["ai0"]
    channel.configure_teds(path)
    assert channel.teds_serial_num == 12345
    assert bytes(channel.teds_bit_stream) == body


def test_what_is_no_data_sheet(system, sensor_file, tmp_path):
    channel = system.devices["Dev1"].ai_physical_chans["ai0"]
    # ni/grpc-device: ConfigureTEDSOnNonTEDSChannel
    assert code_of(channel.configure_teds) == DAQmxErrors.TEDS_SENSOR_NOT_DETECTED
    assert code_of(lambda: channel.configure_teds(tmp_path / "none.ted")) == DAQmxErrors.VIRTUAL_TEDS_FILE_NOT_FOUND
    (tmp_path / "short.ted").write_bytes(b"\1\2\3\4")
    assert code_of(lambda: channel.configure_teds(tmp_path / "short.ted")) == DAQmxErrors.PARSING_TEDS_DATA
    # test_physical_channel.py
    assert code_of(lambda: channel.write_to_teds_from_array([1, 2, 3, 4])) == DAQmxErrors.TEDS_SENSOR_DATA_ERROR
    assert code_of(lambda: channel.write_to_teds_from_file()) == DAQmxErrors.TEDS_SENSOR_DATA_ERROR
    for write in (
        lambda: channel.write_to_teds_from_array(list(VOLTAGE_SENSOR)),
        lambda: channel.write_to_teds_from_file(str(sensor_file)),
    ):
        assert code_of(write) in (DAQmxErrors.CANT_CONFIGURE_TEDS_FOR_CHAN, DAQmxErrors.TEDS_SENSOR_NOT_DETECTED)
    output = system.devices["Dev1"].ao_physical_chans[0]
    assert code_of(lambda: output.configure_teds(sensor_file)) == DAQmxErrors.INVALID_TEDS_PHYS_CHAN_NOT_AI
