"""Every disturbance of a signal or of the machine, at a level beyond the tolerance and at one below a tenth of it: what is wrong does not
pass, what is harmless does not fail. How wrong a channel is, is measured by what the plant did, which the record of these runs has beside
it. `--seeds N` says how many benches, `--between N` on how many of them the levels between are told of, which have no bar; `--keep DIR`
keeps what causes are looked for in, for `causes_again.py`. Benches are apart, so `-n 2 --dist loadgroup` runs two at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from campaign_results import Results
from disturbed_runs import BETWEEN, FAULTS, HARMLESS, case, nothing, worst

pytestmark = pytest.mark.campaign

LEVELS = {"wrong": 0.0, "harmless": HARMLESS, **{f"{share:g} of the tolerance": share for share in BETWEEN}}
"""Share of the tolerance that each is worth; of `wrong` each fault states it."""
ROUNDING = 1e-9


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """All of one bench, then the next."""
    option = metafunc.config.getoption
    between = metafunc.function is test_levels_between
    if {"name", "level"} <= set(metafunc.fixturenames):
        levels = list(LEVELS)[2:] if between else list(LEVELS)[:2]
        cases = [
            (name, level, seed) for seed in range(1, option("between" if between else "seeds") + 1) for name in FAULTS for level in levels
        ]
        metafunc.parametrize(
            ("name", "level", "seed"), [pytest.param(*one, marks=pytest.mark.xdist_group(f"seed {one[2]}")) for one in cases]
        )
    else:
        seeds = range(1, option("seeds") + 1)
        metafunc.parametrize("seed", [pytest.param(seed, marks=pytest.mark.xdist_group(f"seed {seed}")) for seed in seeds])


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> Path | None:
    folder = request.config.getoption("keep")
    return None if folder is None else Path(folder)


def test_a_bench_without_a_fault(results: Results, seed: int, keep: Path | None) -> None:
    found = results.once(f"disturbance/nothing/healthy/{seed}", lambda: nothing(seed, keep))
    assert found["verdict"] == "pass" and worst(found) < ROUNDING, found


def test_a_disturbance(results: Results, name: str, level: str, seed: int, keep: Path | None) -> None:
    """By what was measured of the fault, not by what it was to be."""
    found = told(results, name, level, seed, keep)
    if worst(found) > 1.0:
        assert found["verdict"] != "pass", found
    if worst(found) < 0.1:
        assert found["verdict"] != "fail", found
    assert worst(found) > 1.0 if level == "wrong" else worst(found) < 0.1, "the level is not what it is to be"


def test_levels_between(results: Results, name: str, level: str, seed: int, keep: Path | None) -> None:
    """A table, and no bar: what the specimen differs by anyway adds to the fault, or takes away from it."""
    assert told(results, name, level, seed, keep)["verdict"] in ("pass", "fail", "cannot_discriminate")


def told(results: Results, name: str, level: str, seed: int, keep: Path | None) -> dict[str, Any]:
    """Of one bench with a fault at a level, once."""
    return results.once(f"disturbance/{name}/{level}/{seed}", lambda: case(name, LEVELS[level] or FAULTS[name].share, seed, keep))
