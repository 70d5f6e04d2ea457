"""What a criterion has to allow, and the share of specimens that pass then."""

import numpy as np
import pytest

from rig.budget.allowance import CONFIDENCE, allowance, covered
from rig.budget.errors import Judged
from rig.comparison import Line
from rig.config.experiment import Criterion


@pytest.mark.parametrize(("specimens", "criteria"), [(59, 1), (93, 2), (124, 3)])
def test_the_numbers_of_specimens_that_tables_of_tolerance_limits_have(specimens, criteria):
    """For 95 % of all with 95 % confidence: one-sided and two-sided limits (Somerville 1958), and three blocks left out."""
    assert covered(specimens, criteria) >= 0.95 > covered(specimens - 1, criteria)


def test_the_share_holds_in_as_many_draws_as_the_confidence_says():
    """Of 4000 draws of 30 specimens with two criteria that have nothing to do with each other, whatever their distributions."""
    chance, promised = np.random.default_rng(5), covered(30, 2)
    largest = np.max(chance.random((4000, 30, 2)), axis=1)  # each criterion's error by its own distribution function
    share = largest[:, 0] * largest[:, 1]
    kept = np.mean(share >= promised)
    assert kept == pytest.approx(CONFIDENCE, abs=0.012)  # 3 standard deviations


def judged(*errors):
    return [Judged((Line("force", "nrms", error, 0.05, True, ""),), ()) for error in errors]


def test_the_largest_error_of_either_sign_is_needed():
    found = allowance(Criterion("force", "max", 0.05), judged(0.01, -0.04, 0.02), 0)
    assert found.needed == 0.04 and found.median == 0.02 and found.holds
    assert not allowance(Criterion("force", "max", 0.039), judged(0.01, -0.04, 0.02), 0).holds


def test_of_a_share_that_must_be_reached_the_least_is_needed():
    found = allowance(Criterion("force", "within_5_percent", 0.9), judged(0.99, 0.93, 0.97), 0)
    assert found.needed == 0.93 and found.holds
    assert not allowance(Criterion("force", "within_5_percent", 0.95), judged(0.99, 0.93, 0.97), 0).holds


def test_an_error_that_could_not_be_told_leaves_nothing_that_would_do():
    found = allowance(Criterion("force", "nrms", 1.0), judged(0.01, None, 0.02), 0)
    assert found.needed is None and found.untold == 1 and not found.holds
