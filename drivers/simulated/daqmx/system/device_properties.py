"""Properties of devices and of the system, by NI's own names.

What a device does not have answers -200197, as the driver does (NI's own tests of its nidaqmx package read it so). Trigger uses, couplings
and terminal configurations are bit fields; the client makes lists of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core.device_entries import DeviceEntry
from drivers.simulated.daqmx.core.values import Value
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.products import product, usages
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.system import enumeration as en

VERSION = (25, 5, 0)
"""Version of NI-DAQmx whose behaviour is simulated."""
ACCESSORIES = {"RM-24999_A": 0x7992}
"""Product numbers of terminal blocks; from NI's own tests."""
NO_MEMORY = ni.IDPinStatus.MEMORY_NOT_PRESENT.value

Device = en.Device
Entry = DeviceEntry
Get = Callable[[Engine, Device], Value]


def unsupported(name: str, device: Device) -> DaqmxError:
    """What the driver answers where a device has no such property."""
    return DaqmxError(-200197, Property=name, Device=device[0])


def _always(get: Callable[[Device], Value]) -> Get:
    return lambda engine, device: get(device)


def _only(test: Callable[[Device], object], get: Get) -> Get:
    """`get` where the test gives something, else unsupported (None)."""
    return lambda engine, device: get(engine, device) if test(device) else None


def _of_inputs(get: Callable[[product.AnalogInputs], Value]) -> Get:
    return lambda engine, device: get(device[1].inputs) if device[1].inputs else None


def _of_outputs(get: Callable[[product.AnalogOutputs], Value]) -> Get:
    return lambda engine, device: get(device[1].outputs) if device[1].outputs else None


def _of_lines(get: Callable[[product.DigitalLines], Value]) -> Get:
    return lambda engine, device: get(device[1].digital) if device[1].digital.clocked else None


def _of_counters(get: Callable[[product.Counters], Value], *, output: bool = False) -> Get:
    def value(engine: Engine, device: Device) -> Value:
        counting = device[1].counting
        return None if counting is None or (output and not counting.outputs) else get(counting)

    return value


def _entry(get: Callable[[Entry], Value], *buses: int) -> Get:
    """From the device's entry, on the buses named."""
    return lambda engine, device: get(engine.entries[device[0]]) if not buses or device[1].bus in buses else None


def _pairs(tops: Iterable[float], *, unipolar: bool = False) -> list[float] | None:
    """Ranges as the driver lists them: low and high of each; none at all is not supported."""
    return [value for top in tops for value in (0.0 if unipolar else -top, top)] or None


def _tops(kind: str) -> Callable[[product.AnalogInputs], list[float] | None]:
    return lambda inputs: _pairs(inputs.tops) if kind in inputs.kinds else None


def _some(values: Iterable[float]) -> list[float] | None:
    return list(values) or None


def _accessory(get: Callable[[str], Value]) -> Get:
    """Of the terminal block at the one connector of a module that takes one; an empty connector is there, too."""
    return lambda engine, device: get(engine.entries[device[0]].accessory) if device[1].bus == product.PXI_EXPRESS else None


def _measured(device: Device) -> list[int] | None:
    counting = device[1].counting
    return None if counting is None else list(usages.COUNTER if counting.outputs else usages.COUNTER_MODULE)


_ID: dict[str, Get] = {
    "PRODUCT_TYPE": _always(lambda d: d[1].name),
    "PRODUCT_CATEGORY": _always(lambda d: d[1].category),
    "PRODUCT_NUM": _always(lambda d: d[1].number),
    "BUS_TYPE": _always(lambda d: d[1].bus),
    "SERIAL_NUM": _entry(lambda entry: entry.serial),
    "IS_SIMULATED": _entry(lambda entry: entry.simulated),
    "TERMINALS": _always(lambda d: en.joined(f"/{d[0]}/{terminal}" for terminal in d[1].terminals)),
    "ANLG_TRIG_SUPPORTED": _always(lambda d: d[1].analog_trigger),
    "DIG_TRIG_SUPPORTED": _always(lambda d: d[1].digital_trigger),
    "TIME_TRIG_SUPPORTED": _always(lambda d: d[1].bus == product.TCP_IP),
    "TEDS_HWTEDS_SUPPORTED": _always(lambda d: d[1].reads_teds),
    "NUM_DMA_CHANS": _only(lambda d: d[1].dma_channels, _always(lambda d: d[1].dma_channels)),
    "PCI_BUS_NUM": _only(lambda d: d[1].bus == product.PCI_EXPRESS, _always(lambda d: 0)),
    "PCI_DEV_NUM": _only(lambda d: d[1].bus == product.PCI_EXPRESS, _always(lambda d: 0)),
    "PXI_CHASSIS_NUM": _entry(lambda entry: entry.pxi_position()[0], product.PXI, product.PXI_EXPRESS),
    "PXI_SLOT_NUM": _entry(lambda entry: entry.pxi_position()[1], product.PXI, product.PXI_EXPRESS),
    "TCPIP_HOSTNAME": _only(lambda d: d[1].bus == product.TCP_IP, _always(lambda d: "")),
    "TCPIP_ETHERNET_IP": _only(lambda d: d[1].bus == product.TCP_IP, _always(lambda d: "0.0.0.0")),
    "CHASSIS_MODULE_DEV_NAMES": _only(lambda d: d[1].category in product.CHASSIS, lambda e, d: en.joined(en.modules_of(e, d[0]))),
    "COMPACT_DAQ_CHASSIS_DEV_NAME": _entry(lambda entry: entry.chassis, product.COMPACT_DAQ),
    "COMPACT_DAQ_SLOT_NUM": _entry(lambda entry: entry.slot, product.COMPACT_DAQ),
    "ACCESSORY_PRODUCT_TYPES": _accessory(lambda name: name),
    "ACCESSORY_PRODUCT_NUMS": _accessory(lambda name: [ACCESSORIES.get(name, 0)]),
    "ACCESSORY_SERIAL_NUMS": _accessory(lambda name: [0]),
    # The pins of a simulated device have no memory (NI's own tests of a USB-6423).
    "ID_PIN_PIN_NAMES": _only(lambda d: d[1].id_pins, _always(lambda d: en.joined(f"id{n}" for n in range(d[1].id_pins)))),
    "ID_PIN_MEM_SERIAL_NUMS": _only(lambda d: d[1].id_pins, _always(lambda d: en.joined([""] * d[1].id_pins))),
    "ID_PIN_PIN_STATUSES": _only(lambda d: d[1].id_pins, _always(lambda d: [NO_MEMORY] * d[1].id_pins)),
    "ID_PIN_MEM_FAMILY_CODES": _only(lambda d: d[1].id_pins, _always(lambda d: [0] * d[1].id_pins)),
    "ID_PIN_MEM_SIZES": _only(lambda d: d[1].id_pins, _always(lambda d: [0] * d[1].id_pins)),
}
_CHANNELS: dict[str, Get] = {
    name: _always(partial(en.listed, kind=kind))
    for name, kind in (
        ("AI_PHYSICAL_CHANS", en.AI), ("AO_PHYSICAL_CHANS", en.AO), ("CI_PHYSICAL_CHANS", en.CI), ("CO_PHYSICAL_CHANS", en.CO),
    )
}  # fmt: skip


def _lines(kind: str, other: str) -> Get:
    """Lines or ports, but of a device whose lines have only the other direction."""
    return lambda engine, device: "" if device[1].digital.direction == other else en.listed(device, kind)


_CHANNELS |= {
    f"{way}_{plural}": _lines(kind, other)
    for way, other in (("DI", "output"), ("DO", "input"))
    for plural, kind in (("LINES", en.LINE), ("PORTS", en.PORT))
}
_INPUT: dict[str, Get] = {
    "AI_SUPPORTED_MEAS_TYPES": _of_inputs(lambda i: usages.usage_numbers(i.kinds, usages.INPUTS)),
    "AI_MAX_SINGLE_CHAN_RATE": _of_inputs(lambda i: i.rate_single),
    "AI_MAX_MULTI_CHAN_RATE": _of_inputs(lambda i: i.rate_single if i.simultaneous else i.rate_aggregate),
    "AI_MIN_RATE": _of_inputs(lambda i: i.rate_min),
    "AI_SIMULTANEOUS_SAMPLING_SUPPORTED": _of_inputs(lambda i: i.simultaneous),
    "AI_SAMP_MODES": _of_inputs(lambda i: list(i.sample_modes)),
    "AI_TRIG_USAGE": _of_inputs(lambda i: i.triggers),
    "AI_COUPLINGS": _of_inputs(lambda i: i.couplings),
    "AI_VOLTAGE_RNGS": _of_inputs(_tops("voltage")),
    "AI_BRIDGE_RNGS": _of_inputs(_tops("bridge")),
    "AI_CURRENT_RNGS": _of_inputs(lambda i: _pairs(i.current_tops)),
    "AI_CHARGE_RNGS": _of_inputs(lambda i: _pairs(i.charge_tops)),
    "AI_GAINS": _of_inputs(lambda i: _some(i.gains)),
    "AI_VOLTAGE_INT_EXCIT_DISCRETE_VALS": _of_inputs(lambda i: _some(i.excitation_volts)),
    "AI_CURRENT_INT_EXCIT_DISCRETE_VALS": _of_inputs(lambda i: _some(i.excitation_amps)),
    "AI_NUM_SAMP_TIMING_ENGINES": lambda e, d: 3 if d[1].slots else len(d[1].inputs.engines) if d[1].inputs else None,
}
_OUTPUT: dict[str, Get] = {
    "AO_SUPPORTED_OUTPUT_TYPES": _of_outputs(lambda o: usages.usage_numbers(o.kinds, usages.OUTPUTS)),
    "AO_SAMP_CLK_SUPPORTED": _always(lambda d: d[1].outputs is not None),
    "AO_MAX_RATE": _of_outputs(lambda o: o.rates[0]),
    "AO_MIN_RATE": _of_outputs(lambda o: o.rate_min),
    "AO_SAMP_MODES": _of_outputs(lambda o: list(o.sample_modes)),
    "AO_TRIG_USAGE": _of_outputs(lambda o: o.triggers),
    "AO_VOLTAGE_RNGS": _of_outputs(lambda o: _pairs(o.tops, unipolar=o.unipolar) if "voltage" in o.kinds else None),
    "AO_CURRENT_RNGS": _of_outputs(lambda o: _pairs(o.current_tops, unipolar=o.unipolar)),
    "AO_GAINS": _of_outputs(lambda o: _some(o.gains)),
    "AO_NUM_SAMP_TIMING_ENGINES": lambda e, d: 1 if d[1].slots or d[1].outputs else None,
}
_DIGITAL: dict[str, Get] = {
    "DI_MAX_RATE": _of_lines(lambda x: x.rate),
    "DO_MAX_RATE": _of_lines(lambda x: x.rate),
    "DI_TRIG_USAGE": _of_lines(lambda x: product.PAUSE | product.REFERENCE | product.START),
    "DO_TRIG_USAGE": _of_lines(lambda x: product.PAUSE | product.START),
    "DI_NUM_SAMP_TIMING_ENGINES": lambda e, d: 1 if d[1].slots or d[1].digital.clocked else None,
    "DO_NUM_SAMP_TIMING_ENGINES": lambda e, d: 1 if d[1].slots or d[1].digital.clocked else None,
}
_COUNTER: dict[str, Get] = {
    "CI_SUPPORTED_MEAS_TYPES": lambda e, d: _measured(d),
    "CI_SAMP_CLK_SUPPORTED": _always(lambda d: d[1].counting is not None and d[1].counting.clocked),
    "CI_SAMP_MODES": _of_counters(lambda c: list(c.sample_modes)),
    "CI_TRIG_USAGE": _of_counters(lambda c: product.PAUSE | product.ARM_START),
    "CI_MAX_SIZE": _of_counters(lambda c: c.size),
    "CI_MAX_TIMEBASE": _of_counters(lambda c: c.timebase),
    "CO_SUPPORTED_OUTPUT_TYPES": _of_counters(lambda c: list(usages.PULSES), output=True),
    "CO_SAMP_CLK_SUPPORTED": _always(lambda d: d[1].counting is not None and d[1].counting.outputs and d[1].counting.clocked),
    "CO_SAMP_MODES": _of_counters(lambda c: list(c.sample_modes), output=True),
    "CO_TRIG_USAGE": _of_counters(lambda c: product.PAUSE | product.START | product.ARM_START, output=True),
    "CO_MAX_SIZE": _of_counters(lambda c: c.size, output=True),
    "CO_MAX_TIMEBASE": _of_counters(lambda c: c.timebase, output=True),
}
# What none of the simulated products has: navigation, FieldDAQ, CompactRIO, wireless carriers, low-pass and digital filters, ...
_NOWHERE = (
    "TCPIP_WIRELESS_IP", "NAV_PHYSICAL_CHANS", "COMPACT_RIO_CHASSIS_DEV_NAME", "COMPACT_RIO_SLOT_NUM", "FIELD_DAQ_DEV_NAME",
    "FIELD_DAQ_BANK_DEV_NAMES", "CARRIER_SERIAL_NUM", "NUM_TIME_TRIGS", "NUM_TIMESTAMP_ENGINES", "AI_NUM_SYNC_PULSE_SRCS",
    "AO_NUM_SYNC_PULSE_SRCS", "AI_FREQ_RNGS", "AI_RESISTANCE_RNGS", "AI_VOLTAGE_INT_EXCIT_RANGE_VALS",
    "AI_LOWPASS_CUTOFF_FREQ_DISCRETE_VALS", "AI_LOWPASS_CUTOFF_FREQ_RANGE_VALS", "AI_DIG_FLTR_LOWPASS_CUTOFF_FREQ_DISCRETE_VALS",
    "AI_DIG_FLTR_LOWPASS_CUTOFF_FREQ_RANGE_VALS", "AI_DIG_FLTR_TYPES", "CI_UTC_OFFSET_READY", "CI_CURRENT_UTC_OFFSET",
    *(f"NAV_{name}" for name in (
        "NUM_SURVEY_FIXES", "REMAINING_SURVEY_FIXES", "NUM_SATS", "HAS_FIX", "UTC_OFFSET_READY", "MODE", "ALT_REF", "ANT_STATUS",
        "CURRENT_UTC_OFFSET", "PRESET_LAT", "PRESET_LONG", "PRESET_ALT", "PPS_COMPEN", "PDOP", "HDOP", "VDOP", "SUPPORTED_MEAS_TYPES",
        "TRIG_USAGE",
    )),
)  # fmt: skip


def _property(name: str, get: Get) -> Property[Device]:
    def value(engine: Engine, device: Device) -> Value:
        found = get(engine, device)
        if found is None:
            raise unsupported(name, device)
        return found

    return Property(value)


_ALL: dict[str, Get] = {**_ID, **_CHANNELS, **_INPUT, **_OUTPUT, **_DIGITAL, **_COUNTER, **dict.fromkeys(_NOWHERE, _always(lambda d: None))}
DEVICE: dict[str, Property[Device]] = {name: _property(name, get) for name, get in _ALL.items()}
SYSTEM: dict[str, Property[None]] = {
    "NIDAQ_MAJOR_VERSION": Property(lambda e, s: VERSION[0]),
    "NIDAQ_MINOR_VERSION": Property(lambda e, s: VERSION[1]),
    "NIDAQ_UPDATE_VERSION": Property(lambda e, s: VERSION[2]),
    "DEV_NAMES": Property(lambda e, s: en.joined(e.devices)),
    "TASKS": Property(lambda e, s: ", ".join(e.stored_tasks)),
    "GLOBAL_CHANS": Property(lambda e, s: ", ".join(name for name in e.stored_channels if "/" not in name)),
    "SCALES": Property(lambda e, s: ", ".join(e.stored_scales)),
}
