"""hu2016: fits of the speed profile, quality of the restitution, and the three loading series under every metric and load source."""

from __future__ import annotations

from collections.abc import Sequence

from rig.reproduction import hu2016_impacts, hu2016_law, hu2016_series
from rig.reproduction.hu2016_series import DISCARDED, points_of, simulated
from rig.reproduction.study import Panel, Statement, Study

STATEMENTS: dict[str, Statement] = {**hu2016_law.STATEMENTS, **hu2016_series.STATEMENTS, **hu2016_impacts.STATEMENTS}


def picture(study: Study) -> Sequence[Panel]:
    """Panels of lines: the transmitted force over one settled cycle, for each series, under the closed loop and the open source."""
    panels: list[Panel] = []
    for source in ("flow_limited", "servo"):
        for over, unit in (("clearance", "mm"), ("frequency", "Hz"), ("amplitude", "kN")):
            points, _ = points_of(over)
            place = {"clearance": 0, "frequency": 2, "amplitude": 1}[over]
            lines = []
            for point in points:
                run = simulated(study, source, *point)
                assert run.frequency is not None
                kept = (run.time >= DISCARDED / run.frequency) & (run.time <= (DISCARDED + 1) / run.frequency)
                label = f"{point[place]:g} {unit}"
                lines.append((label, run.time[kept] * run.frequency - DISCARDED, run.values[kept, 0] * 1e-3))
            panels.append({"title": f"{source}: {over}", "x": "cycle", "y": "transmitted force, kN", "lines": lines})
    return panels
