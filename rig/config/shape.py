"""What a configuration dataclass asks for, field by field: read once from its annotations and metadata."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import Any, Literal

Form = Literal["number", "integer", "boolean", "text", "table", "kind"]
_PLAIN: dict[object, Form] = {float: "number", int: "integer", bool: "boolean", str: "text"}
Metadata = Mapping[str, Any]
"""Of a field, as the dataclasses have it."""


@dataclass(frozen=True)
class Shape:
    """One field. `many`: a list of them. `table`: the dataclass of a form "table"; "kind" is a table whose `kind` key chooses it.
    `default`: what it is when it is left out; None where it is required, too."""

    name: str
    form: Form
    many: bool
    optional: bool
    required: bool
    table: type | None
    metadata: Metadata
    default: object


_known: dict[type, dict[str, Shape]] = {}


def shapes(cls: type) -> dict[str, Shape]:
    """Field name -> shape of a dataclass, in order. Raises TypeError for an annotation that a configuration file cannot hold."""
    if cls not in _known:
        assert is_dataclass(cls), cls
        hints = typing.get_type_hints(cls)
        _known[cls] = {f.name: _shape(cls, f, hints[f.name]) for f in fields(cls)}
    return _known[cls]


def _shape(cls: type, f: Field, hint: object) -> Shape:
    optional = many = False
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        options = [option for option in typing.get_args(hint) if option is not type(None)]
        optional = len(options) < len(typing.get_args(hint))
        hint = options[0] if len(options) == 1 or "kinds" in f.metadata else hint
    if typing.get_origin(hint) is tuple:
        hint, many = typing.get_args(hint)[0], True
    required = f.default is MISSING and f.default_factory is MISSING
    default: object = None if f.default is MISSING else f.default
    if f.default_factory is not MISSING:
        default = f.default_factory()
    form: Form
    if "kinds" in f.metadata:
        form = "kind"
    elif is_dataclass(hint):
        form = "table"
    elif hint in _PLAIN:
        form = _PLAIN[hint]
    else:
        raise TypeError(f"{cls.__module__}.{cls.__qualname__}.{f.name}: {hint!r} cannot stand in a configuration file")
    return Shape(f.name, form, many, optional, required, hint if form == "table" and isinstance(hint, type) else None, f.metadata, default)
