"""identified.toml: what an experiment takes by `mechanism.from`, with where it comes from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from rig.identification.identified import Identified
from rig.recorder.folders import RECORD


def text(found: Identified, runs: Sequence[Path], validation: Sequence[Path]) -> str:
    """Numbers of the mechanism below [mechanism], as quantities in SI units; intervals and what is a channel's as remarks."""
    lines = ["# Identified by `rig identify`; an experiment takes it by `from` in its [mechanism]."]
    for what, folders in (("training", runs), ("validation", validation)):
        lines += [f"# {what}: {folder.resolve().name}, {RECORD} sha256 {_sha256(folder / RECORD)}" for folder in folders]
    if found.reason:
        lines.append(f"# REFUSED: {found.reason}")
    between = [f"95 %: {low:.6g} to {high:.6g}" for low, high in zip(found.low, found.high, strict=True)]
    lines += [
        f"# {one.key}: the prior of {one.prior:.6g} {one.unit} +- {one.prior_std:.6g} {one.unit} is in the fit"
        for one in found.free
        if one.prior is not None
    ]
    lines += ["", "[mechanism]"]
    for k, one in enumerate(found.free):
        if not one.channel:
            lines.append(f"{one.key} = {_quantity(float(found.values[k]), one.unit)}  # {between[k]}")
    lines += [f"# {one.key}: {found.values[k]:.6g} {one.unit}, {between[k]}" for k, one in enumerate(found.free) if one.channel]
    return "\n".join(lines) + "\n"


def _quantity(value: float, unit: str) -> str:
    return f"{value:.9g}" if unit == "1" else f'"{value:.9g} {unit}"'


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
