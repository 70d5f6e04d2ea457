"""The order of a campaign, that it goes on where it was, and the fields that others read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rig.faults import campaign, table
from rig.faults.manual import values_of
from rig.faults.tables import markdown, text, without_fault

ROWS = table.read().chosen(("linkage",), ("sensor open", "valve stuck"))
FOUND: dict[str, Any] = {
    "got": "trip", "action": "interlock", "detected_by": "limit", "safe": True, "latency_from_fault": 9, "latency": 7, "bound": 512.0,
    "block_samples": 512, "rate": 51200.0, "lost_declared": 0, "lost_undeclared": 0, "wrong": "",
}  # fmt: skip
CLEAN = {"simulated_s": 3.0, "false_trips": 0, "said": [], "why": ""}


def test_each_row_comes_once_before_any_comes_again() -> None:
    found = list(campaign.cases(ROWS, 5, 3))
    assert [row for row, _ in found] == [*ROWS, *ROWS][:5]
    assert [seed for _, seed in found] == [3, 3, 3, 4, 4]
    assert len(list(campaign.cases(ROWS, 0, 1))) == len(ROWS) == 3


def test_what_is_known_is_not_found_out_again(tmp_path: Path) -> None:
    path, asked = tmp_path / "found.jsonl", []
    first = campaign.Findings(path)
    assert first.once("a", lambda: asked.append(1) or FOUND) == first.once("a", lambda: asked.append(2) or CLEAN) == FOUND
    path.write_text(path.read_text() + '{"case": "b", "fou')  # a kill in the middle of a line
    again = campaign.Findings(path)
    assert again.once("a", lambda: asked.append(3) or CLEAN) == FOUND and asked == [1]
    assert again.once("b", lambda: CLEAN) == CLEAN


def test_the_object_has_the_fields_that_others_read() -> None:
    wrong = FOUND | {"wrong": "expected trip, got none", "safe": False, "latency": None, "lost_undeclared": 2, "detected_by": ""}
    data = campaign.summary({ROWS[0]: [FOUND, FOUND | {"latency": 300}], ROWS[1]: [wrong]}, [CLEAN], [], "lockstep", 1, 2.0)
    assert {"pace", "seed", "injections", "fault_kinds", "rigs", "wall_s", "rows", "not_applicable", "clean", "totals"} <= set(data)
    fields = {
        "fault",
        "rig",
        "target",
        "expected",
        "action",
        "n",
        "safe",
        "detected_by",
        "latency_samples",
        "lost_declared",
        "lost_undeclared",
    }
    assert fields | {"block_samples"} <= set(data["rows"][0])
    assert data["rows"][0]["latency_samples"]["max"] == 300 and data["rows"][0]["detected_by"] == {"limit": 2}
    assert data["clean"]["simulated_s"] == 3.0 and data["clean"]["false_trips"] == 0
    totals = data["totals"]
    assert (totals["safe_share"], totals["lost_undeclared"], totals["as_declared"]) == (2 / 3, 2, 2)


def test_a_person_sees_what_is_not_as_declared() -> None:
    wrong = FOUND | {"wrong": "expected trip, got none", "got": "none"}
    data = campaign.summary(
        {ROWS[0]: [FOUND], ROWS[1]: [wrong]}, [CLEAN], [{"fault": "f", "rig": "r", "why": "no valve"}], "lockstep", 1, 2.0
    )
    said = text(data)
    assert "not as declared:" in said and f"{ROWS[1].name}: expected trip, got none" in said and f"{ROWS[0].name}:" not in said
    assert "| f | r | no valve |" in markdown(data["rows"], data["not_applicable"])


def test_a_bound_is_told_by_its_names_and_by_what_they_amount_to() -> None:
    """On the linkage a block is 10 ms, and noise that is gone is told after 50 ms (512 and 2560 samples)."""
    row = table.read().chosen(("linkage",), ("sensor frozen",))[0]
    assert row.bound == ("noise", "block", "block")
    data = campaign.summary({row: [FOUND | {"latency": 3269, "bound": 3584.0}]}, [CLEAN], [], "lockstep", 1, 2.0)
    name = (row.rig, row.fault, row.target)
    values = {name: {"noise": 0.050, "block": 0.010}}
    (said,) = (line for line in markdown(data["rows"], [], values).splitlines() if line.startswith("| sensor frozen"))
    assert "| noise 50 ms + 2 block 20 ms = 70 ms | 63.8 ms | 3269 of 3584 | 1 |" in said
    (short,) = (line for line in markdown(data["rows"], []).splitlines() if line.startswith("| sensor frozen"))
    assert "| noise + 2 block = 70 ms | 63.8 ms |" in short


def test_the_values_of_a_bound_are_those_of_its_rig() -> None:
    """Blocks by the experiments' own files: 10 ms, and 20 ms on the slider-crank; a cycle of the linkage takes 1/3 s."""
    whole = table.read()
    values = values_of(whole.rigs, whole.chosen(("linkage", "slider_crank"), ("sensor frozen", "sensor shorted")))
    assert {rig: found["block"] for (rig, _, _), found in values.items()} == {"linkage": 0.010, "slider_crank": 0.020}
    assert all(found["cycle"] == pytest.approx(1.0 / 3.0) for (rig, _, _), found in values.items() if rig == "linkage")


@pytest.mark.parametrize(
    ("tests", "trips", "said"),
    [(1, 0, "3.89 s in 1 test, 0 false trips"), (5, 1, "3.89 s in 5 tests, 1 false trip"), (0, 0, "3.89 s in 0 tests, 0 false trips")],
)
def test_tests_without_a_fault_are_counted_in_words(tests: int, trips: int, said: str) -> None:
    assert without_fault({"simulated_s": 3.8895, "tests": tests, "false_trips": trips}) == said
