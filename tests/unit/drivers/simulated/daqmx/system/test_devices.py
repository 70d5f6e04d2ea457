"""Devices of a system through the stock client: what they are called, consist of and can do.

The set of devices is that of NI's own tests of its nidaqmx package (tests/max_config/nidaqmxMaxConfig26Q1.ini). Expected values are from
those tests (tests/component/system/test_device_properties.py, test_device.py, tests/conftest.py), from the NI-DAQmx user manual (physical
channels of the families) and from listings of devices that users published; each test says which.
"""

from __future__ import annotations

import warnings

import nidaqmx.utils
import pytest
from nidaqmx.constants import (
    AcquisitionType,
    BusType,
    Coupling,
    IDPinStatus,
    ProductCategory,
    TerminalConfiguration,
    TriggerUsage,
    UsageTypeAI,
    UsageTypeAO,
    UsageTypeCI,
    UsageTypeCO,
)
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.errors import DaqError
from nidaqmx.system import Device, PhysicalChannel, System

from drivers.simulated.daqmx.core.device_entries import DeviceEntry
from drivers.simulated.daqmx.products import products
from tests.tiers import quick
from tests.unit.drivers.simulated.daqmx.client_calls import code_of

NI_TESTS = (
    DeviceEntry("aoTester", "PXIe-4322", slot=3, pxi_chassis=1),
    DeviceEntry("bridgeTester", "PXIe-4331", slot=2, pxi_chassis=1, accessory="RM-24999_A"),
    DeviceEntry("chargeTester", "PXIe-4480", slot=5, pxi_chassis=1),
    DeviceEntry("dsaTester", "PXIe-4466", slot=6, pxi_chassis=1),
    DeviceEntry("nidaqmxMultithreadingTester1", "PCIe-6363", serial=0x1234ABCD),
    DeviceEntry("hsdioTester", "PCIe-6535"),
    DeviceEntry("positionTester", "PXIe-4340"),
    DeviceEntry("tempTester", "PXIe-4353", slot=7, pxi_chassis=1),
    DeviceEntry("tsChassisTester", "TS-15000"),
    DeviceEntry("tsPowerTester1", "TS-15200", "tsChassisTester", 1),
    DeviceEntry("tsPowerTester2", "TS-15200", "tsChassisTester", 2),
    DeviceEntry("tsVoltageTester1", "TS-15100", "tsChassisTester", 3),
    DeviceEntry("cdaqChassisTester", "cDAQ-9189"),
    DeviceEntry("cdaqTesterMod1", "NI 9361", "cdaqChassisTester", 1),
    DeviceEntry("cdaqTesterMod2", "NI 9215", "cdaqChassisTester", 2),
    DeviceEntry("cdaqTesterMod3", "NI 9775", "cdaqChassisTester", 3),
    DeviceEntry("cdaqTesterMod4", "NI 9401", "cdaqChassisTester", 4),
    DeviceEntry("cdaqTesterMod5", "NI 9263", "cdaqChassisTester", 5),
    DeviceEntry("cdaqTesterMod6", "NI 9205", "cdaqChassisTester", 6),
    DeviceEntry("mioDAQ", "USB-6423"),
)
X_SERIES = "nidaqmxMultithreadingTester1"


@pytest.fixture
def system(make_bench) -> System:
    return System.remote(make_bench(devices=NI_TESTS).options)


# -- names -----------------------------------------------------------------------------------------------------------------------------


def test_devices_by_name_and_in_order(system):
    names = [entry.name for entry in NI_TESTS]
    assert system.devices.device_names == names
    assert [d.name for d in system.devices] == names
    assert [d.name for d in reversed(system.devices)] == names[::-1]
    assert "dsaTester" in system.devices
    assert system.devices["bridgeTester"] == system.devices[1]


def test_a_device_that_is_not_there(system):
    # NI: test_device_properties.py, test___nonexistent_device___get_property
    absent = system.devices["NonexistentDevice"]
    assert code_of(lambda: absent.product_type) == DAQmxErrors.INVALID_DEVICE_ID


@pytest.mark.parametrize("kind", ["ai_physical_chans", "ao_physical_chans", "ci_physical_chans", "co_physical_chans",
                                  "di_lines", "di_ports", "do_lines", "do_ports"])  # fmt: skip
def test_collections_of_an_x_series_card(system, kind):
    # NI: tests/component/system/_collections/test_physical_channel_collection.py
    device = system.devices[X_SERIES]
    channels = getattr(device, kind)
    assert [channels[i].name for i in range(len(channels))] == channels.channel_names
    assert channels.all.name == nidaqmx.utils.flatten_channel_string(channels.channel_names)
    bare = [name.removeprefix(X_SERIES + "/") for name in channels.channel_names]
    assert [channels[name].name for name in bare] == channels.channel_names


def test_channels_of_an_x_series_card(system):
    # NI-DAQmx user manual, "X Series Physical Channels"; 6363 specifications: 32 AI, 4 AO, 48 DIO, 4 counters and the frequency output.
    device = system.devices[X_SERIES]
    assert device.ai_physical_chans.channel_names == [f"{X_SERIES}/ai{n}" for n in range(32)]
    assert device.ao_physical_chans.channel_names == [f"{X_SERIES}/ao{n}" for n in range(4)]
    assert device.ci_physical_chans.channel_names == [f"{X_SERIES}/ctr{n}" for n in range(4)]
    assert device.co_physical_chans.channel_names == [*device.ci_physical_chans.channel_names, f"{X_SERIES}/freqout"]
    assert device.do_lines.channel_names[31:33] == [f"{X_SERIES}/port0/line31", f"{X_SERIES}/port1/line0"]
    assert [port.di_port_width for port in device.di_ports] == [32, 8, 8]


def test_channels_of_a_miodaq(system):
    # NI-DAQmx user manual, "NI mioDAQ Physical Channels"
    device = system.devices["mioDAQ"]
    assert (len(device.ai_physical_chans), len(device.ao_physical_chans), len(device.ci_physical_chans)) == (32, 4, 4)
    assert device.di_lines.channel_names == [f"mioDAQ/port0/line{n}" for n in range(16)]


def test_channels_of_modules(system):
    # NI-DAQmx help, "C Series Physical Channels"; a user's listing of an NI 9401; NI 9361 data sheet: eight counters.
    lines = system.devices["cdaqTesterMod4"]
    assert lines.do_lines.channel_names == [f"cdaqTesterMod4/port0/line{n}" for n in range(8)]
    assert lines.co_physical_chans.channel_names == [f"cdaqTesterMod4/{c}" for c in ("ctr0", "ctr1", "ctr2", "ctr3", "freqout")]
    assert [len(system.devices[f"cdaqTesterMod{n}"].ai_physical_chans) for n in (2, 6)] == [4, 32]
    assert len(system.devices["cdaqTesterMod5"].ao_physical_chans) == 4
    counters = system.devices["cdaqTesterMod1"]
    assert (len(counters.ci_physical_chans), len(counters.co_physical_chans)) == (8, 0)


def test_the_channel_of_a_power_supply(system):
    # NI: tests/component/conftest.py, pwr_single_channel_task
    assert system.devices["tsPowerTester1"].ai_physical_chans.channel_names == ["tsPowerTester1/power"]


# -- chassis ---------------------------------------------------------------------------------------------------------------------------


def test_a_chassis_and_its_modules(system):
    # NI: test_device_properties.py, test___chassis___get_modules, test___module___get_chassis
    chassis = system.devices["tsChassisTester"]
    assert [m.name for m in chassis.chassis_module_devices] == ["tsPowerTester1", "tsPowerTester2", "tsVoltageTester1"]
    module = system.devices["tsVoltageTester1"]
    assert module.compact_daq_chassis_device.name == "tsChassisTester"
    assert module.compact_daq_slot_num == 3
    assert (chassis.product_category, module.product_category) == (
        ProductCategory.TEST_SCALE_CHASSIS,
        ProductCategory.TEST_SCALE_MODULE,
    )


def test_modules_are_found_by_their_default_names(make_bench):
    # NI-DAQmx help, "C Series Physical Channels": cDAQ1Mod1 is the module in slot 1 of cDAQ1.
    bench = make_bench(devices=[("cDAQ1", "cDAQ-9178"), ("cDAQ1Mod3", "NI 9401"), ("cDAQ1Mod1", "NI 9215")])
    devices = System.remote(bench.options).devices
    assert [m.name for m in devices["cDAQ1"].chassis_module_devices] == ["cDAQ1Mod1", "cDAQ1Mod3"]
    assert devices["cDAQ1Mod3"].compact_daq_slot_num == 3
    assert devices["cDAQ1"].bus_type is BusType.USB


def test_pxi_slots(make_bench, system):
    # The positions are those of NI's configuration; where none was identified the driver says 2^32 - 1 (positionTester there).
    slots = {d.name: (d.pxi_chassis_num, d.pxi_slot_num) for d in system.devices if d.bus_type is BusType.PXIE}
    assert slots == {
        "aoTester": (1, 3), "bridgeTester": (1, 2), "chargeTester": (1, 5), "dsaTester": (1, 6), "tempTester": (1, 7),
        "positionTester": (4294967295, 4294967295),
    }  # fmt: skip
    named = System.remote(make_bench(devices=[("PXI2Slot7", "PXIe-4331")]).options).devices[0]
    assert (named.pxi_chassis_num, named.pxi_slot_num) == (2, 7)


# -- what they are ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "product", "number", "bus"),
    [
        ("aoTester", "PXIe-4322", 0x76ABC4C4, BusType.PXIE),
        ("bridgeTester", "PXIe-4331", 0x74A9C4C4, BusType.PXIE),
        ("chargeTester", "PXIe-4480", 0x7844C4C4, BusType.PXIE),
        ("dsaTester", "PXIe-4466", 0x7A8DC4C4, BusType.PXIE),
        (X_SERIES, "PCIe-6363", 0x7435C4C4, BusType.PCIE),
        ("hsdioTester", "PCIe-6535", 0x719F, BusType.PCIE),
        ("positionTester", "PXIe-4340", 0x7829C4C4, BusType.PXIE),
        ("tempTester", "PXIe-4353", 0x74B2C4C4, BusType.PXIE),
        ("mioDAQ", "USB-6423", 0x7B40, BusType.USB),
    ],
)
def test_identity_as_in_nis_configuration(system, name, product, number, bus):
    device = system.devices[name]
    assert (device.product_type, device.product_num, device.bus_type) == (product, number, bus)
    assert device.is_simulated


def test_a_network_chassis(system):
    # NI's configuration of cdaqChassisTester: TCP/IP, no host name, address 0.0.0.0
    chassis = system.devices["cdaqChassisTester"]
    assert chassis.bus_type is BusType.TCPIP
    assert (chassis.tcpip_hostname, chassis.tcpip_ethernet_ip) == ("", "0.0.0.0")
    assert chassis.product_category is ProductCategory.COMPACT_DAQ_CHASSIS
    assert system.devices["cdaqTesterMod2"].bus_type is BusType.COMPACT_DAQ
    # NI-DAQmx user manual, "cDAQ-91xx and TestScale Chassis Timing Engines": three for analogue input.
    assert chassis.ai_num_samp_timing_engines == 3


def test_serial_numbers_are_those_of_the_configuration(system):
    assert [system.devices[name].serial_num for name in (X_SERIES, "dsaTester")] == [0x1234ABCD, 0]


def test_a_bridge_module_as_nis_tests_read_it(system):
    device = system.devices["bridgeTester"]
    assert device.anlg_trig_supported
    assert device.ai_max_single_chan_rate == 102400.0
    assert device.ai_bridge_rngs == [-0.025, 0.025, -0.1, 0.1]
    assert device.ai_trig_usage == [TriggerUsage.REFERENCE, TriggerUsage.START]
    assert device.accessory_product_nums == [0x7992]
    with pytest.deprecated_call():
        assert device.dev_is_simulated == device.is_simulated
    with pytest.deprecated_call():
        assert device.dev_serial_num == device.serial_num
    with pytest.deprecated_call():
        assert device.tedshwteds_supported == device.hwteds_supported


def test_id_pins_without_memory(system):
    # NI: test_device_properties.py, test___id_pin_*; test_device.py, test___read_id_pin_memory___error
    device = system.devices["mioDAQ"]
    assert device.id_pin_pin_names == ["id0", "id1"]
    assert device.id_pin_mem_serial_nums == ["", ""]
    assert (device.id_pin_mem_family_codes, device.id_pin_mem_sizes) == ([0, 0], [0, 0])
    assert device.id_pin_pin_statuses == [IDPinStatus.MEMORY_NOT_PRESENT] * 2
    assert code_of(lambda: device.read_id_pin_memory("id0")) == DAQmxErrors.ID_PIN_NO_EEPROM
    assert code_of(lambda: device.write_id_pin_memory("id0", [0], 1)) == DAQmxErrors.ID_PIN_NO_EEPROM
    assert code_of(lambda: device.read_id_pin_memory("id7")) == DAQmxErrors.ID_PIN_NAME_INVALID


def test_calibration_as_nis_tests_read_it(system):
    device = system.devices[X_SERIES]
    assert (device.cal_dev_temp, device.ext_cal_last_temp, device.self_cal_last_temp) == (0.0, 0.0, 0.0)
    assert device.ext_cal_recommended_interval == 24
    assert device.device_supports_cal is True
    assert device.self_cal_supported is True
    assert device.ext_cal_last_date_and_time.year >= 2009
    assert device.self_cal_last_date_and_time.year >= 2009
    text = "my test value"[: device.cal_user_defined_info_max_size]
    device.cal_user_defined_info = text
    assert device.cal_user_defined_info == text
    for name in ("cal_acc_connection_count", "cal_recommended_acc_connection_count_limit"):
        assert code_of(lambda name=name: getattr(device, name)) == DAQmxErrors.ATTR_NOT_SUPPORTED
    device.self_test_device()
    device.self_cal()
    device.restore_last_ext_cal_const()


def test_a_device_that_a_task_has_is_neither_tested_nor_calibrated(make_bench):
    """NI's text for -50103, "The specified resource is reserved": both work with the whole device."""
    bench = make_bench(devices=[("Dev1", "PCIe-6363"), ("Dev2", "PCIe-6363")])
    one, other = (System.remote(bench.options).devices[name] for name in ("Dev1", "Dev2"))
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        one.self_cal()
        task.start()
        for call in (one.self_cal, one.self_test_device):
            assert code_of(call) == DAQmxErrors.PAL_RESOURCE_RESERVED
        other.self_cal()
        task.stop()
        one.self_cal()
        one.self_test_device()


def test_rates_and_lines_as_the_driver_answers_them(system):
    # labscript-devices, NI_DAQmx/models/capabilities.json: read from simulated devices by the driver itself.
    device = system.devices[X_SERIES]
    assert (device.ai_max_single_chan_rate, device.ai_max_multi_chan_rate) == (2e6, 1e6)
    assert (device.ao_max_rate, device.do_max_rate) == (2857142.8571428573, 1e7)
    assert [port.do_samp_clk_supported for port in device.do_ports] == [True, False, False]
    assert (device.ao_samp_clk_supported, device.ai_simultaneous_sampling_supported) == (True, False)
    pairs = [TerminalConfiguration.DIFF in c.ai_term_cfgs for c in device.ai_physical_chans]
    assert [n for n, pair in enumerate(pairs) if pair] == [*range(8), *range(16, 24)]


def test_what_an_x_series_card_can_do(system):
    device = system.devices[X_SERIES]
    # X Series User Manual: 32-bit counters on a 100 MHz timebase; DC coupling; triggers of inputs: start, reference, pause.
    assert (device.ci_max_size, device.ci_max_timebase, device.co_max_size) == (32, 1e8, 32)
    assert device.ai_couplings == [Coupling.DC]
    assert {*device.ai_trig_usage} == {TriggerUsage.START, TriggerUsage.REFERENCE, TriggerUsage.PAUSE}
    assert device.ai_samp_modes == [AcquisitionType.FINITE, AcquisitionType.CONTINUOUS, AcquisitionType.HW_TIMED_SINGLE_POINT]
    # ni/grpc-device, nidaqmx_driver_api_tests.cpp: current and voltage are among them.
    assert {UsageTypeAI.VOLTAGE, UsageTypeAI.CURRENT} <= {*device.ai_meas_types}
    assert device.ao_output_types == [UsageTypeAO.VOLTAGE]
    assert {UsageTypeCI.COUNT_EDGES, UsageTypeCI.FREQUENCY, UsageTypeCI.POSITION_ANGULAR_ENCODER} <= {*device.ci_meas_types}
    assert {*device.co_output_types} == {*UsageTypeCO}


def test_terminals_of_a_card(system):
    # A user's listing of a PCIe-6351, and the signals that the X Series User Manual names.
    terminals = system.devices[X_SERIES].terminals
    for name in ("PFI0", "PFI15", "RTSI7", "APFI0", "20MHzTimebase", "100MHzTimebase", "10MHzRefClock", "100kHzTimebase",
                 "ChangeDetectionEvent", "WatchdogExpiredEvent", "AnalogComparisonEvent", "Ctr0Source", "Ctr3InternalOutput", "Ctr2Z",
                 "PairedCtrOutputPulse", "FrequencyOutput", "ai/SampleClock", "ai/ConvertClock", "ao/StartTrigger", "di/SampleClock",
                 "do/SampleClock", "ai/ReferenceTrigger", "ai/PauseTrigger"):  # fmt: skip
        assert f"/{X_SERIES}/{name}" in terminals
    assert len(terminals) == len({*terminals})


def test_terminals_of_a_chassis_and_its_modules(system):
    # A user's listing of a cDAQ-9171 with an NI 9401.
    chassis = system.devices["cdaqChassisTester"].terminals
    for name in ("80MHzTimebase", "ai/SampleClock", "te0/SampleClock", "te1/StartTrigger", "SyncPulse0", "Ctr3ArmStartTrigger"):
        assert f"/cdaqChassisTester/{name}" in chassis
    assert system.devices["cdaqTesterMod4"].terminals == [f"/cdaqTesterMod4/PFI{n}" for n in range(8)]


# -- physical channels -----------------------------------------------------------------------------------------------------------------


def test_physical_channels_as_nis_tests_read_them(make_bench):
    # NI: tests/component/system/test_physical_channel_properties.py
    options = make_bench(devices=NI_TESTS).options
    assert UsageTypeAI.BRIDGE in PhysicalChannel("bridgeTester/ai2", grpc_options=options).ai_meas_types
    absent = PhysicalChannel("bridgeTester/ai1234", grpc_options=options)
    assert code_of(lambda: absent.ai_meas_types) == DAQmxErrors.PHYSICAL_CHAN_DOES_NOT_EXIST
    card = System.remote(options).devices[X_SERIES]
    assert card.di_lines[0].di_change_detect_supported
    assert card.ai_physical_chans["ai0"].ai_term_cfgs == [
        TerminalConfiguration.RSE, TerminalConfiguration.NRSE, TerminalConfiguration.DIFF,
    ]  # fmt: skip


def test_a_line_may_be_named_by_its_number_alone(make_bench):
    # NI-DAQmx help, "Physical Channel Syntax": line31 is port3/line7 on a device with four ports of eight lines.
    options = make_bench(devices=NI_TESTS).options
    line = PhysicalChannel("hsdioTester/line31", grpc_options=options)
    port = PhysicalChannel("hsdioTester/port3/line7", grpc_options=options)
    assert line.di_samp_clk_supported is port.di_samp_clk_supported is True
    absent = PhysicalChannel("hsdioTester/line99", grpc_options=options)
    assert code_of(lambda: absent.di_samp_clk_supported) == DAQmxErrors.PHYSICAL_CHAN_DOES_NOT_EXIST


def test_no_property_is_left_unanswered(system):
    """Every property of every device and of one channel of each kind: a value, or that the device has no such property."""
    answered = 0
    for device in system.devices:
        kinds = (device.ai_physical_chans, device.ao_physical_chans, device.ci_physical_chans, device.co_physical_chans,
                 device.di_lines, device.do_ports)  # fmt: skip
        for thing in (device, *(channels[0] for channels in kinds if len(channels))):
            for name in [n for n, p in vars(type(thing)).items() if isinstance(p, property)] or _public(type(thing)):
                answered += _ask(thing, name)
    assert answered > 1000


def _public(cls: type) -> list[str]:
    return [name for base in cls.__mro__ for name, member in vars(base).items() if isinstance(member, property)]


def _ask(thing, name: str) -> int:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            getattr(thing, name)
    except DaqError as error:
        assert error.error_type in (DAQmxErrors.ATTR_NOT_SUPPORTED, DAQmxErrors.TEDS_SENSOR_NOT_DETECTED), (thing, name, str(error))
        return 0
    return 1


@pytest.mark.parametrize("product", quick(sorted(products()), 12))
def test_every_product_enumerates(make_bench, product):
    device = System.remote(make_bench(devices=[("Any", product)]).options).devices[0]
    assert device.product_type == product
    names = [c.name for kind in (device.ai_physical_chans, device.ao_physical_chans, device.ci_physical_chans, device.di_lines)
             for c in kind]  # fmt: skip
    assert len(names) == len({*names})
    assert device.reset_device() is None


# -- network devices -------------------------------------------------------------------------------------------------------------------


def test_network_devices(make_bench):
    options = make_bench(devices=NI_TESTS).options
    # ni/grpc-device, nidaqmx_driver_api_tests.cpp: AddNetworkDeviceWithInvalidIP
    add = lambda: Device.add_network_device("0.0.0.0", grpc_options=options)  # noqa: E731
    assert code_of(add) == DAQmxErrors.RETRIEVING_NETWORK_DEVICE_PROPERTIES
    devices = System.remote(options).devices
    chassis = devices["cdaqChassisTester"]
    assert code_of(chassis.unreserve_network_device) == DAQmxErrors.NETWORK_DEVICE_NOT_RESERVED_BY_HOST
    chassis.reserve_network_device()
    chassis.unreserve_network_device()
    assert code_of(devices[X_SERIES].reserve_network_device) == DAQmxErrors.NETWORK_DAQ_DEVICE_NOT_SUPPORTED
    chassis.delete_network_device()
    assert not {"cdaqChassisTester", "cdaqTesterMod2"} & {*System.remote(options).devices.device_names}


def test_cdaq_sync_is_nowhere(make_bench):
    # ni/grpc-device, nidaqmx_driver_api_tests.cpp: AutoConfigureCDAQSyncConnections_ReturnsNotSupportedError
    system = System.remote(make_bench(devices=NI_TESTS).options)
    call = lambda: system.auto_configure_cdaq_sync_connections(X_SERIES, 1.0)  # noqa: E731
    assert code_of(call) == DAQmxErrors.DEVICE_DOES_NOT_SUPPORT_CDAQ_SYNC_CONNECTIONS


def test_a_charge_module_at_its_high_rates(make_bench):
    # nidaqmx-python, tests/component/conftest.py, ai_single_channel_task_with_high_rate: a PXIe-4480 at 10 MS/s, and its sample interval.
    bench = make_bench(devices=[("chargeTester", "PXIe-4480")])
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("chargeTester/ai0", min_val=1.0, max_val=1.001)
        task.timing.cfg_samp_clk_timing(10_000_000, samps_per_chan=50)
        assert task.timing.samp_clk_rate == 10_000_000.0
        assert task.read(50) == pytest.approx([1.0] * 50, abs=1e-3)


def test_a_device_is_known_by_its_channels(bench):
    """NI's example playrec.py asks for `devices["Dev2/ao0"].ao_voltage_rngs`, a channel where a device is expected."""
    system = System.remote(bench.options)
    assert system.devices["Dev1/ao0"].ao_voltage_rngs == system.devices["Dev1"].ao_voltage_rngs
    assert code_of(lambda: system.devices["Dev1/nonsense"].ao_voltage_rngs) == -200220
    assert code_of(lambda: system.devices["Dev7/ao0"].ao_voltage_rngs) == -200220
