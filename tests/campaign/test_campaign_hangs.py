"""Every process stopped for ever in every phase, many times, at random moments: `--hangs N` says how many of each. In lockstep, and at real
pace while something moves, where the device's watchdog and the controller's heartbeat count."""

import random
from pathlib import Path

import pytest
from campaign_results import Results
from hangs import HANGS
from test_campaign_deaths import kill_and_keep

pytestmark = pytest.mark.campaign

REAL = [row for row in HANGS if row.endswith(("preparing", "soft start", "running", "stopping"))]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    metafunc.parametrize("seed", range(metafunc.config.getoption("hangs")))


@pytest.mark.parametrize(("row", "pace"), [(row, "lockstep") for row in HANGS] + [(row, "real") for row in REAL])
def test_hang(results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: str, pace: str, seed: int) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    case = f"hang/{row}/{pace}/{seed}"
    found = results.once(case, lambda: kill_and_keep(HANGS[row], tmp_path, pace, random.Random(case), case))
    assert not found["wrong"], found["wrong"]
