"""A doubtful parameter within its bounds: what it reproduces is found where the algebra says, what it spoils is said."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from rig import config
from rig.errors import ConfigError
from rig.examples import tree
from rig.reproduction import wang2017
from rig.reproduction.claims import PAPERS, Claim, Group, Paper, printed
from rig.reproduction.doubts import Doubt, doubt_of, doubts
from rig.reproduction.identifying import Identified, StatementFound, identify, unsearched
from rig.reproduction.reproducing import reproduce
from rig.reproduction.shortfall import shortfall
from rig.reproduction.study import Computed, Study

KEY = "mechanism.contact.stiffness_scale"
DOUBT = Doubt(KEY, "nobody says", ("double", "small", "far", "fixed", "dip"), 1.0, low=0.5, high=4.0)
CLAIMS = (
    Claim("double", "here", "it is 2", "within", 2.0, tolerance=0.1),
    Claim("small", "here", "it is at most 1.5", "at_most", 1.5),
    Claim("far", "here", "it is 10", "within", 10.0, tolerance=0.1),
    Claim("fixed", "here", "it is 3", "within", 3.0, tolerance=0.1),
    Claim("dip", "here", "it is next to nothing", "at_most", 0.01),
    Claim("other", "there", "it is 1", "within", 1.0, tolerance=0.1),
)


def scale(study: Study) -> float:
    return float(study.experiment("slider_crank").mechanism.contact.stiffness_scale)  # type: ignore[attr-defined]


STATEMENTS: dict[str, Callable[[Study], Computed]] = {
    "double": lambda study: Computed(scale(study)),
    "small": lambda study: Computed(scale(study)),
    "far": lambda study: Computed(scale(study)),
    "fixed": lambda _: Computed(7.0),
    "dip": lambda study: Computed((scale(study) - 1.9) ** 2),
    "other": lambda _: Computed(5.0),
}


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> list[Group]:
    made: list[Group] = []
    for module in ("reproducing", "identifying"):
        monkeypatch.setattr(f"rig.reproduction.{module}.printed", lambda _: Paper(CLAIMS, tuple(made), None))
    monkeypatch.setattr("rig.reproduction.reproducing.claims", lambda _: CLAIMS)
    monkeypatch.setattr(wang2017, "STATEMENTS", dict(STATEMENTS))
    return made


def found(doubt: Doubt = DOUBT) -> tuple[Identified, dict[str, StatementFound]]:
    study = Study()
    one = identify("wang2017", doubt, reproduce("wang2017", Study()), study)
    return one, {row["id"]: row for row in one["statements"]}


def test_the_values_that_reproduce_a_statement_are_those_of_the_algebra(groups: list[Group]) -> None:
    row = found()[1]["double"]
    assert row["found"] == "reproduced"
    ((low, high),) = row["intervals"]
    assert 1.9 <= low <= row["value"] <= high <= 2.1  # type: ignore[operator]
    assert row["assumed_computed"] == 1.0
    assert high - low > 0.1, "the ends are looked for, not left at the first value"


def test_a_value_that_spoils_another_figure_is_said_to(groups: list[Group]) -> None:
    assert found()[1]["double"]["spoils"] == ["small"], "2 is more than 1.5, which 1 is not"


def test_what_no_value_within_the_bounds_reproduces_has_its_nearest(groups: list[Group]) -> None:
    rows = found()[1]
    assert (rows["far"]["found"], rows["far"]["value"], rows["far"]["intervals"]) == ("none", 4.0, [])
    assert rows["far"]["shortfall"] == pytest.approx(10.0 - 0.1 - 4.0)
    assert rows["fixed"]["found"] == "independent"
    assert "small" not in rows, "what is reproduced is not searched for"


def test_a_dip_between_the_values_of_the_grid_is_found_by_the_minimiser(groups: list[Group]) -> None:
    grid = [(value - 1.9) ** 2 for value in DOUBT.grid() if not isinstance(value, str)]
    assert min(grid) > 0.01, "else the grid alone would do"
    row = found()[1]["dip"]
    assert row["found"] == "reproduced"
    assert abs(float(row["value"]) - 1.9) <= 0.1


def test_a_value_that_does_not_outlast_finer_steps_is_open(groups: list[Group], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(wang2017.STATEMENTS, "double", lambda study: Computed(scale(study) + (0.5 if study.fine else 0.0)))
    row = found()[1]["double"]
    assert row["found"] == "open"
    assert "not decidable at this resolution" in row["why"]


def test_one_value_for_all_is_named_only_where_it_serves_all(groups: list[Group], monkeypatch: pytest.MonkeyPatch) -> None:
    (shared,) = found()[0]["common"]
    assert not shared["all"]
    assert shared["lacking"], "10 and a constant are not to be had"
    monkeypatch.setitem(wang2017.STATEMENTS, "far", lambda study: Computed(5.0 * scale(study)))
    monkeypatch.setitem(wang2017.STATEMENTS, "fixed", lambda study: Computed(3.0))
    monkeypatch.setitem(wang2017.STATEMENTS, "dip", lambda study: Computed(0.0))
    monkeypatch.setitem(wang2017.STATEMENTS, "small", lambda study: Computed(1.0))
    (shared,) = found()[0]["common"]
    assert shared["all"]
    assert (shared["gained"], shared["spoiled"]) == (["double", "far"], [])
    assert abs(5.0 * float(shared["value"]) - 10.0) <= 0.1


def test_hypotheses_that_exclude_each_other_are_never_asked_for_one_value(groups: list[Group]) -> None:
    groups.append(
        Group("side", "which?", {"a": "left", "b": "right"}, {"one": {"a": "double", "b": "small"}, "two": {"a": "fixed", "b": "far"}})
    )
    one, rows = found()
    assert rows["double"]["spoils"] == []
    assert {shared["hypothesis"]: shared["statements"] for shared in one["common"]} == {
        "left": ["double", "fixed"], "right": ["small", "far"], None: ["dip"],
    }  # fmt: skip


def test_words_are_tried_one_by_one(groups: list[Group], monkeypatch: pytest.MonkeyPatch) -> None:
    def joint(study: Study) -> Computed:
        return Computed({"rod_slider": 1.0, "crank_rod": 2.0}[study.experiment("slider_crank").mechanism.clearance_joint])  # type: ignore[attr-defined]

    monkeypatch.setitem(wang2017.STATEMENTS, "double", joint)
    doubt = Doubt("mechanism.clearance_joint", "not said", ("double",), "rod_slider", choices=("rod_slider", "crank_rod"))
    row = found(doubt)[1]["double"]
    assert (row["found"], row["value"], row["intervals"], row["tried"]) == ("reproduced", "crank_rod", [], 2)


def test_what_no_parameter_is_tried_for_is_listed(groups: list[Group]) -> None:
    assert unsearched("wang2017", reproduce("wang2017", Study()), [found()[0]]) == ["other"]


def test_a_key_that_nothing_has_is_refused(groups: list[Group]) -> None:
    with pytest.raises(ConfigError, match=r"mechanism\.rubbish: no experiment of the statements has such a key"):
        found(Doubt("mechanism.rubbish", "?", ("double",), 1.0, low=0.5, high=2.0))


@pytest.mark.parametrize(
    ("value", "expected"), [(2.05, 0.0), (2.5, 0.4), (6.5, 4.4), (math.nan, math.inf), (None, math.inf), ([1.0, 2.0], math.inf)]
)
def test_shortfall_is_what_is_missing_to_reproduced(value: object, expected: float) -> None:
    assert shortfall(CLAIMS[0], value) == pytest.approx(expected)  # type: ignore[arg-type]


EXPERIMENTS = {
    "hu2016": ("linkage",),
    "zhang1995": ("four_bar",),
    "wang2017": ("slider_crank", "slider_crank_flexible"),
    "karnopp": ("slider_bar", "slider_bar_flexible"),
    "chen2026": ("parallel_3rrpar", "parallel_3rrpar_flexible"),
}


@pytest.mark.parametrize("paper", PAPERS)
def test_the_bounds_of_every_paper_are_values_of_its_experiments(paper: str) -> None:
    asked = doubts(paper)
    assert asked
    for doubt in asked:
        for value in (doubt.grid()[0], doubt.grid()[-1], doubt.assumed):
            taken = 0
            for name in EXPERIMENTS[paper]:
                try:
                    config.load_experiment(tree.experiment(name), [doubt.setting(value)])
                    taken += 1
                except ConfigError as error:
                    assert all("unknown key" in problem for problem in error.problems), (doubt.key, value, error)
            assert taken, f"{doubt.key}: no experiment of {paper} has it"
        assert set(doubt.claims) <= {claim.id for claim in printed(paper).claims}


GOOD = {"key": KEY, "reason": "r", "claims": ["band_80"], "low": 0.5, "high": 2.0, "assumed": 1.0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"claims": ["band_81"]}, "no statement of wang2017 that can be checked is called band_81"),
        ({"low": 1.5}, "expected low <= assumed <= high"),
        ({"low": 0.0, "scale": "log"}, "log with a low above 0"),
        ({"scale": "cubic"}, "expected scale linear"),
        ({"high": None}, "expected numbers as low, high and assumed"),
        ({"choices": ["a", "b"], "assumed": "c"}, "assumed 'c' is none of a, b"),
    ],
)
def test_bounds_that_contradict_themselves_are_refused(change: dict[str, object], message: str) -> None:
    assert doubt_of("wang2017", GOOD).claims == ("band_80",)
    with pytest.raises(ConfigError, match=message):
        doubt_of("wang2017", {**GOOD, **change})
