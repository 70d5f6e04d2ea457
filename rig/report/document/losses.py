"""Where contact is lost, as the test said it: by turn beside the criteria of `rig predict`, and of several tests side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from drivers.files.plain_values import Json
from rig.report.document.agreement_tables import figure_of
from rig.report.document.content import Curve, Figure, Floats
from rig.report.document.reported_run import ReportedRun
from rig.report.document.sensors import NONE
from rig.report.document.wording import Words
from rig.report.overlay.loss_angles import CRITERIA

APART = {"measured": 0.2, "predicted": -0.2}
"""Turns by which both sides are drawn above and below theirs."""
SIDES = tuple(APART)


def loss_map(run: ReportedRun, key: str, words: Words) -> Iterator[Figure]:
    """Stretches from each loss to the first impact after it; none where the test did not look for them, or lost no contact."""
    told = run.part("contact_loss")
    stretches = {side: _stretches(told, side) for side in SIDES}
    if not any(len(x) for x, _ in stretches.values()):
        return
    curves = [Curve(words[f"curve.{side}"], *stretches[side], side) for side in SIDES]
    turns = max(float(np.nanmax(y)) for _, y in stretches.values() if len(y))
    criteria = told.get("predict_deg")
    for name, angles in (criteria if isinstance(criteria, Mapping) else {}).items():
        at = _numbers(angles)
        x, y = (np.tile(part, len(at)) for part in ([0.0, 0.0, np.nan], [-0.5, turns + 0.5, np.nan]))
        curves += [Curve(CRITERIA.get(name, name), x + np.repeat(at, 3), y, "series-line")] if len(at) else []
    flights = told.get("flights")
    shares = _shares(flights if isinstance(flights, Mapping) else {})
    title = words["figure.losses"].format(**shares)
    text = words["figure.losses_text"].format(title=title, **shares)
    yield Figure(f"{key}-losses", title, text, words["figure.crank"], words.titled("figure.turn"), curves)


def over(runs: Sequence[ReportedRun], places: Floats, x_title: str, names: Sequence[str], words: Words) -> Figure | None:
    """Angle at which contact is lost over what the tests differ in: measured, predicted, and the nearest that each criterion says. None
    where fewer than two of them measured one. names: of the places, where they are no numbers."""
    told = [run.part("contact_loss") for run in runs]
    measured = _column(told, "measured_mean_deg")
    if np.count_nonzero(np.isfinite(measured)) < 2:
        return None
    order, about = np.argsort(places), float(measured[np.isfinite(measured)][0])
    drawn = {words[f"curve.{side}"]: _column(told, f"{side}_mean_deg") for side in SIDES}
    for name, title in CRITERIA.items():
        beside = [one.get("predict_less_measured_deg") for one in told]
        drawn[title] = measured + _column([one if isinstance(one, Mapping) else {} for one in beside], name)
    curves = [Curve(name, places[order], _near(y, about)[order], "series") for name, y in drawn.items() if np.isfinite(y).any()]
    title = words["series.losses"]
    text = words["figure.text"].format(title=title, curves=", ".join(curve.name for curve in curves))
    return Figure("series-losses", title, text, x_title, words["figure.crank"], curves, names)


def agreement_row(runs: Sequence[ReportedRun], words: Words) -> list[str] | None:
    """A head, and the share on which test and model agree of each; None where nobody looked for it."""
    told = [run.part("contact_loss").get("flights") for run in runs]
    if not any(isinstance(one, Mapping) for one in told):
        return None
    shares = [figure_of(one, "agreement") if isinstance(one, Mapping) else None for one in told]
    return [words["series.losses_agree"], *(NONE if share is None else f"{100.0 * share:.3g} %" for share in shares)]


def _stretches(told: Mapping[str, Json], side: str) -> tuple[Floats, Floats]:
    """x (3 m,), y (3 m,): lines from loss to impact, each on its turn, with a gap between."""
    begin, end, turn = (_numbers(told.get(f"{side}_{name}")) for name in ("deg", "impact_deg", "turns"))
    if not len(begin) == len(end) == len(turn):
        return np.empty(0), np.empty(0)
    gap = np.full(len(begin), np.nan)
    level = turn + APART[side]
    return np.column_stack((begin, begin + (end - begin) % 360.0, gap)).ravel(), np.column_stack((level, level, gap)).ravel()


def _shares(flights: Mapping[str, Json]) -> dict[str, str]:
    """What the words have places for."""
    found = {name: figure_of(flights, name) for name in ("agreement", "measured", "predicted", "both")}
    late = figure_of(flights, "late_deg")
    shares = {name: NONE if share is None else f"{100.0 * share:.3g}" for name, share in found.items()}
    return {**shares, "late": NONE if late is None else f"{late:+.2f}"}


def _numbers(values: Json) -> Floats:
    return np.array([x for x in values if isinstance(x, (int, float))] if isinstance(values, list) else [], dtype=np.float64)


def _column(rows: Sequence[Mapping[str, Json]], key: str) -> Floats:
    return np.array([np.nan if (value := figure_of(row, key)) is None else value for row in rows], dtype=np.float64)


def _near(angles: Floats, about: float) -> Floats:
    """The same angles within half a turn of one, deg."""
    return about + (angles - about + 180.0) % 360.0 - 180.0
