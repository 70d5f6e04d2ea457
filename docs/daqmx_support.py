"""Prints docs/daqmx_support.md, what of NI-DAQmx is served: `python docs/daqmx_support.py > docs/daqmx_support.md`.

The families of functions at its head, with what NI's own simulated devices do, stand in docs/daqmx_families.toml; counts are made here.

A call or property counts as tested when a test of the device server uses a name of the client by which it is reached, or NI's own where the
client has none; the names come from the source of the installed nidaqmx. What is not served answers UNIMPLEMENTED.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nidaqmx

from drivers.simulated.daqmx.configuration import unsupported_task_properties
from drivers.simulated.daqmx.properties import properties
from drivers.simulated.daqmx.service.server import SERVICE, UNLISTED, family_of, served

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests" / "unit" / "drivers"
FAMILIES = Path(__file__).with_name("daqmx_families.toml")
ELSEWHERE = ("Attribute", "Begin")
"""In the names of calls that belong to no family of functions: properties by type of value, and pieces of long calls."""
GROUPS: tuple[tuple[str, str], ...] = (
    ("Watchdogs", "CreateWatchdog ControlWatchdog CfgWatchdog"),
    ("Tasks", "CreateTask ClearTask StartTask StopTask TaskControl IsTaskDone WaitUntilTaskDone LoadTask AddGlobal GetNth"),
    ("Channels", "CreateAI CreateAO CreateDI CreateDO CreateCI CreateCO CreateTEDSAI"),
    (
        "Timing, triggers, signals",
        "Cfg Disable Export Connect Disconnect Tristate SendSoftware WaitForNext WaitForValid SetFirst GetFirst SetStart GetStart SetArm "
        "GetArm SetSync GetSync GetRef",
    ),
    ("Reading", "Read"),
    ("Writing", "Write"),
    ("Events", "Register Unregister"),
    ("Scales and what is stored", "CreateLin CreateMap CreatePoly CreateTable CalculateReverse Save DeleteSaved"),
    ("Calibration", "Perform SelfCal Cal GetSelfCal GetExtCal SetCal DeviceSupportsCal RestoreLast GetAIChanCal SetAIChanCal"),
    ("Pieces of long calls, for other clients than nidaqmx", "Begin"),
)
"""Heading and how the calls under it begin; the first that fits counts, the rest is "Devices and system"."""


@dataclass(frozen=True)
class Client:
    """What the client calls by which of its public names: remote calls, and numbers of properties."""

    calls: Mapping[str, set[str]]
    attributes: Mapping[int, set[str]]


def client() -> Client:
    """Read it out of the source of nidaqmx."""
    known = {method.name.lower(): method.name for method in SERVICE.methods}
    found: dict[str, set[str]] = defaultdict(set)
    numbers: dict[int, set[str]] = defaultdict(set)
    for file in sorted(Path(nidaqmx.__file__).parent.rglob("*.py")):
        if "interpreter" in file.name or "_stubs" in file.parts:
            continue
        for function in (n for n in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(n, ast.FunctionDef)):
            for call in (n for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)):
                assert isinstance(call.func, ast.Attribute)
                name = known.get(call.func.attr.replace("_", ""))
                if name is None or "interpreter" not in ast.unparse(call.func.value):
                    continue
                found[name].add(function.name)
                for argument in call.args:
                    if "Attribute" in name and isinstance(argument, ast.Constant) and isinstance(argument.value, int):
                        numbers[argument.value].add(function.name)
    return Client(found, numbers)


def used_in_tests(folder: Path = TESTS) -> set[str]:
    """Every attribute, and every text that could be one or a chain of them, in the tests of a folder."""
    used = set()
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                used.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and all(map(str.isidentifier, node.value.split("."))):
                used.update(node.value.split("."))
    return used


def attributes() -> dict[str, tuple[str, dict[str, int]]]:
    """What the service calls a family of properties -> (the family in the tables, names and numbers)."""
    found: dict[str, tuple[str, dict[str, int]]] = {}
    for method in SERVICE.methods:
        field = method.input_type.fields_by_name.get("attribute")
        if field is None or field.enum_type is None or not method.name.startswith("Get"):
            continue
        for value in field.enum_type.values:
            family, _, name = value.name.partition("_ATTRIBUTE_")
            if value.number:
                found.setdefault(family, (family_of(method.name), {}))[1][name] = value.number
    for (family, number), name in UNLISTED.items():
        found[family][1][name] = number
    return dict(sorted(found.items()))


def page() -> str:
    """The page, as Markdown."""
    reached, used = client(), used_in_tests()
    lines = [
        "# What of NI-DAQmx is simulated",
        "",
        "Made from the server's own tables and the tests by `python docs/daqmx_support.py > docs/daqmx_support.md`;",
        "a test keeps it up to date. **Tested**: a test of the server uses it through the stock client (found by the client's own names).",
        "**Served**: it is in the tables, and no test names it. **Not served**: it answers `UNIMPLEMENTED` where a device may have it.",
        "A property that is served may still be refused with NI's error for a channel or device that has none.",
        "",
        "## By family of functions",
        "",
        *_families(reached, used),
        "",
        "## Properties",
        "",
        "| family | tested | served | not served |",
        "|---|---|---|---|",
    ]  # fmt: skip
    details: list[str] = []
    for family, parts in _properties(reached, used).items():
        lines.append(f"| {family} | {' | '.join(str(len(part)) for part in parts.values())} |")
        details += ["", f"### {family}", *_listed(parts)]
    counts, described = _calls(reached, used)
    total = " | ".join(str(sum(row[kind] for row in counts.values())) for kind in _KINDS)
    lines += ["", "## Remote calls", "", "| group | tested | served | not served |", "|---|---|---|---|"]
    lines += [f"| {group} | {' | '.join(str(row[kind]) for kind in _KINDS)} |" for group, row in counts.items()]
    lines += [f"| all | {total} |", *described, "", "## Properties, by name", *details, ""]
    return "\n".join(lines)


_KINDS = ("tested", "served", "not served")


def _properties(reached: Client, used: set[str]) -> dict[str, dict[str, set[str]]]:
    """Properties of each family by how far they are served."""
    found = {}
    for family, (key, known) in attributes().items():
        table = (properties.FAMILIES[key].names() if key in properties.FAMILIES else set()) - unsupported_task_properties.PARTLY
        tested = {
            name
            for name, number in known.items()
            if name in table and (reached.attributes.get(number, set()) & used or f"{family}_ATTRIBUTE_{name}" in used)
        }
        found[family] = {
            "tested": tested,
            "served": {name for name in known if name in table} - tested,
            "not served": {name for name in known if name not in table},
        }
    return found


def _kind(call: str, reached: Client, used: set[str]) -> str:
    """How far a remote call is served."""
    tested = reached.calls.get(call, set()) & used or call in used
    return "not served" if not served(call) else "tested" if tested else "served"


def _families(reached: Client, used: set[str]) -> Iterator[str]:
    """The table of families, and where its last column comes from. Raises ValueError for a call or property that is in none, or in two."""
    told = tomllib.loads(FAMILIES.read_text(encoding="utf-8"))
    sources = {key: number for number, key in enumerate(told["sources"], 1)}
    kinds = {method.name: _kind(method.name, reached, used) for method in SERVICE.methods if not any(w in method.name for w in ELSEWHERE)}
    found = _properties(reached, used)
    marked = {f"{family}.{name}": kind for family, parts in found.items() for kind, names in parts.items() for name in names}
    placed: dict[str, list[str]] = defaultdict(list)
    yield "| functions | remote calls | properties | how it works here | NI's own simulated devices in the same place |"
    yield "|---|---|---|---|---|"
    for family in told["families"]:
        counts = []
        for known, heads in ((kinds, family["calls"]), (marked, family["properties"])):
            mine = [name for name in known if name.startswith(tuple(heads))] if heads else []
            for name in mine:
                placed[name].append(family["name"])
            counts.append(_state([known[name] for name in mine]))
        where = "".join(f" [{sources[key]}]" for key in family["source"])
        ni = f"{family['ni']}{where}" if family["ni"] else "(nothing published that we know of)"
        yield f"| {family['name']} | {' | '.join(counts)} | {family['here']} | {ni} |"
    wrong = {name: placed[name] for name in [*kinds, *marked] if len(placed[name]) > 1 or (name in kinds and not placed[name])}
    if wrong:
        raise ValueError(f"{FAMILIES}: each remote call belongs to one family, no property to two: {wrong}")
    yield ""
    notes = " ".join(f"[{sources[key]}] {text}." for key, text in told["sources"].items())
    yield f"Calls and properties: how many are served of all, and how many of these a test uses. {notes}"


def _state(kinds: Sequence[str]) -> str:
    """`12 of 13, 9 tested`; none at all is a dash."""
    there = [kind for kind in kinds if kind != "not served"]
    return f"{len(there)} of {len(kinds)}, {there.count('tested')} tested" if kinds else "-"


def _calls(reached: Client, used: set[str]) -> tuple[dict[str, dict[str, int]], list[str]]:
    groups: dict[str, dict[str, set[str]]] = defaultdict(lambda: {kind: set() for kind in _KINDS})
    for method in SERVICE.methods:
        groups[_group(method.name)][_kind(method.name, reached, used)].add(method.name)
    described = [line for group, parts in groups.items() if group != _PROPERTIES for line in ("", f"### {group}", *_listed(parts))]
    return {group: {kind: len(names) for kind, names in parts.items()} for group, parts in groups.items()}, described


_PROPERTIES = "Getting, setting and resetting properties (by type of value)"


def _group(name: str) -> str:
    if "Attribute" in name:
        return _PROPERTIES
    return next((heading for heading, starts in GROUPS if name.startswith(tuple(starts.split()))), "Devices and system")


def _listed(parts: Mapping[str, Iterable[str]]) -> Iterator[str]:
    for kind, names in parts.items():
        if ordered := sorted(names):
            yield ""
            yield f"*{kind.capitalize()}:* {', '.join(f'`{name}`' for name in ordered)}"


if __name__ == "__main__":
    sys.stdout.write(page())
