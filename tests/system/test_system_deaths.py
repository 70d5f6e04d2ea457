"""What happens when a process dies: the table of docs/deaths.md, each row at a random moment in lockstep, and at real pace where the bench
is the one, or has nobody to tell it; `make soak` has the others at real pace, `make campaign` each 40 times at each pace."""

import random
from pathlib import Path

import pytest
from deaths import BOTH, DEATHS

ALONE = ("bench", "supervisor")
CASES = [
    pytest.param(death, pace, marks=[pytest.mark.soak] if pace == "real" and death not in ALONE else [], id=f"{death}-{pace}")
    for death in DEATHS for pace in BOTH
]  # fmt: skip


@pytest.mark.parametrize(("death", "pace"), CASES)
def test_death(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, death: str, pace: str) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    DEATHS[death](tmp_path, pace, random.Random(f"{death} {pace}"))
