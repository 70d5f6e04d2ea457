"""Configuration as plain JSON and back, for the processes of a run: SI numbers, no parser of quantities, no validation again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from drivers.files.plain_values import Json, table
from rig.config.kinds import choosers, chosen_by, config_class, kind_of
from rig.config.shape import Shape, shapes

T = TypeVar("T")
_PLAIN = {"number": float, "integer": int, "boolean": bool, "text": str}


def to_json(config: object) -> dict[str, Json]:
    """A configuration dataclass as a dict of JSON values; tables of a kind carry `kind`, or what chose them, beside."""
    return {name: _out(shape, getattr(config, name)) for name, shape in shapes(type(config)).items()}


def from_json(cls: type[T], data: Mapping[str, Json], leave: Collection[str] = ()) -> T:
    """The dataclass that `to_json` was given.

    leave: fields of `cls` that this process has no business with: their values stay dicts, and the modules of their kinds are not
    imported. Raises KeyError for a required field that is absent, LookupError for an unknown kind, TypeError
    or ValueError for a value of another type.
    """
    values: dict[str, object] = {}
    for name, shape in shapes(cls).items():
        if name in data or shape.required:
            values[name] = data[name] if name in leave else _in(shape, data[name])
    return cls(**values)


def _out(shape: Shape, value: object) -> Json:
    if value is None or isinstance(value, Mapping):  # a mapping: left as it came
        return value
    if shape.many and isinstance(value, (tuple, list)):
        return [_one_out(shape, item) for item in value]
    return _one_out(shape, value)


def _one_out(shape: Shape, value: object) -> Json:
    if shape.form == "kind":
        return {chosen_by(shape.metadata, value): kind_of(value), **to_json(value)}
    if shape.form == "table":
        return to_json(value)
    assert isinstance(value, (bool, int, float, str)), f"{shape.name}: {value!r}"
    return value


def _in(shape: Shape, value: Json) -> object:
    if value is None:
        return None
    if shape.many:
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"{shape.name}: expected a list, got {value!r}")
        return tuple(_one_in(shape, item) for item in value)
    return _one_in(shape, value)


def _one_in(shape: Shape, value: Json) -> object:
    if shape.form == "kind":
        packages, data = choosers(shape.metadata), table(value)
        key = next((key for key in packages if key in data), "kind")
        return from_json(config_class(packages[key], str(data[key])), data)
    if shape.form == "table":
        assert shape.table is not None
        return from_json(shape.table, table(value))
    if shape.form == "number" and isinstance(value, (int, float, str)):
        return float(value)
    if not isinstance(value, _PLAIN[shape.form]):
        raise TypeError(f"{shape.name}: expected {shape.form}, got {value!r}")
    return value
