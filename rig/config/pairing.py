"""Which channels of a bench the model predicts: by name, or by `predicts`; a channel with another name is measured and never compared."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from drivers.files.plain_values import Json
from rig.config.bench import Bench
from rig.config.experiment import Experiment

ALIKE = 0.75
"""Share of two names that is the same from which on one may be meant for the other."""
PARTS_ALIKE = 2.0 / 3.0
"""Share of the parts of two names (between underscores) that abbreviate each other."""
ABBREVIATION = 3  # characters
NUMBER = "1"  # unit of what is no quantity, as a flag or a pulse


@dataclass(frozen=True)
class Unpaired:
    """(name, SI unit) of the measured channels that nothing is predicted for, and of the predicted ones that are not measured."""

    measured: tuple[tuple[str, str], ...]
    predicted: tuple[tuple[str, str], ...]
    compared: frozenset[str]
    """Units of the channels that are compared."""

    def to_json(self) -> dict[str, Json]:
        """Names; of the measured ones with the predicted one that each may be meant for."""
        meant = {name: nearest(name, self._of_unit(unit)) for name, unit in self.measured}
        return {"measured": [{"channel": n, "nearest": meant[n]} for n, _ in self.measured], "predicted": [n for n, _ in self.predicted]}

    def in_words(self) -> str:
        """One line; empty where every channel has its counterpart."""
        parts = [
            f"{what} {', '.join(name for name, _ in names)}"
            for what, names in (("measured and not predicted:", self.measured), ("predicted and not measured:", self.predicted))
            if names
        ]
        return f"not compared, by name: {'; '.join(parts)}" if parts else ""

    def doubts(self) -> list[str]:
        """A line for each channel that has only another name, as it seems, and for each that is the only one of its unit."""
        lines = []
        for name, unit in self.measured:
            others = self._of_unit(unit)
            if (meant := nearest(name, others)) is not None:
                lines.append(f"{name}: measured, but not compared: nothing is predicted under that name; did you mean {meant}?")
            elif others and unit not in (*self.compared, NUMBER):
                there = f"in {unit} {', '.join(others)} {'is' if len(others) == 1 else 'are'} predicted, and not measured"
                lines.append(f"{name}: measured, but not compared: nothing is predicted under that name; {there}")
        return lines

    def _of_unit(self, unit: str) -> list[str]:
        return [name for name, other in self.predicted if other == unit]


def unpaired(experiment: Experiment, bench: Bench) -> Unpaired:
    """Return what has no counterpart. What the model is fed with is neither: it is an input."""
    source = experiment.predictor.source
    predicted = {name: unit for name, unit in experiment.mechanism.channels if name != source}
    measured = [channel for channel in bench.channels if channel.quantity != source]
    shown = {channel.quantity for channel in measured}
    return Unpaired(
        tuple((channel.name, channel.unit) for channel in measured if channel.quantity not in predicted),
        tuple((name, unit) for name, unit in predicted.items() if name not in shown),
        frozenset(channel.unit for channel in measured if channel.quantity in predicted),
    )


def nearest(name: str, known: Collection[str]) -> str | None:
    """The name among those `known` that this one may be meant for; None where none is near."""
    alike = difflib.get_close_matches(name.lower(), [one.lower() for one in known], 1, ALIKE)
    if alike:
        return next(one for one in known if one.lower() == alike[0])
    return next((one for one in known if _parts_alike(name, one) >= PARTS_ALIKE), None)


def meant(name: str, known: Iterable[str]) -> str:
    """Half a sentence that names the nearest; empty where none is near."""
    one = nearest(name, list(known))
    return "" if one is None else f"; did you mean {one}?"


def _parts_alike(name: str, other: str) -> float:
    """Share of the parts, in order, of which one is the other or its beginning."""
    parts, others = name.lower().split("_"), other.lower().split("_")
    same = sum(_abbreviates(one, two) for one, two in zip(parts, others, strict=False))
    return same / max(len(parts), len(others)) if len(parts) > 1 else 0.0


def _abbreviates(one: str, two: str) -> bool:
    short, long = sorted((one, two), key=len)
    return one == two or (len(short) >= ABBREVIATION and long.startswith(short))
