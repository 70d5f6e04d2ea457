"""Parquet by pyarrow: a column `time[s]`, one for each channel, a row group for each piece; what is known of them as metadata."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from rig.formats.extras import library
from rig.formats.table import Table

FILE = "a Parquet file"
ABOUT = b"clearance_rig"


def refusal(table: Table) -> str:
    """See `rig.formats.writing`."""
    library("pyarrow", FILE)
    return ""


def write(path: Path, table: Table) -> list[str]:
    """See `rig.formats.writing`."""
    arrow, parquet = library("pyarrow", FILE), library("pyarrow.parquet", FILE)
    heads = [("time[s]", {"unit": "s"})]
    heads += [(f"{one.label}[{one.unit or '1'}]", {"unit": one.unit, "about": json.dumps(dict(one.about))}) for one in table.columns]
    about = {**table.about, "start_time": table.start.isoformat(), "rate_hz": table.rate, "begin_s": table.begin}
    schema = arrow.schema([arrow.field(name, arrow.float64(), metadata=more) for name, more in heads], {ABOUT: json.dumps(about)})
    with path.open("wb") as file, parquet.ParquetWriter(file, schema) as writer:
        for first, end in table.pieces():
            columns = [table.times(first, end), *(np.asarray(one.values[first:end]) for one in table.columns)]
            writer.write_table(arrow.table([arrow.array(values) for values in columns], schema=schema))
    return []
