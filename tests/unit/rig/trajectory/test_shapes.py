"""Triangle, square, haversine and random: what they are, and what they say of themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rig.trajectory import create, haversine, random, sine, square, triangle

RATE = 51200.0
TRIANGLE = triangle.Config(amplitude=10e3, frequency=4.0, cycles=5, mean=1e3)
SQUARE = square.Config(amplitude=10e3, frequency=4.0, cycles=5, rate=2e6, shape="linear")
SMOOTH = square.Config(amplitude=10e3, frequency=4.0, cycles=5, rate=2e6)
HAVERSINE = haversine.Config(amplitude=10e3, frequency=4.0, cycles=5)
RANDOM = random.Config(duration=8.0, lowest_frequency=0.5, highest_frequency=20.0, rms=4e3, mean=15e3, cycles=2, seed=3)
ALONE = (TRIANGLE, SQUARE, SMOOTH, HAVERSINE, RANDOM)


def counted(config: Any) -> tuple[np.ndarray, ...]:
    """(value, phase, cycle) of the counted part at RATE."""
    steady = create(config).steady()
    return steady.evaluate(np.arange(round(steady.duration * RATE)) / RATE)


@pytest.mark.parametrize("config", ALONE)
def test_begins_and_ends_at_zero_in_any_cut(config: Any) -> None:
    trajectory = create(config)
    t = np.arange(int(trajectory.duration * RATE) + 600) / RATE
    whole = np.array(trajectory.evaluate(t))
    assert whole[0, 0] == 0.0
    assert np.all(whole[0, t >= trajectory.duration] == 0.0)
    cut = np.concatenate([np.array(trajectory.evaluate(t[i : i + 347])) for i in range(0, len(t), 347)], axis=1)
    assert np.array_equal(whole, cut)
    cycle = whole[2]
    assert np.array_equal(np.unique(cycle), np.arange(-1.0, trajectory.cycles))
    assert np.abs(np.diff(whole[0])).max() <= trajectory.bounds()[2] / RATE * (1.0 + 1e-9)


@pytest.mark.parametrize("config", [TRIANGLE, SQUARE, SMOOTH, HAVERSINE])
def test_the_fundamental_is_in_phase_with_the_phase_column(config: Any) -> None:
    value, phase, _ = counted(config)
    fundamental = 2.0 * np.mean(value * np.sin(phase)) + 2j * np.mean(value * np.cos(phase))
    assert fundamental.real > 0.5 * config.amplitude
    assert abs(fundamental.imag) < 1e-3 * config.amplitude
    assert create(config).frequency == 4.0


def test_triangle_has_straight_flanks_and_its_tips_a_quarter_in() -> None:
    value, _, _ = counted(TRIANGLE)
    quarter = int(RATE / 16)
    assert value[[0, quarter, 2 * quarter, 3 * quarter]] == pytest.approx([1e3, 11e3, 1e3, -9e3], abs=1e-6)
    assert np.abs(np.diff(value)) * RATE == pytest.approx(4.0 * 4.0 * 10e3, rel=1e-6)
    assert create(TRIANGLE).steady().bounds() == (-9e3, 11e3, pytest.approx(160e3))


@pytest.mark.parametrize(("config", "flank"), [(SQUARE, 0.01), (SMOOTH, 0.01 * np.pi / 2)])
def test_square_stands_still_between_flanks_of_the_asked_rate(config: square.Config, flank: float) -> None:
    value, _, _ = counted(config)
    moving = np.abs(np.diff(value)) > 1e-6
    assert moving.mean() == pytest.approx(2.0 * flank * config.frequency, rel=0.01)
    assert set(np.round(value[:-1][~moving], 6)) == {-10e3, 10e3}
    assert np.abs(np.diff(value)).max() * RATE == pytest.approx(2e6, rel=1e-3)
    assert create(config).steady().bounds()[2] == pytest.approx(2e6)


def test_the_slowest_square_is_a_triangle_or_a_sine_and_a_slower_one_is_refused() -> None:
    t = np.linspace(0.0, 1.0, 5001)
    for shape, rate, same in (("linear", 4.0, triangle), ("smooth", 2.0 * np.pi, sine)):
        slowest = square.Config(amplitude=10.0, frequency=2.0, rate=rate * 2.0 * 10.0, shape=shape)
        other = same.Config(amplitude=10.0, frequency=2.0)
        assert create(slowest).evaluate(t)[0] == pytest.approx(create(other).evaluate(t)[0], abs=1e-9)
        with pytest.raises(ValueError, match=r"rate: the half cycle of 0.25 s is too short .* expected at least"):
            square.Config(amplitude=10.0, frequency=2.0, rate=0.99 * rate * 20.0, shape=shape)


@pytest.mark.parametrize(("begins", "side"), [("valley", 1.0), ("peak", -1.0)])
def test_haversine_begins_at_rest_at_zero_and_goes_to_one_side(begins: str, side: float) -> None:
    config = haversine.Config(amplitude=10e3, frequency=4.0, begins=begins)
    trajectory = create(config)
    value = trajectory.evaluate(np.arange(int(trajectory.duration * RATE) + 1) / RATE)[0]
    assert value[0] == value[-1] == 0.0
    assert abs(value[1]) < 1e-2
    assert side * value.max() == pytest.approx(20e3 if side > 0 else 0.0)
    assert side * value.min() == pytest.approx(0.0 if side > 0 else 20e3)
    assert trajectory.duration == 2.5


def test_random_has_its_lines_and_nothing_else() -> None:
    value, phase, cycle = counted(RANDOM)
    period = value[: round(8.0 * RATE)]
    a = 2.0 * np.abs(np.fft.rfft(period)) / len(period)
    inside = np.zeros(len(a), dtype=bool)
    inside[4:161] = True
    assert a[0] / 2.0 == pytest.approx(15e3)
    assert a[inside] == pytest.approx(4e3 * np.sqrt(2.0 / 157), rel=1e-5)
    assert np.sqrt(0.5 * np.sum(a[~inside][1:] ** 2)) < 1e-4 * 4e3
    assert period.std() == pytest.approx(4e3, rel=1e-5)
    assert value[round(8.0 * RATE) :] == pytest.approx(period, abs=1e-6)
    assert np.all(phase == 0.0)
    assert np.array_equal(np.unique(cycle), [0.0, 1.0])


def test_random_is_the_same_for_a_seed_and_another_for_another() -> None:
    t = np.linspace(0.0, 17.0, 4001)
    one, again, other = (create(random.Config(**{**vars(RANDOM), "seed": seed})).evaluate(t)[0] for seed in (3, 3, 4))
    assert np.array_equal(one, again)
    assert np.corrcoef(one - 15e3, other - 15e3)[0, 1] < 0.9
    # The first line's phase comes from the generator's first raw bits, which stay what they are.
    assert np.random.PCG64(3).random_raw(1)[0] == 1579948266424812280


def test_random_reaches_its_peak_and_follows_its_table() -> None:
    peaked = create(random.Config(duration=4.0, lowest_frequency=1.0, highest_frequency=30.0, peak=5e3))
    low, high, _ = peaked.steady().bounds()
    assert max(-low, high) == pytest.approx(5e3)
    value = peaked.steady().evaluate(np.linspace(0.0, 4.0, 400_001))[0]
    assert np.abs(value).max() == pytest.approx(5e3, rel=1e-6)
    table = (random.Point(1.0, 1e4), random.Point(10.0, 1e6), random.Point(20.0, 1e6))
    config = random.Config(duration=4.0, psd=table)
    value = create(config).steady().evaluate(np.arange(4 * 4096) / 4096)[0]
    density = (2.0 * np.abs(np.fft.rfft(value)) / len(value)) ** 2 / 2.0 * 4.0
    assert density[[4, 40, 60, 80]] == pytest.approx([1e4, 1e6, 1e6, 1e6], rel=1e-4)
    assert density[int(4 * np.sqrt(10.0)) + 1] == pytest.approx(1e4 * (13.0 / 4.0) ** 2, rel=1e-3)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"rms": 1.0, "peak": 1.0}, "rms: expected rms or peak, got both"),
        ({}, "rms: missing; expected rms or peak"),
        ({"rms": 1.0, "highest_frequency": 1.9, "lowest_frequency": 1.1}, "lowest_frequency: no whole multiple of 1/duration"),
        ({"rms": 1.0, "highest_frequency": None}, "highest_frequency: missing"),
        ({"rms": 1.0, "duration": 7200.0}, "highest_frequency: expected at most 131072 / duration"),
        ({"psd": (random.Point(2.0, 1.0), random.Point(1.0, 1.0))}, "psd: expected breakpoints of rising frequency"),
        ({"psd": (random.Point(2.0, 1.0),)}, "psd: expected at least two"),
    ],
)
def test_random_refuses_what_is_no_spectrum(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        random.Config(**{"duration": 1.0, "lowest_frequency": 1.0, "highest_frequency": 20.0, **keys})
