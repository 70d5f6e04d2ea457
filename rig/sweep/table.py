"""What is told of a campaign at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from rig.sweep.dataset import Result
from rig.sweep.preparing import Prepared
from rig.sweep.rows import DONE, FAILED

REASONS = 3  # that are shown, the commonest first


def told(prepared: Prepared, stored: Result) -> tuple[Mapping[str, object], str, list[str]]:
    """(fields of `--json`, text, warnings)."""
    done, failed = (int(np.count_nonzero(stored.state == state)) for state in (DONE, FAILED))
    data = {
        "tasks": len(stored.state), "done": done, "failed": failed, "skipped": stored.skipped, "cpu_s": float(stored.cpu.sum()),
        "file": str(stored.path),
    }  # fmt: skip
    lines = [f"{'figure':28} {'unit':6}" + "".join(f"{head:>13}" for head in ("least", "median", "largest"))]
    for name, unit, column in zip(prepared.columns.names, prepared.columns.units, stored.figures.T, strict=True):
        found = column[np.isfinite(column)]
        cells = [f"{value:>13.5g}" for value in np.quantile(found, (0.0, 0.5, 1.0))] if len(found) else [f"{'-':>13}"] * 3
        lines.append(f"{name:28} {unit:6}" + "".join(cells))
    before = f", {stored.skipped} of them before" if stored.skipped else ""
    lines.append(f"{done} of {len(stored.state)} tasks done{before}, {failed} failed; {stored.path}")
    reasons = Counter(stored.reasons.values()).most_common(REASONS)
    return data, "\n".join(lines), [f"{count} failed: {reason}" for reason, count in reasons]
