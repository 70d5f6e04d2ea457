"""What a campaign says at its end of each figure: which keys move it, Sobol indices of a Saltelli scheme, and pictures of both."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from drivers.files.plain_values import Json
from rig.files import output_files
from rig.report.attempt import attempted
from rig.signals.engineering_units import shown
from rig.sweep import pictures
from rig.sweep.dataset import Result
from rig.sweep.preparing import Prepared
from rig.sweep.sensitivity import FEWEST, moved, sobol_indices

SALTELLI = "saltelli"


@dataclass(frozen=True)
class Findings:
    """sensitivity: figure -> key -> what is known; files: those that were written."""

    sensitivity: dict[str, dict[str, dict[str, Json]]]
    files: dict[str, str]
    lines: list[str]
    warnings: list[str]


def findings(prepared: Prepared, stored: Result) -> Findings:
    """Write NAME_sensitivity.json and two pictures a figure beside the result. Raises ConfigError where nothing can be written."""
    found = Findings({}, {}, [], [])
    for subject, column in _subjects(prepared, stored, found.warnings):
        known = found.sensitivity[column] = _known(subject)
        found.lines.extend(_lines(column, subject))
        for kind, draw in (("tornado", pictures.tornado), ("response", pictures.responses)):
            if known:
                path = stored.path.with_name(f"{stored.path.stem}_{_as_file(column)}_{kind}.png")
                failed = attempted(path, lambda draw=draw, path=path, subject=subject: draw(path, subject))  # type: ignore[misc]
                found.warnings.extend(failed)
                found.files.update({} if failed else {f"{column}_{kind}": str(path)})
    path = stored.path.with_name(f"{stored.path.stem}_sensitivity.json")
    with output_files.whole("--out", path) as new:
        new.write_text(json.dumps(found.sensitivity, indent=1), encoding="utf-8")
    found.files["sensitivity"] = str(path)
    return found


def _subjects(prepared: Prepared, stored: Result, warnings: list[str]) -> Iterator[tuple[pictures.Subject, str]]:
    points, campaign = prepared.points, prepared.campaign
    keys = tuple(
        pictures.Key(one.key, f"{one.key}, {unit}" if unit else one.key, numbers, one.values if one.values and one.labels is None else ())
        for one, unit, numbers in zip(points.vary, points.units, points.numbers.T, strict=True)
    )
    for column, unit, figure in zip(prepared.columns.names, prepared.columns.units, stored.figures.T, strict=True):
        written, factor = shown(unit)
        scaled = figure * factor
        there = {key.name: one for key in keys if (one := moved(key.values, scaled)) is not None}
        indices = None
        if campaign.design.kind == SALTELLI:
            indices = sobol_indices(figure, [key.name for key in keys], campaign.design.seed)
            if indices is None:
                warnings.append(
                    f"{column}: no Sobol indices: it never changes, or fewer than {FEWEST} samples have it in all of their tasks"
                )
        label = column if written in ("", "1") else f"{column}, {written}"
        yield pictures.Subject(campaign.title, label, scaled, keys, there, indices), column


def _known(subject: pictures.Subject) -> dict[str, dict[str, Json]]:
    return {
        name: {"moves_mean_by": one.range, **(subject.indices[name].to_json() if subject.indices else {})}
        for name, one in subject.moved.items()
    }


def _lines(column: str, subject: pictures.Subject) -> Iterator[str]:
    """The strongest key first."""
    if not subject.moved:
        return
    indices = subject.indices
    heads = f"{'moves mean by':>15}" + ("" if indices is None else f"{'first order':>26}{'total':>26}")
    yield f"\n{subject.label:40}{heads}"
    for name, one in sorted(subject.moved.items(), key=lambda item: -item[1].range):
        cells = f"{one.range:>15.4g}"
        if indices is not None:
            index = indices[name]
            cells += (
                f"{_span(index.first, index.first_low, index.first_high):>26}{_span(index.total, index.total_low, index.total_high):>26}"
            )
        yield f"{name:40}{cells}"


def _span(value: float, low: float, high: float) -> str:
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def _as_file(column: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", column)
