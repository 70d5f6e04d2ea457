"""Every disturbance of a signal or of the machine, at a level beyond the tolerance and at one below a tenth of it: what is wrong does not
pass, what is harmless does not fail. How wrong a channel is, is measured by what the plant did, which the record of these runs has beside
it. `--seeds N` says how many benches."""

from __future__ import annotations

from typing import Any

import pytest
from campaign_results import Results
from disturbed_runs import MACHINE_FAULTS, SIGNAL_FAULTS, disturbed, otherwise, worst

pytestmark = pytest.mark.campaign


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    metafunc.parametrize("seed", range(1, metafunc.config.getoption("seeds") + 1))


@pytest.mark.parametrize("level", ["wrong", "harmless"])
@pytest.mark.parametrize("name", SIGNAL_FAULTS)
def test_a_signal_that_is_disturbed(results: Results, name: str, level: str, seed: int) -> None:
    keys = getattr(SIGNAL_FAULTS[name], level)
    check(results.once(f"disturbance/{name}/{level}/{seed}", lambda: disturbed(keys, seed)), level if name != "nothing" else "")


@pytest.mark.parametrize("level", ["wrong", "harmless"])
@pytest.mark.parametrize("name", MACHINE_FAULTS)
def test_a_machine_that_is_disturbed(results: Results, name: str, level: str, seed: int) -> None:
    override = getattr(MACHINE_FAULTS[name], level)
    check(results.once(f"disturbance/{name}/{level}/{seed}", lambda: otherwise(override, seed)), level)


def check(found: dict[str, Any], level: str) -> None:
    """By what was measured of the fault, not by what it was to be."""
    if worst(found) > 1.0:
        assert found["verdict"] != "pass", found
    if worst(found) < 0.1:
        assert found["verdict"] != "fail", found
    assert not level or (worst(found) > 1.0 if level == "wrong" else worst(found) < 0.1), "the level is not what it is to be"
