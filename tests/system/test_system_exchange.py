"""A test of the linkage handed to other programs and taken back: the same comparison, and one of a recording that knows no cycles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench_run import LINKAGE, UNPREPARED, rig

from rig.recorder.reading import read_run
from tests.tiers import quick

pytestmark = pytest.mark.xdist_group("exchange")  # one run serves them all
SHORT = ("bench.pace=lockstep", "bench.seed=7", "trajectory.cycles=4", UNPREPARED)
ROUNDED = 1e-4  # of what is compared, where a format has 32 bits: peaks are single samples


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    given = [word for override in SHORT for word in ("--set", override)]
    code, data = rig("run", str(LINKAGE), "--headless", "--no-picture", "--out", str(tmp_path_factory.mktemp("run")), *given)
    assert code == 0, data
    return Path(data["files"]["run"]), data


def along(record: Path, out: Path, *overrides: str) -> dict[str, Any]:
    given = [word for override in (*SHORT, *overrides) for word in ("--set", override)]
    code, data = rig("compare", str(record), str(LINKAGE), "--out", str(out), *given)
    assert code in (0, 1), data
    return data


def test_the_model_along_the_record_of_a_test_is_the_test(tested: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    run, data = tested
    again = along(run, tmp_path / "again")
    assert again["agreement"] == data["agreement"] and again["verdict"]["result"] == data["verdict"]["result"]
    wrong = along(run, tmp_path / "wrong", "mechanism.clearance=0.2 mm")
    assert wrong["verdict"]["result"] == "fail", "another specimen is told from this one"


@pytest.mark.parametrize(("form", "ending"), quick([("tdms", "tdms"), ("csv", "csv"), ("rpc3", "rsp")], [("csv", "csv")]))
def test_what_comes_back_compares_alike(form: str, ending: str, tested: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    run, data = tested
    path = tmp_path / f"run.{ending}"
    code, out = rig("export", str(run), "--to", form, "--out", str(path))
    assert code == 0 and out["files"][0] == {"path": str(path), "bytes": path.stat().st_size, "format": form}
    code, back = rig("import", str(path), "--out", str(tmp_path / "back"))
    assert code == 0 and back["rate_hz"] == out["rate_hz"] and back["start_time"] == out["start_time"], back
    assert {one["name"]: one["unit"] for one in back["channels"]} == {one["name"]: one["unit"] for one in out["channels"]}
    again = along(tmp_path / "back", tmp_path / "again")
    assert again["verdict"]["result"] == data["verdict"]["result"]
    if form == "rpc3":
        for key in ("max_error", "share_of_rms", "max_measured", "impact_peak_measured", "fundamental_error"):
            assert again["agreement"]["transmitted_force"][key] == pytest.approx(data["agreement"]["transmitted_force"][key], rel=ROUNDED)
    else:
        assert again["agreement"] == data["agreement"]


@pytest.mark.long
def test_a_table_without_cycles_in_other_units_is_judged_alike(tested: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    run, data = tested
    record = read_run(run)
    columns = {"Sollwert": ("command", "value", 1e3), "Kraft": ("measured", "transmitted_force", 1e3), "Weg": ("measured", "stroke", 1e-3)}
    series = [record.streams[stream][name] / by for stream, name, by in columns.values()]
    lines = [";".join([f"{k / record.rate:.12g}", *(f"{one[k]:.12g}" for one in series)]).replace(".", ",") for k in range(record.samples)]
    head = ["Datum;01.03.2026", "Uhrzeit;10:30:15", "", "Zeit;Sollwert;Kraft;Weg", "s;kN;kN;mm"]
    (tmp_path / "labor.csv").write_text("\n".join([*head, *lines]) + "\n", encoding="cp1252")
    names = {"command": "Sollwert", "transmitted_force": "Kraft", "stroke": "Weg"}
    tables = [f'[channels.{name}]\ncolumn = "{column}"\n' for name, column in names.items()]
    (tmp_path / "map.toml").write_text("".join(tables))
    code, refused = rig("import", str(tmp_path / "labor.csv"), "--out", str(tmp_path / "back"), "--map", str(tmp_path / "map.toml"))
    assert code == 2 and "local time without its zone" in refused["error"] and not (tmp_path / "back").exists()
    (tmp_path / "map.toml").write_text('zone = "Europe/Berlin"\n' + "".join(tables))
    code, back = rig("import", str(tmp_path / "labor.csv"), "--out", str(tmp_path / "back"), "--map", str(tmp_path / "map.toml"))
    assert code == 0 and back["start_time"] == "2026-03-01T10:30:15+01:00", back
    code, refused = rig("compare", str(tmp_path / "back"))
    assert code == 2 and "EXPERIMENT runs a model along it" in refused["error"]
    again = along(tmp_path / "back", tmp_path / "again")
    assert any("4 counted (whole turns of command at 3 Hz)" in one for one in again["warnings"]), again["warnings"]
    assert again["verdict"]["result"] == data["verdict"]["result"]
    force, due = again["agreement"]["transmitted_force"], data["agreement"]["transmitted_force"]
    for key in ("max_measured", "max_predicted", "impact_peak_measured", "share_of_rms"):
        assert force[key] == pytest.approx(due[key], rel=2e-3), key
    summary = json.loads((tmp_path / "again/summary.json").read_text())
    assert summary["outcome"] == "done" and (tmp_path / "again/run.h5").exists()
    code, refused = rig(
        "compare", str(tmp_path / "back"), str(LINKAGE), "--out", str(tmp_path / "no"), "--set", "predictor.source=actuator_force"
    )
    assert code == 2 and "actuator_force" in refused["error"] and not (tmp_path / "no").exists()
