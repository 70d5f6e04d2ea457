"""Excitation of sensors: what a device makes of the amount that was asked for, and with which coupling it goes together.

A device has a few amounts; one between two is coerced to the next higher, and is shown so ("NI-DAQmx Key Concepts", Coercion). Beyond the
highest -200077. The current of IEPE sensors of an NI 9234 goes with AC coupling only (its modes: DC, AC, IEPE with AC): -201172.
"""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.values import Value, Values, as_float
from drivers.simulated.daqmx.products import AnalogInputs
from drivers.simulated.daqmx.status.errors import DaqmxError

CURRENT = ni.ExcitationVoltageOrCurrent.USE_CURRENT.value


def settle(inputs: AnalogInputs, a: dict[str, Value]) -> None:
    """Bring the amount in line with the device. Raises DaqmxError -200077, -201172."""
    check_places(inputs, a)
    if a.get("AI_EXCIT_SRC") != ch.INTERNAL:
        return
    by_current = a.get("AI_EXCIT_VOLTAGE_OR_CURRENT") == CURRENT
    amounts = inputs.excitation_amps if by_current else inputs.excitation_volts
    before = as_float(a["AI_EXCIT_VAL"])
    if amounts:
        a["AI_EXCIT_VAL"] = _coerced(amounts, before)
    if a.get("AI_EXCIT_ACTUAL_VAL") == before:
        a["AI_EXCIT_ACTUAL_VAL"] = a["AI_EXCIT_VAL"]
    if by_current and as_float(a["AI_EXCIT_VAL"]) > 0.0 and inputs.iepe_needs_ac and a["AI_COUPLING"] != ch.AC:
        raise DaqmxError(-201172, Property="DAQmx_AI_Coupling", Requested_Value="DAQmx_Val_DC", Possible_Values="DAQmx_Val_AC")


def _coerced(amounts: tuple[float, ...], asked: float) -> float:
    """The next amount at or above the asked one; none at all is possible, too."""
    if asked == 0.0:
        return 0.0
    found = next((amount for amount in amounts if 0.0 < asked <= amount * (1 + 1e-9)), None)
    if found is None:
        raise DaqmxError(
            -200077, Property="DAQmx_AI_Excit_Val", Requested_Value=asked, Maximum_Value=amounts[-1], Minimum_Value=0.0,
            Possible_Values=", ".join(map(str, amounts)),
        )  # fmt: skip
    return found


def check_places(inputs: AnalogInputs, a: Values) -> None:
    """Raise DaqmxError -200077 for what a multifunction card has not got on board, and for what goes round what a module has."""
    if "multifunction" in inputs.kinds:
        _check_outside(a)
    wanted = {"AI_EXCIT_SRC": ("rtd", "DAQmx_AI_Excit_Src"), "AI_CURRENT_SHUNT_LOC": ("current", "DAQmx_AI_CurrentShunt_Loc")}
    for name, (kind, words) in wanted.items():
        if kind in inputs.kinds and a.get(name) == ch.EXTERNAL:
            raise DaqmxError(-200077, Property=words, Requested_Value="DAQmx_Val_External", Possible_Values="DAQmx_Val_Internal")


def _check_outside(a: Values) -> None:
    wanted = {
        "AI_EXCIT_SRC": ("DAQmx_AI_Excit_Src", ch.INTERNAL), "AI_CURRENT_SHUNT_LOC": ("DAQmx_AI_CurrentShunt_Loc", ch.INTERNAL),
        "AI_THRMCPL_CJC_SRC": ("DAQmx_AI_Thrmcpl_CJCSrc", 10200),
    }  # fmt: skip
    for name, (words, inside) in wanted.items():
        if a.get(name) == inside:
            possible = "DAQmx_Val_ConstVal, DAQmx_Val_Chan" if name == "AI_THRMCPL_CJC_SRC" else "DAQmx_Val_External"
            raise DaqmxError(-200077, Property=words, Requested_Value="DAQmx_Val_Internal", Possible_Values=possible)
