import numpy as np
import pytest

from rig.motion.touches import touches


def test_contacts_and_flights_are_counted():
    time = np.arange(10) / 10.0
    closed = np.array([1, 1, 0, 0, 1, 0, 1, 1, 1, 1], dtype=bool)
    found = touches(time, closed, np.where(closed, 2e-6, -1e-6))
    assert found.begins.tolist() == [4, 6]
    assert found.longest == pytest.approx(0.2)
    assert found.share == pytest.approx(0.7)
    assert found.deepest == 2e-6
    assert found.words == ("2 contacts begin", "the longest flight lasts 200 ms")


def test_time_counts_and_not_the_number_of_moments():
    """A solver goes with small steps through contacts, and with large ones through flights."""
    time = np.concatenate((np.linspace(0.0, 0.1, 101), np.linspace(0.2, 1.0, 9)))
    closed = time <= 0.1
    assert touches(time, closed, np.zeros(len(time))).share == pytest.approx(0.15, abs=0.01)


@pytest.mark.parametrize(("flag", "said"), [(True, "contact is never lost"), (False, "the longest flight lasts 900 ms")])
def test_without_a_change(flag: bool, said: str):
    found = touches(np.arange(10) / 10.0, np.full(10, flag), np.zeros(10))
    assert found.words == ("no contacts begin", said)


def test_where_it_touches_goes_by_time_too() -> None:
    """0.1 s at one place in a hundred moments, 0.3 s at another in three."""
    time = np.concatenate((np.linspace(0.0, 0.1, 101), [0.2, 0.3, 0.4]))
    angle = np.where(np.arange(len(time)) < 101, -1.0, 1.0)
    found = touches(time, np.full(len(time), True), np.zeros(len(time)))
    shares = found.by_angle(angle, np.full(len(time), True), np.array([-2.0, 0.0, 2.0]))
    assert shares == pytest.approx([0.35, 0.65], abs=0.02)  # a moment stands for half of the way to either neighbour
    assert found.of_time(angle > 0.0) == pytest.approx(shares[1]) and np.sum(found.spent) == pytest.approx(1.0)
    assert np.mean(angle > 0.0) < 0.03, "the control: by moments it would be nothing"
