"""The budget as a person reads it."""

from __future__ import annotations

from rig.budget.allowance import CONFIDENCE, Allowance
from rig.budget.findings import Findings, Found
from rig.comparison import METRICS
from rig.report.table import aligned
from rig.signals.engineering_units import number

SHOWN = 2
"""Criteria that are named for a wrong model; the JSON has all."""


def text(found: Findings) -> str:
    """Criteria with what they need, then the wrong models with who finds them, then in words what follows."""
    parts = [aligned([("channel", "criterion", "median", "needed", "in the file", "", "this test"), *map(_criterion, found.allowances)], 2)]
    if found.doubts:
        heads = ("wrong model", "found", "as needed", "by (median error)")
        parts.append(aligned([heads, *(_doubt(one, found) for one in found.doubts)], 1))
    parts.append("\n".join(_words(found)))
    return "\n\n".join(parts)


def _criterion(one: Allowance) -> tuple[str, ...]:
    metric = METRICS[one.metric]
    needed = f"unknown in {one.untold}" if one.needed is None else f"{_sign(one)}{number(one.needed * metric.scale, 1.0, 3)} {metric.unit}"
    median = "-" if one.median is None else number(one.median * metric.scale, 1.0, 3)
    said = "ok" if one.holds else "TOO TIGHT"
    recorded = "-" if one.recorded is None else number(one.recorded * metric.scale, 1.0, 3)
    return one.channel, metric.title, median, needed, f"{_sign(one)}{one.tolerance * metric.scale:g} {metric.unit}", said, recorded


def _sign(one: Allowance) -> str:
    return "≥ " if METRICS[one.metric].at_least else "≤ "


def _doubt(one: Found, found: Findings) -> tuple[str, ...]:
    telling = sorted(((n, key) for key, n in one.by.items() if n), key=lambda item: -item[0])
    by = "; ".join(f"{channel} {METRICS[metric].title} {_median(one, channel, metric)}" for _, (channel, metric) in telling[:SHOWN])
    by += f"; {len(telling) - SHOWN} more" if len(telling) > SHOWN else ""
    return _wrong(one), f"{one.found} of {found.specimens}", f"{one.found_as_needed} of {found.specimens}", by or "nothing"


def _median(one: Found, channel: str, metric: str) -> str:
    median = one.medians[channel, metric]
    return "-" if median is None else number(median * METRICS[metric].scale, 1.0, 3)


def _wrong(one: Found) -> str:
    return f"{', '.join(one.doubt.keys)} {one.doubt.value or f'x {one.doubt.times:g}'}"


def _words(found: Findings) -> list[str]:
    lines = [
        f"needed: the largest error of {found.specimens} specimens (of a share, the least)",
        f"with it {100.0 * found.covered:.3g} % of all such specimens pass all criteria, with {100.0 * CONFIDENCE:g} % confidence",
    ]
    counts = f", or the counts of {found.follows} made it, which the ± of the comparison tells" if found.follows else ""
    lines += [
        f"{one.channel}, {METRICS[one.metric].title}: this test is further off than any of the specimens: it was of another specimen "
        f"than the model describes, or something gives way, or is mounted, as the model has not{counts}: see docs/tolerances.md"
        for one in found.allowances
        if one.surpassed
    ]
    tight = not all(one.holds for one in found.allowances)
    if tight:
        lines.append("tolerances that are too tight fail right specimens as well: what follows goes by those that are needed")
    for one in found.doubts:
        told = one.found_as_needed if tight else one.found
        if told < found.specimens:
            lines.append(f"this test does not surely tell {_wrong(one)}: {told} of {found.specimens} specimens fail")
    return lines
