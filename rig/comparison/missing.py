"""How many samples that would count are not there: no number stands in their place."""

from __future__ import annotations

import numpy as np

from rig.comparison.series import Flags, Series


class Missing:
    """Of both sides, counted while a record passes by."""

    def __init__(self, measured: Series, predicted: Series) -> None:
        self._sides = {"measured": measured, "predicted": predicted}
        self._counts = dict.fromkeys(self._sides, 0)

    def add(self, part: slice, counted: Flags) -> None:
        """Samples of `part`, (k,) true where they would count."""
        for side, series in self._sides.items():
            self._counts[side] += int(np.count_nonzero(counted & ~np.isfinite(series[part])))

    def words(self, counted: int, compared: int) -> tuple[str, ...]:
        """What there is to say when `compared` of `counted` samples were compared; nothing where none were, which is told as such."""
        told = [f"{count} of {side}" for side, count in self._counts.items() if count]
        left_out = f"{counted - compared} of {counted} samples do not count, those with which the filter remembers them included"
        return (f"samples are missing: {', '.join(told)}; {left_out}",) if told and compared else ()
