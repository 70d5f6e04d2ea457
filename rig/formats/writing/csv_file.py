"""CSV: `time[s],measured/stroke[m],...`, decimals behind a point, a missing value as NaN.

The format has no place for anything else: `rig.exchange` writes that beside it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rig.formats.table import Table

ROWS = 10_000  # written at a time
NUMBER = "%.17g"
"""Every number comes back as it was."""


def refusal(table: Table) -> str:
    """See `rig.formats.writing`."""
    return ""


def write(path: Path, table: Table) -> list[str]:
    """See `rig.formats.writing`."""
    heads = ["time[s]", *(f"{column.label}[{column.unit or '1'}]" for column in table.columns)]
    row = ",".join([NUMBER] * len(heads)) + "\n"
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(heads) + "\n")
        for first, end in table.pieces(ROWS):
            block = np.column_stack([table.times(first, end), table.block(first, end)])
            file.write((row * len(block)) % tuple(block.ravel().tolist()))
    return []
