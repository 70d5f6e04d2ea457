"""Real-time hybrid tests as text: what became of each, and of many plants whether the monitor was right."""

from __future__ import annotations

from collections.abc import Sequence

from rig.hybrid.realtime.criteria import NAMES
from rig.hybrid.realtime.experiment import Experiment
from rig.hybrid.realtime.testing import Judged, Told

WIDTH = 20


def text(experiment: Experiment, rows: Sequence[Told], verdicts: Sequence[Judged]) -> str:
    """Of the nominal plants each; of the perturbed ones the verdicts, where there are any."""
    parts = [experiment.title, tests([row for row in rows if row.plant == 0])]
    if verdicts:
        parts.append(monitored(verdicts))
    return "\n\n".join(parts)


def tests(rows: Sequence[Told]) -> str:
    """J1 in ms, J2 to J9 in %; what stopped a test stands in their place."""
    head = " ".join(["case", f"{'compensator':{WIDTH}}", *(f"{name:>6}" for name in NAMES), " index", "indicator"])
    lines = ["Nominal plant. J1 in ms, J2 to J9 in %, index: amplitude, indicator: largest, stopped above its limit", head]
    for row in rows:
        highest = f"{row.stability['indicator_max']:9.2f}"
        if row.criteria is None:
            why = "tripped by its monitor" if row.outcome == "tripped" else "passed the actuator's bounds"
            lines.append(f"{row.case:4} {row.compensator:{WIDTH}} {f'{why} after {row.duration_s:.2f} s':69} {highest}")
            continue
        shown = [1e3 * row.criteria["J1"], *(100.0 * row.criteria[name] for name in NAMES[1:])]
        index = "      " if row.tracking.amplitude_index is None else f"{row.tracking.amplitude_index:6.3f}"
        lines.append(" ".join([f"{row.case:4} {row.compensator:{WIDTH}}", *(f"{value:6.2f}" for value in shown), index, highest]))
    return "\n".join(lines)


def monitored(verdicts: Sequence[Judged]) -> str:
    """Of all plants, which were unstable, and what the monitor made of it."""
    lines = [
        "All plants. Unstable: by the loop's eigenvalues; without these, what passed the actuator's bounds. lead: least, trip to bound",
        f"case {'compensator':{WIDTH}} stable highest false unstable lowest in time missed quiet  lead",
    ]
    for one in verdicts:
        highest = "      -" if one.stable_indicator_max is None else f"{one.stable_indicator_max:7.2f}"
        lowest = "     -" if one.unstable_indicator_min is None else f"{one.unstable_indicator_min:6.2f}"
        lead = "     -" if one.lead_s is None else f"{one.lead_s:4.2f} s"
        lines.append(
            f"{one.case:4} {one.compensator:{WIDTH}} {one.stable:6} {highest} {one.false_trips:5} {one.unstable:8} {lowest} "
            f"{one.in_time:7} {one.missed:6} {one.quiet:5} {lead}"
        )
    return "\n".join(lines)
