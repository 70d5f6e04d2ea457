"""200 random changes of a played file of each kind: no traceback, no hang. `make campaign` has 2000."""

from __future__ import annotations

from pathlib import Path

import pytest
from changed_playback import KINDS, Playback

CHANGES = 200


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_file_is_played_or_refused_in_one_line(kind: str, tmp_path: Path) -> None:
    files = Playback(kind, tmp_path)
    for seed in range(CHANGES):
        files.try_change(seed)
    files.close()
    assert files.outcomes["refused"] > CHANGES // 4  # the changes are no small ones
