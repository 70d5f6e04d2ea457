"""What a campaign keeps, and what of it is committed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

PLACE = Path(__file__).parents[1] / "campaign/campaign_results.py"


@pytest.fixture
def results(tmp_path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("campaign_results", PLACE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Results(tmp_path / "results.jsonl")


def test_a_case_is_found_out_once_and_published_with_code_and_machine(tmp_path: Path, results: Any) -> None:
    calls: list[str] = []
    for case in ("skew/50 ppm/real", "skew/0 ppm/real", "real time/linkage/1", "skew/50 ppm/real"):
        assert results.once(case, lambda case=case: calls.append(case) or {"wrong": ""}) == {"wrong": ""}
    assert calls == ["skew/50 ppm/real", "skew/0 ppm/real", "real time/linkage/1"]
    paths = results.publish()
    assert sorted(path.name for path in paths) == ["real_time.json", "skew.json"]
    skew = json.loads((tmp_path / "results/skew.json").read_text())
    assert [row["case"] for row in skew["cases"]] == ["skew/0 ppm/real", "skew/50 ppm/real"]
    assert sum(skew["code"].values()) == 2 and skew["machine"]["cores"] >= 1


def test_a_campaign_goes_on_from_what_was_published(tmp_path: Path, results: Any) -> None:
    results.once("skew/50 ppm/real", lambda: {"skew_ppm": 50.1})
    results.publish()
    (tmp_path / "results.jsonl").unlink()
    later = type(results)(tmp_path / "results.jsonl")
    assert later.once("skew/50 ppm/real", dict) == {"skew_ppm": 50.1}
    anew = type(results)(tmp_path / "results.jsonl", fresh=True)
    assert anew.once("skew/50 ppm/real", dict) == {}
