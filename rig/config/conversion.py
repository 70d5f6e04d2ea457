"""First pass over a tree: kinds are looked up, and every text that stands for a quantity becomes an SI number."""

from __future__ import annotations

import contextlib
import datetime
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from drivers.files.plain_values import Json
from rig.config.experiment import MODE_UNITS
from rig.config.kinds import choosers, config_class, names
from rig.config.shape import Shape, shapes
from rig.config.tree import Path_, Problem, dotted
from rig.config.units.quantities import QuantityError, is_unit, to_si
from rig.playback import digest

TERMINALS = {
    "a digital line": (re.compile(r"/?[^/,:]+/(port\d+/line\d+|pfi\d+)", re.IGNORECASE), "Dev1/port0/line6"),
    "an analogue output": (re.compile(r"/?[^/,:]+/ao\d+", re.IGNORECASE), "Dev1/ao0"),
}
"""What `terminal` in a field's metadata asks for."""
SMALLEST, LARGEST = 1e-40, 1e40
LONG = 10.0
"""m: a length that no rig has, and that is given without its unit."""
WIDE = 0.02
"""m: a clearance that no joint has."""
CLEARANCE = "clearance"
"""What its keys have in their names."""
KIND_MISSING = "kind is missing; expected one of {}"


@dataclass
class Conversion:
    """One tree being converted. `classes` tells which dataclass stands at which path, `kinds` which key (mostly `kind`) chose it."""

    mode: str = "force"
    channels: Mapping[str, str] = field(default_factory=dict)
    """Unit of each channel; the command stands among them."""
    problems: list[Problem] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What may not be meant."""
    classes: dict[Path_, type] = field(default_factory=dict)
    kinds: dict[Path_, str] = field(default_factory=dict)
    rooms: dict[Path_, str] = field(default_factory=dict)
    """The room that a kind is of: see `rig.config.kinds`."""
    folder: Path = Path()
    """Where files that are named are looked for."""
    about: dict[Path_, str | None] = field(default_factory=dict)
    """Unit of the channel that the table at a path is about."""
    usual: dict[Path_, object] = field(default_factory=dict)
    """What the table at a path would be if it were left out; its keys are laid over that."""

    def table(self, cls: type, tree: Mapping[str, Json], path: Path_ = (), channel: str | None = None) -> dict[str, Json]:
        """`tree` with SI numbers; keys that `cls` does not know are kept, for the next pass to find."""
        self.classes[path] = cls
        known = shapes(cls)
        channel = self.about[path] = self._channel_unit(known, tree, path) or channel
        made = {key: self._value(known[key], value, (*path, key), channel) if key in known else value for key, value in tree.items()}
        return self._pinned(known, made)

    def _pinned(self, known: Mapping[str, Shape], made: dict[str, Json]) -> dict[str, Json]:
        """With the digest of a file that is played: what has been checked is what is played."""
        for name, shape in known.items():
            file = made.get(shape.metadata.get("digest_of", ""))
            if name not in made and isinstance(file, str):
                with contextlib.suppress(OSError):  # said when it is read
                    made[name] = digest(Path(file))
        return made

    def _channel_unit(self, known: Mapping[str, Shape], tree: Mapping[str, Json], path: Path_) -> str | None:
        """Unit of the channel that a table is about: its own `unit`, or that of the channel it names; None of a word that is none.

        Of a criterion that of its metric, which the field lists (`units`).
        """
        for name, shape in known.items():
            if "units" in shape.metadata:
                return str(shape.metadata["units"].get(str(tree.get(name)), "1"))
        if "unit" in known:
            unit = tree.get("unit")
            if isinstance(unit, (datetime.date, datetime.datetime)):
                unit = unit.isoformat()  # as the text that it will be taken for
            if isinstance(unit, str) and unit and not is_unit(unit):
                self.problems.append(Problem((*path, "unit"), f"expected the name of a unit such as N, m or m/s^2, got {unit!r}"))
            return unit if isinstance(unit, str) and is_unit(unit) and unit else None
        return self.channels.get(str(tree["channel"])) if "channel" in tree else None

    def _value(self, shape: Shape, value: Json, path: Path_, channel: str | None) -> Json:
        if shape.many:
            if not isinstance(value, (list, tuple)):
                return value
            return tuple(self._one(shape, item, (*path, i), channel) for i, item in enumerate(value))
        return self._one(shape, value, path, channel)

    def _one(self, shape: Shape, value: Json, path: Path_, channel: str | None) -> Json:
        if shape.form == "number":
            return self._number(shape, value, path, channel)
        if shape.form == "text" and isinstance(value, (datetime.date, datetime.datetime)):
            return value.isoformat()
        if shape.form == "text" and "terminal" in shape.metadata and isinstance(value, str):
            pattern, example = TERMINALS[shape.metadata["terminal"]]
            if not pattern.fullmatch(value):
                self.problems.append(Problem(path, f"expected {shape.metadata['terminal']}, as {example}; got {value!r}"))
        if shape.form == "text" and "file" in shape.metadata and isinstance(value, str):
            return _whole(self.folder / value)  # the processes of a run stand elsewhere
        if shape.form == "table" and isinstance(value, Mapping):
            assert shape.table is not None
            self._note_usual(shape, shape.table, path)
            return self.table(shape.table, value, path, channel)
        if shape.form == "kind" and isinstance(value, Mapping):
            return self._kind(shape, value, path, channel)
        return value

    def _number(self, shape: Shape, value: Json, path: Path_, channel: str | None) -> Json:
        if shape.optional and value == "none":
            return None
        if isinstance(value, str):
            unit = self.unit(shape, channel)
            if unit is None:
                return 1.0  # of an unknown channel, which is what will be said
            try:
                return self._of_a_size(self._seen(to_si(value, unit), unit, path), value, path)
            except QuantityError as error:
                self.problems.append(Problem(path, str(error)))
                return 1.0
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            return value
        unit = self.unit(shape, channel)
        if abs(value) > LONG and unit == "m":
            self.remarks.append(f'{dotted(path)}: {value:g} without a unit is {value:g} m; for millimetres give "{value:g} mm"')
            return self._of_a_size(float(value), value, path)
        return self._of_a_size(self._seen(float(value), unit, path), value, path)

    def _seen(self, number: float, unit: str | None, path: Path_) -> float:
        """The number; a clearance of some centimetres is hardly meant."""
        if unit == "m" and CLEARANCE in str(path[-1]) and abs(number) > WIDE:
            self.remarks.append(f"{dotted(path)}: a clearance of {number:g} m; expected less than {WIDE:g} m")
        return number

    def _of_a_size(self, number: float, given: object, path: Path_) -> float:
        """A number that others can be made of: squares and quotients of it are numbers, too."""
        if number and not SMALLEST <= abs(number) <= LARGEST:
            expected = f"0, or a number from {SMALLEST:g} to {LARGEST:g} in SI, either sign"
            self.problems.append(Problem(path, f"expected {expected}; got {given!r}"))
            return 1.0
        return number

    def unit(self, shape: Shape, channel: str | None) -> str | None:
        """SI unit of a field; None when it is that of a channel nobody knows."""
        unit = str(shape.metadata.get("unit", "1")).replace("[mode]", MODE_UNITS.get(self.mode, "N"))
        of = "[metric]" if "[metric]" in unit else "[channel]"
        if of in unit and channel is None:
            return None
        return unit.replace(of, channel or "")  # first in its unit, so that what is divided by divides all of it

    def _kind(self, shape: Shape, value: Mapping[str, Json], path: Path_, channel: str | None) -> Json:
        packages = choosers(shape.metadata)
        key = next((key for key in packages if key in value), None)
        if key is None:
            others = "".join(f"; or {key}, one of {', '.join(names(package))}" for key, package in packages.items() if key != "kind")
            self.problems.append(Problem(path, KIND_MISSING.format(", ".join(names(packages["kind"]))) + others))
            return None
        try:
            cls = config_class(packages[key], str(value[key]))
        except LookupError as error:
            self.problems.append(Problem((*path, key), str(error.args[0])))
            return None
        self.kinds[path], self.rooms[path] = key, packages[key]
        self._note_usual(shape, cls, path)
        return self.table(cls, {name: item for name, item in value.items() if name != key}, path, channel)

    def _note_usual(self, shape: Shape, cls: type, path: Path_) -> None:
        """Before the table at `path` is read as a `cls`."""
        above = self.usual.get(path[:-1])
        usual = shape.default if above is None else getattr(above, shape.name)
        if not shape.many and type(usual) is cls:
            self.usual[path] = usual


def _whole(path: Path) -> str:
    """From the root. A path that cannot be followed (a link to itself, characters that no path has) stays: who opens it says so."""
    try:
        return str(path.resolve())
    except (OSError, RuntimeError, ValueError):
        return str(path.absolute())
