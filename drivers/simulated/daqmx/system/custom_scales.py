"""Remote calls that make custom scales, and the properties of a scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from drivers.simulated.daqmx.core import finite
from drivers.simulated.daqmx.core.names import need_valid
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.sensors.scales import LINEAR, MAP, OF_TYPE, POLYNOMIAL, TABLE, UNITS, Scale, check, reverse_coefficients
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name

Fields = Mapping[str, Any]
Alive = Callable[[], bool]


def _create(kind: int, fields_of: Mapping[str, str]) -> Callable[[Engine, Fields, Alive], Fields]:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        values = {name: _plain(fields[key]) for key, name in fields_of.items()}
        attributes = {"TYPE": kind, "PRE_SCALED_UNITS": fields["pre_scaled_units"], "SCALED_UNITS": fields["scaled_units"], "DESCR": ""}
        if not fields["name"].strip():
            raise DaqmxError(-200467)
        need_valid(fields["name"])
        finite.need_all(values, "SCALE")
        check(attributes | values)
        with engine.lock:
            if any(known.lower() == fields["name"].lower() for known in engine.stored_scales):
                raise DaqmxError(-200356, Custom_Scale_Name=fields["name"])
            engine.scales[fields["name"]] = Scale(fields["name"], attributes | values)
        return {}

    return call


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, float, str)) else [float(v) for v in value]


def _reverse(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    found = reverse_coefficients(
        list(fields["forward_coeffs"]),
        fields["min_val_x"],
        fields["max_val_x"],
        fields["num_points_to_compute"],
        fields["reverse_poly_order"],
    )
    return {"reverse_coeffs": found}


CALLS: dict[str, Callable[[Engine, Fields, Alive], Fields]] = {
    "CreateLinScale": _create(LINEAR, {"slope": "LIN_SLOPE", "y_intercept": "LIN_Y_INTERCEPT"}),
    "CreateMapScale": _create(
        MAP,
        {
            "prescaled_min": "MAP_PRE_SCALED_MIN", "prescaled_max": "MAP_PRE_SCALED_MAX",
            "scaled_min": "MAP_SCALED_MIN", "scaled_max": "MAP_SCALED_MAX",
        },
    ),
    "CreatePolynomialScale": _create(POLYNOMIAL, {"forward_coeffs": "POLY_FORWARD_COEFF", "reverse_coeffs": "POLY_REVERSE_COEFF"}),
    "CreateTableScale": _create(TABLE, {"prescaled_vals": "TABLE_PRE_SCALED_VALS", "scaled_vals": "TABLE_SCALED_VALS"}),
    "CalculateReversePolyCoeff": _reverse,
}  # fmt: skip


# -- properties: the subject is the scale ----------------------------------------------------------------------------------------------


def _property(name: str, settable: bool = True) -> Property:
    def get(engine: Engine, scale: Scale) -> Any:
        if name not in scale.attributes:
            raise DaqmxError(-200601, Property=c_name(name, "SCALE"), Custom_Scale_Name=scale.name)
        return scale.attributes[name]

    def change(engine: Engine, scale: Scale, value: Any) -> None:
        get(engine, scale)
        if name == "PRE_SCALED_UNITS" and value not in UNITS:
            raise DaqmxError(-200077, Property="DAQmx_Scale_PreScaledUnits", Requested_Value=value)
        scale.attributes[name] = _plain(value)

    return Property(get, change if settable else None)


SCALE: dict[str, Property] = {
    "TYPE": _property("TYPE", settable=False),
    **{name: _property(name) for name in ("DESCR", "SCALED_UNITS", "PRE_SCALED_UNITS")},
    **{name: _property(name) for known in OF_TYPE.values() for name in known},
}
