import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.control.cycles import Gatherer
from rig.control.wave import Offset, Wave
from rig.trajectory import create, sine, triangle
from tests.thorough import times

SAMPLES = 400
PHASE = 2.0 * np.pi * np.arange(3 * SAMPLES) / SAMPLES
CYCLE = np.floor(PHASE / (2.0 * np.pi) + 1e-9)
Z = np.array([3.0 - 4.0j, 0.5j])
VALUES = np.array([7.0, -2.0]) + np.imag(Z * np.exp(1j * PHASE)[:, None])


@given(st.integers(1, 700))
@settings(deadline=None, max_examples=times(30))
def test_blocks_of_any_size_give_the_same_cycles(size: int) -> None:
    gatherer, found = Gatherer(2), []
    for first in range(0, len(PHASE), size):
        part = slice(first, first + size)
        found += gatherer.add(first, CYCLE[part], PHASE[part], VALUES[part])
    found += gatherer.add(len(PHASE), np.array([-1.0]), np.array([0.0]), np.zeros((1, 2)))
    assert [(c.number, c.first, c.samples) for c in found] == [(0, 0, SAMPLES), (1, SAMPLES, SAMPLES), (2, 2 * SAMPLES, SAMPLES)]
    for cycle in found:
        assert cycle.mean == pytest.approx((7.0, -2.0), abs=1e-10)
        assert cycle.fundamental == pytest.approx(tuple(Z), abs=1e-10)


def test_what_is_not_counted_is_in_no_cycle() -> None:
    gatherer = Gatherer(1)
    assert gatherer.add(0, np.full(50, -1.0), np.linspace(0, 9, 50), np.full((50, 1), 1e6)) == []
    assert not gatherer.within
    phase = PHASE[:SAMPLES]
    [cycle] = gatherer.add(50, np.append(np.zeros(SAMPLES), 1.0), np.append(phase, 0.0), np.append(np.sin(phase), 0.0)[:, None])
    assert cycle.first == 50
    assert cycle.fundamental == pytest.approx((1.0 + 0.0j,), abs=1e-12)


@pytest.mark.parametrize("spoil", [np.nan, np.inf])
def test_a_value_that_is_not_finite_leaves_no_fundamental(spoil: float) -> None:
    values = VALUES.copy()
    values[SAMPLES // 2, 1] = spoil
    first, second, *_ = Gatherer(2).add(0, CYCLE, PHASE, values)
    assert first.fundamental is None
    assert second.fundamental is not None


def test_a_phase_that_stands_still_has_no_fundamental() -> None:
    [cycle] = Gatherer(1).add(0, np.append(np.zeros(99), -1.0), np.full(100, 0.3), np.ones((100, 1)))
    assert cycle.fundamental is None


def test_a_sine_is_asked_for_as_it_stands_in_its_file() -> None:
    wave = Wave.from_trajectory(create(sine.Config(amplitude=30e3, frequency=7.0, mean=5e3)))
    assert wave.mean == pytest.approx(5e3)
    assert wave.fundamental == pytest.approx(30e3 + 0j, abs=1e-6)
    assert (wave.rest_value, wave.rest_rate) == (0.0, 0.0)
    assert wave.extent(Offset(1e3, 3e3j)) == pytest.approx((6e3 - abs(30e3 + 3e3j), 6e3 + abs(30e3 + 3e3j)))


def test_harmonics_count_where_the_corrected_wave_is_bounded() -> None:
    trajectory = create(triangle.Config(amplitude=10e3, frequency=2.0))
    wave = Wave.from_trajectory(trajectory)
    assert abs(wave.fundamental) == pytest.approx(10e3 * 8.0 / np.pi**2, rel=1e-5)
    low, high, rate = trajectory.bounds()
    assert wave.extent(Offset())[0] <= low
    assert wave.extent(Offset())[1] >= high
    assert wave.fastest(Offset(), soft_stop=10.0) >= rate * (1 - 1e-3)
