"""2000 random changes of a played file of each kind: a column or one line, none in more than 10 s or 500 MB."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from campaign_results import Results

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit" / "rig" / "playback"))
from tests.unit.rig.playback.changed_playback import KINDS, MEGABYTES, SECONDS, Playback

pytestmark = pytest.mark.campaign

CHANGES = 2000


@pytest.mark.parametrize("kind", KINDS)
def test_changed_files_are_played_or_refused(kind: str, results: Results, tmp_path: Path) -> None:
    found = results.once(f"playback/changes/{kind}", lambda: _changes(kind, tmp_path))
    assert found["outcomes"]["refused"] > CHANGES // 4
    assert found["slowest_s"] < SECONDS
    assert found["largest_mb"] < MEGABYTES


def _changes(kind: str, folder: Path) -> dict[str, Any]:
    files = Playback(kind, folder)
    for seed in range(CHANGES):
        files.try_change(1_000_000 + seed)
    files.close()
    return {"outcomes": files.outcomes, "slowest_s": round(files.slowest, 3), "largest_mb": round(files.largest, 1)}
