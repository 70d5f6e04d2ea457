"""The units in which a session by hand speaks: those in which the bench file states what moves, so that nobody converts in the head."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from drivers.files.plain_values import Json
from rig.config.units.quantities import QuantityError, to_si
from rig.manual.loader_axis import STROKE
from rig.manual.session import ANGLE, Measure

UNIT = re.compile(r"\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*(\S.*?)\s*")
LOADER = "loader"


def measure(path: Path, name: str) -> Measure:
    """Of the axis or `loader` called `name` in the bench file at `path`; a unit that it does not state is deg, mm, or SI."""
    table = _table(path, name)
    if name == LOADER:
        unit, one = _stated(table, "stroke_full_scale", "m", STROKE.unit)
        force, newtons = _stated(table, "force_full_scale", "N", STROKE.effort_unit)
        speed, per_second = f"{unit}/s", one
        shown = STROKE
    else:
        unit, one = _stated(table, "zero", "rad", ANGLE.unit)
        speed, per_second = _stated(table, "max_speed", "rad/s", f"{unit}/s")
        force, newtons = _stated(table, "max_torque", "N*m", "N*m")
        shown = ANGLE
    example = f"{0.1 * shown.largest / one:.2g} {unit}" if unit != shown.unit else shown.example
    return replace(
        shown, example=example, unit=unit, one=one, speed_unit=speed, speed_one=per_second, effort_unit=force.replace("*", " "),
        effort_one=newtons,
    )  # fmt: skip


def _table(path: Path, name: str) -> Mapping[str, Json]:
    """Of its driver, as it stands in the file, which has been read and found right before."""
    tree = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    if name == LOADER:
        return dict(tree.get(LOADER, {}))
    return next((dict(axis.get("drive", {})) for axis in tree.get("axes", ()) if axis.get("name") == name), {})


def _stated(table: Mapping[str, Json], key: str, si: str, otherwise: str) -> tuple[str, float]:
    """(unit of a key, what one of it is in SI)."""
    value = table.get(key)
    found = UNIT.fullmatch(value) if isinstance(value, str) else None
    unit = found[1] if found else otherwise
    try:
        return unit, to_si(f"1 {unit}", si)
    except QuantityError:
        return otherwise, to_si(f"1 {otherwise}", si)
