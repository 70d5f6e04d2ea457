"""Prints docs/daqmx_support.md, what of NI-DAQmx is served: `python docs/daqmx_support.py > docs/daqmx_support.md`.

A call or property counts as tested when a test of the device server uses a name of the client by which it is reached; the names come from
the source of the installed nidaqmx. What is not served answers UNIMPLEMENTED.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import nidaqmx

from drivers.simulated.daqmx.configuration import unsupported_task_properties
from drivers.simulated.daqmx.properties import properties
from drivers.simulated.daqmx.service.server import SERVICE, UNLISTED, family_of, served

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests" / "unit" / "drivers"
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
        "## Properties",
        "",
        "| family | tested | served | not served |",
        "|---|---|---|---|",
    ]  # fmt: skip
    details: list[str] = []
    for family, (key, known) in attributes().items():
        table = (properties.FAMILIES[key].names() if key in properties.FAMILIES else set()) - unsupported_task_properties.PARTLY
        tested = {name for name, number in known.items() if name in table and reached.attributes.get(number, set()) & used}
        parts = {
            "tested": tested,
            "served": {name for name in known if name in table} - tested,
            "not served": {name for name in known if name not in table},
        }
        lines.append(f"| {family} | {' | '.join(str(len(part)) for part in parts.values())} |")
        details += ["", f"### {family}", *_listed(parts)]
    counts, described = _calls(reached, used)
    total = " | ".join(str(sum(row[kind] for row in counts.values())) for kind in _KINDS)
    lines += ["", "## Remote calls", "", "| group | tested | served | not served |", "|---|---|---|---|"]
    lines += [f"| {group} | {' | '.join(str(row[kind]) for kind in _KINDS)} |" for group, row in counts.items()]
    lines += [f"| all | {total} |", *described, "", "## Properties, by name", *details, ""]
    return "\n".join(lines)


_KINDS = ("tested", "served", "not served")


def _calls(reached: Client, used: set[str]) -> tuple[dict[str, dict[str, int]], list[str]]:
    groups: dict[str, dict[str, set[str]]] = defaultdict(lambda: {kind: set() for kind in _KINDS})
    for method in SERVICE.methods:
        tested = reached.calls.get(method.name, set()) & used or method.name in used
        kind = "not served" if not served(method.name) else "tested" if tested else "served"
        groups[_group(method.name)][kind].add(method.name)
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
