"""Analogue output channels: voltage, current, and function generation."""

from __future__ import annotations

import numpy as np
from nidaqmx import constants as ni

from drivers.simulated.daqmx.channels import creation
from drivers.simulated.daqmx.channels import names as channel_names
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.scaling import Law
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, Value, Values, as_float, as_int
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.products import AnalogOutputs, Product
from drivers.simulated.daqmx.sensors import scales
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name

CURRENT, FUNCTION = ni.UsageTypeAO.CURRENT.value, ni.UsageTypeAO.FUNCTION_GENERATION.value
AMPERES = ni.CurrentUnits.AMPS.value
BITS, INTERNAL, ZERO_VOLTS, MAINTAIN = (
    ni.ResolutionType.BITS.value, ni.SourceSelection.INTERNAL.value, ni.AOIdleOutputBehavior.ZERO_VOLTS.value,
    ni.AOIdleOutputBehavior.MAINTAIN_EXISTING_VALUE.value,
)  # fmt: skip
DMA, USB_BULK, USB = ni.DataTransferActiveTransferMode.DMA.value, ni.DataTransferActiveTransferMode.USB_BULK.value, ni.BusType.USB.value
USAGES = {"CreateAOVoltageChan": ch.VOLTAGE, "CreateAOCurrentChan": CURRENT}
UNITS = {ch.VOLTAGE: ("AO_VOLTAGE_UNITS", ch.VOLTS), CURRENT: ("AO_CURRENT_UNITS", AMPERES)}
LIMITS = {ch.VOLTAGE: (-10.0, 10.0), CURRENT: (0.0, 0.02)}
WORDS = {ch.VOLTAGE: "voltage", CURRENT: "current"}
CHOICES: dict[str, tuple[Value, ...]] = {
    "AO_RESOLUTION_UNITS": (BITS,),
    "AO_DATA_XFER_REQ_COND": (10242, 10239, 10235),
    "AO_DATA_XFER_MECH": (DMA, 10204, 10264, USB_BULK),
    "AO_DAC_REF_SRC": (INTERNAL, 10167),
    "AO_IDLE_OUTPUT_BEHAVIOR": (ZERO_VOLTS, MAINTAIN, 12527),
}


def add_output(engine: Engine, task: Task, call: str, request: Fields) -> None:
    """Add analogue output channels. Raises DaqmxError; -200431 where the device puts out nothing of that kind."""
    usage = USAGES.get(call, FUNCTION)
    with engine.lock:
        creation.open_for(task, ch.ANALOG_OUTPUT)
        places = []
        for full in creation.physical_names(task, str(request["physical_channel"])):
            device, product, channel = creation.locate(engine, task, full)
            if product.outputs is None or channel not in product.outputs.names:
                raise creation.missing(engine, task, device, channel)
            if WORDS.get(usage) not in product.outputs.kinds:
                raise task.fail(-200431, Property="DAQmx_AO_OutputType", Device=device, Channel_Name=channel)
            places.append((f"{device}/{channel}", device, product))
        names = channel_names.assigned([physical for physical, _, _ in places], str(request["name_to_assign_to_channel"]))
        made = [_make(product, usage, request, name, *at) for name, (*at, product) in zip(names, places, strict=True)]
        for one in made:
            with creation.limits_are_told_later():
                settle(engine, task, one)
        creation.append(engine, task, made)


def _make(product: Product, usage: int, request: Fields, name: str, physical: str, device: str) -> ch.AnalogChannel:
    outputs = product.outputs
    assert outputs is not None
    units, unit = UNITS[usage]
    fixed: dict[str, Value] = {
        "AO_RESOLUTION": float(outputs.bits), "AO_RESOLUTION_UNITS": BITS, "AO_DATA_XFER_REQ_COND": 10242,
        "AO_DATA_XFER_MECH": USB_BULK if product.bus == USB else DMA, "AO_USE_ONLY_ON_BRD_MEM": False, "AO_MEM_MAP_ENABLE": False,
        "AO_DAC_REF_SRC": INTERNAL, "AO_REGLITCH_ENABLE": False, "AO_TERM_CFG": _configuration(outputs), "AO_CUSTOM_SCALE_NAME": "",
        units: unit,
    }  # fmt: skip
    limits = {"AO_MIN": as_float(request["min_val"]), "AO_MAX": as_float(request["max_val"])}
    given: Values = {"AO_OUTPUT_TYPE": usage, units: as_int(request["units"]), "AO_CUSTOM_SCALE_NAME": str(request["custom_scale_name"])}
    defaults = fixed | dict(zip(limits, LIMITS[usage], strict=True)) | {"AO_DAC_RNG_HIGH": None, "AO_DAC_RNG_LOW": None}
    asked = limits | {"AO_DAC_RNG_HIGH": None}
    settled = dict.fromkeys(("AO_DAC_RNG_LOW", "AO_DAC_RNG_HIGH", "AO_DEV_SCALING_COEFF"))
    made = ch.AnalogChannel(name, physical, device, ch.ANALOG_OUTPUT, {**fixed, **given, **limits, **settled}, defaults, {**asked})
    made.codes = 2 ** (outputs.bits - (not outputs.unipolar))
    return made


def _configuration(outputs: AnalogOutputs) -> int:
    return int(ch.DIFFERENTIAL if outputs.term_cfgs[0] & 4 else ch.RSE)


def settle(engine: Engine, task: Task, channel: ch.AnalogChannel) -> None:
    """Work out law and range from what is configured. Raises DaqmxError, naming the channel."""
    outputs = engine.devices[channel.device].outputs
    assert outputs is not None
    with task.naming(Channel_Name=channel.name):
        _settle(engine, outputs, channel)


def _law(engine: Engine, units: str, known: int, a: Values) -> Law:
    unit, name = a[units], str(a["AO_CUSTOM_SCALE_NAME"])
    if unit == scales.FROM_CUSTOM_SCALE:
        scale = scales.find(engine, name)
        if scale.units != known:
            raise DaqmxError(-200212, Property="DAQmx_Scale_PreScaledUnits", Requested_Value=scale.units, Custom_Scale_Name=name)
        return scale.law()
    if unit != known:
        raise DaqmxError(-200077, Property=c_name(units), Requested_Value=unit)
    if name:
        raise DaqmxError(-200447, Custom_Scale_Name=name)
    return Law()


def _settle(engine: Engine, outputs: AnalogOutputs, channel: ch.AnalogChannel) -> None:
    a, asked = channel.attributes, channel.asked
    low, high = as_float(asked["AO_MIN"]), as_float(asked["AO_MAX"])
    if not low < high:
        raise DaqmxError(-200082, Maximum_Value=high, Minimum_Value=low)
    law = _law(engine, *UNITS[as_int(a["AO_OUTPUT_TYPE"])], a)
    tops = outputs.current_tops if a["AO_OUTPUT_TYPE"] == CURRENT else outputs.tops
    forced = None if asked["AO_DAC_RNG_HIGH"] is None else as_float(asked["AO_DAC_RNG_HIGH"])
    if forced is not None and forced not in tops:
        raise DaqmxError(-200077, Property="DAQmx_AO_DAC_Rng_High", Requested_Value=forced, Possible_Values=", ".join(map(str, tops)))
    need = float(np.max(np.abs(law.back([low, high]))))
    top = next((t for t in tops if need <= t * (1 + 1e-9)), None) if forced is None else forced
    if top is None or (outputs.unipolar and float(np.min(law.back([low, high]))) < 0.0):
        bounds = sorted(float(v) for v in law.forward([0.0 if outputs.unipolar else -tops[-1], tops[-1]]))
        lower = low < bounds[0]
        raise DaqmxError(
            -200077, Property="DAQmx_AO_Min" if lower else "DAQmx_AO_Max", Requested_Value=low if lower else high,
            Maximum_Value=f"{bounds[1]:f}", Minimum_Value=f"{bounds[0]:f}",
        )  # fmt: skip
    channel.top = top
    channel.gain, channel.offset, channel.curve = (law.gain, law.offset, None) if law.linear else (1.0, 0.0, law)
    a |= {"AO_MIN": low, "AO_MAX": high, "AO_DAC_RNG_LOW": 0.0 if outputs.unipolar else -top, "AO_DAC_RNG_HIGH": top}
    # From the values that are written to the codes that go out.
    a["AO_DEV_SCALING_COEFF"] = [0.0, channel.codes / top]
