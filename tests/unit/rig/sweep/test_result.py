"""The data set and its journal: what ended is there once after any end; nothing counts that a kill or a full disk left half written."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray

from rig.errors import ConfigError, RigError
from rig.sweep import journal, lock
from rig.sweep.campaign import Campaign, Kept, Varied
from rig.sweep.dataset import Columns, Result, journal_of
from rig.sweep.design import points
from rig.sweep.rows import DONE, FAILED, TO_DO, Row

CAMPAIGN = Campaign("t", (Varied("a", minimum="1 mm", maximum="5 mm", steps=5),), (Kept("y"),), "function", function="m:f")
STATED = {"campaign": {"seed": 1, "vary": [{"minimum": "1 mm"}]}, "files": "abc"}


def opened(folder: Path, stated: Any = STATED) -> Result:
    return Result(folder / "r.zarr", CAMPAIGN, points(CAMPAIGN), Columns(("y",), ("N",)), stated)


def row(index: int, value: float = 2.0) -> Row:
    return Row(index, DONE, (value,), 0.1, 0.2, "")


def test_a_result_is_a_data_set_with_units_and_states(tmp_path: Path) -> None:
    result = opened(tmp_path)
    result.add([row(1), Row.failed(3, "no\nroot")])
    result.close()
    with xarray.open_zarr(tmp_path / "r.zarr") as found:
        assert found["state"].values.tolist() == [TO_DO, DONE, TO_DO, FAILED, TO_DO]
        assert found["y"].attrs["units"] == "N"
        assert found["a"].values == pytest.approx([0.001, 0.002, 0.003, 0.004, 0.005])
        assert found["reason"].values.tolist() == ["", "", "", "no root", ""]
        assert found["y"].values[1] == 2.0
        assert np.isnan(found["y"].values[[0, 2, 3, 4]]).all()


def test_what_was_not_written_before_a_kill_is_in_the_journal(tmp_path: Path) -> None:
    result = opened(tmp_path)
    result.add([row(0), row(4)])
    result._journal.close()  # as a kill does: nothing more is written
    again = opened(tmp_path)
    assert again.to_do.tolist() == [1, 2, 3]
    assert again.skipped == 2


def test_a_task_that_comes_twice_is_one_row(tmp_path: Path) -> None:
    result = opened(tmp_path)
    result.add([row(2, 5.0)])
    result.add([row(2, 7.0)])
    assert [one.figures for one in journal.rows(journal_of(result.path))] == [(5.0,)]


def test_every_cut_of_a_journal_leaves_its_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "j"
    one = journal.Journal(path)
    one.append([row(k) for k in range(3)])
    one.close()
    content = path.read_bytes()
    whole = [at + 1 for at, byte in enumerate(content) if byte == ord("\n")]
    for cut in range(len(content)):
        path.write_bytes(content[:cut])
        assert len([*journal.rows(path)]) == sum(end <= cut for end in whole)
    again = journal.Journal(path)  # cut within the last line
    again.append([row(9)])
    again.close()
    assert [found.task for found in journal.rows(path)] == [0, 1, 9]


def test_a_line_that_was_changed_counts_no_more(tmp_path: Path) -> None:
    path = tmp_path / "j"
    one = journal.Journal(path)
    one.append([row(0, 2.0)])
    one.close()
    path.write_bytes(path.read_bytes().replace(b"2.0", b"3.0"))
    assert [*journal.rows(path)] == []


class Full:
    """A file on a disk that has room for some bytes."""

    def __init__(self, file: Any, room: int) -> None:
        self._file, self._room = file, room

    def write(self, content: bytes) -> int:
        if self._room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = int(self._file.write(content[: self._room]))
        self._room -= taken
        return taken

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def test_on_a_full_disk_nothing_half_written_counts(tmp_path: Path) -> None:
    result = opened(tmp_path)
    result.add([row(0)])
    kept = journal_of(result.path).read_bytes()
    result._journal._file = Full(result._journal._file, 40)
    with pytest.raises(RigError, match=r"r\.journal: cannot be written: No space left on device"):
        result.add([row(1), row(2)])
    assert journal_of(result.path).read_bytes() == kept
    assert result.to_do.tolist() == [1, 2, 3, 4]


def test_the_journal_goes_when_all_is_done(tmp_path: Path) -> None:
    result = opened(tmp_path)
    result.add([row(k) for k in range(5)])
    assert journal_of(result.path).exists()
    result.close()
    assert not journal_of(result.path).exists()
    assert len(opened(tmp_path).to_do) == 0


def test_the_result_of_another_campaign_is_refused_with_what_differs(tmp_path: Path) -> None:
    opened(tmp_path).close()
    with pytest.raises(ConfigError) as caught:
        opened(tmp_path, {"campaign": {"seed": 2, "vary": [{"minimum": "2 mm"}]}, "files": "abc"})
    assert "campaign.seed: 2; in the result 1" in str(caught.value)
    assert "campaign.vary.0.minimum: '2 mm'; in the result '1 mm'" in str(caught.value)
    assert "files" not in str(caught.value)
    (tmp_path / "s.zarr").mkdir()
    with pytest.raises(ConfigError, match="is no result of `rig sweep`"):
        Result(tmp_path / "s.zarr", CAMPAIGN, points(CAMPAIGN), Columns(("y",), ("N",)), STATED)


def test_two_campaigns_in_one_place_are_refused_and_a_dead_one_is_not(tmp_path: Path) -> None:
    held = tmp_path / "r.lock"
    with lock.alone(held), pytest.raises(ConfigError, match="runs a campaign there"), lock.alone(held):
        pass
    assert not held.exists()
    held.write_text(f"{lock.socket.gethostname()} 4000000 1.0", encoding="utf-8")
    with lock.alone(held):
        assert held.exists()
    held.write_text("elsewhere 1 1.0", encoding="utf-8")
    with pytest.raises(ConfigError, match="process 1 on elsewhere"), lock.alone(held):
        pass


def test_rows_are_as_they_were(tmp_path: Path) -> None:
    made = Row(7, DONE, (1.5, None), 0.25, 0.125, "")
    file = journal.Journal(tmp_path / "j")
    file.append([made])
    file.close()
    assert [*journal.rows(tmp_path / "j")] == [made]
