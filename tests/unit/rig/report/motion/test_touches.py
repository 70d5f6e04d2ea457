import numpy as np
import pytest

from rig.report.motion.touches import touches


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
