"""The table of faults, `table.toml`: what goes wrong, on which rig, what is expected of the program, found by whom, within what bound.

All of it stands there before a test is run. A bound is a sum of settings by their names (`rig.faults.bounds`), never a number.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from drivers.files.plain_values import Json
from rig.config.injection import Injection
from rig.errors import ConfigError

EXPECTED = ("trip", "hold", "mark", "none")
"""The test ends; the command stands; it goes on and the record says so; nothing is found."""
ACTIONS = ("interlock", "stop", "hold", "indicate", "none")
FROM = ("fault", "limit")
"""What a latency counts from: the first sample with the fault, or the first one that is beyond what a limit allows."""
ALIAS = "$"


@dataclass(frozen=True)
class Rig:
    """How a rig is run: experiment, overrides, s after the device has begun to sample at which faults come, spread over `spread` s with
    the seeds; `names`: what is called otherwise on each rig; `coasts`: why something may still turn at the end."""

    experiment: str
    plant: str
    sets: tuple[str, ...]
    begin: float
    spread: float
    names: Mapping[str, str]
    coasts: str = ""


@dataclass(frozen=True)
class Row:
    """A pair of fault and rig. inject: as `Injection`, targets by name; keys: overrides that make the fault instead; host: what is done
    to the processes instead."""

    fault: str
    rig: str
    target: str
    expected: str
    action: str
    found_by: tuple[str, ...] = ()
    bound: tuple[str, ...] = ()
    counts_from: str = "fault"
    inject: tuple[Mapping[str, Json], ...] = field(default=(), hash=False)
    keys: tuple[str, ...] = ()
    host: str = ""
    sets: tuple[str, ...] = ()
    why: str = ""

    @property
    def name(self) -> str:
        """As `sensor frozen, linkage, stroke`."""
        return ", ".join(part for part in (self.fault, self.rig, self.target) if part)

    @property
    def bridges(self) -> bool:
        """Whether it keeps a line high that takes the power away by its fall."""
        return any(one["what"] == "constant" and one.get("value") == 1 for one in self.inject)

    def injections(self, names: Mapping[str, str], begin: float) -> tuple[Injection, ...]:
        """What happens on the rig whose names these are, from `begin` (s after the device has begun to sample) on."""
        return tuple(_injection(one, names, begin, self.fault) for one in self.inject)


@dataclass(frozen=True)
class Table:
    """`kinds`: fault -> what it is; `not_applicable`: (fault, rig) -> why."""

    rigs: Mapping[str, Rig]
    kinds: Mapping[str, str]
    rows: tuple[Row, ...]
    not_applicable: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def chosen(self, rigs: tuple[str, ...], kinds: tuple[str, ...]) -> tuple[Row, ...]:
        """Rows of these, all where none are named. Raises ConfigError for a name that there is not."""
        for what, given, known in (("--rigs", rigs, self.rigs), ("--kinds", kinds, self.kinds)):
            if unknown := [one for one in given if one not in known]:
                raise ConfigError(f"{what}: expected some of {', '.join(known)}; got {unknown[0]!r}")
        return tuple(row for row in self.rows if (not rigs or row.rig in rigs) and (not kinds or row.fault in kinds))

    def of_plant(self, kind: str) -> str:
        """Name of the rig whose plant is of that kind. Raises ConfigError."""
        found = [name for name, rig in self.rigs.items() if rig.plant == kind]
        if not found:
            raise ConfigError(f"the table of faults has no rig with the plant {kind!r}; it has {', '.join(self.rigs)}")
        return found[0]


@functools.cache
def read() -> Table:
    """The table of the package. Raises ConfigError for one that contradicts itself."""
    return parsed((resources.files("rig.faults") / "table.toml").read_text(encoding="utf-8"))


def parsed(text: str) -> Table:
    """A table from its text. Raises ConfigError."""
    tree = tomllib.loads(text)
    rigs = {name: _rig(one) for name, one in tree["rigs"].items()}
    kinds, rows, without = {}, list[Row](), {}
    for fault in tree["fault"]:
        kinds[fault["kind"]] = fault["what"]
        rows += _rows(fault, rigs)
        for rig, why in fault.get("not_applicable", {}).items():
            without.update({(fault["kind"], name): why for name in (rigs if rig == "others" else (rig,))})
    there = {(row.fault, row.rig) for row in rows}
    without = {pair: why for pair, why in without.items() if pair not in there}
    if missing := [f"{kind} on {rig}" for kind in kinds for rig in rigs if (kind, rig) not in there | set(without)]:
        raise ConfigError(f"table of faults: neither a row nor a reason why it does not apply: {', '.join(missing)}")
    return Table(rigs, kinds, tuple(rows), without)


def _rig(one: Mapping[str, Json]) -> Rig:
    return Rig(**{**one, "sets": tuple(one["sets"])})  # type: ignore[arg-type]


def _rows(fault: Mapping[str, Any], rigs: Mapping[str, Rig]) -> Iterator[Row]:
    for given in fault.get("row", ()):
        values = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items() if key != "rigs"}
        for rig in given["rigs"]:
            target = _named(str(values.get("target", "")), rigs[rig].names)
            row = Row(**{**values, "fault": fault["kind"], "rig": rig, "target": target})
            _need_sense(row)
            yield row


def _need_sense(row: Row) -> None:
    wrong = ""
    if row.expected not in EXPECTED or row.action not in ACTIONS or row.counts_from not in FROM:
        wrong = f"expected {', '.join(EXPECTED)}; action {', '.join(ACTIONS)}; counts_from {', '.join(FROM)}"
    elif sum(map(bool, (row.inject, row.keys, row.host))) != 1:
        wrong = "expected one of inject, keys and host"
    elif row.expected == "none" and not row.why:
        wrong = "a fault that nobody finds needs a reason, `why`"
    elif row.expected != "none" and not (row.found_by and row.bound):
        wrong = "expected found_by and bound"
    if wrong:
        raise ConfigError(f"table of faults: {row.name}: {wrong}")


def _named(text: str, names: Mapping[str, str]) -> str:
    return names[text[1:]] if text.startswith(ALIAS) else text


def _injection(one: Mapping[str, Json], names: Mapping[str, str], begin: float, fault: str) -> Injection:
    values = {key: _named(value, names) if isinstance(value, str) else value for key, value in one.items()}
    later = float(values.pop("later", 0.0))  # type: ignore[arg-type]
    return Injection(**{**values, "begin": begin + later, "fault": fault})  # type: ignore[arg-type]
