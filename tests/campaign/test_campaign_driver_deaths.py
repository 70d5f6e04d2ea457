"""The program that drives a motor or loader dies at speed, many times, at random moments: `--kills N` says how many of each."""

import random
from typing import Any

import pytest
from campaign_results import Results
from driver_deaths import DRIVER_DEATHS

pytestmark = pytest.mark.campaign


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    metafunc.parametrize("seed", range(metafunc.config.getoption("kills")))


@pytest.mark.parametrize("kind", DRIVER_DEATHS)
def test_the_program_dies_at_speed(results: Results, kind: str, seed: int) -> None:
    case = f"kill/driving {kind}/{seed}"
    found = results.once(case, lambda: _kill(kind, case))
    assert not found["wrong"], found["wrong"]


def _kill(kind: str, case: str) -> dict[str, Any]:
    """A kill that went wrong is kept as a result, not tried again until it goes right."""
    try:
        return {"wrong": "", "figures": DRIVER_DEATHS[kind](random.Random(case))}
    except AssertionError as error:
        return {"wrong": str(error)[:2000], "figures": {}}
