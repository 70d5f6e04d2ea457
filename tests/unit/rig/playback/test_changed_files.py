"""200 random changes of a played file of each kind: no traceback, no hang. `make campaign` has 2000."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.playback.csv_numbers import Numbers
from tests.thorough import times
from tests.unit.rig.playback.changed_playback import KINDS, Playback
from tests.unit.rig.playback.file_changes import changed

CHANGES = times(80, thorough=200)


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_file_is_played_or_refused_in_one_line(kind: str, tmp_path: Path) -> None:
    files = Playback(kind, tmp_path)
    for seed in range(CHANGES):
        files.try_change(seed)
    files.close()
    assert files.outcomes["refused"] > CHANGES // 4  # the changes are no small ones


@pytest.mark.parametrize("kind", ["csv", "german csv"])
def test_lines_that_are_read_quickly_are_read_as_cell_by_cell(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    KINDS[kind].make(tmp_path / "whole.csv")
    whole = (tmp_path / "whole.csv").read_bytes().replace(b'"', b"")  # with quotes there is no quick way
    separator, columns = (",", 3) if kind == "csv" else (";", 2)
    quick = 0
    for seed in range(400):
        text = changed(whole, seed).decode("latin-1").splitlines()[2:]
        outcomes = []
        for method in ("quick", "slow"):
            numbers = Numbers(separator, columns, 1, "force")
            numbers.take(1, ["0.5,0.5," if separator == "," else "0,5;0,5"])  # so that the sign is known
            with monkeypatch.context() as patch:
                if method == "slow":
                    patch.setattr(Numbers, "_quickly", lambda *_: False)
                try:
                    numbers.take(2, text)
                    outcomes.append(repr([part.tolist() for part in numbers.columns()]))
                except ValueError as error:
                    outcomes.append(str(error))
            quick += method == "quick" and numbers._slow == 1
        assert outcomes[0] == outcomes[1], seed
    assert quick > 20
