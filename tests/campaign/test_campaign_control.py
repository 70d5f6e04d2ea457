"""Outer loops over seeds, frequencies and both kinds of random force."""

from typing import Any

import pytest
from control_runs import assert_settled, lockstep

pytestmark = pytest.mark.campaign

SEEDS = range(1, 6)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("frequency", [3, 5, 7])
@pytest.mark.parametrize("mean", [0, 5])
def test_amplitude_and_mean_are_within_one_percent_after_ten_cycles(seed: int, frequency: int, mean: int) -> None:
    where = (f"bench.seed={seed}", f"trajectory.frequency={frequency} Hz", f"trajectory.mean={mean} kN", "trajectory.cycles=14")
    code, data = lockstep("linkage_amplitude", *where)
    assert (code, data["verdict"]["result"]) == (0, "pass"), data["verdict"]["reason"]
    assert_settled(data)


def reached(experiment: str, iterations: int, contraction: float) -> dict[str, Any]:
    """The target, within so many iterations; each contracts as predicted, but for a share of it."""
    code, data = lockstep(experiment)
    control = data["control"]
    assert (code, control["verdict"]) == (0, "reached"), data["reason"]
    assert len(control["iterations"]) <= iterations
    for row in control["iterations"][1:]:
        assert row["contraction_measured"] == pytest.approx(row["contraction_predicted"], rel=contraction)
    return data


def test_random_force_without_reversal_is_followed_within_two_percent_in_six_iterations() -> None:
    data = reached("linkage_random", iterations=7, contraction=0.05)
    assert data["control"]["best"]["error_full_band"] <= 0.02


def test_random_force_with_reversal_is_followed_in_the_band_and_the_floor_of_the_gap_is_told() -> None:
    data = reached("linkage_random_reversal", iterations=9, contraction=0.10)
    best = data["control"]["best"]
    assert best["error_in_band"] <= 0.10
    assert 0.3 < best["error_outside_band"] < 0.5
    assert any("reverses the load" in warning for warning in data["warnings"])
