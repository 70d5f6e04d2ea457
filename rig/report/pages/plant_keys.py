"""The page of every key of a virtual bench's `[plant]`, made from the classes that read it: `python -m rig.report.pages.plant_keys`."""

from __future__ import annotations

import dataclasses
import importlib
import math
import sys
import typing
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rig.config import kinds
from rig.config.shape import Metadata
from rig.signals.engineering_units import shown

PACKAGE = "rig.virtual.plants"
if TYPE_CHECKING:
    from _typeshed import DataclassInstance

HEAD = """# Keys of a virtual bench's plant

Made from the program by `python -m rig.report.pages.plant_keys > docs/plant_keys.md`; a test holds it to that. What each plant is,
its signals and lines: [virtual_rigs.md](virtual_rigs.md), and at the top of `rig/virtual/plants/KIND.py`.

`kind` chooses the plant. Every other key may be left out, unless it is to be given; a table that is given in part keeps the rest. On the
command line a key is `--set bench.plant.KEY=VALUE`, as `--set bench.plant.clearance="0.2 mm"`. Values with a unit are written as text with
one, any that fits.
"""
GIVEN = "to be given"
FRAMES = {"linkage_frame": ("serial_frame", "instrumented_frame")}
"""Plants with all keys of another one."""


def page() -> str:
    """The page as Markdown."""
    return "\n".join([HEAD, *(line for kind in kinds.names(PACKAGE) for line in _plant(kind))])


def keys(kind: str) -> list[str]:
    """Every key of a plant, those of its tables as `table.key`."""
    return [key for key, *_ in _rows(kinds.config_class(PACKAGE, kind))]


def _plant(kind: str) -> Iterator[str]:
    cls = kinds.config_class(PACKAGE, kind)
    base = next((one for one, others in FRAMES.items() if kind in others), None)
    told = set(keys(base)) if base else set()
    yield f"## `{kind}`\n\n{first_sentence(importlib.import_module(cls.__module__).__doc__)}\n"
    if base:
        yield f"All keys of [`{base}`](#{base}), with the same defaults, and:\n"
    yield "| key | default | allowed | what |\n|---|---|---|---|"
    for key, default, allowed, what in _rows(cls):
        if key not in told:
            yield f"| `{key}` | {default} | {allowed} | {what} |"
    yield ""


def _rows(cls: type[DataclassInstance], table: str = "", usual: DataclassInstance | None = None) -> Iterator[tuple[str, str, str, str]]:
    """(key, default, allowed, what) of a table and of the tables in it; usual: what it is where nothing is said, else its defaults."""
    hints = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        key, value = f"{table}{field.name}", _default(field) if usual is None else getattr(usual, field.name)
        inner = next((one for one in _types(hints[field.name]) if dataclasses.is_dataclass(one)), None)
        if inner is None or "kinds" in field.metadata:
            default = GIVEN if value is dataclasses.MISSING else shown_default(value, field.metadata)
            yield key, default, shown_bounds(field.metadata), meaning(field)
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            yield from _rows(type(value), f"{key}.", value)
        else:
            many = typing.get_origin(hints[field.name]) is tuple
            how = "table; absent" if not many else f"a list of tables, `[[plant.{key}]]`; {'none' if value == () else GIVEN}"
            yield key, how, "", first_sentence(inner.__doc__)
            yield from _rows(inner, f"{key}.")


def _default(field: dataclasses.Field[object]) -> object:
    """MISSING where it has to be given."""
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _types(hint: object) -> list[type]:
    """Those that stand in an annotation."""
    return [one for one in (hint, *typing.get_args(hint)) if isinstance(one, type)]


def shown_default(value: object, metadata: Metadata) -> str:
    if value is None:
        return f"absent ({shown(metadata['unit'])[0]})" if "unit" in metadata else "absent"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, str):
        return f'`"{value}"`'
    assert isinstance(value, (int, float))
    return _quantity(value, metadata.get("unit", "1"))


def _quantity(value: float, unit: str) -> str:
    if unit == "1":
        return f"{value:.6g}"
    name, factor = (unit, 1.0) if unit == "s" and abs(value) >= 1.0 else shown(unit)
    return f"{value * factor:.6g} {name}"


def shown_bounds(metadata: Metadata) -> str:
    if "choices" in metadata or "names" in metadata:
        own = ", or of your own" if "names" in metadata else ""
        return " ".join(f"`{one}`" for one in metadata.get("choices", metadata.get("names", ()))) + own
    unit = metadata.get("unit", "1")
    words = {"over": "above", "at_least": "from", "below": "below", "at_most": "to"}
    return " ".join(f"{word} {_limit(metadata[key], unit)}" for key, word in words.items() if key in metadata)


def _limit(value: float, unit: str) -> str:
    return "0" if value == 0.0 else "a turn" if unit == "rad" and math.isclose(value, 2.0 * math.pi) else _quantity(value, unit)


def meaning(field: dataclasses.Field[object]) -> str:
    said = str(field.metadata.get("doc", ""))
    words = field.name.replace("_", " ")
    return f"{words}: {said}" if said else words


def first_sentence(text: str | None) -> str:
    return " ".join((text or "").split("\n\n")[0].split())


if __name__ == "__main__":
    sys.stdout.write(page())
