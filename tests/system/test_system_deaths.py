"""What happens when a process dies: the table of the README, each row at a random moment in real time, and in lockstep where the bench
is the one, or has nobody to tell it; `make campaign` does each 40 times at each pace."""

import random
from pathlib import Path

import pytest
from deaths import BOTH, DEATHS

ALONE = ("bench", "supervisor")


@pytest.mark.parametrize(("death", "pace"), [(death, pace) for death in DEATHS for pace in BOTH if pace == "real" or death in ALONE])
def test_death(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, death: str, pace: str) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    DEATHS[death](tmp_path, pace, random.Random(f"{death} {pace}"))
