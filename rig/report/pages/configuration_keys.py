"""The page of every key of experiment and bench files, made from the classes that read them."""

from __future__ import annotations

import dataclasses
import importlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rig.config import kinds
from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.config.shape import Metadata, Shape, shapes
from rig.hybrid.realtime.experiment import Experiment as Hybrid
from rig.report.pages import plant_keys

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

HEAD = """# Keys of the configuration

Made from the program by `python -m rig.report.pages.configuration_keys > docs/configuration.md`; a test holds it to that.

An experiment file (`configs/experiments/`) says what is tested, a bench file (`configs/benches/`) on what; `rig rths` takes files of its
own (`configs/hybrid/`). All are TOML. A value with a
unit is a text, as `"0.4 mm"`, in any unit that fits. A number without one is in the SI unit. On the command line a key is
`--set KEY=VALUE`; keys of the bench file begin with `bench.`.
"""
ROOMS = {
    "model.mechanisms": "Mechanisms, `[mechanism] kind`",
    "model.assembly.joints": "Joints of a planar linkage, `[[mechanism.joints]] kind`",
    "model.assembly.drives": "Drives of a planar linkage, `[[mechanism.drives]] kind`",
    "model.assembly.forces": "Forces on a planar linkage, `[[mechanism.forces]] kind`",
    "model.integrators": "Integrators, `[integrator] kind`",
    "rig.trajectory": "Trajectories, `[trajectory] kind`",
    "model.paths": "Paths, `[trajectory] path`",
    "rig.control": "Outer loops, `[control] kind`",
    "drivers.daq": "DAQ devices, `[daq] kind`",
    "drivers.loaders": "Loaders, `[loader] kind`",
    "drivers.axes": "Drives, `[axes.drive] kind`",
    "drivers.instruments": "Instruments, `[instruments.device] kind`",
    "drivers.simulated.instruments": "Simulated instruments, `[serial.device] kind`",
}
"""Room -> its heading. The plants have a page of their own."""


def page() -> str:
    """The page as Markdown."""
    files = {"Experiment file": Experiment, "Bench file": Bench, "File of real-time hybrid tests": Hybrid}
    of_files = [line for title, cls in files.items() for line in file_keys(title, cls)]
    return "\n".join([HEAD, *of_files, *_rooms()]).rstrip("\n") + "\n"


def file_keys(title: str, cls: type) -> Iterator[str]:
    """Lines on a file that `cls` reads: its keys, then those of each table."""
    tables: list[tuple[str, type]] = []
    yield f"## {title}\n"
    yield from _table(cls, "", tables)
    while tables:
        name, inner = tables.pop(0)
        yield f"### `{name}`\n\n{plant_keys.first_sentence(inner.__doc__)}\n"
        yield from _table(inner, name.strip("[]") + ".", tables)


def _rooms() -> Iterator[str]:
    for room, title in ROOMS.items():
        yield f"## {title}\n"
        for kind in kinds.names(room):
            cls = kinds.config_class(room, kind)
            said = importlib.import_module(cls.__module__).__doc__ or cls.__doc__
            yield f"### `{kind}`\n\n{plant_keys.first_sentence(said)}\n"
            tables: list[tuple[str, type]] = []
            yield from _table(cls, "", tables)
            for name, inner in tables:
                yield f"Table `{name}`: {plant_keys.first_sentence(inner.__doc__)}\n"
                yield from _table(inner, "", [])


def _table(cls: type[DataclassInstance], above: str, tables: list[tuple[str, type]]) -> Iterator[str]:
    """Rows of a dataclass; the tables in it are noted in `tables`, to come later."""
    rows = [_row(shape, field, above, tables) for shape, field in zip(shapes(cls).values(), dataclasses.fields(cls), strict=True)]
    if rows:
        yield "| key | default | allowed | what |\n|---|---|---|---|"
        yield from rows
    else:
        yield "No keys."
    yield ""


def _row(shape: Shape, field: dataclasses.Field[object], above: str, tables: list[tuple[str, type]]) -> str:
    if shape.form == "kind":
        key, room = f"{above}{shape.name}", shape.metadata["kinds"]
        where = "[plant keys](plant_keys.md)" if room == plant_keys.PACKAGE else ", ".join(f"`{name}`" for name in kinds.names(room))
        where = where or "[your own](your_own_kinds.md)"
        return f"| `{shape.name}` | {_absent(shape)} | table, `kind` one of {where} | {_what(field)} |"
    if shape.form == "table":
        key = f"{above}{shape.name}"
        assert shape.table is not None
        tables.append((f"[[{key}]]" if shape.many else f"[{key}]", shape.table))
        return f"| `{shape.name}` | {_absent(shape)} | {'list of tables' if shape.many else 'table'}, below | {_what(field)} |"
    return f"| `{shape.name}` | {_default(shape)} | {plant_keys.shown_bounds(shape.metadata)} | {_what(field)} |"


def _absent(shape: Shape) -> str:
    return "to be given" if shape.required else "none" if shape.many or shape.default is None else "as its keys say"


def _default(shape: Shape) -> str:
    if shape.required:
        unit = shape.metadata.get("unit", "1")
        return "to be given" if unit == "1" else f"to be given ({unit})"
    if shape.many and isinstance(shape.default, tuple):
        return ", ".join(f"`{value}`" for value in shape.default) or "none"
    return plant_keys.shown_default(shape.default, _shown(shape.metadata))


def _shown(metadata: Metadata) -> Metadata:
    """Units that depend on the mode or the channel are no factor of anything."""
    return {key: value for key, value in metadata.items() if key != "unit" or "[" not in value}


def _what(field: dataclasses.Field[object]) -> str:
    return plant_keys.meaning(field).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(page())
