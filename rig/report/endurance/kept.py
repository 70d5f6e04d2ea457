"""A record of which no sample was kept by choice, as a part of an endurance test: what is there instead."""

from __future__ import annotations

import numpy as np

from rig.comparison.series import pieces
from rig.recorder.reading import RunData
from rig.report.endurance.cycle_tables import CycleTables

STREAM = "measured"


def nothing(record: RunData) -> bool:
    """Whether not one sample of what was measured is there; looks only where the record does not say so itself."""
    if not record.streams.get(STREAM) or not record.absent:
        return False
    begin = 0
    for first, behind in [*sorted((first, behind) for first, behind, _ in record.absent), (record.samples, record.samples)]:
        if any(_there(record, part) for part in pieces(begin, first)):
            return False
        begin = max(begin, behind)
    return True


def _there(record: RunData, part: slice) -> bool:
    return any(np.isfinite(record.channel(STREAM, name, part.start, part.stop - part.start)).any() for name in record.streams[STREAM])


def words(record: RunData) -> str:
    """How many cycles the table has, and from when to when no sample was kept."""
    begin = record.first_sample / record.rate
    with CycleTables(record.path) as tables:
        count = len(tables)
    return f"{count} cycles in the table, no samples kept from {begin:.3f} to {begin + record.samples / record.rate:.3f} s"
