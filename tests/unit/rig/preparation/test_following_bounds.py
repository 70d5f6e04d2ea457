"""What a fit of a motion is held to: how late, how slow, how large a gain; and what gaps in what is known may make of it."""

from __future__ import annotations

import numpy as np
import pytest

from rig.preparation.following import LARGEST, following
from rig.preparation.following import RAMP as LIKELY_RAMP
from rig.preparation.following import STEP as LIKELY_STEP
from rig.preparation.stroke_probe import MISFIT
from tests.unit.rig.preparation.motions import FOLLOWS, PROBE, STEP, loop, obeying, probe


@pytest.mark.parametrize("b", [0.0, 0.3, 0.9, 1.1, 90.0, -0.3, -40.0])
def test_an_integral_part_counts_however_small_but_for_one_of_the_wrong_sign(b: float) -> None:
    """No loop would stand with that: what looks like it does not follow."""
    rng = np.random.default_rng(5)
    command = probe()
    mean = PROBE * np.cumsum(rng.standard_normal(len(command)))
    found = following(command, mean, obeying(1.0, command, mean, follows=(30.0, b)), STEP)
    assert (found.misfit < 1e-6) == (b >= 0.0)


@pytest.mark.parametrize("a", [0.1, 0.5])
def test_a_loop_may_be_as_slow_as_it_likes(a: float) -> None:
    """In 1/s: it stands, as it acts against its error."""
    command = probe()
    mean = PROBE * np.cumsum(np.random.default_rng(5).standard_normal(len(command)))
    found = following(command, mean, obeying(1.0, command, mean, follows=(a, 0.0)), STEP)
    assert found.gain == pytest.approx(1.0, abs=1e-5) and found.misfit < 1e-4


@pytest.mark.parametrize("gain", [-100.0, -49.9, -6.0, -4.01, -3.99, -3.5, 3.5, 3.99, 4.01, 6.0, 49.9, 100.0])
def test_gains_up_to_fifty_are_named_and_larger_ones_are_no_gain(gain: float) -> None:
    command = probe()
    found = following(command, *loop(command, gain, 30.0, 0.0, 0.0), STEP)
    if abs(gain) < LARGEST:
        assert found.gain == pytest.approx(gain, rel=1e-4)
        assert found.misfit < 1e-4
    else:
        assert found.misfit > MISFIT


@pytest.mark.parametrize("lengths", [(1,), (3,), (2, 5)])
def test_what_the_integral_is_wrong_by_counts_from_the_step_after_a_gap(lengths: tuple[int, ...]) -> None:
    """The gain is that of the equation, and all that is left is what holds a step and its ramp to what is likely."""
    rng = np.random.default_rng(7)
    command = np.tile(probe(), 8)
    mean = PROBE * np.cumsum(rng.standard_normal(len(command)))
    sure, wrong = np.ones(len(command), dtype=bool), 3e-4 * STEP
    offset, left = np.zeros(len(command)), 0.0
    for at, of in zip((40, 120), lengths, strict=False):
        sure[at : at + of] = False
        offset[at + of :] += wrong
        step, ramp = (FOLLOWS[0] - 0.5 * STEP * FOLLOWS[1]) * wrong, FOLLOWS[1] * wrong
        left += (LIKELY_STEP * step) ** 2 + (LIKELY_RAMP * ramp) ** 2
    end = obeying(1.0, command, mean, offset)
    end[~sure] = 1.0  # counts for nothing
    found = following(command, mean, end, STEP, sure)
    assert found.gain == pytest.approx(1.0, abs=1e-3)
    assert found.misfit <= 1.01 * np.sqrt(left) / np.linalg.norm(end[sure])


@pytest.mark.parametrize(("steps", "enough"), [(10, False), (11, True)])
def test_two_steps_for_each_number_are_enough(steps: int, enough: bool) -> None:
    """Three numbers and two more for a gap: ten steps beside it."""
    command = probe()[:steps] + PROBE
    sure = np.ones(steps, dtype=bool)
    sure[5] = False
    found = following(command, *loop(command, 1.0, 30.0, 0.0, 0.0), STEP, sure)
    assert np.isfinite(found.gain) == np.isfinite(found.misfit) == enough
