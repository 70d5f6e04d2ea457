"""MDF, version 4.10, by asammdf: one channel group with the time as its master, extended piece by piece."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from rig.formats.extras import library
from rig.formats.table import Column, Table

FILE = "an MDF file"


def refusal(table: Table) -> str:
    """See `rig.formats.writing`."""
    library("asammdf", FILE)
    return ""


def write(path: Path, table: Table) -> list[str]:
    """See `rig.formats.writing`."""
    mdf = library("asammdf", FILE)
    file = mdf.MDF(version="4.10")
    try:
        file.start_time = table.start
        file.header.comment = _comment(table)
        for first, end in table.pieces():
            times = table.times(first, end)
            if not first:
                signals = [_signal(mdf, column, times, np.asarray(column.values[first:end])) for column in table.columns]
                file.append(signals, acq_name="clearance-rig", comment=str(table.about.get("run", "")), common_timebase=True)
            else:
                parts = [(times, None), *((np.asarray(column.values[first:end]), None) for column in table.columns)]
                file.extend(0, parts)
        saved = path.with_name(f"{path.name}.mf4")  # it gives every name that ending
        try:
            file.save(str(saved), overwrite=True, compression=0)
            saved.replace(path)
        finally:
            saved.unlink(missing_ok=True)
    finally:
        file.close()
    return []


def _signal(mdf: Any, column: Column, times: np.ndarray, values: np.ndarray) -> Any:
    comment = json.dumps(dict(column.about)) if column.about else ""
    return mdf.Signal(samples=values, timestamps=times, unit=column.unit, name=column.label, comment=comment)


def _comment(table: Table) -> str:
    return json.dumps({**table.about, "start_time": table.start.isoformat(), "rate_hz": table.rate, "begin_s": table.begin})
