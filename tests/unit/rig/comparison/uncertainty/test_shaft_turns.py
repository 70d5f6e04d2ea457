"""A drive that slips: what comes again comes again by the shaft's own turns."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison import ChannelAgreement, Commanded, Compared, Settings, agreements

RATE, PERIOD, CYCLES = 2000.0, 400, 40
TURNED = 2.0 * np.pi * np.arange(CYCLES * PERIOD) / PERIOD
NOISE = 0.05
SETTINGS = Settings(None, 2, delay=False)


def found(slip: float, gain: float, seen: bool = True, sign: float = 1.0) -> ChannelAgreement:
    """A specimen that shows twelve waves a turn, of amplitude 1, too high by `gain`, on a shaft that turns `slip` less than commanded."""
    shaft = sign * (1.0 - slip) * TURNED + 0.7
    predicted = np.sin(12.0 * shaft * sign)
    measured = (1.0 + gain) * predicted + NOISE * np.random.default_rng(7).standard_normal(len(shaft))
    commanded = Commanded(TURNED, np.floor(TURNED / (2.0 * np.pi)), TURNED, RATE / PERIOD, True, shaft if seen else None)
    return agreements({"a": Compared(measured, predicted)}, commanded, RATE, SETTINGS)["a"]


def least(told: ChannelAgreement) -> float:
    """Lower bound of NRMS, 5 % a side."""
    return told.intervals["nrms"].bounds(0.05)[0]


def test_what_is_wrong_in_each_turn_of_a_shaft_that_slips_is_no_scatter() -> None:
    """In 38 cycles the shaft falls 0.3 turns behind: by the command's phase twelve waves a turn have no mean that is left."""
    wrong, unseen = found(0.008, 0.5), found(0.008, 0.5, seen=False)
    true = 0.5 / 1.5
    assert wrong.nrms == unseen.nrms == pytest.approx(true, rel=0.02)
    assert least(wrong) == pytest.approx(true, rel=0.03)
    assert least(unseen) < 0.5 * true, "a control"
    # Two samples lie in each part of a turn, and their middle up to half a sample aside of its own, on waves of that slope.
    of_a_part = np.hypot(NOISE / np.sqrt(2.0), 0.5 * 12.0 * TURNED[1] / np.sqrt(2.0) / np.sqrt(12.0))
    assert wrong.scatter == pytest.approx(of_a_part, rel=0.1)
    assert wrong.intervals["gain"].value == pytest.approx(1.5, abs=0.01)


def test_noise_of_a_shaft_that_slips_is_no_error_of_the_model() -> None:
    right = found(0.008, 0.0)
    assert right.nrms == pytest.approx(NOISE * np.sqrt(2.0), rel=0.05)
    assert least(right) < 0.1 * right.nrms


@pytest.mark.parametrize("slip", [0.008, 0.3, -0.02])
def test_it_does_not_matter_which_way_a_shaft_turns(slip: float) -> None:
    one, other = found(slip, 0.2), found(slip, 0.2, sign=-1.0)
    assert one.scatter == pytest.approx(other.scatter, rel=0.05)
    assert least(one) == pytest.approx(least(other), rel=0.02)


def test_a_shaft_that_keeps_up_is_judged_by_the_command() -> None:
    """Not one bit changes."""
    assert found(0.001, 0.2) == found(0.001, 0.2, seen=False)
    assert found(0.008, 0.2) != found(0.008, 0.2, seen=False), "a control"
