"""A drive that slips: what comes again comes again by the shaft's own turns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rig.comparison import ChannelAgreement, Commanded, Compared, Settings, agreements

RATE, PERIOD, CYCLES = 2000.0, 400, 40
TURNED = 2.0 * np.pi * np.arange(CYCLES * PERIOD) / PERIOD
NOISE = 0.05
SETTINGS = Settings(None, 2, delay=False)


def found(slip: float, gain: float, seen: bool = True, sign: float = 1.0, cycles: int = CYCLES) -> ChannelAgreement:
    """A specimen that shows twelve waves a turn, of amplitude 1, too high by `gain`, on a shaft that turns `slip` less than commanded."""
    turned = TURNED[: cycles * PERIOD]
    shaft = sign * (1.0 - slip) * turned + 0.7
    predicted = np.sin(12.0 * shaft * sign)
    measured = (1.0 + gain) * predicted + NOISE * np.random.default_rng(7).standard_normal(len(shaft))
    commanded = Commanded(turned, np.floor(turned / (2.0 * np.pi)), turned, RATE / PERIOD, True, shaft if seen else None)
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


def test_the_waves_of_a_shaft_that_keeps_up_are_those_of_the_command() -> None:
    """Not one bit changes, but of NRMS: what comes again is told by finer parts of the turn, for which it falls behind by too much."""
    one, other = found(0.001, 0.2), found(0.001, 0.2, seen=False)
    assert least(one) == pytest.approx(0.2 / 1.2, rel=0.05) and least(other) < least(one)
    told = [replace(each, intervals={name: it for name, it in each.intervals.items() if name != "nrms"}) for each in (one, other)]
    assert told[0] == told[1]
    assert found(0.008, 0.2).scatter != found(0.008, 0.2, seen=False).scatter, "a control"


@pytest.mark.parametrize("cycles", [5, 6, 8, 10, 20])
def test_few_turns_of_a_shaft_that_slips_tell_as_much(cycles: int) -> None:
    """The last one is not whole. Three turns and more are wanted for an interval."""
    assert least(found(0.008, 0.5, cycles=cycles)) == pytest.approx(0.5 / 1.5, rel=0.05)


def test_what_is_short_within_a_turn_comes_again_as_well() -> None:
    """Behind a low-pass of 30 Hz, at five turns a second: eight parts in its period would average two thirds of such knocks away."""
    angle = np.mod(TURNED, 2.0 * np.pi)
    predicted = np.exp(-((angle - 2.0) ** 2) / 2e-4)
    noise = 1e-4 * np.random.default_rng(3).standard_normal(len(angle))
    commanded = Commanded(TURNED, np.floor(TURNED / (2.0 * np.pi)), TURNED, RATE / PERIOD, True, TURNED)
    settings = Settings(30.0, 2, delay=False)
    told = agreements({"a": Compared(1.1 * predicted + noise, predicted)}, commanded, RATE, settings)["a"]
    assert told.nrms == pytest.approx(0.1 / 1.1, rel=0.01)
    assert least(told) == pytest.approx(told.nrms, rel=0.02)
