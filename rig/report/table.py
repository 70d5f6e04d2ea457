"""The table at the end of a run, as plain text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from rig.comparison import CONVENTION, METRICS, ChannelAgreement, Verdict
from rig.report.lines import both, bounds_text, error_text, tolerance_text
from rig.report.overlay.loss_angles import CRITERIA, LossAngles
from rig.signals.contact_loss import centre
from rig.signals.engineering_units import fitting, number

SHOWN_CYCLES, SHOWN_ANGLES = 12, 6
WORDS = {
    "pass": "PASS",
    "fail": "FAIL",
    "cannot_discriminate": "CANNOT DISCRIMINATE",
    "cannot_be_judged": "CANNOT BE JUDGED",
    "none": "no verdict",
}


def text(
    agreements: Mapping[str, ChannelAgreement],
    verdict: Verdict,
    main: str,
    losses: LossAngles | None = None,
    axes: Sequence[Sequence[str]] = (),
    alone: str = "",
    endurance: str = "",
    validation: Sequence[Sequence[str]] = (),
    bands: Sequence[Sequence[str]] = (),
) -> str:
    """Return criteria, channels, cycles of the channel `main`, contact losses, axes and the verdict under each other, aligned.

    alone: channels that are not compared, in words. endurance: what sums up a test of many cycles. validation, bands: rows.
    """
    parts = [_criteria(agreements, verdict), _channels(agreements)]
    if main in agreements:
        parts.append(_cycles(main, agreements[main]))
    if losses is not None:
        parts.append(_losses(losses))
    if bands:
        parts.append(aligned(bands, 2))
    if validation:
        parts.append(aligned(validation, 2))
    if axes:
        parts.append(aligned(axes, 1))
    notes = [note for note in (f"* {CONVENTION}" if agreements else "", alone) if note]
    parts = ["\n".join(["\n\n".join(part for part in parts if part), *notes])]
    parts.append(endurance)
    parts.append("\n".join([f"verdict: {WORDS[verdict.result]}: {verdict.reason}", *(f"  beside that: {text}" for text in verdict.beside)]))
    return "\n\n".join(part for part in parts if part)


def aligned(rows: Sequence[Sequence[str]], left: int) -> str:
    """Rows as columns: the first `left` of them to the left, the others to the right; a rule below the first row."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(w) if i < left else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "-" * (sum(widths) + 2 * (len(widths) - 1)), *lines[1:]])


def _criteria(agreements: Mapping[str, ChannelAgreement], verdict: Verdict) -> str:
    if not verdict.lines or (verdict.result == "none" and not verdict.withheld):
        return ""
    rows = [("channel", "criterion", "measured", "predicted", "error *", "", "tolerance", "")]
    for line in verdict.lines:
        measured, predicted = both(line, agreements.get(line.channel))
        judged = "ok" if line.passed else "OPEN" if line.undecided else "FAIL"
        error = (error_text(line), bounds_text(line), tolerance_text(line))
        rows.append((line.channel, METRICS[line.metric].title, measured, predicted, *error, judged))
    return aligned(rows, 2)


def _channels(agreements: Mapping[str, ChannelAgreement]) -> str:
    if not agreements:
        return ""
    known = any(a.uncertainty_at_max is not None for a in agreements.values())
    heads = ("channel", "unit", "max measured", "max predicted", "error * %", "NRMS %", "within 5 % A", "delay, samples")
    rows = [(*heads, *(("U (k=2) of max", "") if known else ()))]
    for name, a in agreements.items():
        unit, factor = fitting(a.unit, a.max_measured)
        late = "-" if a.delay_samples is None else f"{a.delay_samples:+.2f} ± {number(a.delay_sigma, 1.0, 2)}"
        rows.append((
            name, unit, number(a.max_measured, factor), number(a.max_predicted, factor), _percent(a.max_error, signed=True),
            _percent(a.nrms), _percent(a.share_within_5_percent), late, *(_uncertainty(a, factor) if known else ()),
        ))  # fmt: skip
    return aligned(rows, 2)


def _uncertainty(a: ChannelAgreement, factor: float) -> tuple[str, str]:
    """Of the measured maximum, and whether the predicted one is within it."""
    if a.uncertainty_at_max is None:
        return "-", ""
    return number(a.uncertainty_at_max, factor, 3), "within U" if a.max_within_uncertainty else "beyond U"


def _cycles(name: str, a: ChannelAgreement) -> str:
    """Largest value by cycle; of many cycles the first, the last and the worst."""
    if not a.cycles:
        return ""
    unit, factor = fitting(a.unit, a.max_measured)
    places: Sequence[int] = range(len(a.cycles))
    if len(a.cycles) > SHOWN_CYCLES:
        worst = max(enumerate(a.cycles), key=lambda numbered: abs(numbered[1].error or 0.0))[0]
        places = sorted({*places[:3], *places[-3:], worst})
    cycles = [a.cycles[k] for k in places]
    rows = [(f"{name}, cycle", f"measured, {unit}", f"predicted, {unit}", "error * %")]
    for c in cycles:
        rows.append((str(c.cycle), number(c.peak_measured, factor), number(c.peak_predicted, factor), _percent(c.error, signed=True)))
    hidden = len(a.cycles) - len(cycles)
    return aligned(rows, 1) + (f"\n({hidden} cycles between them not shown; the worst is)" if hidden else "")


def _losses(losses: LossAngles) -> str:
    """Where contact is lost, deg of the crank: of the place where it is most often, and what `rig predict` says."""
    if losses.compared is None:
        said = f"contact loss: none in {losses.revolutions:.1f} turns, measured or predicted"
    else:
        rows = [(f"contact loss, {losses.revolutions:.1f} turns", "crank, deg", "scatter", "turns with it", "impact, deg")]
        for name, found in zip(("measured", "predicted"), losses.compared, strict=True):
            angles = (found.mean, found.scatter, centre(found.impact))
            mean, scatter, impact = (f"{math.degrees(a):.2f}" if math.isfinite(a) else "-" for a in angles)
            rows.append((name, mean, scatter, str(len(set(found.turns.tolist()))), impact))
        difference = losses.mean_difference_deg
        apart = "" if difference is None else f"\npredicted minus measured: {difference:+.2f} deg"
        said = aligned(rows, 1) + apart + _flights(losses)
    listed = (f"{CRITERIA[name]} {_angles(angles)}{_beside(losses, name)}" for name, angles in losses.predict.items())
    return f"{said}\nrig predict, deg (the nearest less measured): {'; '.join(listed)}" if losses.predict else said


def _flights(losses: LossAngles) -> str:
    """On which share of the angle both sides agree."""
    one = losses.agreement
    if one is None or one.agreement is None:
        return ""
    shares = (
        f"{_percent(one.measured)} % of the angle as measured, {_percent(one.predicted)} % as predicted, {_percent(one.both)} % as both"
    )
    late = "" if one.late_s is None else f"; the model's begin {abs(1e3 * one.late_s):.3g} ms {'later' if one.late_s > 0.0 else 'earlier'}"
    counted = f"{one.matched} flights matched, {one.missed} missed, {one.extra} extra"
    return f"\nwithout contact: {shares}: agreement {_percent(one.agreement)} %; {counted}{late}"


def _beside(losses: LossAngles, name: str) -> str:
    """Of the nearest one less measured."""
    late = losses.beside_criteria.get(name)
    return "" if late is None else f" ({math.degrees(late):+.2f})"


def _angles(angles: Sequence[float]) -> str:
    """Of many the first ones: the motion with contact has one a turn."""
    told = [f"{math.degrees(angle) % 360.0:.2f}" for angle in angles]
    return ", ".join(told[:SHOWN_ANGLES] + (["..."] if len(told) > SHOWN_ANGLES else [])) or "none"


def _percent(share: float | None, signed: bool = False) -> str:
    if share is None:
        return "-"
    value = round(100.0 * share, 2) + 0.0
    return f"{value:+.2f}" if signed else f"{value:.2f}"
