"""Every death many times, at random moments: `--kills N` says how many of each."""

import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from campaign_results import FOLDER, Results
from deaths import BOTH, DEATHS, MORE, Check
from preparation_deaths import PREPARATION_DEATHS
from rig_deaths import RIG_DEATHS

pytestmark = pytest.mark.campaign

ALL = {**DEATHS, **MORE, **PREPARATION_DEATHS, **RIG_DEATHS}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    metafunc.parametrize("seed", range(metafunc.config.getoption("kills")))


@pytest.mark.parametrize("pace", BOTH)
@pytest.mark.parametrize("death", ALL)
def test_kill(results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, death: str, pace: str, seed: int) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    case = f"kill/{death}/{pace}/{seed}"
    check = ALL[death]
    found = results.once(case, lambda: kill_and_keep(check, tmp_path, pace, random.Random(case), case))
    assert not found["wrong"], found["wrong"]


def kill_and_keep(check: Check, out: Path, pace: str, dice: random.Random, case: str) -> dict[str, Any]:
    """A kill that went wrong is kept as a result, not tried again until it goes right; its logs are put aside."""
    try:
        return {"wrong": "", "figures": check(out, pace, dice)}
    except (AssertionError, subprocess.TimeoutExpired) as error:
        _keep_logs(out, FOLDER / "wrong" / case.replace("/", "-"))
        return {"wrong": str(error)[:2000], "figures": {}}
    finally:
        for run in out.iterdir():
            shutil.rmtree(run)


def _keep_logs(out: Path, to: Path) -> None:
    for path in [path for path in out.glob("*/*") if path.suffix in (".log", ".json")]:
        to.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
