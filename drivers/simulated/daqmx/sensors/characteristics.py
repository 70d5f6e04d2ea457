"""Laws of sensors: what a channel reads, from the volts (or amperes, coulombs) at its terminals.

Formulas as NI gives them: bridges and strain gages in "NI-DAQmx Help", Strain Gage Configurations; resistance thermometers by Callendar
and Van Dusen, thermistors by Steinhart and Hart, in the reference of the properties AI.RTD.* and AI.Thrmstr.*. `a`: attributes of the
channel; `unit`: the unit of the values, as a member of the enumeration of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core import scaling
from drivers.simulated.daqmx.core.scaling import Block, Law
from drivers.simulated.daqmx.core.values import Values, as_float, as_floats, as_int
from drivers.simulated.daqmx.sensors import thermocouples
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name

G = 9.80665
INCH, POUND = 0.0254, 4.4482216152605
ACCELERATION = {10186: 1.0, 12470: G, 12471: G / INCH}
"""Units a g."""
FORCE = {15875: 1.0, 15876: POUND, 15877: G}
"""Newtons a unit; likewise below, in SI units."""
PRESSURE = {10081: 1.0, 15879: POUND / INCH**2, 15880: 1e5}
TORQUE = {15881: 1.0, 15882: POUND * INCH / 16.0, 15883: POUND * INCH, 15884: POUND * INCH * 12.0}
LENGTH = {10219: 1.0, 10379: INCH}
ANGLE = {10273: 1.0, 10146: np.pi / 180.0}
VELOCITY = {15959: 1.0, 15960: INCH}
CHARGE = {16102: 1.0, 16103: 1e-12}
RATIO = {15896: 1.0, 15897: 1e-3}
SOUND, STRAIN, VOLTS, AMPERES, OHMS, HERTZ = {10081: 1.0}, {10299: 1.0}, {10348: 1.0}, {10342: 1.0}, {10384: 1.0}, {10373: 1.0}
CELSIUS, FAHRENHEIT, KELVIN, RANKINE = (
    ni.TemperatureUnits.DEG_C.value, ni.TemperatureUnits.DEG_F.value, ni.TemperatureUnits.K.value, ni.TemperatureUnits.DEG_R.value,
)  # fmt: skip
TEMPERATURE = {CELSIUS: Law(), FAHRENHEIT: Law(1.8, 32.0), KELVIN: Law(1.0, 273.15), RANKINE: Law(1.8, 491.67)}
"""From degrees Celsius."""

SENSITIVITY = {
    12509: 1e-3, 12510: 1.0,  # V a g
    15891: 1e-3, 15892: 1e-3 / POUND,  # V a N
    15963: 1.0, 15964: 1e-3 / INCH,  # V a (m/s)
    14836: 1e-3 / (1e-3 * INCH), 14837: 1.0 / (1e-3 * INCH), 14838: 1.0, 14839: 1e3, 14840: 1e3,  # V a m
    12506: 1.0, 12505: 1e-3 / (1e-3 * INCH),  # V/V a m
    12507: 1e-3 * 180.0 / np.pi, 12508: 1e-3,  # V/V a rad
    16099: 1e-12, 16100: 1e-12 * G, 16101: 1e-12 * G / INCH,  # C a g
}  # fmt: skip

CUSTOM_RTD = ni.RTDType.CUSTOM.value
RTD = {
    12481: (3.81e-3, -6.02e-7, -6.0e-12), 10071: (3.9083e-3, -5.775e-7, -4.183e-12), 12482: (3.9692e-3, -5.8495e-7, -4.233e-12),
    10069: (3.9739e-3, -5.870e-7, -4.4e-12), 10053: (3.9787e-3, -5.8686e-7, -4.167e-12), 12483: (3.9888e-3, -5.915e-7, -3.85e-12),
}  # fmt: skip
"""A, B and C of the standard curves."""
COLDEST_RTD, HOTTEST_RTD = -200.0, 1000.0


def _over(a: Values, name: str) -> float:
    """A property as a divisor. Raises DaqmxError -200077 for none."""
    value = as_float(a[name])
    if not 1e-30 < value < 1e30:
        raise DaqmxError(-200077, Property=c_name(name), Requested_Value=value, Minimum_Value="0.0 (exclusive)")
    return value


def _slope(a: Values, name: str) -> float:
    """A property as something to divide by, of either sign. Raises DaqmxError -200077 for nothing, and for what is no size of a sensor."""
    value = as_float(a[name])
    if not 1e-30 < abs(value) < 1e30:
        raise DaqmxError(-200077, Property=c_name(name), Requested_Value=value)
    return value


def voltage(a: Values, unit: int) -> Law:
    return Law()


def voltage_with_excitation(a: Values, unit: int) -> Law:
    return Law(1.0 / _over(a, "AI_EXCIT_VAL")) if a["AI_EXCIT_USE_FOR_SCALING"] else Law()


def current(a: Values, unit: int) -> Law:
    """Of the voltage at a shunt outside; a module with a shunt of its own converts amperes."""
    return Law() if a.get("AI_CURRENT_SHUNT_LOC") == ch.INTERNAL else Law(1.0 / _over(a, "AI_CURRENT_SHUNT_RESISTANCE"))


def _sensitivity(a: Values, name: str) -> float:
    return _slope(a, name) * SENSITIVITY[as_int(a[f"{name}_UNITS"])]


def acceleration(a: Values, unit: int) -> Law:
    return Law(ACCELERATION[unit] / _sensitivity(a, "AI_ACCEL_SENSITIVITY"))


def acceleration_4_wire(a: Values, unit: int) -> Law:
    per_g = _sensitivity(a, "AI_ACCEL_4_WIRE_DC_VOLTAGE_SENSITIVITY")
    return voltage_with_excitation(a, unit).then(Law(ACCELERATION[unit] / per_g))


def acceleration_charge(a: Values, unit: int) -> Law:
    return Law(ACCELERATION[unit] / _sensitivity(a, "AI_ACCEL_CHARGE_SENSITIVITY"))


def charge(a: Values, unit: int) -> Law:
    return Law(1.0 / CHARGE[unit])


def sound(a: Values, unit: int) -> Law:
    return Law(1e3 / _slope(a, "AI_MICROPHONE_SENSITIVITY"))


def force_iepe(a: Values, unit: int) -> Law:
    per_newton = _sensitivity(a, "AI_FORCE_IEPE_SENSOR_SENSITIVITY")
    return Law(1.0 / (per_newton * FORCE[unit]))


def velocity_iepe(a: Values, unit: int) -> Law:
    per_speed = _sensitivity(a, "AI_VELOCITY_IEPE_SENSOR_SENSITIVITY")
    return Law(1.0 / (per_speed * VELOCITY[unit]))


def proximity(a: Values, unit: int) -> Law:
    per_metre = _sensitivity(a, "AI_EDDY_CURRENT_PROX_PROBE_SENSITIVITY")
    return Law(1.0 / (per_metre * LENGTH[unit]))


def lvdt(a: Values, unit: int) -> Law:
    per_metre = _sensitivity(a, "AI_LVDT_SENSITIVITY")
    return Law(1.0 / (per_metre * LENGTH[unit] * _over(a, "AI_EXCIT_VAL")))


def rvdt(a: Values, unit: int) -> Law:
    per_radian = _sensitivity(a, "AI_RVDT_SENSITIVITY")
    return Law(1.0 / (per_radian * ANGLE[unit] * _over(a, "AI_EXCIT_VAL")))


# -- bridges ---------------------------------------------------------------------------------------------------------------------------


def _gain(a: Values) -> float:
    """What a shunt calibration has found readings to be multiplied with."""
    return as_float(a.get("AI_BRIDGE_SHUNT_CAL_GAIN_ADJUST", 1.0))


def _ratio(a: Values) -> Law:
    """V/V of the bridge, without the initial ratio."""
    gain = _gain(a)
    return Law(gain / _over(a, "AI_EXCIT_VAL"), -gain * as_float(a["AI_BRIDGE_INITIAL_RATIO"]))


def bridge(a: Values, unit: int) -> Law:
    return _ratio(a).then(Law(1.0 / RATIO[unit]))


def _rise(a: Values, kind: str) -> tuple[float, float]:
    """First value of two points, and how far it is to the second. Raises DaqmxError -200077 where they are the same."""
    first, second = (f"AI_BRIDGE_TWO_POINT_LIN_{which}_{kind}_VAL" for which in ("FIRST", "SECOND"))
    rise = as_float(a[second]) - as_float(a[first])
    if rise == 0.0:
        raise DaqmxError(-200077, Property=c_name(second), Requested_Value=a[second])
    return as_float(a[first]), rise


def _two_points(a: Values, to_units: float) -> Law:
    ratio = RATIO[as_int(a["AI_BRIDGE_ELECTRICAL_UNITS"])]
    (first_electrical, electrical), (first_physical, physical) = _rise(a, "ELECTRICAL"), _rise(a, "PHYSICAL")
    slope = physical * to_units / (electrical * ratio)
    excitation = _over(a, "AI_EXCIT_VAL")
    offset = first_physical * to_units
    offset -= slope * (first_electrical * ratio + _gain(a) * as_float(a["AI_BRIDGE_INITIAL_RATIO"]))
    return Law(slope / excitation * _gain(a), offset)


def _of_bridge(a: Values, unit: int, units: Mapping[int, float]) -> Law:
    to_units = units[as_int(a["AI_BRIDGE_PHYSICAL_UNITS"])] / units[unit]
    if a["AI_BRIDGE_SCALE_TYPE"] == 15898:
        return _two_points(a, to_units)
    electrical = _ratio(a).then(Law(1.0 / RATIO[as_int(a["AI_BRIDGE_ELECTRICAL_UNITS"])]))
    if a["AI_BRIDGE_SCALE_TYPE"] == 10450:
        points = (as_floats(a[f"AI_BRIDGE_TABLE_{kind}_VALS"]) for kind in ("ELECTRICAL", "PHYSICAL"))
        curve = scaling.table(*points)
    else:
        coefficients = (as_floats(a[f"AI_BRIDGE_POLY_{way}_COEFF"]) for way in ("FORWARD", "REVERSE"))
        curve = scaling.polynomial(*coefficients)
    return electrical.then(curve).then(Law(to_units))


def force_bridge(a: Values, unit: int) -> Law:
    return _of_bridge(a, unit, FORCE)


def pressure_bridge(a: Values, unit: int) -> Law:
    return _of_bridge(a, unit, PRESSURE)


def torque_bridge(a: Values, unit: int) -> Law:
    return _of_bridge(a, unit, TORQUE)


def strain(a: Values, unit: int) -> Law:
    """Strain of the ratio Vr = (V strained - V unstrained) / V excitation, by bridge type; lead wires by 1 + R lead / R gage."""
    factor, poisson = _over(a, "AI_STRAIN_GAGE_GAGE_FACTOR"), as_float(a["AI_STRAIN_GAGE_POISSON_RATIO"])
    leads = 1.0 + as_float(a["AI_LEAD_WIRE_RESISTANCE"]) / _over(a, "AI_BRIDGE_NOM_RESISTANCE")
    excitation = _over(a, "AI_EXCIT_VAL")
    ratio = Law(_gain(a) / excitation, -_gain(a) * as_float(a["AI_BRIDGE_INITIAL_VOLTAGE"]) / excitation)
    # Strain = n Vr / (GF (p + q Vr)): n, p and q of each type, and whether lead wires count.
    n, p, q, wired = {
        10183: (-1.0, 1.0, 0.0, False), 10184: (-2.0, 1.0 + poisson, 0.0, False), 10185: (-2.0, poisson + 1.0, -(poisson - 1.0), False),
        10188: (-4.0, 1.0 + poisson, -2.0 * (poisson - 1.0), True), 10189: (-2.0, 1.0, 0.0, True),
        10271: (-4.0, 1.0, 2.0, True), 10272: (-4.0, 1.0, 2.0, True),
    }[as_int(a["AI_STRAIN_GAGE_CFG"])]  # fmt: skip
    gain = n * (leads if wired else 1.0) / factor
    if q == 0.0:
        return ratio.then(Law(gain / p))
    return ratio.then(Law(curve=lambda r: gain * r / (p + q * r), inverse=lambda e: np.asarray(p * e / (gain - q * e))))


# -- resistance and temperature --------------------------------------------------------------------------------------------------------


def resistance(a: Values, unit: int) -> Law:
    return Law(1.0 / _over(a, "AI_EXCIT_VAL"))


def thermocouple(a: Values, unit: int) -> Law:
    if a["AI_THRMCPL_TYPE"] not in thermocouples.ranges_of():
        raise DaqmxError(-200077, Property="DAQmx_AI_Thrmcpl_Type", Requested_Value=a["AI_THRMCPL_TYPE"])
    cold = float(TEMPERATURE[unit].back(as_float(a["AI_THRMCPL_CJC_VAL"]))) if a["AI_THRMCPL_CJC_SRC"] == 10116 else 25.0
    return Law(1.0, -_lead_offset(a)).then(thermocouples.law(as_int(a["AI_THRMCPL_TYPE"]), cold)).then(TEMPERATURE[unit])


def _lead_offset(a: Values) -> float:
    """Volts that a thermocouple's leads show, taken off where open ones are looked for ("AI.Thrmcpl.LeadOffsetVoltage")."""
    return as_float(a["AI_THRMCPL_LEAD_OFFSET_VOLTAGE"]) if a.get("AI_OPEN_THRMCPL_DETECT_ENABLE", False) else 0.0


@lru_cache(maxsize=64)
def _callendar(r0: float, ca: float, cb: float, cc: float) -> Law:
    """Degrees Celsius of R = R0 (1 + A t + B t^2 + C (t - 100) t^3), C only below 0 degrees."""

    def ohms(t: Block) -> Block:
        return np.asarray(r0 * (1.0 + ca * t + cb * t * t + np.where(t < 0.0, cc * (t - 100.0) * t**3, 0.0)))

    grid = np.linspace(COLDEST_RTD, HOTTEST_RTD, 24_001)
    points = ohms(grid)
    return Law(curve=lambda r: np.asarray(np.interp(r, points, grid)), inverse=ohms)


def rtd(a: Values, unit: int) -> Law:
    curve = _callendar(_over(a, "AI_RTD_R0"), *(as_float(a[f"AI_RTD_{letter}"]) for letter in "ABC"))
    return resistance(a, unit).then(curve).then(TEMPERATURE[unit])


def _steinhart(a: Values) -> Law:
    """1/T = A + B ln R + C (ln R)^3, with the real root of the cubic for the way back."""
    ca, cb, cc = (as_float(a[f"AI_THRMSTR_{letter}"]) for letter in "ABC")
    if cc == 0.0:
        _slope(a, "AI_THRMSTR_B")

    def celsius(ohms: Block) -> Block:
        log = np.log(np.maximum(ohms, 1e-3))
        return np.asarray(1.0 / (ca + cb * log + cc * log**3) - 273.15)

    def ohms(t: Block) -> Block:
        y = ca - 1.0 / (np.asarray(t) + 273.15)
        if cc == 0.0:
            return np.asarray(np.exp(-y / cb))
        half, third = y / (2.0 * cc), cb / (3.0 * cc)
        root = np.sqrt(half**2 + third**3)
        return np.asarray(np.exp(np.cbrt(root - half) - np.cbrt(root + half)))

    return Law(curve=celsius, inverse=ohms)


def thermistor_current(a: Values, unit: int) -> Law:
    return resistance(a, unit).then(_steinhart(a)).then(TEMPERATURE[unit])


def thermistor_voltage(a: Values, unit: int) -> Law:
    """The thermistor in series with R1 at the excitation voltage: V = Vex R / (R + R1)."""
    excitation = _over(a, "AI_EXCIT_VAL")
    series = _over(a, "AI_THRMSTR_R1")

    def ohms(volts: Block) -> Block:
        share = np.clip(volts / excitation, 1e-6, 1.0 - 1e-6)
        return np.asarray(series * share / (1.0 - share))

    divider = Law(curve=ohms, inverse=lambda r: np.asarray(excitation * r / (r + series)))
    return divider.then(_steinhart(a)).then(TEMPERATURE[unit])


def built_in_temperature(a: Values, unit: int) -> Law:
    """Of a simulated board: 10 mV a degree."""
    return Law(100.0).then(TEMPERATURE[unit])
