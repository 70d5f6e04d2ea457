"""Kinds: `kind = "x"` in a table chooses the module of that name in a package, which holds a `Config` and a factory.

A field may take kinds of another package by another key: `path = "x"` in [trajectory] chooses a module of model.paths. Or it may take
those of a package that say they are fit for it: "drivers.loaders:loader" are its modules with `ROLE = "loader"`, and
"drivers.axes:axis,analog_axis" those with either role.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from typing import Any


@cache
def names(package: str) -> tuple[str, ...]:
    """The kinds that there are: modules of `package` (or of a role in it) that define a `Config`, found without importing them."""
    found = []
    package, _, role = package.partition(":")
    for info in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if _defines_config(info, role):
            found.append(info.name)
    return tuple(sorted(found))


def config_class(package: str, kind: str) -> type:
    """The `Config` of a kind. Raises LookupError, which lists the kinds there are."""
    where, _, role = package.partition(":")
    if kind not in names(package):
        raise LookupError(f"expected one of {', '.join(names(package)) or '(none installed)'}; got {kind!r}{_lacking(where, role, kind)}")
    found: type = importlib.import_module(f"{where}.{kind}").Config
    return found


def choosers(metadata: Mapping[str, Any]) -> dict[str, str]:
    """The keys that may choose what a table is, and the package of each: `kind`, and others that the field names (`or_by`)."""
    return {"kind": metadata["kinds"], **metadata.get("or_by", {})}


def chosen_by(metadata: Mapping[str, Any], config: Any) -> str:
    """Which of these keys chose `config`."""
    package = type(config).__module__.rpartition(".")[0]
    return next((key for key, one in choosers(metadata).items() if one.partition(":")[0] == package), "kind")


def kind_of(config: Any) -> str:
    """The kind that a `Config` belongs to."""
    return type(config).__module__.rpartition(".")[2]


def _lacking(package: str, role: str, kind: str) -> str:
    """What a module of that name has not; empty where there is none."""
    info = next((one for one in pkgutil.iter_modules(importlib.import_module(package).__path__) if one.name == kind), None)
    source = None if info is None else _source(info)
    if source is None:
        return ""
    if other := re.search(r'^ROLE = "(\w+)"$', source, re.MULTILINE):
        return f"; {kind} is a driver for another table (ROLE = {other[1]!r})"
    line = "class Config" if "\nclass Config" not in source else " or ".join(f'ROLE = "{one}"' for one in role.split(","))
    return f"; {package.replace('.', '/')}/{kind}.py is there, but no line of it begins with {line}"


def _defines_config(info: pkgutil.ModuleInfo, role: str) -> bool:
    source = _source(info)
    if source is None or "\nclass Config" not in source:
        return False
    return not role or any(f'\nROLE = "{one}"\n' in source for one in role.split(","))


def _source(info: pkgutil.ModuleInfo) -> str | None:
    spec = info.module_finder.find_spec(info.name, None)
    return spec.loader.get_source(info.name) if spec and spec.loader and hasattr(spec.loader, "get_source") else None
