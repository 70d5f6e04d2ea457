"""One line of a verdict in words and engineering units, for the terminal and for the page."""

from __future__ import annotations

from rig.comparison import METRICS, ChannelAgreement, Line
from rig.signals.engineering_units import fitting, number, shown

ALIKE = 0.9
"""Of the farther bound: from so far on the other one is as far."""
LEAST = 0.005
"""In the unit of the error; nobody reads less."""
PEAKS = ("peak_measured", "peak_predicted")
VALUES = {
    "max": ("max_measured", "max_predicted"),
    "impact_peak": ("impact_peak_measured", "impact_peak_predicted"),
    "overshoot": ("overshoot_measured", "overshoot_predicted"),
    "first_impact": ("first_impact_measured_s", "first_impact_predicted_s"),
    "band_level": ("band_level_measured", "band_level_predicted"),
}


def compared_values(metric: str, without_noise: bool) -> tuple[str, str] | None:
    """Names of the two figures of an agreement that a criterion compares; None where it is of the pair. without_noise: whether the
    peaks are known so."""
    return PEAKS if metric == "max" and without_noise else VALUES.get(metric)


def both(line: Line, agreement: ChannelAgreement | None) -> tuple[str, str]:
    """Measured and predicted value with unit; empty where the metric is a property of the pair."""
    names = compared_values(line.metric, agreement is not None and agreement.peak_measured is not None)
    if names is None or agreement is None:
        return "", ""
    largest = agreement.band_level_measured if line.metric == "band_level" else agreement.max_measured
    unit, factor = shown("s") if line.metric == "first_impact" else fitting(agreement.unit, largest)
    measured, predicted = ("-" if (v := getattr(agreement, name)) is None else f"{number(v, factor)} {unit}" for name in names)
    return measured, predicted


def cut(text: str, most: int) -> str:
    """At most so many characters of it; what is left out stands elsewhere as a whole."""
    return text if len(text) <= most else f"{text[: most - 2].rstrip()} …"


def error_text(line: Line) -> str:
    """Error as a person reads it: two decimals, with sign where it has one."""
    if line.error is None:
        return "-"
    metric = METRICS[line.metric]
    value = round(line.error * metric.scale, 2) + 0.0
    return f"{value:.2f}" if metric.unsigned or metric.at_least else f"{value:+.2f}"


def bounds_text(line: Line) -> str:
    """How far the bounds of the error are from it at the comparison's risk: `± 0.8` where both are as far, `+0.2 -2.4` where they are not;
    empty where nothing tells."""
    if line.error is None or line.low is None or line.high is None:
        return ""
    above, below = ((one * METRICS[line.metric].scale) for one in (line.high - line.error, line.error - line.low))
    half = max(above, below)
    if half < LEAST:
        return "± <0.01"
    if min(above, below) >= ALIKE * half:
        return f"± {half:.2g}"
    return " ".join(f"{sign}{one if one >= LEAST else 0.0:.2g}" for sign, one in (("+", above), ("-", below)))


def tolerance_text(line: Line) -> str:
    """Tolerance with its unit."""
    metric = METRICS[line.metric]
    return f"{'≥' if metric.at_least else '≤'} {line.tolerance * metric.scale:g} {metric.unit}"
