"""What happens when a process dies: the table of the README, each row at a random moment in real time, and in lockstep where the bench
waits for the one that died, or is the one; `make campaign` does each 40 times at each pace."""

import random
from pathlib import Path

import pytest
from deaths import BOTH, DEATHS

WAITED_FOR = ("predictor, stop", "virtual bench", "bench", "supervisor")


@pytest.mark.parametrize(("death", "pace"), [(death, pace) for death in DEATHS for pace in BOTH if pace == "real" or death in WAITED_FOR])
def test_death(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, death: str, pace: str) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    DEATHS[death](tmp_path, pace, random.Random(f"{death} {pace}"))
