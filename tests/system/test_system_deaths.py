"""What happens when a process dies: the table of the README, each row four times at random moments, twice a pace."""

import random
from pathlib import Path

import pytest
from deaths import BOTH, DEATHS

KILLS = 2


@pytest.mark.parametrize("seed", range(KILLS))
@pytest.mark.parametrize("pace", BOTH)
@pytest.mark.parametrize("death", DEATHS)
def test_death(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, death: str, pace: str, seed: int) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    DEATHS[death](tmp_path, pace, random.Random(f"{death} {pace} {seed}"))
