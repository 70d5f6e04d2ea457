"""What is played, by itself: expected values are worked out by hand from the samples."""

from __future__ import annotations

import numpy as np
import pytest

from drivers.simulated.signals.played import HOLD, REPEAT, STEPS, STOP, BadSignal, PlayedEdges, Samples, of_function, of_states, of_times


def ramp(**how: str) -> Samples:
    """1, 2, 4 at 0, 0.1, 0.2 s."""
    return Samples("ramp", np.array([0.0, 0.1, 0.2]), np.array([1.0, 2.0, 4.0]), 0.3, **how)


@pytest.mark.parametrize(
    ("how", "at", "expected"),
    [
        ({}, [-1.0, 0.0, 0.05, 0.1, 0.15, 0.2, 9.0], [1.0, 1.0, 1.5, 2.0, 3.0, 4.0, 4.0]),
        ({"between": STEPS}, [-1.0, 0.05, 0.1, 0.15, 0.2, 9.0], [1.0, 1.0, 2.0, 2.0, 4.0, 4.0]),
        # Behind the last sample comes the first again after one more step; between them a line.
        ({"end": REPEAT}, [0.2, 0.25, 0.3, 0.35, 0.45, 3.1], [4.0, 2.5, 1.0, 1.5, 3.0, 2.0]),
        ({"end": REPEAT, "between": STEPS}, [0.25, 0.3, 0.41], [4.0, 1.0, 2.0]),
    ],
)
def test_samples(how, at, expected):
    np.testing.assert_allclose(ramp(**how)(np.array(at)), expected, rtol=1e-9, atol=1e-9)


def test_a_file_of_the_clocks_rate_is_met_sample_by_sample():
    values = np.random.default_rng(1).normal(size=5000)
    rate = 51200.0 / 3.0  # not a number that floats hold
    samples = Samples("noise", np.arange(5000) / rate, values, 5000 / rate)
    clock = np.arange(5000) * (1.0 / rate)  # rounded in another way
    assert np.any(clock != samples.times)
    assert np.array_equal(samples(clock), values)
    assert not np.array_equal(samples(clock + 0.01 / rate), values)


def test_the_end_may_be_an_error_which_says_when():
    samples = ramp(end=STOP)
    assert samples(np.array([0.2]))[0] == 4.0
    with pytest.raises(BadSignal, match=r'ramp: ends at 0\.2 s, a sample at 0\.201 s was asked for; end = "hold" or "repeat" goes on'):
        samples(np.array([0.2, 0.201]))


def test_edges_are_those_after_the_start_up_to_the_end():
    edges = PlayedEdges(np.array([0.1, 0.2, 0.25]))
    assert [edges.level(at) for at in (0.0, 0.1, 0.19, 0.2, 9.0)] == [False, True, True, False, True]
    assert edges.between(0.1, 0.25).tolist() == [0.2, 0.25]
    assert edges.later(0.2) and not edges.later(0.25)


def test_states_are_edges_and_repeat_with_their_first_level():
    states = of_states(Samples("line", np.array([0.0, 0.1, 0.2]), np.array([0.0, 1.0, 1.0]), 0.3, end=REPEAT))
    np.testing.assert_allclose(states.between(-1.0, 0.95), [0.1, 0.3, 0.4, 0.6, 0.7, 0.9])
    assert [states.level(at) for at in (0.05, 0.15, 0.35, 0.45, 0.65, 0.75)] == [False, True] * 3
    with pytest.raises(BadSignal, match="expected states 0 and 1, got 2"):
        of_states(Samples("line", np.array([0.0, 0.1]), np.array([0.0, 2.0]), 0.2))
    with pytest.raises(BadSignal, match='expected end = "hold" or "repeat"'):
        of_states(Samples("line", np.array([0.0, 0.1]), np.array([0.0, 1.0]), 0.2, end=STOP))


@pytest.mark.parametrize("times", [[0.2, 0.1], [0.1, 0.1], [-0.1], [[0.1]], [float("nan")]])
def test_times_of_edges_increase(times):
    with pytest.raises(BadSignal, match="expected times of edges in s, from 0 on and increasing"):
        of_times("Dev1/PFI8", times)


def test_a_function_gives_volts_or_says_what_is_wrong():
    at = np.array([0.0, 0.5])
    assert of_function("Dev1/ai0", lambda t: 2.0 * t).volts(at).tolist() == [0.0, 1.0]
    assert of_function("Dev1/ai0", lambda t: 3).volts(at).tolist() == [3.0, 3.0]
    for function, words in (
        (lambda t: t[:1], r"expected volts of shape \(2,\) for 2 instants, 0 s to 0.5 s, got shape \(1,\)"),
        (lambda t: np.where(t > 0.2, np.nan, 0.0), r"expected finite volts, got nan at 0.5 s"),
        (lambda t: 1 / 0, r"(?s)signal of Dev1/ai0: failed, asked for 2 instants.*test_played.py.*ZeroDivisionError"),
    ):
        with pytest.raises(BadSignal, match=words):
            of_function("Dev1/ai0", function).volts(at)


def test_a_function_may_write_to_its_times():
    def function(times):
        times *= 2.0
        return times

    at = np.array([0.0, 0.5])
    assert of_function("Dev1/ai0", function).volts(at).tolist() == [0.0, 1.0] and at.tolist() == [0.0, 0.5]


def test_holding_is_the_end_where_nothing_is_said():
    assert ramp().end == HOLD
