"""Virtual channels of a task: physical channel, range, scaling between volts at the terminal and the units of the task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from drivers.simulated.daqmx.errors import DaqmxError
from drivers.simulated.daqmx.products import AnalogInputs, AnalogOutputs

STANDARD_GRAVITY = 9.80665

# Members of nidaqmx.constants.
ANALOG_INPUT, ANALOG_OUTPUT, DIGITAL_INPUT, DIGITAL_OUTPUT = 10100, 10102, 10151, 10153
VOLTAGE, ACCELEROMETER, FORCE_BRIDGE = 10322, 10356, 15899
VOLTS = 10348
DEFAULT, RSE, DIFFERENTIAL, PSEUDODIFFERENTIAL = -1, 10083, 10106, 12529
INTERNAL, EXTERNAL, NONE = 10200, 10167, 10230
AC, DC = 10045, 10050
UNITS_PER_ACCELERATION = {10186: 1.0, 12470: STANDARD_GRAVITY, 12471: STANDARD_GRAVITY / 0.0254}
VOLTS_PER_SENSITIVITY = {12509: 1e-3, 12510: 1.0}
NEWTONS_PER_FORCE = {15875: 1.0, 15876: 4.4482216152605, 15877: STANDARD_GRAVITY}
RATIO_PER_ELECTRICAL = {15896: 1.0, 15897: 1e-3}


@dataclass
class Channel:
    """One virtual channel. `attributes`: the properties of the channel by NI's name, as configured."""

    name: str
    physical: str
    device: str
    kind: int
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass
class AnalogChannel(Channel):
    """value = gain * volts + offset; `top`: the range in use is +-top volts, `lsb` volts a code, codes from -codes to codes - 1."""

    gain: float = 1.0
    offset: float = 0.0
    top: float = 10.0
    codes: int = 2**15

    @property
    def lsb(self) -> float:
        return self.top / self.codes


@dataclass
class LineChannel(Channel):
    """Digital lines of one channel; `shifts`: bit of each line in a number read or written."""

    lines: tuple[str, ...] = ()
    shifts: tuple[int, ...] = ()


def check_limits(minimum: float, maximum: float) -> None:
    """Raise DaqmxError -200082 unless minimum < maximum."""
    if not minimum < maximum:
        raise DaqmxError(-200082, Maximum_Value=maximum, Minimum_Value=minimum)


def choose_top(tops: tuple[float, ...], volts: float, prefix: str, request: Mapping[str, Any]) -> float:
    """Smallest range of the device that holds +-volts. Raises DaqmxError -200077."""
    for top in tops:
        if volts <= top * (1 + 1e-9):
            return top
    raise DaqmxError(-200077, Property=f"{prefix}.Max", Requested_Value=request["max_val"], Maximum_Value=tops[-1], Minimum_Value=-tops[-1])


def input_voltage(inputs: AnalogInputs, request: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an AnalogChannel for a voltage."""
    _one_of(request["units"], (VOLTS,), "AI.Voltage.Units")
    _terminal_config(inputs, request["terminal_config"])
    attributes = {"AI_MEAS_TYPE": VOLTAGE, "AI_VOLTAGE_UNITS": VOLTS, "AI_COUPLING": DC}
    return _analog_input(inputs, request, attributes, gain=1.0)


def input_acceleration(inputs: AnalogInputs, request: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an AnalogChannel for an IEPE accelerometer: AC coupled, units a volt = units a g / (V/g)."""
    _one_of(request["units"], UNITS_PER_ACCELERATION, "AI.Accel.Units")
    _one_of(request["sensitivity_units"], VOLTS_PER_SENSITIVITY, "AI.Accel.SensitivityUnits")
    _one_of(request["current_excit_source"], (INTERNAL, EXTERNAL, NONE), "AI.Excit.Src")
    _terminal_config(inputs, request["terminal_config"])
    if request["sensitivity"] == 0.0:
        raise DaqmxError(-200077, Property="AI.Accel.Sensitivity", Requested_Value=request["sensitivity"])
    attributes = {
        "AI_MEAS_TYPE": ACCELEROMETER,
        "AI_ACCEL_UNITS": request["units"],
        "AI_ACCEL_SENSITIVITY": request["sensitivity"],
        "AI_ACCEL_SENSITIVITY_UNITS": request["sensitivity_units"],
        "AI_EXCIT_SRC": request["current_excit_source"],
        "AI_EXCIT_VAL": request["current_excit_val"],
        "AI_COUPLING": AC,
    }
    volts_per_g = request["sensitivity"] * VOLTS_PER_SENSITIVITY[request["sensitivity_units"]]
    return _analog_input(inputs, request, attributes, gain=UNITS_PER_ACCELERATION[request["units"]] / volts_per_g)


def input_force_bridge(inputs: AnalogInputs, request: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an AnalogChannel for a force bridge with a line through two points; volts are those of the bridge's output."""
    for key, known, name in (
        ("units", NEWTONS_PER_FORCE, "AI.Force.Units"),
        ("physical_units", NEWTONS_PER_FORCE, "AI.Bridge.PhysicalUnits"),
        ("electrical_units", RATIO_PER_ELECTRICAL, "AI.Bridge.ElectricalUnits"),
        ("voltage_excit_source", (INTERNAL, EXTERNAL), "AI.Excit.Src"),
        ("bridge_config", (10182, 10187, 10270), "AI.Bridge.Cfg"),
    ):
        _one_of(request[key], known, name)
    ratio = RATIO_PER_ELECTRICAL[request["electrical_units"]]
    electrical = (request["second_electrical_val"] - request["first_electrical_val"]) * ratio
    if electrical == 0.0 or request["voltage_excit_val"] <= 0.0:
        raise DaqmxError(-200077, Property="AI.Bridge.TwoPointLin.SecondElectricalVal", Requested_Value=request["second_electrical_val"])
    to_units = NEWTONS_PER_FORCE[request["physical_units"]] / NEWTONS_PER_FORCE[request["units"]]
    slope = (request["second_physical_val"] - request["first_physical_val"]) * to_units / electrical
    gain = slope / request["voltage_excit_val"]
    offset = request["first_physical_val"] * to_units - slope * request["first_electrical_val"] * ratio
    attributes = {
        "AI_MEAS_TYPE": FORCE_BRIDGE,
        "AI_FORCE_UNITS": request["units"],
        "AI_BRIDGE_CFG": request["bridge_config"],
        "AI_EXCIT_SRC": request["voltage_excit_source"],
        "AI_EXCIT_VAL": request["voltage_excit_val"],
        "AI_BRIDGE_NOM_RESISTANCE": request["nominal_bridge_resistance"],
        "AI_BRIDGE_TWO_POINT_LIN_FIRST_ELECTRICAL_VAL": request["first_electrical_val"],
        "AI_BRIDGE_TWO_POINT_LIN_SECOND_ELECTRICAL_VAL": request["second_electrical_val"],
        "AI_BRIDGE_TWO_POINT_LIN_FIRST_PHYSICAL_VAL": request["first_physical_val"],
        "AI_BRIDGE_TWO_POINT_LIN_SECOND_PHYSICAL_VAL": request["second_physical_val"],
        "AI_BRIDGE_ELECTRICAL_UNITS": request["electrical_units"],
        "AI_BRIDGE_PHYSICAL_UNITS": request["physical_units"],
        "AI_COUPLING": DC,
    }
    # The range of the module is a ratio: in volts it goes with the excitation.
    return _analog_input(inputs, request, attributes, gain, offset, request["voltage_excit_val"])


def output_voltage(outputs: AnalogOutputs, request: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an AnalogChannel for a voltage that is put out."""
    _one_of(request["units"], (VOLTS,), "AO.Voltage.Units")
    check_limits(request["min_val"], request["max_val"])
    top = choose_top(outputs.tops, max(abs(request["min_val"]), abs(request["max_val"])), "AO", request)
    attributes = {
        "AO_OUTPUT_TYPE": VOLTAGE,
        "AO_VOLTAGE_UNITS": VOLTS,
        "AO_MIN": request["min_val"],
        "AO_MAX": request["max_val"],
        "AO_DAC_RNG_LOW": -top,
        "AO_DAC_RNG_HIGH": top,
        "AO_RESOLUTION": float(outputs.bits),
        "AO_DATA_XFER_REQ_COND": 10242,
    }
    return {"attributes": attributes, "top": top, "codes": 2 ** (outputs.bits - 1)}


def _analog_input(
    inputs: AnalogInputs,
    request: Mapping[str, Any],
    attributes: dict[str, Any],
    gain: float,
    offset: float = 0.0,
    reference: float = 1.0,
) -> dict[str, Any]:
    minimum, maximum = request["min_val"], request["max_val"]
    check_limits(minimum, maximum)
    volts = max(abs((minimum - offset) / gain), abs((maximum - offset) / gain))
    top = reference * choose_top(inputs.tops, volts / reference, "AI", request)
    low, high = sorted((-top * gain + offset, top * gain + offset))
    config = request.get("terminal_config", DEFAULT)
    attributes |= {
        "AI_MIN": minimum,
        "AI_MAX": maximum,
        "AI_RNG_LOW": low,
        "AI_RNG_HIGH": high,
        "AI_RESOLUTION": float(inputs.bits),
        "AI_RAW_SAMP_SIZE": 16 if inputs.bits <= 16 else 32,
        "AI_TERM_CFG": _default_config(inputs) if config == DEFAULT else config,
    }
    return {"attributes": attributes, "gain": gain, "offset": offset, "top": top, "codes": 2 ** (inputs.bits - 1)}


def _default_config(inputs: AnalogInputs) -> int:
    return DIFFERENTIAL if "accel" not in inputs.kinds else PSEUDODIFFERENTIAL


def _terminal_config(inputs: AnalogInputs, config: int) -> None:
    known = (DEFAULT, DIFFERENTIAL, PSEUDODIFFERENTIAL) if inputs.simultaneous else (DEFAULT, RSE, 10078, DIFFERENTIAL)
    _one_of(config, known, "AI.TermCfg")


def _one_of(value: int, known: Any, name: str) -> None:
    if value not in known:
        raise DaqmxError(-200077, Property=name, Requested_Value=value)
