"""Pairs of every shape, noise and fault: figures are what they truly are, intervals hold, verdicts far from the tolerance are right.

Twenty of the thousand that `make campaign` runs (tests/campaign/test_campaign_pairs.py), and each shape once without noise.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.thorough import times
from tests.unit.rig.comparison.uncertainty.judged_pairs import Counts, counted, wrong
from tests.unit.rig.comparison.uncertainty.synthetic_pairs import SHAPES, Pair, make, truth

EXACT = {"delay": 1e-6, "fundamental": 1e-6, "phase": 1e-4, "nrms": 1e-6, "band_level": 1e-5, "first_impact": 1e-6, "overshoot": 1e-6}
OF_WAVES = {"gain": 1e-4, "offset": 1.0, "max": 2e-3, "impact_peak": 1e-6}
"""From parts of a turn, into which samples fall as it comes."""


@pytest.mark.parametrize("shape", SHAPES)
def test_without_noise_every_figure_is_the_true_one(shape: str) -> None:
    made = make(replace(Pair.drawn(1, False), shape=shape, spoiled="whole", noise=1e-7, drift=0.0))
    found, true = made.agreement(), truth(made)
    for name, near in (EXACT | OF_WAVES).items():
        if name in true:
            assert found.intervals[name].value == pytest.approx(true[name], abs=near), name


@pytest.fixture(scope="module")
def sums() -> dict[str, Counts]:
    return counted(Pair.drawn(k, False) for k in range(times(20, 120)))


def test_limits_hold(sums: dict[str, Counts]) -> None:
    told = [counts for counts in sums.values() if counts.get("told")]
    assert sum(counts["held"] for counts in told) >= 0.92 * sum(counts["told"] for counts in told) > 0.0


def test_no_verdict_far_from_the_tolerance_is_wrong(sums: dict[str, Counts]) -> None:
    found = [wrong(counts) for counts in sums.values()]
    assert sum(amiss for amiss, _ in found) <= 0.01 * sum(asked for _, asked in found)
    assert sum(asked for _, asked in found) > 100


def test_a_model_twice_as_sure_as_it_is_would_be_found_out(sums: dict[str, Counts]) -> None:
    """The control: at just the tolerance hardly any verdict is passed or failed, and at four times hardly any is left open."""
    passed = sum(counts.get("1 pass", 0.0) for counts in sums.values())
    asked = sum(value for counts in sums.values() for key, value in counts.items() if key.startswith("1 "))
    clear = sum(counts.get("4 fail", 0.0) + counts.get("0.25 pass", 0.0) for counts in sums.values())
    assert passed <= 0.10 * asked and clear >= 0.5 * 2.0 * asked
