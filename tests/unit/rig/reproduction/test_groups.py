"""Hypotheses that exclude each other: one that alone agrees is named, everything else is undecided."""

import pytest

from rig.report.reproduction_table import table
from rig.reproduction.claims import PAPERS, Claim, Group, printed
from rig.reproduction.groups import DECIDED, FAILS, HOLDS, OPEN, UNDECIDED, decide
from rig.reproduction.judging import NOT, ORDER, REPRODUCED
from tests.each_row import each_row

YES, NO, UNSETTLED = (REPRODUCED, True), (NOT, True), (NOT, False)
GROUP = Group(
    "posture",
    "lies or stands?",
    {"lying": "g = 0", "upright": "g = 9.81"},
    {name: {key: f"{name}_{key}" for key in ("lying", "upright")} for name in ("first", "second")},
)
IDS = ("first_lying", "first_upright", "second_lying", "second_upright")


def decided(*judged: tuple[str, bool], compare: str = "within"):  # type: ignore[no-untyped-def]
    return decide(GROUP, {name: Claim(name, "", "", compare) for name in IDS}, dict(zip(IDS, judged, strict=True)))


@each_row(
    ("judged", "verdict", "holds", "found"),
    [
        ((YES, NO, YES, NO), DECIDED, "lying", (HOLDS, FAILS)),
        ((YES, NO, YES, YES), DECIDED, "lying", (HOLDS, FAILS)),  # one statement against it is enough
        ((NO, YES, NO, YES), DECIDED, "upright", (FAILS, HOLDS)),
        ((YES, YES, YES, YES), UNDECIDED, None, (HOLDS, HOLDS)),
        ((NO, NO, NO, NO), UNDECIDED, None, (FAILS, FAILS)),
        ((YES, NO, NO, YES), UNDECIDED, None, (FAILS, FAILS)),  # each has one statement against it
        ((YES, UNSETTLED, YES, YES), UNDECIDED, None, (HOLDS, OPEN)),  # the other may hold as well
        ((YES, UNSETTLED, YES, NO), DECIDED, "lying", (HOLDS, FAILS)),
        ((UNSETTLED, NO, YES, NO), UNDECIDED, None, (OPEN, FAILS)),
    ],
)
def test_one_hypothesis_is_named_only_where_all_others_fail(
    judged: tuple[tuple[str, bool], ...], verdict: str, holds: str | None, found: tuple[str, str]
) -> None:
    one = decided(*judged)
    assert (one["verdict"], one["holds"]) == (verdict, holds)
    assert tuple(one["found"].values()) == found


def test_each_statement_is_told_for_itself() -> None:
    first, second = decided(YES, NO, YES, YES)["statements"]
    assert (first["verdict"], second["verdict"]) == (DECIDED, UNDECIDED)
    assert first["rows"] == {"lying": "first_lying", "upright": "first_upright"}


@pytest.mark.parametrize(("compare", "verdict"), [("order", DECIDED), ("within", UNDECIDED)])
def test_an_order_of_magnitude_is_agreement_only_where_the_paper_gives_no_more(compare: str, verdict: str) -> None:
    order = (ORDER, True)
    assert decided(order, NO, order, NO, compare=compare)["verdict"] == verdict


@pytest.mark.parametrize(
    ("judged", "said"),
    [
        ((YES, NO, YES, NO), "only 'g = 0' agrees with every statement"),
        ((YES, YES, YES, YES), "several may be true; agrees: g = 0 / g = 9.81"),
        ((NO, NO, NO, YES), "none agrees with every statement; the most, 1 of 2: g = 9.81"),
        ((YES, UNSETTLED, YES, YES), "several may be true; agrees: g = 0; open at this resolution: g = 9.81"),
    ],
)
def test_the_table_says_why(judged: tuple[tuple[str, bool], ...], said: str) -> None:
    text = table("zhang1995", [], [decided(*judged)], "a.png")
    assert said in text
    assert f"{decided(*judged)['verdict']}: lies or stands?" in text


@pytest.mark.parametrize("paper", PAPERS)
def test_every_member_of_a_group_is_a_statement_of_the_paper(paper: str) -> None:
    ids = {claim.id for claim in printed(paper).claims if not claim.lost}
    for group in printed(paper).groups:
        assert group.members
        for rows in group.members.values():
            assert set(rows) == set(group.hypotheses)
            assert set(rows.values()) <= ids


def test_a_statement_over_a_group_is_one_under_each_hypothesis() -> None:
    found = {claim.id: claim for claim in printed("zhang1995").claims}
    lying, upright = (found[f"first_loss_{key}"] for key in ("lying", "upright"))
    assert lying.statement.endswith("; g = 0")
    assert upright.statement.endswith("; g = 9.81 m/s^2")
    assert (lying.published, lying.tolerance) == (upright.published, upright.tolerance)
