"""Which cycles of a test a fit looks at, and their figures: one row a cycle; a fit takes their mean, whose scatter is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rig.comparison import Settings
from rig.comparison.preparation import Counted, whole
from rig.comparison.series import Marks, Series
from rig.errors import ConfigError
from rig.identification.cycle_rows import TURN, CycleRows, Span
from rig.report.signals import Command

Floats = NDArray[np.float64]

LEAST_CYCLES = 3
"""Of which a scatter can be told."""


class CycleFigures:
    """Figures of the first `most` counted cycles of a test at `rate` Hz, of `channels`, that are `known` throughout.

    left_out: how many cycles there are before the last of these, or in all where there are fewer, that are not.
    """

    def __init__(
        self, command: Command, rate: float, settings: Settings, channels: Sequence[str], most: int, known: Sequence[Marks] = (),
        loop: tuple[str, str] | None = None,
    ) -> None:  # fmt: skip
        """Raises ConfigError for a record with fewer than LEAST_CYCLES whole cycles that count and are known."""
        self.spans, self.left_out = _spans(command, settings.discard_cycles, most, known)
        if len(self.spans) < LEAST_CYCLES:
            others = f" beside {self.left_out} in which samples are missing or clipped" if self.left_out else ""
            raise ConfigError(f"identify: {len(self.spans)} whole cycles count in this record{others}; expected {LEAST_CYCLES} at least")
        self.rows = CycleRows.like(self.spans, rate, settings, channels, loop)

    def of(self, series: Mapping[str, Series]) -> Floats:
        """(cycles, figures), as `CycleRows.of`."""
        return self.rows.of(series, self.spans)


def _spans(command: Command, discard: int, most: int, known: Sequence[Marks]) -> tuple[list[Span], int]:
    """Those that are taken, and how many before the last of them are not known throughout."""
    counted = Counted(command.cycle, discard)
    extent = counted.extent
    if not len(extent):
        return [], 0
    part = slice(extent.start, extent.stop)
    numbers, phase = whole(command.cycle[part]), np.asarray(command.phase[part], dtype=np.float64)
    found, left_out = list[Span](), 0
    for number in counted.numbers:
        if len(found) == most:
            break
        places = np.flatnonzero(numbers == number)
        first, end = int(places[0]), int(places[-1]) + 1
        within = phase[first:end] - TURN * np.round(phase[first] / TURN)
        if end - first != len(places) or not np.all(np.diff(within) > 0.0):
            continue
        span = Span(extent.start + first, extent.start + end, within)
        if all(np.all(marks[span.first : span.end]) for marks in known):
            found.append(span)
        else:
            left_out += 1
    return found, left_out
