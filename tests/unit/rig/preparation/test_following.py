"""The gain of a loop from its motion, whatever the loop is like."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.preparation.following import following
from rig.preparation.stroke_probe import MISFIT
from tests.each_row import each_row
from tests.tiers import quick
from tests.unit.rig.preparation.motions import CODE, FINE, PROBE, STEP, first_order, loop, obeying, probe

LOOPS = {"proportional": st.floats(10.0, 60.0), "share": st.floats(0.0, 3.0), "late": st.floats(0.0, 0.005)}


def found_within(rel: float, gain: float, proportional: float, share: float, late: float) -> None:
    command = probe(CODE)
    found = following(command, *loop(command, gain, proportional, share * proportional, late, noise=0.5e-6), STEP)
    assert found.gain == pytest.approx(gain, rel=rel)
    assert found.misfit < 0.05


@given(gain=st.floats(0.9, 1.1), **LOOPS)
def test_a_gain_near_one_within_half_of_what_is_tolerated(gain: float, proportional: float, share: float, late: float) -> None:
    found_within(0.01, gain, proportional, share, late)


@given(gain=st.one_of(st.floats(0.3, 2.5), st.floats(-2.5, -0.3)), **LOOPS)
def test_any_gain_well_enough_to_name_it(gain: float, proportional: float, share: float, late: float) -> None:
    found_within(0.05, gain, proportional, share, late)


@given(gain=st.one_of(st.floats(2.5, 40.0), st.floats(-40.0, -2.5)), **LOOPS)
def test_a_large_gain_is_never_taken_for_its_opposite(gain: float, proportional: float, share: float, late: float) -> None:
    """As of a span that is set to ten times what it should be: told to be inverted, it would be wired wrong next."""
    found_within(0.05, gain, proportional, share, late)


@given(gain=st.one_of(st.floats(3.5, 40.0), st.floats(-40.0, -3.5)), proportional=st.floats(10.0, 60.0))
def test_nor_where_a_guard_ends_it_as_soon_as_it_has_run_away(gain: float, proportional: float) -> None:
    """How large it is so short a motion need not tell."""
    command = probe()
    mean, end = loop(command, gain, proportional, 0.0, 0.0)
    seen = int(np.argmax(np.abs(end) > 3.0 * PROBE)) + 1
    if seen > 6:  # two steps of motion, before which there is nothing to fit
        found = following(command[:seen], mean[:seen], end[:seen], STEP).gain
        assert np.sign(found) == np.sign(gain) and abs(found) > 2.0


def test_positive_feedback_has_no_gain_of_its_own() -> None:
    """y' = a (u + y), as with an inverted monitor within the loop: it runs away, and no loop that stands fits it."""
    command = probe()
    end = np.zeros(len(command))
    for n in range(1, len(end)):
        end[n] = end[n - 1] * np.exp(30.0 * STEP) + command[n] * np.expm1(30.0 * STEP)
    assert following(command, end, end, STEP).misfit > MISFIT


@given(gain=st.floats(0.9, 1.1), **LOOPS, at=st.integers(5, 35), of=st.integers(2, 10), share_of_gap=st.floats(0.0, 1.0))
def test_when_a_value_went_out_need_not_be_known(
    gain: float, proportional: float, share: float, late: float, at: int, of: int, share_of_gap: float
) -> None:
    """The computer stands still for `of` steps at step `at`, in the middle of a motion, and a value goes out at any time meanwhile."""
    true = np.concatenate([probe()[:at], np.full(of, probe()[at - 1]), probe()[at:]])
    true[at + round(share_of_gap * of) : at + of] = probe()[at]
    taken, sure = true.copy(), np.ones(len(true), dtype=bool)
    taken[at : at + of], sure[at : at + of] = 0.5 * (probe()[at - 1] + probe()[at]), False
    motion = loop(true, gain, proportional, share * proportional, late, noise=0.5e-6)
    found = following(taken, *motion, STEP, sure)
    assert found.gain == pytest.approx(gain, rel=0.03)
    assert found.misfit < 0.05


@each_row("gain", [1.0, 0.96, 1.04, -1.0, 3.0])
@each_row("fast", [100.0, 300.0, 1000.0, 3000.0, 1e5, 1e9])
@pytest.mark.parametrize("at", quick([0.0, 0.2, 0.5, 0.8], [0.2, 0.5]))
def test_a_loop_may_be_as_fast_as_it_likes(gain: float, fast: float, at: float) -> None:
    """Much faster than a step the position equals its command: all lateness, if that were not bounded, and any gain."""
    command, last, mean, end = first_order(gain, fast, at)
    found = following(command, mean, end, STEP, last=last)
    assert found.gain == pytest.approx(gain, rel=0.005)
    assert found.misfit < 0.5 * MISFIT


@given(gain=st.floats(0.9, 1.1), fast=st.floats(2.0, 5.0), seed=st.integers(0, 99))
def test_nor_is_it_misnamed_where_values_go_out_at_any_time(gain: float, fast: float, seed: int) -> None:
    """As of a busy computer, at up to a block's difference; fast: the power of ten, 1/s."""
    rng = np.random.default_rng(seed)
    at = np.arange(len(probe())) * FINE + rng.integers(0, FINE, len(probe()))
    u = probe()[np.searchsorted(at, np.arange(len(probe()) * FINE), side="right") - 1]
    keep, y = np.exp(-(10.0**fast) * STEP / FINE), np.zeros(len(u))
    for n in range(1, len(u)):
        y[n] = gain * u[n] + (y[n - 1] - gain * u[n]) * keep
    y, u = y.reshape(-1, FINE), u.reshape(-1, FINE)
    found = following(u.mean(axis=1), y.mean(axis=1), y[:, -1], STEP, last=u[:, -1])
    assert found.gain == pytest.approx(gain, rel=0.01)
    assert found.misfit < MISFIT


def test_a_motion_that_is_all_gaps_has_no_gain() -> None:
    command = probe()
    sure = np.arange(len(command)) % 4 != 1
    found = following(command, *loop(command, 1.0, 30.0, 0.0, 0.0), STEP, sure)
    assert np.isnan(found.gain) and found.misfit == np.inf


def test_what_does_not_follow_is_told_by_its_misfit() -> None:
    command = probe()
    rng = np.random.default_rng(3)
    wandering = 1e-5 * np.cumsum(rng.standard_normal(len(command)))
    assert following(command, wandering, wandering, STEP).misfit > 0.1


def test_a_position_that_stands_still() -> None:
    command = probe()
    assert following(command, np.zeros(len(command)), np.zeros(len(command)), STEP).misfit == np.inf


@given(seed=st.integers(0, 1000), steps=st.integers(8, 300), integral=st.sampled_from([0.0, 20.0]))
def test_the_fit_is_that_of_least_squares_over_all_steps(seed: int, steps: int, integral: float) -> None:
    """What is fitted is a triangle of six rows; the misfit is that of the steps themselves at the gain that was found."""
    rng = np.random.default_rng(seed)
    command = np.cumsum(rng.standard_normal(steps))
    mean, end = loop(command, rng.uniform(-2.0, 2.0), 30.0, integral, 0.002)
    found = following(command, mean, end, STEP)
    u, y = STEP * np.cumsum(command), STEP * np.cumsum(mean)

    def trapezia(values: np.ndarray) -> np.ndarray:
        return np.cumsum(STEP * 0.5 * (values + np.concatenate([[0.0], values[:-1]])))

    columns = np.column_stack([found.gain * u - y, found.gain * command, found.gain * trapezia(u) - trapezia(y)])
    best = np.linalg.lstsq(columns, end, rcond=None)[0]
    if best[2] < 0.0:
        columns = columns[:, :2]
        best = np.linalg.lstsq(columns, end, rcond=None)[0]
    assert found.misfit == pytest.approx(np.linalg.norm(columns @ best - end) / np.linalg.norm(end), rel=1e-6, abs=1e-9)


@each_row("gain", [1.0, 1.00337, -1.00337, 0.98762, 2.71828, -3.14159, 3.995, 0.0123])
def test_a_motion_that_obeys_the_equation_has_its_gain_to_a_hundred_thousandth(gain: float) -> None:
    rng = np.random.default_rng(5)
    command = probe()
    mean = PROBE * np.cumsum(rng.standard_normal(len(command)))
    found = following(command, mean, obeying(gain, command, mean), STEP)
    assert found.gain == pytest.approx(gain, abs=1e-5)
    assert found.misfit < 1e-4
