"""What is said of a limit that was passed: in the unit that it is stated in, by the sample of the test."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from drivers.files import toml_trees
from drivers.files.plain_values import Json
from rig.checks.limits import Passed
from rig.config.experiment import Limit
from rig.config.units.quantities import QuantityError, to_si
from rig.hardware.shown_units import Shown, of_unit

STATED = ("change", "drift", "slope", "baseline", "maximum", "minimum", "rms", "following_error")
"""Keys whose unit is that of the channel; the first one that is stated tells in which unit a limit is thought of."""
FROM = " from "
"""Between what a value is and its baseline."""


class LimitWords:
    """Of the limits of an experiment; text: it as TOML, in which the units stand."""

    def __init__(self, limits: Sequence[Limit], text: str) -> None:
        self._limits, self._text = limits, text

    def unit(self, number: int | None, unit: str, largest: float | None) -> Shown:
        """In which values of a limit are told, whose SI unit is `unit`: the one that it is stated in, else what prints well."""
        stated = "" if number is None else self._stated[number]
        if stated:
            try:
                return Shown(stated, to_si(f"1 {stated}", unit))
            except QuantityError:  # as of a share
                pass
        return of_unit(unit, largest)

    def number_of(self, channel: str, action: str) -> int | None:
        """Of the first limit on a channel with that action."""
        found = (number for number, one in enumerate(self._limits) if (one.channel, one.action) == (channel, action))
        return next(found, None)

    def text(self, passed: Passed, unit: str, before: int = 0) -> str:
        """In words; unit: of the channel, SI. before: samples of the sessions before this one, from whose begin `passed` counts."""
        largest = max((abs(x) for x in (passed.value, passed.limit) if math.isfinite(x)), default=None)
        shown = self.unit(self.number_of(passed.channel, passed.action), unit, largest)
        what, known, baseline = passed.what.partition(FROM)
        if known:
            number, comma, rest = baseline.partition(",")
            what = f"{what}{FROM}{shown.text(float(number))}{comma}{rest}"
        value, limit = passed.value / shown.size, passed.limit / shown.size
        return replace(passed, what=what, sample=passed.sample + before, value=value, limit=limit).text(shown.unit)

    @cached_property
    def _stated(self) -> list[str]:
        try:
            tree = toml_trees.parse(self._text).get("limits", [])
        except (toml_trees.NotToml, toml_trees.OutOfBounds):
            tree = []
        rows = tree if isinstance(tree, list) and len(tree) == len(self._limits) else [{}] * len(self._limits)
        return [_stated(row) if isinstance(row, Mapping) else "" for row in rows]


def _stated(row: Mapping[str, Json]) -> str:
    words = (str(row[key]).strip().partition(" ")[2].strip() for key in STATED if key in row)
    return next(filter(None, words), "")
