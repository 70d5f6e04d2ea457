"""Remote calls that make custom scales, and the properties of a scale."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.simulated.daqmx.core import finite
from drivers.simulated.daqmx.core.custom_scale import LINEAR, MAP, OF_TYPE, POLYNOMIAL, TABLE, UNITS, Scale
from drivers.simulated.daqmx.core.names import need_valid
from drivers.simulated.daqmx.core.values import Fields, Value, as_float, as_floats, as_int, plain
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.sensors.scales import reverse_coefficients
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name


def _create(kind: int, fields_of: Mapping[str, str]) -> Call:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        name = str(fields["name"])
        values = {attribute: plain(fields[key]) for key, attribute in fields_of.items()}
        if not name.strip():
            raise DaqmxError(-200467)
        need_valid(name)
        finite.need_all(values, "SCALE")
        units = {"PRE_SCALED_UNITS": plain(fields["pre_scaled_units"]), "SCALED_UNITS": str(fields["scaled_units"])}
        scale = Scale(name, {"TYPE": kind, **units, "DESCR": "", **values})
        scale.law()
        with engine.lock:
            if any(known.lower() == name.lower() for known in engine.stored_scales):
                raise DaqmxError(-200356, Custom_Scale_Name=name)
            engine.scales[name] = scale
        return {}

    return call


def _reverse(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    found = reverse_coefficients(
        as_floats(fields["forward_coeffs"]),
        as_float(fields["min_val_x"]),
        as_float(fields["max_val_x"]),
        as_int(fields["num_points_to_compute"]),
        as_int(fields["reverse_poly_order"]),
    )
    return {"reverse_coeffs": found}


CALLS: dict[str, Call] = {
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


def _property(name: str, settable: bool = True) -> Property[Scale]:
    def get(engine: Engine, scale: Scale) -> Value:
        if name not in scale.attributes:
            raise DaqmxError(-200601, Property=c_name(name, "SCALE"), Custom_Scale_Name=scale.name)
        return scale.attributes[name]

    def change(engine: Engine, scale: Scale, value: Value) -> None:
        get(engine, scale)
        if name == "PRE_SCALED_UNITS" and value not in UNITS:
            raise DaqmxError(-200077, Property="DAQmx_Scale_PreScaledUnits", Requested_Value=value)
        scale.attributes[name] = plain(value)

    return Property(get, change if settable else None)


SCALE: dict[str, Property[Scale]] = {
    "TYPE": _property("TYPE", settable=False),
    **{name: _property(name) for name in ("DESCR", "SCALED_UNITS", "PRE_SCALED_UNITS")},
    **{name: _property(name) for known in OF_TYPE.values() for name in known},
}
