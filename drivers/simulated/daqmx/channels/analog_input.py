"""Analogue input channels: made from the fields of a call, and settled into range and law whenever something of them was changed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from nidaqmx import constants as ni

from drivers.simulated.daqmx.channels import creation as creating
from drivers.simulated.daqmx.channels import excitation
from drivers.simulated.daqmx.channels import names as channel_names
from drivers.simulated.daqmx.channels.data_sheet import Described
from drivers.simulated.daqmx.configuration import device_settings
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core import finite
from drivers.simulated.daqmx.core.scaling import Law
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, Value, Values, as_float, as_int, plain
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import NotServed
from drivers.simulated.daqmx.products import AnalogInputs, Product
from drivers.simulated.daqmx.sensors import measurements as ms
from drivers.simulated.daqmx.sensors import scales
from drivers.simulated.daqmx.sensors.characteristics import RTD
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.analog.shunts import PREFIX, SHUNT_DEFAULTS

BITS, RIGHT_JUSTIFIED = ni.ResolutionType.BITS.value, ni.DataJustification.RIGHT.value
DMA, USB_BULK = ni.DataTransferActiveTransferMode.DMA.value, ni.DataTransferActiveTransferMode.USB_BULK.value
USB = ni.BusType.USB.value
CONFIGURATIONS = {ch.RSE: (1, "DAQmx_Val_RSE"), ch.NRSE: (2, "DAQmx_Val_NRSE"), ch.DIFFERENTIAL: (4, "DAQmx_Val_Diff"),
                  ch.PSEUDODIFFERENTIAL: (8, "DAQmx_Val_PseudoDiff")}  # fmt: skip
"""Bit in a product's description, and name, of each terminal configuration."""
BOARD_TEMPERATURE = "_boardtempsensor_vs_aignd"
SETTLED = ("AI_MIN", "AI_MAX", "AI_RNG_LOW", "AI_RNG_HIGH", "AI_DEV_SCALING_COEFF")
"""Properties whose values are worked out from the others."""
RTD_SENSOR, THERMISTOR = ni.UsageTypeAI.TEMPERATURE_RTD.value, ni.UsageTypeAI.TEMPERATURE_THERMISTOR.value
AUTOMATIC = ni.ADCTimingMode.AUTOMATIC.value
CURRENT_INPUT = ni.UsageTypeAI.CURRENT.value
PEAK = float(np.sqrt(2.0)) * 20e-6
"""Peak sound pressure (Pa) at 0 dB."""


def add_input(engine: Engine, task: Task, call: str, request: Fields, sheets: Mapping[str, Described] | None = None) -> None:
    """Add analogue input channels; `request`: the call's fields by their names in the API. Raises DaqmxError.

    `sheets`: by physical channel, what the data sheets of sensors say instead.
    """
    creation = ms.CREATIONS[call]
    with engine.lock:
        creating.open_for(task, ch.ANALOG_INPUT)
        places = [place(engine, task, full, creation) for full in creating.physical_names(task, str(request["physical_channel"]))]
        names = channel_names.assigned([physical for physical, _, _ in places], str(request["name_to_assign_to_channel"]))
        made = []
        for name, (physical, device, product) in zip(names, places, strict=True):
            with task.naming(Channel_Name=name):
                given = request if sheets is None else {**request, **sheets[physical].fields}
                channel = _make(product, creation, given, name, physical, device)
                if sheets is not None:
                    channel.attributes |= {"AI_IS_TEDS": True, "AI_TEDS_UNITS": sheets[physical].units}
                    channel.sensor, channel.unread = sheets[physical].law, sheets[physical].unread
                _check(product, channel, given)
            with creating.limits_are_told_later():
                settle(engine, task, channel)
            made.append(channel)
        creating.append(engine, task, made)


def input_of(engine: Engine, task: Task, full: str) -> tuple[str, str]:
    """Device and channel of an analogue input by its name. Raises DaqmxError -200220, -200170."""
    device, product, channel = creating.locate(engine, task, full)
    if product.inputs is None or not _has_input(product, channel):
        raise creating.missing(engine, task, device, channel)
    return device, channel


def need_input(engine: Engine, task: Task, full: str, word: str) -> None:
    """Check that an input has a front of a kind. Raises DaqmxError -200220, -200170, -200431."""
    device, channel = input_of(engine, task, full)
    inputs = engine.devices[device].inputs
    if inputs is None or word not in inputs.kinds:
        raise task.fail(-200431, Property="DAQmx_AI_MeasType", Device=device, Channel_Name=channel)


def refuse(engine: Engine, task: Task, word: str, physical: str) -> None:
    """What cannot be made here: -200431 where the device has not got it, -200170, -200220; NotServed where it has."""
    with engine.lock:
        creating.open_for(task, ch.ANALOG_INPUT)
        for full in creating.physical_names(task, physical):
            need_input(engine, task, full, word)
        raise NotServed("channels of this kind")


def place(engine: Engine, task: Task, full: str, creation: ms.Creation) -> tuple[str, str, Product]:
    """Physical channel, device and product of an input that can be of this kind. Raises DaqmxError -200220, -200170, -200431."""
    device, product, channel = creating.locate(engine, task, full)
    usage = ms.USAGES[creation.usage]
    if product.inputs is None or not _has_input(product, channel):
        raise creating.missing(engine, task, device, channel)
    if not set(usage.fronts) & set(product.inputs.kinds):
        raise task.fail(-200431, Property="DAQmx_AI_MeasType", Device=device, Channel_Name=channel)
    return f"{device}/{channel}", device, product


def _has_input(product: Product, channel: str) -> bool:
    assert product.inputs is not None
    if channel in product.inputs.names:
        return True
    loops = product.outputs.channels if product.outputs is not None else 0
    return channel in {f"_ao{n}_vs_aognd" for n in range(loops)} or (
        channel == BOARD_TEMPERATURE and "multifunction" in product.inputs.kinds
    )


def _make(product: Product, creation: ms.Creation, request: Fields, name: str, physical: str, device: str) -> ch.AnalogChannel:
    inputs, usage = product.inputs, ms.USAGES[creation.usage]
    assert inputs is not None
    fixed = generic(product, inputs, usage.ac) | dict(creation.fixed)
    given = {attribute: plain(request[key]) for key, attribute in creation.fields.items()}
    scale: Values = {usage.units: as_int(request["units"]), "AI_CUSTOM_SCALE_NAME": str(request.get("custom_scale_name", ""))}
    wired = configuration(inputs, physical, as_int(request.get("terminal_config", ch.DEFAULT)))
    attributes = {**fixed, **given, **scale, "AI_MEAS_TYPE": creation.usage, "AI_TERM_CFG": wired}
    if inputs.ratiometric:
        attributes["AI_EXCIT_ACTUAL_VAL"] = given["AI_EXCIT_VAL"]
    defaults = {**fixed, **{a: ms.DEFAULTS.get(a, given[a]) for a in given}, usage.units: next(iter(usage.known))}
    limits = (as_float(request.get(key, limit)) for key, limit in zip(("min_val", "max_val"), usage.limits, strict=True))
    asked: dict[str, Value] = {**dict(zip(("AI_MIN", "AI_MAX"), limits, strict=True)), "AI_RNG_HIGH": None}
    defaults |= {"AI_CUSTOM_SCALE_NAME": "", "AI_TERM_CFG": ch.DEFAULT}
    defaults |= {"AI_MIN": usage.limits[0], "AI_MAX": usage.limits[1], "AI_RNG_HIGH": None, "AI_RNG_LOW": None}
    attributes |= dict.fromkeys((*SETTLED, *(("AI_GAIN",) if inputs.gains else ())))
    if creation.usage == 10301:
        attributes |= rtd_coefficients(as_int(request["rtd_type"]))
        defaults |= rtd_coefficients(as_int(request["rtd_type"]))
    made = ch.AnalogChannel(name, physical, device, ch.ANALOG_INPUT, attributes, defaults, asked)
    made.codes = 2 ** (inputs.bits - 1)
    return made


def rtd_coefficients(kind: int) -> dict[str, float]:
    """A, B and C of a standard type; those of the first for a custom one, to be replaced."""
    return dict(zip(("AI_RTD_A", "AI_RTD_B", "AI_RTD_C"), RTD.get(kind, next(iter(RTD.values()))), strict=True))


def generic(product: Product, inputs: AnalogInputs, ac: bool = False) -> dict[str, Value]:
    """Attributes of every channel of a device; `ac`: alternating part only, where the device can."""
    size = 16 if inputs.bits <= 16 else 32
    made: dict[str, Value] = {
        "AI_COUPLING": ch.AC if ac and inputs.couplings & 1 else ch.DC,
        "AI_RESOLUTION": float(inputs.bits), "AI_RESOLUTION_UNITS": BITS, "AI_RAW_SAMP_SIZE": size,
        "AI_RAW_SAMP_JUSTIFICATION": RIGHT_JUSTIFIED, "AI_DATA_XFER_MECH": USB_BULK if product.bus == USB else DMA,
        "AI_DATA_XFER_REQ_COND": 10241, "AI_MEM_MAP_ENABLE": False, "AI_RAW_DATA_COMPRESSION_TYPE": ch.NONE,
        "AI_LOSSY_LSB_REMOVAL_COMPRESSED_SAMP_SIZE": size, "AI_IS_TEDS": False, "AI_TEDS_UNITS": "",
        "AI_CHAN_CAL_HAS_VALID_CAL_INFO": False, "AI_CHAN_CAL_ENABLE_CAL": False, "AI_CHAN_CAL_APPLY_CAL_IF_EXP": False,
    }  # fmt: skip
    if "accel" in inputs.kinds:
        made |= {
            "AI_EXCIT_SRC": ch.NONE,
            "AI_EXCIT_VAL": 0.0,
            "AI_EXCIT_VOLTAGE_OR_CURRENT": ms.USE_CURRENT,
            "AI_EXCIT_D_COR_AC": ms.USE_DC,
        }
    if {"thermocouple", "rtd"} & {*inputs.kinds}:
        made["AI_ADC_TIMING_MODE"] = AUTOMATIC
    if "thermocouple" in inputs.kinds:
        made |= {"AI_AUTO_ZERO_MODE": ch.NONE, "AI_OPEN_THRMCPL_DETECT_ENABLE": True}
    if inputs.rejects_aliases:
        made["AI_ENHANCED_ALIAS_REJECTION_ENABLE"] = True
    if inputs.ratiometric:
        made |= {f"{PREFIX}{name}": value for name, value in SHUNT_DEFAULTS.items()}
    return made


def configuration(inputs: AnalogInputs, physical: str, asked: int) -> int:
    """Terminal configuration that a channel gets. Raises DaqmxError -200077 for one that it cannot have."""
    channel = physical.rpartition("/")[2]
    if channel not in inputs.names:
        return ch.DIFFERENTIAL if asked == ch.DEFAULT else asked
    bits = inputs.term_cfg(channel)
    can = [kind for kind, (bit, _) in CONFIGURATIONS.items() if bits & bit]
    if asked == ch.DEFAULT:
        order = (ch.PSEUDODIFFERENTIAL, ch.DIFFERENTIAL, ch.RSE, ch.NRSE)
        return int(next(kind for kind in order if kind in can))
    if asked not in can:
        words = CONFIGURATIONS.get(asked, (0, asked))[1]
        possible = ", ".join(CONFIGURATIONS[kind][1] for kind in can)
        raise DaqmxError(-200077, Property="DAQmx_AI_TermCfg", Requested_Value=words, Possible_Values=possible)
    return asked


def _check(product: Product, channel: ch.AnalogChannel, request: Fields) -> None:
    for name, value in channel.attributes.items():
        check_value(name, value)
        if name != "AI_EXCIT_ACTUAL_VAL":  # it is AI.Excit.Val until somebody has measured it
            device_settings.check(product, channel.attributes, name, value)
    inputs, a = product.inputs, channel.attributes
    assert inputs is not None
    check_unit(ms.USAGES[as_int(a["AI_MEAS_TYPE"])], a)
    excitation.check_places(inputs, a)
    if a.get("AI_THRMCPL_CJC_SRC") == 10113:
        raise NotServed("a channel that measures the cold junction")


def check_value(name: str, value: Value) -> None:
    """Raise DaqmxError -200077 for a value that a property never takes."""
    finite.need(c_name(name), value)
    known = ms.CHOICES.get(name)
    if known is not None and value not in known:
        raise DaqmxError(-200077, Property=c_name(name), Requested_Value=value)


def check_unit(usage: ms.Usage, a: Values) -> None:
    """Raise DaqmxError -200077 for a unit that the usage has not got."""
    if a.get("AI_BRIDGE_PHYSICAL_UNITS", next(iter(usage.known))) not in usage.known:
        raise DaqmxError(-200077, Property="DAQmx_AI_Bridge_PhysicalUnits", Requested_Value=a["AI_BRIDGE_PHYSICAL_UNITS"])
    if a[usage.units] not in (*usage.known, scales.FROM_CUSTOM_SCALE, *((ms.FROM_TEDS,) if a["AI_IS_TEDS"] else ())):
        raise DaqmxError(-200077, Property=c_name(usage.units), Requested_Value=a[usage.units])


# -- settling --------------------------------------------------------------------------------------------------------------------------


def settle(engine: Engine, task: Task, channel: ch.AnalogChannel) -> None:
    """Work out law and range from what is configured. Raises DaqmxError, naming the channel."""
    if isinstance(channel, ch.RosetteChannel):
        return
    inputs = engine.devices[channel.device].inputs
    assert inputs is not None
    with task.naming(Channel_Name=channel.name):
        _settle(engine, inputs, channel)


def _law(engine: Engine, usage: ms.Usage, channel: ch.AnalogChannel) -> Law:
    a = channel.attributes
    unit, name = as_int(a[usage.units]), str(a["AI_CUSTOM_SCALE_NAME"])
    if unit == scales.FROM_CUSTOM_SCALE:
        scale = scales.find(engine, name)
        if scale.units not in usage.known:
            raise DaqmxError(-200212, Property="DAQmx_Scale_PreScaledUnits", Requested_Value=scale.units, Custom_Scale_Name=name)
        return usage.law(a, scale.units).then(scale.law())
    if name:
        raise DaqmxError(-200447, Custom_Scale_Name=name)
    if unit == ms.FROM_TEDS:
        return usage.law(a, next(iter(usage.known))).then(channel.sensor or Law())
    return usage.law(a, unit)


def _settle(engine: Engine, inputs: AnalogInputs, channel: ch.AnalogChannel) -> None:
    a, asked = channel.attributes, channel.asked
    usage = ms.USAGES[as_int(a["AI_MEAS_TYPE"])]
    if a.get("AI_CURRENT_SHUNT_LOC") == -1:
        a["AI_CURRENT_SHUNT_LOC"] = ch.EXTERNAL if "multifunction" in inputs.kinds else ch.INTERNAL
    if a["AI_MEAS_TYPE"] == 10354:
        decibels = as_float(a["AI_SOUND_PRESSURE_MAX_SOUND_PRESSURE_LVL"])
        if not -300.0 < decibels < 300.0:
            raise DaqmxError(-200077, Property="DAQmx_AI_SoundPressure_MaxSoundPressureLvl", Requested_Value=decibels)
        loudest = PEAK * 10.0 ** (decibels / 20.0)
        asked = channel.asked | {"AI_MIN": -loudest, "AI_MAX": loudest}
    low, high = as_float(asked["AI_MIN"]), as_float(asked["AI_MAX"])
    if not low < high:
        raise DaqmxError(-200082, Maximum_Value=high, Minimum_Value=low)
    excitation.settle(inputs, a)
    law = _law(engine, usage, channel)
    # The range of a bridge module is a ratio: in volts it goes with the excitation.
    reference = as_float(a["AI_EXCIT_VAL"]) if inputs.ratiometric else 1.0
    if not reference > 0.0:
        raise DaqmxError(-200077, Property="DAQmx_AI_Excit_Val", Requested_Value=reference)
    tops = _ranges(inputs, usage, a)
    # NI's test of an RTD finds the range that would do without C, and one of a thermistor goes 3.4 % beyond the last one.
    plainly = a["AI_MEAS_TYPE"] == RTD_SENSOR and not a["AI_CUSTOM_SCALE_NAME"]
    need = usage.law(a | {"AI_RTD_C": 0.0}, as_int(a[usage.units])) if plainly else law
    forced = None if asked["AI_RNG_HIGH"] is None else as_float(asked["AI_RNG_HIGH"])
    top = _range(tops, need, reference, low, high, forced, 0.05 if a["AI_MEAS_TYPE"] == THERMISTOR else 1e-9)
    channel.top = reference * top
    a |= {"AI_RNG_LOW": -top, "AI_RNG_HIGH": top, "AI_DEV_SCALING_COEFF": [0.0, top / channel.codes]}
    if inputs.gains and tops is inputs.tops:
        a["AI_GAIN"] = inputs.gains[tops.index(top)]
    if law.linear:
        channel.gain, channel.offset, channel.curve = law.gain, law.offset, None
        low, high = sorted(float(v) for v in law.forward([-channel.top, channel.top]))
    else:
        channel.gain, channel.offset, channel.curve = 1.0, 0.0, law
        if a["AI_MEAS_TYPE"] in (RTD_SENSOR, THERMISTOR):
            low, high = _warmth(law, channel.top, low, high)
    a |= {"AI_MIN": low, "AI_MAX": high}


def _ranges(inputs: AnalogInputs, usage: ms.Usage, a: Values) -> tuple[float, ...]:
    """Ranges that a channel chooses from, in what its input converts: V, C, or A where the module has the shunt."""
    if usage.native == "coulombs":
        return inputs.charge_tops
    return inputs.current_tops if a["AI_MEAS_TYPE"] == CURRENT_INPUT and a["AI_CURRENT_SHUNT_LOC"] == ch.INTERNAL else inputs.tops


def _warmth(law: Law, top: float, low: float, high: float) -> tuple[float, float]:
    """Limits of a sensor whose resistance tells a temperature: the end of the range, if that is a temperature, and else what was asked."""
    end = float(law.forward(top))
    if not np.isclose(float(law.back(end)), top, rtol=1e-3):
        return low, high
    return (low, end) if law.back(high) > law.back(low) else (end, high)


def _range(
    tops: tuple[float, ...], law: Law, reference: float, low: float, high: float, forced: float | None, over: float
) -> float:  # fmt: skip
    """Smallest range that holds the limits, or the one that was asked for; the last goes `over` its end. Raises DaqmxError -200077."""
    if forced is not None:
        if forced not in tops:
            raise DaqmxError(-200077, Property="DAQmx_AI_Rng_High", Requested_Value=forced, Possible_Values=", ".join(map(str, tops)))
        return forced
    need = float(np.max(np.abs(law.back([low, high])))) / reference
    for top in tops:
        if need <= top * (1 + (over if top == tops[-1] else 1e-9)):
            return top
    bounds = sorted(float(v) for v in law.forward([-tops[-1] * reference, tops[-1] * reference]))
    lower = low < bounds[0]
    raise DaqmxError(
        -200077, Property="DAQmx_AI_Min" if lower else "DAQmx_AI_Max", Requested_Value=low if lower else high,
        Maximum_Value=f"{bounds[1]:f}", Minimum_Value=f"{bounds[0]:f}",
    )  # fmt: skip
