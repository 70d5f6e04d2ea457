"""The pictures of a run: drawn when its summary is written, so that none of them can cost it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rig.config.plan import Plan
from rig.report.attempt import attempted
from rig.supervision.outcome import Outcome
from rig.workers.messages import Figures

Compared = Mapping[str, Any]
"""What `rig.report.summary.compared_run` has found."""
Pictures = dict[str, tuple[Path, Callable[[], None]]]
"""By name: where it goes, and what draws it there."""


def drawn(compared: Compared, name: str, path: Path, draw: Callable[[], None], outcome: Outcome) -> Compared:
    """With the picture, or the warning that it is missing."""
    try:
        failed = attempted(path, draw)
    except KeyboardInterrupt:
        failed = [f"{path}: its drawing was broken off; `rig compare {path.parent}` makes it"]
        outcome.worse("stopped", failed[0])  # whoever runs tests one after the other begins no other one
    files = compared["files"] if failed else {**compared["files"], name: str(path)}
    return {**compared, "files": files, "warnings": [*compared["warnings"], *failed]}


def of_preparation(plan: Plan, outcome: Outcome) -> Pictures:
    """What draws what was refused, to look at."""
    prepared, preparation = outcome.figures.get("bench", Figures()).get("preparation"), plan.bench.preparation
    refused = outcome.failed and prepared is not None and prepared["refused"]
    if not refused or preparation is None:  # of what went where the test begins on a serial line nothing is drawn
        return {}
    path = plan.run_dir / "preparation.png"

    def draw() -> None:
        from rig.report.preparation import picture  # matplotlib only where there is something to draw

        picture(plan.run_dir / "run.h5", path, preparation.force_guard * plan.bench.loader_full_scale("force"))

    return {"preparation": (path, draw)}
