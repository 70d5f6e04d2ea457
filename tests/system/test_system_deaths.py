"""What happens when a process dies, at a random moment: the table of docs/deaths.md. Of those that hold the hardware or the record each
once in lockstep, and of the supervisor at real pace; `make soak` has all others, `make campaign` each 40 times at each pace."""

import random
from pathlib import Path

import pytest
from deaths import BOTH, DEATHS

LATER = {"lockstep": pytest.mark.long, "real": pytest.mark.soak}
QUICK = [("recorder", "lockstep"), ("virtual bench", "lockstep"), ("bench", "lockstep"), ("supervisor", "lockstep"), ("supervisor", "real")]
CASES = [
    pytest.param(death, pace, marks=[] if (death, pace) in QUICK else [LATER[pace]], id=f"{death}-{pace}")
    for death in DEATHS for pace in BOTH
]  # fmt: skip


@pytest.mark.parametrize(("death", "pace"), CASES)
def test_death(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, death: str, pace: str) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    DEATHS[death](tmp_path, pace, random.Random(f"{death} {pace}"))
