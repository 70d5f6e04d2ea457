"""What is refused: no run, a record that is cut, one that is not whole, a summary that is damaged. Each is named, with what to do."""

from __future__ import annotations

import h5py
import pytest

from rig.errors import ConfigError
from rig.report.document.reported_run import NO_SUMMARY, reported_run
from tests.unit.rig.report.document.reported import Page, judged, told


def test_a_folder_that_is_no_run(tmp_path):
    with pytest.raises(ConfigError, match=r"expected the folder of a run as made by `rig run`.*no plan.json"):
        reported_run(tmp_path)


def test_a_file_that_is_another(tmp_path, run):
    folder = judged(run())
    with pytest.raises(ConfigError, match=r"summary.json: expected the folder of a run"):
        reported_run(folder / "summary.json")
    assert reported_run(folder / "run.h5").folder == folder


@pytest.mark.parametrize("left", [0.0, 0.3, 0.999])
def test_a_record_that_is_cut(run, left):
    folder = judged(run())
    record = folder / "run.h5"
    size = record.stat().st_size
    with record.open("r+b") as file:
        file.truncate(int(left * size))
    with pytest.raises(ConfigError, match=rf"run.h5: {int(left * size)} bytes, sealed with {size}: it was cut since; `rig verify"):
        reported_run(folder)


def test_a_record_that_is_cut_and_was_never_sealed(run):
    folder = judged(run())
    (folder / "evidence.jsonl").unlink()
    with (folder / "run.h5").open("r+b") as file:
        file.truncate(5000)
    with pytest.raises(ConfigError, match=r"run.h5"):
        reported_run(folder)


def test_a_file_that_is_gone(run):
    folder = judged(run())
    (folder / "run.h5").unlink()
    with pytest.raises(ConfigError, match=r"run.h5: is gone, and was sealed with"):
        reported_run(folder)


def test_a_record_that_is_not_whole(run):
    folder = run()
    with h5py.File(folder / "run.h5", "r+") as file:
        file["entry"].attrs["complete"] = False
    with pytest.raises(ConfigError, match=r"the record is not whole, its test was broken off; there is no journal.bin"):
        reported_run(folder)


def test_a_summary_that_is_damaged(run):
    folder = run()
    (folder / "summary.json").write_text('{"verdict": ')
    with pytest.raises(ConfigError, match=r"summary.json: damaged .* `rig compare .* judges the record once more"):
        reported_run(folder)


def test_a_test_that_left_no_summary_is_judged_from_its_record_and_says_so(run):
    folder = run()
    (folder / "summary.json").unlink()
    page = Page(told(folder))
    assert any(NO_SUMMARY in " ".join(row) for row in page.tables["Deviations"]) and len(page.tables["Criteria"]) == 4
    assert "were not sealed" in page.text
