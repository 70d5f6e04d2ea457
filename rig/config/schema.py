"""Second pass over a tree: pydantic models made from the dataclasses check it, and the dataclasses are built.

Every problem is found, not only the first: a table that is wrong does not keep its neighbours from being looked at.
"""

from __future__ import annotations

import datetime
import difflib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

import pydantic
from pydantic import ConfigDict, Field
from pydantic_core import ErrorDetails

from drivers.files.plain_values import Json
from rig.config.conversion import Conversion
from rig.config.kinds import config_class, kind_of_class, names
from rig.config.shape import Shape, shapes
from rig.config.tree import Path_, Problem
from rig.config.units.quantities import described

T = TypeVar("T")
Hint = Any
"""A type, as pydantic takes it."""
_STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, hide_input_in_errors=True)
_TYPES: dict[str, type] = {"number": float, "integer": int, "boolean": bool, "text": str}
_BOUNDS = {"over": "gt", "at_least": "ge", "below": "lt", "at_most": "le"}
_BOUND_WORDS = {"greater_than": "more than", "greater_than_equal": "at least", "less_than": "less than", "less_than_equal": "at most"}


def build(cls: type[T], tree: Mapping[str, Json], conversion: Conversion) -> T | None:
    """The dataclass that `tree` stands for, or None; what is wrong is added to `conversion.problems`."""
    converted = conversion.table(cls, tree)
    failed = {problem.path for problem in conversion.problems}
    try:
        _model(cls, (), converted, conversion)(**converted)
    except pydantic.ValidationError as error:
        details = {tuple(detail["loc"]): detail for detail in error.errors(include_url=False, include_context=True)}
        conversion.problems += _told({path: detail for path, detail in details.items() if path not in failed}, conversion)
    return _construct(cls, (), converted, conversion)


def _model(cls: type, path: Path_, tree: Mapping[str, Json], conversion: Conversion) -> type[pydantic.BaseModel]:
    """A pydantic model of the table at `path`; what depends on the file (the kinds in it) has been looked up already."""
    hints = tuple(_hint(shape, (*path, name), tree.get(name), conversion) for name, shape in shapes(cls).items())
    return _shared_model(cls, hints, path in conversion.usual)


@cache
def _shared_model(cls: type, hints: tuple[Hint, ...], complete: bool) -> type[pydantic.BaseModel]:
    """A model, which takes a millisecond to make; tables that have the same fields share one. `complete`: without any key, too."""
    given = zip(shapes(cls).items(), hints, strict=True)
    entries: dict[str, Hint] = {name: (hint, ... if shape.required and not complete else None) for (name, shape), hint in given}
    made: type[pydantic.BaseModel] = pydantic.create_model(cls.__name__, __config__=_STRICT, **entries)
    return made


def _hint(shape: Shape, path: Path_, value: Json, conversion: Conversion) -> Hint:
    if shape.many:
        items = tuple(_one_hint(shape, (*path, i), item, conversion) for i, item in enumerate(value)) if isinstance(value, tuple) else ()
        return tuple.__class_getitem__(items or ()) if isinstance(value, tuple) else tuple
    hint = _one_hint(shape, path, value, conversion)
    return hint | None if shape.optional and value is None else hint


def _one_hint(shape: Shape, path: Path_, value: Json, conversion: Conversion) -> Hint:
    if shape.form in ("table", "kind"):
        if not isinstance(value, Mapping) or path not in conversion.classes:
            return Hint if any(problem.path[: len(path)] == path for problem in conversion.problems) else dict
        return _model(conversion.classes[path], path, value, conversion)
    if "choices" in shape.metadata:
        return Literal[tuple(shape.metadata["choices"])]
    return _bounded(shape.form, tuple((_BOUNDS[key], bound) for key, bound in shape.metadata.items() if key in _BOUNDS))


@cache
def _bounded(form: str, bounds: tuple[tuple[str, Hint], ...]) -> Hint:
    """The same object for the same bounds, as `_made` goes by it."""
    return Annotated[_TYPES[form], Field(**dict(bounds))]


def _told(details: Mapping[Path_, ErrorDetails], conversion: Conversion) -> Iterator[Problem]:
    """A key that is missing because it is misspelt is one problem, told where it stands."""
    missing = {path for path, detail in details.items() if detail["type"] == "missing"}
    misspelt: dict[Path_, Path_] = {}
    for path, detail in details.items():
        meant = (*path[:-1], *_nearest(str(path[-1]), _known_keys(path[:-1], conversion)))
        if detail["type"] == "extra_forbidden" and meant in missing - {*misspelt.values()}:
            misspelt[path] = meant
    for path, detail in details.items():
        if path in misspelt:
            also = _in_words(misspelt[path], details[misspelt[path]], conversion).text
            yield Problem(path, f"{_in_words(path, detail, conversion).text} It is {also}")
        elif path not in misspelt.values():
            yield _in_words(path, detail, conversion)


def _known_keys(table: Path_, conversion: Conversion) -> list[str]:
    """Of the table at a path, what chooses its kind included."""
    owner = conversion.classes.get(table)
    kind = [conversion.kinds[table]] if table in conversion.kinds else []
    return [*shapes(owner), *kind] if owner else []


def _in_words(path: Path_, detail: ErrorDetails, conversion: Conversion) -> Problem:
    """Say what was expected, in which unit, and what came."""
    kind, context, given = detail["type"], detail.get("ctx", {}), detail["input"]
    owner, name = conversion.classes.get(path[:-1]), path[-1]
    if owner is None and isinstance(name, int) and len(path) > 1:  # one of a list of words or numbers
        owner, name = conversion.classes.get(path[:-2]), path[-2]
    if kind == "extra_forbidden":
        elsewhere = _of_another_kind(str(name), owner, conversion.rooms[path[:-1]]) if owner and path[:-1] in conversion.kinds else ""
        return Problem(path, _unknown_key(str(name), _known_keys(path[:-1], conversion)) + elsewhere)
    shape = shapes(owner).get(str(name)) if owner else None
    unit = conversion.unit(shape, conversion.about.get(path[:-1])) if shape and shape.form == "number" else None
    what = described(unit) if unit else _expected(shape)
    if kind == "missing":
        return Problem(path, f"missing; expected {what}")
    if kind in _BOUND_WORDS:
        bound = next(iter(context.values()))
        units = f" {unit}" if unit and unit != "1" else ""
        return Problem(path, f"expected {_BOUND_WORDS[kind]} {_digits(bound)}{units}, got {_digits(given)}{units}")
    if kind == "literal_error":
        choices = shape.metadata["choices"] if shape else ()
        return Problem(path, f"expected one of {', '.join(map(str, choices))}; got {given!r}{_meant(str(given), map(str, choices))}")
    if kind == "finite_number":
        return Problem(path, f"expected {what}, got {given}")
    return Problem(path, f"expected {what}, got {_shown(given)}")


def _digits(value: float) -> str:
    """All digits of a whole number: a port of 99999999 is not looked for as 1e+08."""
    return str(value) if isinstance(value, int) else f"{value:g}"


def _expected(shape: Shape | None) -> str:
    if shape is None:
        return "something else"
    if shape.many:
        return f"a list of tables ([[{shape.name}]])" if shape.form in ("table", "kind") else "a list"
    words = {"integer": "a whole number", "boolean": "true or false", "text": "a text", "number": "a number"}
    return words.get(shape.form, f"a table ([{shape.name}])")


def _shown(value: object) -> str:
    if isinstance(value, (datetime.date, datetime.time)):
        return f"{value.isoformat()}, which TOML takes for a {'time' if isinstance(value, datetime.time) else 'date'}"
    return "a table" if isinstance(value, Mapping) else "a list" if isinstance(value, (list, tuple)) else repr(value)


def _unknown_key(name: str, known: list[str]) -> str:
    meant = _meant(name, known)
    return f"unknown key{meant}" if meant else f"unknown key; there are {', '.join(known)}"


def _of_another_kind(name: str, owner: type, package: str) -> str:
    """A key that other kinds have in this place: which, and what to do."""
    kind = kind_of_class(owner)
    others = [other for other in names(package) if other != kind and name in shapes(config_class(package, other))]
    return f"; {name} belongs to kind {' and '.join(others)}, not to {kind}: choose that kind or leave {name} out" if others else ""


def _meant(name: str, known: Iterable[str]) -> str:
    return "".join(f"; did you mean {close}?" for close in _nearest(name, known))


def _nearest(name: str, known: Iterable[str]) -> list[str]:
    """The one that may be meant, if any is near."""
    return difflib.get_close_matches(name, list(known), 1)


def _construct(cls: type[T], path: Path_, tree: Mapping[str, Json], conversion: Conversion) -> T | None:
    """The dataclass, from the inside out; None where something below is wrong."""
    values: dict[str, object] = {}
    for name, shape in shapes(cls).items():
        if name in tree:
            at = (*path, name)
            if shape.many and isinstance(given := tree[name], tuple):
                values[name] = tuple(_part(shape, (*at, i), item, conversion) for i, item in enumerate(given))
            else:
                values[name] = _part(shape, at, tree[name], conversion)
    if any(problem.path[: len(path)] == path for problem in conversion.problems):
        return None
    if (usual := conversion.usual.get(path)) is not None:
        values = {name: getattr(usual, name) for name in shapes(cls)} | values
    try:
        return cls(**values)
    except ValueError as error:  # what a dataclass says itself, as "key: message"
        key, colon, text = str(error).partition(": ")
        at, text = ((*path, *map(_step, key.split("."))), text) if colon and " " not in key else (path, str(error))
        conversion.problems.append(Problem(at, text))
    except ArithmeticError as error:  # as of a bearing so large that its clearance vanishes beside it
        conversion.problems.append(Problem(path, f"one of its numbers is far too large or too small for the others ({error})"))
    return None


def _step(word: str) -> str | int:
    """Of a path: an item of a list goes by its number."""
    return int(word) if word.isdecimal() else word


def _part(shape: Shape, path: Path_, value: Json, conversion: Conversion) -> object:
    if shape.form in ("table", "kind") and isinstance(value, Mapping) and path in conversion.classes:
        return _construct(conversion.classes[path], path, value, conversion)
    return value
