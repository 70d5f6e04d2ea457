"""What was identified, as a person reads it."""

from __future__ import annotations

from rig.config.spreads import FreeNumber
from rig.identification.identified import REFUSED, Agreement, ByHand, Identified
from rig.report.table import aligned
from rig.signals.engineering_units import number, shown

TOGETHER = 0.95
"""Correlation beyond which it is said that two numbers can hardly be told apart."""


def text(found: Identified) -> str:
    """The numbers with their intervals, then in words what follows."""
    heads = ("number", "identified", "95 % interval", "in the file", "")
    rows = []
    for k, one in enumerate(found.free):
        low, high, value = found.low[k], found.high[k], found.values[k]
        within = "within" if low <= one.nominal <= high else "outside"
        rows.append((one.key, _said(one, value), f"{_said(one, low)} to {_said(one, high)}", _said(one, one.nominal), within))
    return "\n\n".join([aligned([heads, *rows], 1), "\n".join(_words(found))])


def _said(one: FreeNumber, value: float) -> str:
    """In the unit that the file has for it."""
    unit, factor = one.shown
    return f"{factor * value:.5g}" if unit == "1" else f"{factor * value:.5g} {unit}"


def _words(found: Identified) -> list[str]:
    lines = [] if found.by_hand is None else [_by_hand(found.by_hand)]
    lines.append(_agreement("training", found.training))
    if found.validation is not None:
        lines.append(_agreement("validation", found.validation))
    names = [one.key for one in found.free]
    lines += [
        f"{name}: the prior of {_said(one, one.prior)} +- {_said(one, one.prior_std)} (one standard deviation) is in the fit"
        for name, one in zip(names, found.free, strict=True)
        if one.prior is not None
    ]
    if found.sampled is not None:
        lines += _drawn(found)
    lines += [
        f"{name}: the fit ended on a bound ({_said(one, one.low)} to {_said(one, one.high)}); the true number may lie beyond it"
        for name, one, ended in zip(names, found.free, found.at_bound, strict=True)
        if ended
    ]
    lines += [
        f"{name}: this test does not tell it: the interval is as wide as the bounds"
        for name, one, low, high in zip(names, found.free, found.low, found.high, strict=True)
        if high - low >= one.high - one.low
    ]
    lines += [] if found.reason else [text for k in range(len(names)) if (text := _flat(found, k))]
    lines += [
        f"{names[i]} and {names[j]} can hardly be told apart: their errors correlate by {number(found.correlations[i, j], 1.0, 3)}"
        for i in range(len(names))
        for j in range(i + 1, len(names))
        if abs(found.correlations[i, j]) > TOGETHER
    ]
    return [*lines, f"REFUSED: {found.reason}"] if found.reason else lines


def _drawn(found: Identified) -> list[str]:
    """What the draws of the posterior say."""
    its, lines = found.sampled, []
    assert its is not None
    for k, one in enumerate(found.free):
        median, low, high = (_said(one, value) for value in found.of_draws(k))
        beyond = "; it goes on beyond where the model was run" if its.cut[k] else ""
        lines.append(f"{one.key}, posterior: median {median}, 95 % of the draws between {low} and {high}{beyond}")
    worth = f"worth {its.draws:.0f} independent draws"
    return [*lines, worth if its.settled else f"{worth}; too few steps to know: the chain has not settled"]


def _by_hand(one: ByHand) -> str:
    """Play and stiffnesses of the loop."""
    (length, by_length), (force, by_force) = (shown(unit) for unit in one.units)
    measured, filed = (
        f"play {by_length * its.play:.5g} {length}, stiffness {by_force / by_length / its.positive:.4g} and "
        f"{by_force / by_length / its.negative:.4g} {force}/{length}"
        for its in (one.measured, one.filed)
    )
    return f"by hand, loop of {one.displacement} over {one.force}: {measured}\n{'':9}of the file's model: {filed}"


def _flat(found: Identified, k: int) -> str:
    """Where the misfit does not rise towards a bound beyond what right specimens show."""
    one, shares, ends = found.free[k], found.profiles[k].shares, found.profiles[k].ends
    down, up = (ends[0] is None and shares[0] <= 0.0), (ends[1] is None and shares[-1] >= 1.0)
    if not down and not up:
        return ""
    bounds = " and ".join(_said(one, value) for value, flat in ((one.low, down), (one.high, up)) if flat)
    return f"{one.key}: its profile is flat as far as its bound {bounds}: values up to there explain the test as well"


def _agreement(what: str, one: Agreement) -> str:
    return (
        f"{what}: NRMS {100.0 * one.nrms:.3g} %; of right specimens {100.0 * one.left_p:.2g} % leave more unexplained than this one "
        f"(refused below {100.0 * REFUSED:g} %)"
    )
