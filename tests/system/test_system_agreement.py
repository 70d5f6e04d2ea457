"""Does the comparison say pass, fail and cannot_discriminate where it should? A short selection; the campaign has all seeds.

A delay: test_system_no_clearance.py."""

import pytest
from agreement_runs import SEEING_CLEARANCE, WRONG_CLEARANCES, at_point, law, lockstep, sees_clearance

SEED = 4
CYCLES = 5


@pytest.mark.long
def test_a_perturbed_bench_agrees_with_the_model_where_it_is_loaded_most() -> None:
    """At the point of the experiment file: test_system_linkage.py."""
    found = lockstep(SEED, *at_point("30 kN 7 Hz", CYCLES))
    assert found["verdict"] == "pass", found["reason"]
    assert found["half_cycles"] == 2 * (CYCLES - 2)


def test_a_predictor_with_half_the_clearance_fails() -> None:
    found = lockstep(SEED, WRONG_CLEARANCES["0.2 mm"], "trajectory.cycles=4")
    assert sees_clearance(found), {metric: found["errors"][metric] for metric in SEEING_CLEARANCE}


@pytest.mark.long
def test_agreement_does_not_validate_a_contact_law() -> None:
    found = lockstep(SEED, law("flores"), "trajectory.cycles=4")
    assert found["verdict"] == "cannot_discriminate", found["reason"]
