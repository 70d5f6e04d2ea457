"""Values of channel properties that the product has not got: refused when they are set, rather than kept without effect.

"X Series User Manual", AO Reference Selection, Analog Output Connections (referenced to AO GND), Digital I/O; "NI-DAQmx Key Concepts", Data
Transfer Mechanisms (USB devices have no DMA); "NI PXIe-4300 User Manual", Data Transfer Methods (of PXI Express: DMA and programmed I/O);
"NI PXIe-4330/4331 User Manual" (excitation is a direct voltage); "NI-DAQmx Properties", CO.Pulse.Freq.Units (Hz), AI.Bridge.Cfg.
"""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Value, Values, as_float
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.products.product import C_SERIES_MODULE, USB, X_SERIES
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.status.wording import VALUES

DMA, INTERRUPTS, PROGRAMMED_IO, USB_BULK = (
    ni.DataTransferActiveTransferMode.DMA.value, ni.DataTransferActiveTransferMode.INTERRUPT.value,
    ni.DataTransferActiveTransferMode.POLLED.value, ni.DataTransferActiveTransferMode.USB_BULK.value,
)  # fmt: skip
INTERNAL, EXTERNAL = ni.ExcitationSource.INTERNAL.value, ni.ExcitationSource.EXTERNAL.value
ACTIVE_DRIVE, OPEN_COLLECTOR = ni.DigitalDriveType.ACTIVE_DRIVE.value, ni.DigitalDriveType.OPEN_COLLECTOR.value
NOT_EMPTY, MORE_THAN_HALF = (
    ni.InputDataTransferCondition.ON_BOARD_MEMORY_NOT_EMPTY.value,
    ni.InputDataTransferCondition.ON_BOARD_MEMORY_MORE_THAN_HALF_FULL.value,
)  # fmt: skip
USE_VOLTAGE, USE_CURRENT, USE_DC = (
    ni.ExcitationVoltageOrCurrent.USE_VOLTAGE.value, ni.ExcitationVoltageOrCurrent.USE_CURRENT.value, ni.ExcitationDCorAC.USE_DC.value,
)  # fmt: skip
NO_BRIDGE, BRIDGES = (
    ni.BridgeConfiguration.NO_BRIDGE.value,
    (ni.BridgeConfiguration.FULL_BRIDGE.value, ni.BridgeConfiguration.HALF_BRIDGE.value, ni.BridgeConfiguration.QUARTER_BRIDGE.value),
)  # fmt: skip
OF_BRIDGES = (
    ni.UsageTypeAI.BRIDGE.value, ni.UsageTypeAI.FORCE_BRIDGE.value, ni.UsageTypeAI.PRESSURE_BRIDGE.value,
    ni.UsageTypeAI.TORQUE_BRIDGE.value,
)  # fmt: skip
"""Measurement types whose sensors are bridges."""
HERTZ, SECONDS = ni.FrequencyUnits.HZ.value, ni.TimeUnits.SECONDS.value
CONFIGURATIONS = {ch.RSE: 1, ch.NRSE: 2, ch.DIFFERENTIAL: 4, ch.PSEUDODIFFERENTIAL: 8}


def check(product: Product, attributes: Values, name: str, value: Value) -> None:
    """Raise DaqmxError -200077 for a value that the product has not got, NotServed for one whose effect is not simulated."""
    known = _possible(product, attributes, name)
    if known and value not in known:
        words = ", ".join(f"DAQmx_Val_{VALUES[item]}" if item in VALUES else str(item) for item in known)
        raise DaqmxError(-200077, Property=c_name(name), Requested_Value=value, Possible_Values=words)
    if name in _SIMULATED and value is not None and value != _SIMULATED[name]:
        raise NotServed(f"{name} other than {_SIMULATED[name]}")
    if (name == "AI_BRIDGE_NOM_RESISTANCE" and not as_float(value) > 0.0) or (name == "AI_EXCIT_ACTUAL_VAL" and not as_float(value) >= 0.0):
        raise DaqmxError(-200077, Property=c_name(name), Requested_Value=value, Minimum_Value=0.0)


_SIMULATED: dict[str, Value] = {
    "AO_DAC_REF_SRC": INTERNAL, "DO_TRISTATE": False, "DO_OUTPUT_DRIVE_TYPE": ACTIVE_DRIVE, "AI_RAW_DATA_COMPRESSION_TYPE": ch.NONE,
}  # fmt: skip
"""What some products have otherwise as well, but not here."""


def _possible(product: Product, a: Values, name: str) -> tuple[int, ...]:
    """What a property can be on a product; empty where nothing is said about it here."""
    if name.endswith("_DATA_XFER_MECH"):
        return transfers(product)
    if name in ("CI_DATA_XFER_REQ_COND", "DI_DATA_XFER_REQ_COND"):
        return (NOT_EMPTY, MORE_THAN_HALF)
    if name == "AO_TERM_CFG" and product.outputs is not None:
        return (*(kind for kind, bit in CONFIGURATIONS.items() if product.outputs.term_cfgs[0] & bit), ch.DEFAULT)
    if product.category == X_SERIES and name == "DO_OUTPUT_DRIVE_TYPE":
        return (ACTIVE_DRIVE,)
    if name == "AO_DAC_REF_SRC" and not any(text.startswith("APFI") for text in product.terminals):
        return (INTERNAL,)  # an external reference comes in at APFI
    if name == "AI_BRIDGE_CFG" and a.get("AI_MEAS_TYPE") in OF_BRIDGES:
        return BRIDGES
    return _of_excitation(product, name) or {"CO_PULSE_FREQ_UNITS": (HERTZ,), "CO_PULSE_TIME_UNITS": (SECONDS,)}.get(name, ())


def verify(task: Task) -> None:
    """Raise DaqmxError -200847, of analogue outputs -200767, for a buffer that programmed I/O would have to fill or empty."""
    if not task.clocked or task.single_point or task.kind == ch.COUNTER_OUTPUT:
        return
    for channel in task.channels:
        way = next((name for name in channel.attributes if name.endswith("_DATA_XFER_MECH")), "")
        if channel.attributes.get(way) == PROGRAMMED_IO:
            raise task.fail(-200767 if task.kind == ch.ANALOG_OUTPUT else -200847, Property=c_name(way), Channel_Name=channel.name)


def _of_excitation(product: Product, name: str) -> tuple[int, ...]:
    kinds = product.inputs.kinds if product.inputs is not None else ()
    if name == "AI_EXCIT_D_COR_AC" and "position" not in kinds:
        return (USE_DC,)
    if name == "AI_EXCIT_VOLTAGE_OR_CURRENT" and "multifunction" not in kinds:  # what feeds its sensors is outside the card
        if product.inputs is not None and product.inputs.ratiometric:
            return (USE_VOLTAGE,)
        return (USE_CURRENT,) if "accel" in kinds and "charge" not in kinds else ()
    return ()


def transfers(product: Product) -> tuple[int, ...]:
    """How data get from the product to the host and back."""
    if product.bus == USB:
        return (USB_BULK, PROGRAMMED_IO)
    if product.category == C_SERIES_MODULE:
        return ()  # that is a matter of its chassis
    return (DMA, PROGRAMMED_IO) if product.category == X_SERIES else (DMA, INTERRUPTS, PROGRAMMED_IO)
