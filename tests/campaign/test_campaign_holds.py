"""Hold and resume at 200 random moments on each rig, in lockstep: `pytest tests/campaign/test_campaign_holds.py -m campaign`.

`--seeds N` says how many tests a rig (default 20 of ten holds each). Each seed goes on from the results that there are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bench_run import ROOT
from campaign_results import Results
from held_runs import (
    Held,
    assert_agreement_is_that_of_a_test_without_a_hold,
    assert_command_keeps_its_bounds,
    assert_prediction_is_that_along_the_record,
    run_held,
)

pytestmark = pytest.mark.campaign

HOLDS = 10
LATE = 0.05
"""Of a cycle: a prediction that comes so much late must be found out."""
RIGS: dict[str, tuple[str, tuple[str, ...], tuple[float, float]]] = {
    "linkage": ("transmitted_force", ("trajectory.cycles=90",), (0.1, 2.5)),
    "four_bar_rig": ("acceleration", ("trajectory.cycles=150",), (0.1, 2.5)),
    "slider_crank_rig": ("crank_torque", ("trajectory.cycles=450",), (0.1, 2.5)),
    "slider_bar_rig": ("torque", ("trajectory.cycles=14",), (0.1, 4.0)),
    "parallel_3rrpar_rig": ("ax", ("trajectory.cycles=30",), (0.1, 2.0)),
}
"""Channel that is looked at, overrides that make the test long enough, s between two holds."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    seeds = range(1, metafunc.config.getoption("seeds") + 1)
    metafunc.parametrize(("seed", "name"), [(seed, name) for seed in seeds for name in RIGS])


def test_holds_at_random_moments(results: Results, name: str, seed: int, tmp_path: Path) -> None:
    found = results.once(f"hold/{name}/{seed}", lambda: _held(name, seed, tmp_path))
    assert found["holds"] == HOLDS, found


def _held(name: str, seed: int, folder: Path) -> dict[str, Any]:
    channel, overrides, apart = RIGS[name]
    experiment = ROOT / f"configs/experiments/{name}.toml"
    seeded = (*overrides, f"bench.seed={seed}")
    plain = run_held(folder / "plain", experiment, seeded, 0, seed, (0.0, 0.0))
    held: Held = run_held(folder / "held", experiment, seeded, HOLDS, seed, apart)
    assert held.result["outcome"] == plain.result["outcome"], (held.result["reason"], plain.result["reason"])
    assert_command_keeps_its_bounds(held)
    assert_prediction_is_that_along_the_record(held)
    assert_agreement_is_that_of_a_test_without_a_hold(held, plain, channel)
    with pytest.raises(AssertionError):
        assert_agreement_is_that_of_a_test_without_a_hold(held, plain, channel, late=LATE)
    return {"holds": len(held.moments), "moments": list(held.moments), "outcome": held.result["outcome"]}
