"""The band of an ensemble in the table of a comparison: a row of what lies inside, and of what should, for each channel that has one."""

from __future__ import annotations

from collections.abc import Mapping

from rig.comparison import ChannelAgreement
from rig.comparison.bands.agreement import AS_STATED, OPEN, TOO_NARROW, TOO_WIDE, BandAgreement
from rig.comparison.uncertainty.interval import Interval
from rig.signals.engineering_units import fitting, number

HEAD = ("band", "unit", "mean width", "% of A", "score", "inside %", "95 %", "nominal %", "", "peaks inside %", "95 %", "")
WORDS = {AS_STATED: "as stated", TOO_NARROW: "too narrow", TOO_WIDE: "too wide", OPEN: "open"}


def bands(agreements: Mapping[str, ChannelAgreement]) -> list[tuple[str, ...]]:
    """Rows, the head first; empty where no band was recorded."""
    found = [(name, a.unit, a.ensemble) for name, a in agreements.items() if a.ensemble is not None]
    return [HEAD, *(_row(*one) for one in found)] if found else []


def _row(name: str, si: str, one: BandAgreement) -> tuple[str, ...]:
    unit, factor = fitting(si, one.width)
    share = "-" if one.width_share is None else f"{100.0 * one.width_share:.3g}"
    sizes = (number(one.width, factor, 3), share, number(one.score, factor, 3))
    samples = (_percent(one.inside), _bounds(one.inside_interval), _percent(one.nominal), WORDS[one.said])
    return (name, unit, *sizes, *samples, _percent(one.peaks), _bounds(one.peaks_interval), WORDS[one.peaks_said])


def _percent(share: float) -> str:
    return f"{100.0 * share:.1f}"


def _bounds(sure: Interval | None) -> str:
    """A share is neither below nothing nor above all."""
    if sure is None:
        return "-"
    low, high = (min(1.0, max(0.0, end)) for end in sure.limits())
    return f"{_percent(low)} to {_percent(high)}"
