"""The map of contact losses of a made-up four-bar: the stretches that its motion has, and the page and the figures that show them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

from rig.comparison.flights.agreement import Flights
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.recorder.reading import read_run
from rig.report.document import losses as drawn
from rig.report.document.reported_run import ReportedRun
from rig.report.document.wording import words
from rig.report.flights.found import LossMap, loss_map, stretches
from rig.report.flights.page import loss_page
from rig.report.overlay.loss_angles import CRITERIA, LossAngles
from rig.report.palette import MEASURED, PREDICTED
from rig.report.summary import compare_run
from rig.signals.contact_loss import Losses
from tests.unit.rig.report.overlay.test_page import coloured
from tests.unit.rig.report.test_motor_rig import LATE, TURNS, run  # noqa: F401  # the fixture of a run folder


def losses(*each: tuple[int, float, float]) -> Losses:
    """(turn, deg of the loss, deg of the impact)."""
    turns, begin, end = zip(*each, strict=True) if each else ((), (), ())
    return Losses(np.array(turns, dtype=np.int64), np.radians(begin), np.radians(end))


def known(measured: Losses, predicted: Losses) -> LossAngles:
    """Of ten turns from 240 deg on, in 2 s."""
    span = (math.radians(240.0), math.radians(240.0 + 3600.0))
    return LossAngles(10.0, 0, measured, predicted, {"earles_wu": [math.radians(339.0)], "li_bai": []}, slice(0, 1), span=span, seconds=2.0)


BOTH = known(losses(*((k, 340.0, 352.0) for k in range(10))), losses(*((k, 343.0, 353.0) for k in range(10))))


def test_a_flight_goes_from_the_loss_to_the_impact_also_past_a_whole_turn() -> None:
    one = known(losses((0, 355.0, 5.0), (1, 340.0, 352.0)), losses()).flights(losses((0, 355.0, 5.0), (1, 340.0, 352.0)))
    assert np.degrees(one.begin) == pytest.approx([355.0, 700.0]) and np.degrees(one.end) == pytest.approx([365.0, 712.0])


def test_the_agreement_is_that_of_the_stretches() -> None:
    one = BOTH.agreement
    assert one is not None and one.turns == 10
    assert one.agreement == pytest.approx(9.0 / 13.0) and one.late_deg == pytest.approx(3.0)
    assert one.late_s == pytest.approx(3.0 / 360.0 * 0.2)  # a turn takes 0.2 s
    assert math.degrees(BOTH.beside_criteria["earles_wu"] or 0.0) == pytest.approx(-1.0) and BOTH.beside_criteria["li_bai"] is None


def test_what_is_too_short_to_be_seen_is_no_bounce() -> None:
    angle = np.radians(np.arange(0.0, 20.0, 0.01))
    contact = np.where((np.degrees(angle) > 3.0) & (np.degrees(angle) < 7.0), 0.0, 1.0)
    contact[1500:1502] = 0.0  # 0.02 deg
    found = stretches(angle, contact)
    assert np.degrees(found.begin) == pytest.approx([3.0], abs=0.02) and np.degrees(found.end) == pytest.approx([7.0], abs=0.02)


def test_of_a_record_both_sides_lose_contact_and_the_model_as_much_earlier_as_it_was_made(run: Path) -> None:  # noqa: F811
    found = compare_run(run)
    told, text = found["contact_loss"]["flights"], found["text"]
    assert told["turns"] == TURNS - 2 or told["turns"] == TURNS - 1
    assert told["matched"] >= 1 and told["late_deg"] == pytest.approx(-math.degrees(LATE), abs=0.5)
    assert 0.3 < told["agreement"] < 1.0  # a degree of some ten
    assert "without contact: " in text and "agreement" in text


def test_the_page_has_bars_of_both(tmp_path: Path) -> None:
    loss_page(tmp_path / "a.png", LossMap(BOTH, Flights(np.empty(0), np.empty(0))), "a title")
    picture = matplotlib.image.imread(tmp_path / "a.png")
    assert coloured(picture, MEASURED) > 500 and coloured(picture, PREDICTED) > 500


def test_where_contact_is_kept_the_page_says_so(tmp_path: Path) -> None:
    loss_page(tmp_path / "a.png", LossMap(known(losses(), losses()), Flights(np.empty(0), np.empty(0))), "a title")
    picture = matplotlib.image.imread(tmp_path / "a.png")
    assert coloured(picture, MEASURED) == 0 and coloured(picture, PREDICTED) == 0


def test_a_test_that_cannot_tell_is_refused(run: Path) -> None:  # noqa: F811
    plan = Plan.read(run)
    tight = replace(plan, experiment=replace(plan.experiment, mechanism=replace(plan.experiment.mechanism, clearance=0.0)))
    with pytest.raises(ConfigError, match="--losses: expected a four_bar with clearance"):
        loss_map(tight, read_run(run))


def reported(run: Path, **contact_loss: object) -> ReportedRun:  # noqa: F811
    summary = {"contact_loss": {**BOTH.to_json(), **contact_loss}}
    return ReportedRun(run, Plan.read(run), read_run(run), summary, None)  # type: ignore[arg-type]


def test_the_figure_of_a_report_has_a_line_for_each_flight_and_each_angle(run: Path) -> None:  # noqa: F811
    (figure,) = drawn.loss_map(reported(run), "t", words("en"))
    measured, predicted, earles_wu = figure.curves
    assert measured.x[:2] == pytest.approx([340.0, 352.0]) and predicted.x[:2] == pytest.approx([343.0, 353.0])
    assert len(measured.x) == 30 and np.isnan(measured.x[2])
    assert earles_wu.name == CRITERIA["earles_wu"] and earles_wu.x[:2] == pytest.approx([339.0, 339.0])
    assert "agreement 69.2 %" in figure.text and "+3.00 deg" in figure.text
    assert not list(drawn.loss_map(ReportedRun(run, Plan.read(run), read_run(run), {"contact_loss": None}, None), "t", words("en")))


def test_over_a_series_the_angles_of_test_model_and_criteria_go_side_by_side(run: Path) -> None:  # noqa: F811
    runs = [reported(run), reported(run, measured_mean_deg=1.0, predicted_mean_deg=2.0)]
    figure = drawn.over(runs, np.array([0.2, 0.1]), "clearance, mm", (), words("en"))
    assert figure is not None
    curves = {curve.name: curve for curve in figure.curves}
    assert curves["measured"].x.tolist() == [0.1, 0.2]
    assert curves["measured"].y == pytest.approx([361.0, 340.0])  # past a whole turn they go on
    assert curves["Earles-Wu"].y == pytest.approx([360.0, 339.0]) and "Li-Bai" not in curves
    row = drawn.agreement_row(runs, words("en"))
    assert row is not None and row[1:] == ["69.2 %", "69.2 %"]
    assert drawn.over(runs[:1], np.array([0.2]), "", (), words("en")) is None
