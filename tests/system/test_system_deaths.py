"""What happens when a process dies: the table of the README, each row at a random moment of each pace; `make campaign` does it 40 times."""

import random
from pathlib import Path

import pytest
from deaths import BOTH, DEATHS


@pytest.mark.parametrize("pace", BOTH)
@pytest.mark.parametrize("death", DEATHS)
def test_death(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, death: str, pace: str) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    DEATHS[death](tmp_path, pace, random.Random(f"{death} {pace}"))
