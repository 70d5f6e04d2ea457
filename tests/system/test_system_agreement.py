"""Does the comparison say pass, fail and cannot_discriminate where it should? A short selection; the campaign has all seeds."""

import pytest
from agreement_runs import LATE, NO_CLEARANCE, POINTS, SEEING_CLEARANCE, WRONG_CLEARANCES, at_point, late, law, lockstep, sees_clearance

SEED = 4
CYCLES = 5


@pytest.mark.parametrize("point", POINTS)
def test_a_perturbed_bench_agrees_with_the_model(point: str) -> None:
    found = lockstep(SEED, *at_point(point, CYCLES))
    assert found["verdict"] == "pass", found["reason"]
    assert found["half_cycles"] == 2 * (CYCLES - 2)


def test_a_predictor_with_half_the_clearance_fails() -> None:
    found = lockstep(SEED, WRONG_CLEARANCES["0.2 mm"], "trajectory.cycles=4")
    assert sees_clearance(found), {metric: found["errors"][metric] for metric in SEEING_CLEARANCE}


def test_a_delay_fails_where_there_is_no_clearance_and_is_reported_to_a_tenth_of_a_sample() -> None:
    straight = lockstep(SEED, *NO_CLEARANCE, "trajectory.cycles=4")
    assert straight["verdict"] == "pass", straight["reason"]
    delayed = lockstep(SEED, *NO_CLEARANCE, "trajectory.cycles=4", late(straight))
    assert not delayed["passed"]["nrms"], delayed["errors"]
    assert delayed["delay_samples"] - straight["delay_samples"] == pytest.approx(LATE, abs=0.1)


def test_agreement_does_not_validate_a_contact_law() -> None:
    found = lockstep(SEED, law("flores"), "trajectory.cycles=4")
    assert found["verdict"] == "cannot_discriminate", found["reason"]
