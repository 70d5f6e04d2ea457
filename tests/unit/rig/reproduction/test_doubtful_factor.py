"""A factor that a printed formula leaves in doubt: tried within its bounds, told beside the row, no verdict of its own."""

import math
from typing import Any

import pytest

from model.mechanisms.slider_crank import config as slider_crank
from rig.reproduction import wang2017
from rig.reproduction.claims import PAPERS, Claim, Free, Paper, printed
from rig.reproduction.judging import NOT, REPRODUCED
from rig.reproduction.reproducing import decisions, reproduce
from rig.reproduction.study import Computed, Study

KEY = "mechanism.contact.stiffness_scale"
FREE = Free(KEY, {"1/3": 1.0 / 3.0, "1": 1.0, "3": 3.0}, "h has a pi, or not", ("x", "y"))
CLAIMS = (
    Claim("x", "here", "it is", "within", 1.0, tolerance=0.1),
    Claim("y", "here", "it is", "at_least", 2.0),
    Claim("z", "there", "no"),
)


def scale(study: Study) -> float:
    return float(study.experiment("slider_crank").mechanism.contact.stiffness_scale)  # type: ignore[attr-defined]


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("rig.reproduction.reproducing.printed", lambda _: Paper(CLAIMS, (), FREE))
    monkeypatch.setattr("rig.reproduction.reproducing.claims", lambda _: CLAIMS)
    monkeypatch.setattr(wang2017, "STATEMENTS", {"x": lambda s: Computed(1.0 / scale(s)), "y": lambda s: Computed(scale(s)), "z": Computed})
    monkeypatch.setitem(wang2017.STATEMENTS, "z", lambda _: Computed(None))
    return lambda *settings: reproduce("wang2017", Study(settings))


def test_other_values_are_told_and_the_verdict_stays_that_of_the_printed_formula(rows: Any) -> None:
    x, y, z = rows()
    assert (x["verdict"], y["verdict"]) == (REPRODUCED, NOT)
    assert [one["value"] for one in y["free"]["tried"]] == [1.0 / 3.0, 1.0, 3.0]
    assert [one["verdict"] for one in y["free"]["tried"]] == [NOT, NOT, REPRODUCED]
    assert (y["free"]["key"], y["free"]["low"], y["free"]["high"]) == (KEY, 1.0 / 3.0, 3.0)
    assert "stiffness_scale free from 0.333 to 3, not reproduced at 1/3, 1; reproduced at 3" in y["why"]
    assert z["free"] is None


def test_values_that_serve_different_statements_decide_nothing(rows: Any) -> None:
    (decision,) = decisions("wang2017", rows())
    assert decision["found"] == {"1/3": "fails", "1": "fails", "3": "fails"}
    assert decision["verdict"] == "undecided"
    assert [one["rows"] for one in decision["statements"]] == [dict.fromkeys(FREE.values, name) for name in ("x", "y")]


def test_a_value_that_serves_every_statement_is_named(rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(wang2017.STATEMENTS, "x", lambda study: Computed(scale(study) / 3.0))
    (decision,) = decisions("wang2017", rows())
    assert (decision["verdict"], decision["holds"]) == ("decided", "3")


def test_a_statement_that_finer_steps_move_is_open_with_every_value(rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(wang2017.STATEMENTS, "y", lambda study: Computed(1.5 if study.fine else 2.0 * scale(study)))
    found = rows()
    assert not found[1]["settled"]
    assert "stiffness_scale free from 0.333 to 3, not decidable at this resolution" in found[1]["why"]
    (decision,) = decisions("wang2017", found)
    assert decision["found"] == {"1/3": "fails", "1": "open", "3": "fails"}


def test_a_user_s_own_value_is_the_only_one(rows: Any) -> None:
    x, y, _ = rows(f"{KEY}=3")
    assert x["computed"] == pytest.approx(1.0 / 3.0)
    assert y["verdict"] == REPRODUCED
    assert y["free"] is None


@pytest.mark.parametrize("paper", [paper for paper in PAPERS if printed(paper).free])
def test_a_factor_in_doubt_is_a_key_that_its_experiments_know(paper: str) -> None:
    free = printed(paper).free
    assert free is not None
    assert 1.0 in free.values.values()
    assert set(free.claims) <= {claim.id for claim in printed(paper).claims if not claim.lost}
    for setting in free.settings().values():
        study = Study().with_setting(setting)
        study.experiment({"wang2017": "slider_crank", "chen2026": "parallel_3rrpar"}[paper])
        assert not study.unused


def test_the_bounds_of_wang_s_factor_are_the_formula_with_one_pi_too_few_or_too_many() -> None:
    """K = 4/(3 pi^p (h_i + h_j)) sqrt(R_i R_j/(R_i - R_j)), h = (1 - nu^2)/(pi^q E): p and q belong together, printed are 0 and 0."""
    free = printed("wang2017").free
    assert free is not None
    radius, gap, modulus, ratio = 10e-3, 0.05e-3, 207e9, 0.3
    for name, p, q in (("1/pi", 1, 0), ("1", 0, 0), ("1", 1, 1), ("pi", 0, 1)):
        h = (1.0 - ratio**2) / (math.pi**q * modulus)
        wanted = 4.0 / (3.0 * math.pi**p * 2.0 * h) * math.sqrt((radius + gap) * radius / gap)
        experiment = Study((f"{KEY}={free.values[name]!r}",)).experiment("slider_crank", "mechanism.clearance=0.05 mm")
        assert slider_crank.contact_stiffness(experiment.mechanism_as(slider_crank.Config)) == pytest.approx(wanted, rel=1e-12)
    values = list(free.values.values())
    assert values == sorted(values)
    assert (values[0], values[-1]) == pytest.approx((1.0 / math.pi, math.pi), rel=1e-15)


def test_the_factor_of_chen_is_the_formula_as_printed() -> None:
    """Eq 4: sigma = (1 - nu)/E in place of Hertz' (1 - nu^2)/E."""
    free = printed("chen2026").free
    assert free is not None
    ratio = 0.3
    assert max(free.values.values()) == pytest.approx((1.0 - ratio**2) / (1.0 - ratio), rel=1e-12)
