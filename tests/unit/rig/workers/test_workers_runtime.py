"""What a worker says of itself while a step takes long."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest

from rig.board import Board
from rig.workers import runtime
from rig.workers.runtime import Links


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Links:
    monkeypatch.setattr(runtime, "REPORT_EVERY", 0.01)
    return Links(io.StringIO(), Board.create(tmp_path / "board", ["bench"]), "bench")


def test_who_waits_for_a_drive_that_says_nothing_is_alive(links: Links) -> None:
    begun = time.monotonic()
    with links.signs_of_life():
        while links._board.alive("bench") < begun + 0.1:
            assert time.monotonic() < begun + 20.0
            time.sleep(0.01)
    last = links._board.alive("bench")
    time.sleep(0.05)
    assert links._board.alive("bench") == last


def test_who_waits_for_ever_hangs(links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "WAITING", 0.1)
    with links.signs_of_life():
        time.sleep(0.5)
        last = links._board.alive("bench")
        time.sleep(0.1)
        assert links._board.alive("bench") == last
