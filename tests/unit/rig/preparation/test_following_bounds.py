"""What a fit of a motion is held to: how late, how slow, how large a gain; and what gaps in what is known may make of it."""

from __future__ import annotations

import numpy as np
import pytest

from rig.preparation.following import LARGEST, following
from rig.preparation.stroke_probe import MISFIT
from tests.each_row import each_row
from tests.unit.rig.preparation.motions import PROBE, STEP, first_order, loop, obeying, probe

LIKELY_STEP = 0.01 / 0.15
"""A hundredth of the motion may be missed by the largest step that a gap is likely to make, 15 % of it."""
LIKELY_RAMP = LIKELY_STEP / 3.0
"""s; the same by the largest ramp, which is the step times the largest share of an integral part, 3 1/s."""


@pytest.mark.parametrize("b", [0.0, 0.3, 0.9, 1.1, 90.0, -0.3, -40.0])
def test_an_integral_part_counts_however_small_but_for_one_of_the_wrong_sign(b: float) -> None:
    """No loop would stand with that: what looks like it does not follow."""
    rng = np.random.default_rng(5)
    command = probe()
    mean = PROBE * np.cumsum(rng.standard_normal(len(command)))
    found = following(command, mean, obeying(1.0, command, mean, follows=(30.0, b)), STEP)
    assert (found.misfit < 1e-6) == (b >= 0.0)


@pytest.mark.parametrize("late", [-0.004, 0.01, 0.03])
def test_where_an_integral_part_would_have_the_wrong_sign_the_gain_is_found_without_one(late: float) -> None:
    """As noise may make it; y = a G int u - a int y - late a G u is linear in its three numbers then."""
    command = probe()
    mean = PROBE * np.cumsum(np.random.default_rng(5).standard_normal(len(command)))
    end = obeying(1.0, command, mean, follows=(30.0, -0.1), late=late)
    (with_gain, a, _), *_ = np.linalg.lstsq(np.column_stack([STEP * np.cumsum(command), -STEP * np.cumsum(mean), command]), end, rcond=None)
    assert following(command, mean, end, STEP).gain == pytest.approx(with_gain / a, abs=1e-5)


@pytest.mark.parametrize("a", [0.1, 0.5])
def test_a_loop_may_be_as_slow_as_it_likes(a: float) -> None:
    """In 1/s: it stands, as it acts against its error."""
    command = probe()
    mean = PROBE * np.cumsum(np.random.default_rng(5).standard_normal(len(command)))
    found = following(command, mean, obeying(1.0, command, mean, follows=(a, 0.0)), STEP)
    assert found.gain == pytest.approx(1.0, abs=1e-5) and found.misfit < 1e-4


@each_row("gain", [-100.0, -49.9, -6.0, -4.01, -3.99, -3.5, 3.5, 3.99, 4.01, 6.0, 49.9, 100.0])
def test_gains_up_to_fifty_are_named_and_larger_ones_are_no_gain(gain: float) -> None:
    command = probe()
    found = following(command, *loop(command, gain, 30.0, 0.0, 0.0), STEP)
    if abs(gain) < LARGEST:
        assert found.gain == pytest.approx(gain, rel=1e-4)
        assert found.misfit < 1e-4
    else:
        assert found.misfit > MISFIT


@each_row(("late", "bound"), [(-0.49, True), (-0.51, False), (4.9, True), (5.1, False)])
@each_row("first", [1.0, 1.99])
def test_it_may_be_early_by_half_a_step_and_late_by_five(late: float, bound: bool, first: float) -> None:
    """In steps; the first may be longer, as the part of a reading that is no whole step goes with it."""
    command = probe()
    mean = PROBE * np.cumsum(np.random.default_rng(5).standard_normal(len(command)))
    steps = np.full(len(command), STEP)
    steps[0] *= first
    end = obeying(1.0, command, mean, late=late * STEP, step=steps)
    assert (following(command, mean, end, steps).misfit < 1e-6) == bound


@pytest.mark.parametrize("gain", [1.00337, -0.98762])
def test_steps_need_not_be_of_one_length(gain: float) -> None:
    rng = np.random.default_rng(5)
    command = probe()
    mean, steps = PROBE * np.cumsum(rng.standard_normal(len(command))), rng.uniform(STEP, 2.0 * STEP, len(command))
    found = following(command, mean, obeying(gain, command, mean, step=steps), steps)
    assert found.gain == pytest.approx(gain, abs=1e-5) and found.misfit < 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_one_that_shows_noise_is_taken_as_it_fits_better(seed: int) -> None:
    """By the mean command of a step, or by the one at its end."""
    rng = np.random.default_rng(seed)
    command, last, mean, end = first_order(1.0, 30.0, 0.8)
    mean, end = mean + 1.5e-6 * rng.standard_normal(len(mean)), end + 6e-6 * rng.standard_normal(len(end))
    by_mean, by_last = following(command, mean, end, STEP), following(last, mean, end, STEP)
    found = following(command, mean, end, STEP, last=last)
    assert by_mean.misfit > 0.1 and found.misfit <= by_mean.misfit
    assert found.gain == pytest.approx(0.5 * (by_mean.gain + by_last.gain), abs=0.01)


@each_row("lengths", [(1,), (3,), (2, 5)])
@each_row("follows", [(30.0, 40.0), (60.0, 0.0), (10.0, 1000.0)])
def test_what_the_integral_is_wrong_by_counts_from_the_step_after_a_gap(lengths: tuple[int, ...], follows: tuple[float, float]) -> None:
    """The gain is that of the equation, and all that is left is what holds a step and its ramp to what is likely."""
    rng = np.random.default_rng(7)
    command = np.tile(probe(), 8)
    mean = PROBE * np.cumsum(rng.standard_normal(len(command)))
    sure, wrong = np.ones(len(command), dtype=bool), 3e-4 * STEP
    offset, left = np.zeros(len(command)), 0.0
    for at, of in zip((40, 120), lengths, strict=False):
        sure[at : at + of] = False
        offset[at + of :] += wrong
        step, ramp = (follows[0] - 0.5 * STEP * follows[1]) * wrong, follows[1] * wrong
        left += (LIKELY_STEP * step) ** 2 + (LIKELY_RAMP * ramp) ** 2
    end = obeying(1.0, command, mean, offset, follows)
    end[~sure] = 1.0  # counts for nothing
    found = following(command, mean, end, STEP, sure)
    assert found.gain == pytest.approx(1.0, abs=1e-3)
    assert found.misfit == pytest.approx(np.sqrt(left) / np.linalg.norm(end[sure]), rel=0.15)


def test_a_short_motion_without_a_gap_has_its_gain() -> None:
    """Four numbers that are found, gain and all, in five steps."""
    command = probe()[4:9]
    mean = PROBE * np.cumsum(np.random.default_rng(5).standard_normal(5))
    assert following(command, mean, obeying(1.5, command, mean), STEP).gain == pytest.approx(1.5, abs=1e-5)


@pytest.mark.parametrize(("steps", "enough"), [(10, False), (11, True)])
def test_two_steps_for_each_number_are_enough(steps: int, enough: bool) -> None:
    """Three numbers and two more for a gap: ten steps beside it."""
    command = probe()[:steps] + PROBE
    sure = np.ones(steps, dtype=bool)
    sure[5] = False
    found = following(command, *loop(command, 1.0, 30.0, 0.0, 0.0), STEP, sure)
    assert np.isfinite(found.gain) == np.isfinite(found.misfit) == enough
