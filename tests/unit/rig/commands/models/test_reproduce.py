"""`rig reproduce`: what its JSON object and its table have, with the statements that are closed forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rig.commands import main
from rig.reproduction.claims import Paper, printed
from rig.reproduction.doubts import Doubt
from tests.tiers import quick


@pytest.fixture(autouse=True)
def closed_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = printed("zhang1995")
    (group,) = [group for group in whole.groups if group.id == "inertia"]
    kept = tuple(claim for claim in whole.claims if claim.id in group.hypotheses)
    monkeypatch.setattr("rig.reproduction.reproducing.printed", lambda _: Paper(kept, (group,), None))
    monkeypatch.setattr("rig.reproduction.reproducing.claims", lambda _: kept)
    monkeypatch.setattr("rig.report.reproduction.panels", lambda *_: [])


def test_json_has_rows_counts_and_what_the_paper_leaves_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "zhang1995", "--json", "--out", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = {row["id"]: row for row in found["papers"]["zhang1995"]}
    assert rows["earles_wu_lying"]["verdict"] == "reproduced"
    fields = "id where statement published computed unit tolerance conditions verdict why"
    assert set(fields.split()) <= set(rows["earles_wu_lying"])
    assert found["counts"] == {"reproduced": 1, "order_of_magnitude": 0, "not_reproduced": 3, "not_checkable": 0}
    (group,) = found["groups"]["zhang1995"]
    assert (group["verdict"], group["holds"]) == ("decided", "earles_wu_lying")
    assert Path(found["files"]["zhang1995"]).stat().st_size > 10_000


def test_the_table_names_the_hypothesis(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "zhang1995", "--out", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "decided: about which points is the printed 884 kg mm^2" in text
    assert "only 'about the mass centres, g = 0' agrees with every statement" in text


@pytest.mark.parametrize(
    ("mass", "verdict", "holds"),
    quick(
        [("0.1 kg", "decided", "printed_inertia_lying"), ("1 kg", "undecided", None)], 1
    ),  # 0.1 kg of such links has 861 about its pivots
)
def test_links_of_another_mass_decide_otherwise(
    mass: str, verdict: str, holds: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = ["--set", f"mechanism.coupler_mass={mass}", "--set", f"mechanism.rocker_mass={mass}"]
    assert main(["reproduce", "zhang1995", "--json", "--out", str(tmp_path), *other]) == 0
    (group,) = json.loads(capsys.readouterr().out)["groups"]["zhang1995"]
    assert (group["verdict"], group["holds"]) == (verdict, holds)


def test_identify_adds_what_would_reproduce_it(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Links of 0.1 kg have 861 kg mm^2 about their pivots, near the printed 884: somewhere below 0.4 kg the printed angles come out."""
    doubt = Doubt("mechanism.coupler_mass", "a guess", ("printed_inertia_lying",), 0.4, "kg", 0.05, 0.4)
    monkeypatch.setattr("rig.reproduction.identifying.doubts", lambda _: (doubt,))
    arguments = ["reproduce", "zhang1995", "--identify", "--out", str(tmp_path), "--set", "mechanism.rocker_mass=0.1 kg"]
    assert main([*arguments, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    ((found,), left) = answer["identified"]["zhang1995"], answer["unsearched"]["zhang1995"]
    assert (found["key"], found["low"], found["high"], found["assumed"], found["unit"]) == ("mechanism.coupler_mass", 0.05, 0.4, 0.4, "kg")
    (row,) = found["statements"]
    assert (row["id"], row["assumed_verdict"], row["found"]) == ("printed_inertia_lying", "not_reproduced", "reproduced")
    assert any(low <= row["value"] <= high for low, high in row["intervals"])
    assert "printed_inertia_upright" in left and "printed_inertia_lying" not in left
    assert main(arguments) == 0
    assert "printed_inertia_lying: reproduced by" in capsys.readouterr().out
