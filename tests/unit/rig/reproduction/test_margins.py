"""How far a value is from another verdict, and that a row says so when finer steps move it by as much."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from model.errors import NotConverged
from rig.report.reproduction import _wrapped
from rig.report.reproduction_table import REASON, STATEMENT, WHERE, table
from rig.reproduction.claims import PAPERS, Claim, claims
from rig.reproduction.judging import NOT, ORDER, REPRODUCED, judge
from rig.reproduction.margins import margin
from rig.reproduction.reproducing import reproduce
from rig.reproduction.study import Computed, Study
from tests.each_row import each_row


def claim(compare: str, published: object, tolerance: float | None = None, relative: bool = False) -> Claim:
    return Claim("x", "here", "it is", compare, published, "N", tolerance, relative)


@each_row(
    ("compare", "published", "tolerance", "value", "towards"),
    [
        ("within", 2.0, 0.1, 6.5, [-1.0]),
        ("within", [0.0, 1.0], 0.1, [0.4, 1.0], [-1.0, 0.0]),
        ("order", 200.0, None, 700.0, [-1.0]),
        ("order", 200.0, None, 50.0, [1.0]),
        ("instant", [0.42, 0.42], 0.02, [0.42, 0.62], [0.0, -1.0]),
        ("angle", 340.0, 10.0, 312.0, [1.0]),
        ("angle", 355.0, 5.0, 10.0, [-1.0]),
        ("increases", "increases", None, [1.0, 4118.0, 3400.0], [0.0, -1.0, 1.0]),
        ("decreases", "decreases", None, [1.0, 3.0, 0.0], [1.0, -1.0, 0.0]),
        ("at_most", 1.0, None, [0.5, 1.5], [0.0, -1.0]),
        ("at_least", "more", 1.0, 0.5, [1.0]),
        ("range", [1.0, 2.0], None, 2.5, [-1.0]),
        ("contains", [90.0, 340.0], 5.0, [200.0, 341.0], [-1.0, 0.0]),
    ],
)
def test_a_change_beyond_the_margin_gives_another_verdict_and_one_within_it_does_not(
    compare: str, published: object, tolerance: float | None, value: Any, towards: list[float]
) -> None:
    one = claim(compare, published, tolerance)
    needed = margin(one, value)
    assert needed is not None and needed > 0.0
    moved = [np.asarray(value) + share * needed * np.array(towards).reshape(np.shape(value)) for share in (0.99, 1.01)]
    assert judge(one, moved[0].tolist())[0] == NOT
    assert judge(one, moved[1].tolist())[0] != NOT


@pytest.mark.parametrize(
    ("compare", "published", "value"), [("equal", 1, 2), ("within", [1.0, 2.0], [1.0]), ("increases", "increases", [])]
)
def test_no_margin_where_no_change_of_a_number_decides(compare: str, published: object, value: object) -> None:
    assert margin(claim(compare, published, 0.1), value) is None


def judged(monkeypatch: pytest.MonkeyPatch, one: Claim, statement: Callable[[Study], Computed]) -> dict[str, Any]:
    """The row of a paper that claims one thing, of which the statement is computed."""
    from rig.reproduction import wang2017

    monkeypatch.setattr("rig.reproduction.reproducing.claims", lambda _: (one,))
    monkeypatch.setattr(wang2017, "STATEMENTS", {"x": statement})
    (row,) = reproduce("wang2017", Study())
    return row


@pytest.mark.parametrize(
    ("finer", "said"),
    [
        ([1.0, 4118.0, 3000.0], "not converged: finer steps change it by 4e+02, and a change by 3.6e+02 would decide otherwise"),
        ([1.0, 3400.0, 4118.0], "not converged: finer steps change it by 7.2e+02, and it is reproduced"),
        ([1.0, 4118.0, 3390.0], "does not increase from 4118 to 3400; finer steps change it by 10"),
    ],
)
def test_a_row_says_that_it_is_not_converged(monkeypatch: pytest.MonkeyPatch, finer: list[float], said: str) -> None:
    row = judged(monkeypatch, claim("increases", "increases"), lambda study: Computed(finer if study.fine else [1.0, 4118.0, 3400.0]))
    assert row["verdict"] == NOT
    assert said in row["why"]


@pytest.mark.parametrize(
    ("one", "usual", "finer", "verdict", "said"),
    [
        (
            claim("increases", "increases"),
            [1.432, 1.436],
            [1.432, 1.415],
            NOT,
            "not decidable at this resolution: finer steps change it by",
        ),
        (claim("increases", "increases"), [1.432, 1.436], [1.460, 1.470], NOT, "1.432 to 1.436 is 1.46 to 1.47 with finer steps"),
        (claim("decreases", "decreases"), [5.0, 2.0], [5.1, 2.2], REPRODUCED, "decreases at every step; finer steps change it by 0.2"),
        (claim("within", 2.0, 0.1), 2.05, 2.15, ORDER, "not decidable at this resolution: finer steps change it by 0.1"),
        (claim("within", 2.0, 0.1), 2.15, 2.05, ORDER, "and make it reproduced"),
        (claim("within", 2.0, 0.1), 2.05, 2.06, REPRODUCED, "finer steps change it by 0.01"),
        (claim("at_most", 1.0), 0.9, 1.1, NOT, "and make it not reproduced"),
        (claim("equal", 1), 1, 1, REPRODUCED, "the same"),
    ],
)
def test_a_verdict_has_to_outlast_finer_steps(
    monkeypatch: pytest.MonkeyPatch, one: Claim, usual: Any, finer: Any, verdict: str, said: str
) -> None:
    row = judged(monkeypatch, one, lambda study: Computed(finer if study.fine else usual))
    assert row["verdict"] == verdict
    assert said in row["why"]


def test_a_verdict_falls_where_finer_steps_do_not_get_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def statement(study: Study) -> Computed:
        if study.fine:
            raise NotConverged("stopped at 1 s")
        return Computed(1.0)

    row = judged(monkeypatch, claim("at_most", 2.0), statement)
    assert row["verdict"] == NOT
    assert "not decidable at this resolution: with finer steps the model stopped: stopped at 1 s" in row["why"]
    assert "not reproduced, open" in table("wang2017", [row], [], "a.png")


def test_the_picture_has_every_word_of_a_statement() -> None:
    words = " ".join(f"word{number}" for number in range(60))
    lines = _wrapped({"statement": words})
    assert len(lines) > 1
    assert " ".join(lines) == words


@pytest.mark.parametrize("paper", PAPERS)
def test_the_table_has_every_word_of_a_statement(paper: str) -> None:
    """So that no two rows look alike: two statements may differ in their last words only."""
    told = [{"where": one.where, "statement": one.statement, "published": 1.0, "computed": 1.0, "unit": "N"} for one in claims(paper)]
    for row in told:
        lines = table(paper, [{**row, "verdict": NOT, "settled": True, "why": "because"}], [], "a.png").splitlines()[2:]
        assert lines.pop() == " " * WHERE + REASON + "because"
        assert " ".join(" ".join(line[WHERE + 1 :][: STATEMENT + 1].strip() for line in lines).split()) == " ".join(
            row["statement"].split()
        )
        assert " ".join(" ".join(line[: WHERE + 1].strip() for line in lines).split()) == " ".join(row["where"].split())
