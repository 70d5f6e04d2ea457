"""From agreement to a verdict: pass, fail, cannot_discriminate, cannot_be_judged or none.

Every criterion gives one line: an error of the prediction, and how large it may be. The error is a measurement itself. It holds where all
of its interval is within the tolerance, it fails where all of that is beyond, and between the two it cannot be judged (guarded acceptance
and guarded rejection, JCGM 106:2012, 8.3): a model that is just as wrong as the tolerance allows passes, or fails, with a probability of
`risk` at the most. An error whose interval is not known is judged as it is. When a prediction under another law is
given, too, the question is no longer "does the specimen agree" but "is this law right", and a line tells the two laws apart
only when their errors differ by the tolerance or more and the other law fails it. Agreement that the other law gives as well
validates neither.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Protocol

from drivers.files.plain_values import Json
from rig.comparison.beside import beside
from rig.comparison.clipping import STOOD
from rig.comparison.impacts.agreement import FIGURES, IMPULSE, MATCHED, STRENGTH, TIME
from rig.comparison.result import ChannelAgreement
from rig.comparison.uncertainty.interval import LEAST

RISK, SIMPLE = 0.05, 0.5
LOSS = "contact_loss"
PEAKS = ("max", "impact_peak", "overshoot")
"""Metrics of what a channel does not show that is clipped, or perhaps is."""
KNOCKS = ("band_level", STRENGTH, IMPULSE)
"""Metrics of how strong impacts are: what is left of those that are cut may agree with a model whose are half as strong."""
MOSTLY = 0.5
"""Share of a variance from which on there is most of it."""
WHOLE = 0.95
"""Share of the counted samples from which on a verdict is one on all of them: filters and delays take a little at the ends."""


class Criterion(Protocol):
    """What is asked: `metric` of `channel` within `tolerance`."""

    @property
    def channel(self) -> str: ...
    @property
    def metric(self) -> str: ...
    @property
    def tolerance(self) -> float: ...


@dataclass(frozen=True)
class Metric:
    """One kind of criterion. `error` is signed; it passes when |error| <= allowed; `scale` and `unit` say how it is shown."""

    error: Callable[[ChannelAgreement], float | None]
    title: str
    unit: str
    scale: float = 100.0
    at_least: bool = False
    """The tolerance is a share that must be reached, not an error that must not be passed."""
    unsigned: bool = False
    """A size, not a deviation to either side."""
    needs_impacts: bool = False
    """Only means something when measured and predicted hit in the same half cycles."""


def _difference(name: str, suffix: str, scale: str) -> Callable[[ChannelAgreement], float | None]:
    """(predicted - measured) / scale, None when one of them is unknown."""

    def error(a: ChannelAgreement) -> float | None:
        measured, predicted = getattr(a, f"{name}_measured{suffix}"), getattr(a, f"{name}_predicted{suffix}")
        whole = getattr(a, scale)
        return None if measured is None or predicted is None or not whole else float((predicted - measured) / whole)

    return error


def _delay_seconds(a: ChannelAgreement) -> float | None:
    return None if a.delay_samples is None else a.delay_samples / a.rate


def _of_impacts(metric: str) -> Callable[[ChannelAgreement], float | None]:
    return lambda a: None if a.impacts is None else a.impacts.error(metric)


METRICS: Mapping[str, Metric] = {
    "max": Metric(lambda a: a.max_error if a.peak_error is None else a.peak_error, "largest value", "%"),
    "impact_peak": Metric(_difference("impact_peak", "", "amplitude"), "impact peak", "% A", needs_impacts=True),
    "overshoot": Metric(_difference("overshoot", "", "amplitude"), "overshoot", "% A"),
    "first_impact": Metric(_difference("first_impact", "_s", "period_s"), "first impact", "% T", needs_impacts=True),
    "fundamental": Metric(lambda a: a.fundamental_error, "fundamental", "%"),
    "phase": Metric(lambda a: a.phase_error_deg, "phase", "deg", scale=1.0),
    LOSS: Metric(lambda a: a.contact_loss_error_deg, "contact loss", "deg", scale=1.0),
    "nrms": Metric(lambda a: a.nrms, "NRMS", "%", unsigned=True),
    "within_5_percent": Metric(lambda a: a.share_within_5_percent, "within 5 % A", "%", at_least=True),
    "band_level": Metric(lambda a: a.band_level_error, "level in the band", "%"),
    "delay": Metric(_delay_seconds, "delay", "ms", scale=1e3),
    MATCHED: Metric(_of_impacts(MATCHED), "impacts matched", "%", at_least=True),
    TIME: Metric(_of_impacts(TIME), "time of impacts", "ms", scale=1e3),
    STRENGTH: Metric(_of_impacts(STRENGTH), "strength of impacts", "%"),
    IMPULSE: Metric(_of_impacts(IMPULSE), "impulse of impacts", "%"),
}


@dataclass(frozen=True)
class Line:
    """One criterion judged. error, tolerance and alternative in the metric's own measure (share, deg, s)."""

    channel: str
    metric: str
    error: float | None
    tolerance: float
    passed: bool
    text: str
    low: float | None = None
    high: float | None = None
    """Bounds of the error, each passed by chance with the probability `risk`; None where nothing tells them."""
    undecided: bool = False
    """It neither holds nor fails: the tolerance lies within these bounds, or measured does not show, or tell, what is judged."""
    alternative: float | None = None
    discriminates: bool | None = None
    within_uncertainty: bool | None = None
    """Whether the difference that is judged is within the expanded uncertainty of the sensor; None where that is not known."""

    @property
    def failed(self) -> bool:
        return not self.passed and not self.undecided


@dataclass(frozen=True)
class Verdict:
    """result: pass, fail, cannot_discriminate, cannot_be_judged or none (nothing was asked, or there is nothing to judge)."""

    result: str
    reason: str
    lines: tuple[Line, ...] = ()
    withheld: bool = False
    """The run did not end as it should: the lines stand for what was measured until then, and nothing is concluded from them."""
    beside: tuple[str, ...] = ()
    """What is off although no criterion fails."""

    def to_json(self) -> dict[str, Json]:
        """Return {result, reason, beside[], lines[]}."""
        return {"result": self.result, "reason": self.reason, "beside": [*self.beside], "lines": [asdict(line) for line in self.lines]}


def verdict(
    agreements: Mapping[str, ChannelAgreement],
    criteria: Sequence[Criterion],
    alternative: Mapping[str, ChannelAgreement] | None = None,
    alternative_name: str = "the alternative",
    risk: float = RISK,
) -> Verdict:
    """Judge agreements, by channel, against the criteria.

    alternative: the same measurement against a prediction under another law, which `alternative_name` names in the reason.
    risk: probability of a wrong decision at a true error of exactly the tolerance; 0.5 judges errors as they are.
    Raises ValueError for a metric that does not exist.
    """
    found = _judged(agreements, criteria, alternative, alternative_name, risk)
    if found.result in ("fail", "none"):
        return found
    delays = [criterion.channel for criterion in criteria if criterion.metric == "delay"]
    return replace(found, beside=beside(agreements, [criterion.channel for criterion in criteria], delays))


def _judged(
    agreements: Mapping[str, ChannelAgreement],
    criteria: Sequence[Criterion],
    alternative: Mapping[str, ChannelAgreement] | None,
    alternative_name: str,
    risk: float,
) -> Verdict:
    if not criteria:
        return Verdict("none", "the experiment states no criteria")
    lines = tuple(_line(c, agreements, alternative, risk) for c in criteria)
    if all(_too_short(agreements.get(c.channel)) for c in criteria):
        return Verdict("none", "less than one counted cycle with both measured and predicted: nothing to judge", lines)
    failing = [line for line in lines if line.failed]
    if failing:
        return Verdict("fail", "; ".join(line.text for line in failing), lines)
    if open_lines := [line for line in lines if line.undecided]:
        return Verdict("cannot_be_judged", _ends_told_once("; ".join(line.text for line in open_lines), agreements), lines)
    part = _part(agreements, criteria) + _few(agreements, criteria)
    if alternative is None:
        return Verdict("pass", f"{_hold(lines)}{part}; no other contact law was tried, so none is validated", lines)
    telling = [line for line in lines if line.discriminates]
    if not telling:
        return Verdict("cannot_discriminate", _indifference(lines, alternative_name), lines)
    named = ", ".join(f"{line.channel} {line.metric}" for line in telling)
    return Verdict("pass", f"{_hold(lines)}{part}, and {alternative_name} fails on {named}", lines)


def _ends_told_once(text: str, agreements: Mapping[str, ChannelAgreement]) -> str:
    """What is cut of a channel is told of the first of its criteria, and not of each."""
    for a in agreements.values():
        for why in (f", {words}" for words in (a.clipped, a.stood) if words):
            first, said, behind = text.partition(why)
            text = first + said + behind.replace(why, "")
    return text


def _hold(lines: Sequence[Line]) -> str:
    return "the one criterion holds" if len(lines) == 1 else f"all {len(lines)} criteria hold"


def withheld(judged: Verdict, how: str) -> Verdict:
    """The verdict on a run that did not end as it should, `how` saying so: what held until then is no pass, what failed has failed."""
    if judged.result in ("fail", "none"):
        return judged
    held = sum(line.passed for line in judged.lines)
    return Verdict("none", f"{how}; until then {held} of {len(judged.lines)} criteria held", judged.lines, withheld=True)


def _too_short(a: ChannelAgreement | None) -> bool:
    """Not one period of samples that can be compared: a run stopped early, a predictor that died.

    A whole period has up to one sample less than its length times the rate.
    """
    return a is not None and (a.samples == 0 or (a.period_s is not None and a.samples < math.floor(a.period_s * a.rate)))


def _part(agreements: Mapping[str, ChannelAgreement], criteria: Sequence[Criterion]) -> str:
    """Of how much of the counted cycles that is true, where measured or predicted is missing in a part of them."""
    found = [agreements[c.channel] for c in criteria if c.channel in agreements]
    least = min((a.samples / a.counted_samples for a in found if a.counted_samples), default=1.0)
    return "" if least >= WHOLE else f" over {100.0 * least:.2g} % of the counted cycles (in the rest measured or predicted is missing)"


def _few(agreements: Mapping[str, ChannelAgreement], criteria: Sequence[Criterion]) -> str:
    """That what holds was judged as it is, where there are too few cycles to tell of chance."""
    found = [
        len(agreements[c.channel].cycles) for c in criteria if c.channel in agreements and c.metric not in agreements[c.channel].intervals
    ]
    least = min((count for count in found if count), default=LEAST)
    return "" if least >= LEAST else f" over {least} cycle{'s' * (least > 1)}: too few to tell what chance did ({LEAST} do)"


def _line(
    criterion: Criterion,
    agreements: Mapping[str, ChannelAgreement],
    alternative: Mapping[str, ChannelAgreement] | None,
    risk: float,
) -> Line:
    metric = METRICS.get(criterion.metric)
    if metric is None:
        known = ", ".join(METRICS)
        raise ValueError(f"criterion on {criterion.channel}: metric {criterion.metric!r} unknown; there are {known}")
    found = agreements.get(criterion.channel)
    error = None if found is None else metric.error(found)
    missing = "" if found is None else _impacts_differ(metric, found)
    low, high = _bounds(criterion.metric, error, found, risk)
    hidden = "" if missing else _hidden(criterion.metric, found, criterion.tolerance, risk) or _single(criterion.metric, found)
    passed = not missing and not hidden and _holds(metric, low, high, criterion.tolerance)
    if passed and found is not None and (hidden := _beyond_ends(metric, found, criterion.tolerance)):
        passed = False
    between = not missing and error is not None and not passed and not _fails(metric, low, high, criterion.tolerance)
    undecided = not missing and (bool(hidden) or between or _untellable(criterion.metric, found))
    within = found.max_within_uncertainty if found is not None and criterion.metric == "max" else None
    missing = missing or _untold(criterion.metric, found)
    text = _text(criterion, metric, error, missing) + (_uncertain(found, passed) if found is not None and within else "")
    text += hidden or (_between(metric, low, high, risk, _remedy(criterion, metric, found)) if between else "")
    line = Line(
        criterion.channel, criterion.metric, error, criterion.tolerance, passed, text, undecided=undecided, within_uncertainty=within
    )
    if error is not None and low != high:
        line = replace(line, low=low, high=high)
    if alternative is None:
        return line
    return _with_alternative(line, metric, alternative.get(criterion.channel), risk)


def _with_alternative(line: Line, metric: Metric, other: ChannelAgreement | None, risk: float) -> Line:
    """Add what the other law gives, and whether this line tells the two apart."""
    error = None if other is None else metric.error(other)
    unlike = other is not None and bool(_impacts_differ(metric, other))
    apart = unlike or (
        error is not None
        and line.error is not None
        and abs(error - line.error) >= _allowed(metric, line.tolerance)
        and _fails(metric, *_bounds(line.metric, error, other, risk), line.tolerance)
    )
    return replace(line, alternative=error, discriminates=apart)


def _bounds(metric: str, error: float | None, a: ChannelAgreement | None, risk: float) -> tuple[float, float]:
    """(low, high) of an error; itself twice where nothing tells its interval, NaN where it is not known."""
    if error is None or a is None:
        return math.nan, math.nan
    found = a.intervals.get(metric)
    return (error, error) if found is None or risk >= SIMPLE else found.bounds(risk)


def _hidden(metric: str, a: ChannelAgreement | None, tolerance: float, risk: float) -> str:
    """Why measured does not show what is judged, in words."""
    if a is not None and metric == LOSS and a.contact_loss_hidden:
        return f": measured does not tell, {a.contact_loss_hidden}"
    if a is None or not (a.clipped or a.stood):
        return ""
    # Every sample that counts is cut, or every half cycle.
    all_cut = bool(a.clipped) and (a.samples == 0 or (METRICS[metric].needs_impacts and a.half_cycles == 0))
    if metric not in PEAKS and not all_cut and not _knocks_unknown(metric, a, tolerance, risk):
        return ""
    return f": measured does not show it, {a.clipped}" if a.clipped else f": {STOOD}, {a.stood}"


def _knocks_unknown(metric: str, a: ChannelAgreement, tolerance: float, risk: float) -> bool:
    """Whether knocks are cut, and those of the model are not weaker all the same than what is left of them."""
    if metric not in KNOCKS or not a.clipped or a.with_ends is None:
        return False
    return not _bounds(metric, METRICS[metric].error(a.with_ends), a.with_ends, risk)[1] < -tolerance


def _beyond_ends(metric: Metric, a: ChannelAgreement, tolerance: float) -> str:
    """Why what holds of the samples that are not cut may not hold of what was there, in words: it does not with those that are."""
    error = None if a.with_ends is None else metric.error(a.with_ends)
    if error is None or _holds(metric, error, error, tolerance):
        return ""
    sign = "" if metric.at_least or metric.unsigned else "+"
    return f", but {error * metric.scale:{sign}.3g} {metric.unit} with what is cut: measured does not show it, {a.clipped}"


def _single(metric: str, a: ChannelAgreement | None) -> str:
    """Why the largest value of a single cycle says nothing, in words: nobody can tell what noise adds to it."""
    if metric != "max" or a is None or a.peak_error is not None or metric in a.intervals or len(a.cycles) != 1 or a.period_s is None:
        return ""
    return ": of a single cycle nothing tells what noise adds to the largest sample; three cycles do"


def _between(metric: Metric, low: float, high: float, risk: float, remedy: str) -> str:
    sign = "" if metric.at_least or metric.unsigned else "+"
    span = f"{low * metric.scale:{sign}.3g} to {high * metric.scale:{sign}.3g} {metric.unit}"
    return f": it may be {span} (risk {100.0 * risk:g} % a side), which does not tell; {remedy}"


def _remedy(criterion: Criterion, metric: Metric, a: ChannelAgreement | None) -> str:
    """What would tell, in words."""
    found = None if a is None else a.intervals.get(criterion.metric)
    if found is not None and found.of_counts > MOSTLY:
        return "more lines of the encoder that leads the model would, whose counts make most of it"
    # Where the tolerance lies between an error as it is and what of it comes again in each cycle more cycles move neither.
    if found is not None and metric.unsigned and found.value - found.open <= criterion.tolerance < found.value:
        return "less noise would: so much of it is another in each cycle"
    return "more cycles or less noise would"


def _holds(metric: Metric, low: float, high: float, tolerance: float) -> bool:
    """Whether all of the interval is within the tolerance; not for NaN."""
    return low >= tolerance if metric.at_least else max(abs(low), abs(high)) <= tolerance


def _fails(metric: Metric, low: float, high: float, tolerance: float) -> bool:
    """Whether all of it is beyond."""
    return high < tolerance if metric.at_least else low > tolerance or high < -tolerance


def _allowed(metric: Metric, tolerance: float) -> float:
    """The tolerance as a width: what two predictions may differ in without the criterion noticing."""
    return 1.0 - tolerance if metric.at_least else tolerance


def _impacts_differ(metric: Metric, a: ChannelAgreement) -> str:
    if not metric.needs_impacts or a.impacts_measured == a.impacts_predicted:
        return ""
    return f"impacts in {a.impacts_measured} of {a.half_cycles} half cycles measured, in {a.impacts_predicted} predicted"


def _untold(metric: str, a: ChannelAgreement | None) -> str:
    """Why an error is unknown, where the comparison says so."""
    if a is not None and _without_impacts(metric, a):
        return "no impact, measured or predicted"
    return f"unknown, {a.delay_reason}" if metric == "delay" and a is not None and a.delay_reason else ""


def _without_impacts(metric: str, a: ChannelAgreement) -> bool:
    return metric in FIGURES and a.impacts is not None and a.impacts.share is None


def _untellable(metric: str, a: ChannelAgreement | None) -> bool:
    """Whether too little was measured to tell the delay, or there is no impact; where the two do not go together, that is the answer: it
    fails."""
    if a is not None and _without_impacts(metric, a):
        return True
    return metric == "delay" and a is not None and a.delay_reason is not None and not a.delay_contradicted


def _text(criterion: Criterion, metric: Metric, error: float | None, missing: str) -> str:
    bound = f"{'at least' if metric.at_least else 'within'} {criterion.tolerance * metric.scale:.4g} {metric.unit}"
    if missing:
        return f"{criterion.channel} {metric.title}: {missing}"
    if error is None:
        return f"{criterion.channel} {metric.title}: unknown, to be {bound}"
    sign = "" if metric.at_least or metric.unsigned else "+"
    return f"{criterion.channel} {metric.title} {error * metric.scale:{sign}.3g} {metric.unit}, to be {bound}"


def _uncertain(found: ChannelAgreement, passed: bool) -> str:
    """That the sensor cannot tell the two apart; where the criterion fails all the same, that it asks for more than the sensor can say."""
    said = f", within the uncertainty of the sensor (U = {found.uncertainty_at_max:.3g} {found.unit}, k = 2)"
    return said if passed else f"{said}: the sensor cannot tell such an error"


def _indifference(lines: Sequence[Line], name: str) -> str:
    """Say how far apart the two laws come out at most, in tolerances."""
    known = [line for line in lines if line.error is not None and line.alternative is not None]
    if not known:
        return f"{name} could not be compared"
    apart = {line: abs(_gap(line)) / _allowed(METRICS[line.metric], line.tolerance) for line in known}
    widest = max(apart, key=lambda line: apart[line])
    metric = METRICS[widest.metric]
    return (
        f"all criteria hold, but {name} agrees just as well: the two differ most in {widest.channel} {metric.title}, "
        f"by {abs(_gap(widest)) * metric.scale:.2g} {metric.unit}, {apart[widest]:.2g} of the tolerance"
    )


def _gap(line: Line) -> float:
    return 0.0 if line.error is None or line.alternative is None else line.alternative - line.error
