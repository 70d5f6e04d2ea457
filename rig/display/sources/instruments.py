"""What the instruments beside the DAQ device read last, out of their stream: one row a reading of one of them, NaN for the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rig.display.levels import Level
from rig.display.sources.source import Floats

LATELY = 64  # readings that are looked through, of all of them
OWN = "sample"  # the column that is none of theirs


def readings(columns: Sequence[str], rows: Floats) -> Mapping[str, Level]:
    """Of each that has a reading among `rows` (k, columns): the last one, smallest and largest of these."""
    found = {}
    for place, name in enumerate(columns):
        mine = rows[:, place][np.isfinite(rows[:, place])]
        if name != OWN and len(mine):
            found[name] = Level(float(mine[-1]), float(mine.min()), float(mine.max()))
    return found
