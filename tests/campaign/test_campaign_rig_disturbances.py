"""Disturbances of a signal on the motor rigs, as `test_campaign_disturbances.py` has them on the loaded linkage: at a level beyond the
tolerance and at one below a tenth of it, by what the record has beside the disturbed channel. `--seeds N` says how many benches, each with
another of the rig's judged channels; each seed goes on from the results that there are."""

from __future__ import annotations

from typing import Any

import pytest
from campaign_results import Results
from disturbed_rigs import FAULTS, LEVELS, RIGS, case, nothing, worst

pytestmark = pytest.mark.campaign

ROUNDING = 1e-9


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """All of one bench, then the next."""
    seeds = range(1, metafunc.config.getoption("seeds") + 1)
    benches = [(seed, name) for seed in seeds for name in RIGS]
    if "fault" not in metafunc.fixturenames:
        metafunc.parametrize(("seed", "name"), [_of_bench(*one) for one in benches])
        return
    metafunc.parametrize(
        ("seed", "name", "fault", "level"), [_of_bench(*one, fault, level) for one in benches for fault in FAULTS for level in LEVELS]
    )


def _of_bench(seed: int, name: str, *more: str) -> Any:
    """Cases of one bench share its healthy run, so one process has them all."""
    return pytest.param(seed, name, *more, marks=pytest.mark.xdist_group(f"{name} {seed}"))


def test_a_bench_without_a_fault(results: Results, seed: int, name: str) -> None:
    found = results.once(f"rig-disturbance/{name}/nothing/healthy/{seed}", lambda: nothing(name, seed))
    assert found["verdict"] in ("pass", "cannot_be_judged") and worst(found) < ROUNDING, found


def test_a_disturbance(results: Results, seed: int, name: str, fault: str, level: str) -> None:
    """By what was measured of the fault, not by what it was to be."""
    found = results.once(f"rig-disturbance/{name}/{fault}/{level}/{seed}", lambda: case(name, fault, LEVELS[level], seed))
    if found["level"] is None:
        assert level == "wrong", "what is worth little is worth something at some level"
        return
    if level == "wrong" and found["verdict"] == "tripped":  # a limit was faster than the verdict, and there is no cycle to measure
        return
    assert worst(found) > 1.0 if level == "wrong" else worst(found) < 0.1, "the level is not what it is to be"
    if level == "wrong":
        assert found["verdict"] != "pass", found
    elif found["healthy"] != "fail":
        assert found["verdict"] != "fail", found
