"""A channel that shows less noise than its sensor's record says, from the beginning."""

from __future__ import annotations

import numpy as np

from rig.checks.stated_noise import LEFT, Quiet, StatedNoiseCheck, resolved
from tests.each_row import each_row

RATE, BLOCK = 10_000.0, 100


def found(noise: tuple[float, ...], stated: tuple[float, ...], seed: int = 1, moves: float = 0.0) -> list[Quiet]:
    random, check = np.random.default_rng(seed), StatedNoiseCheck(stated, RATE)
    n = np.arange(5000)
    x = np.array(noise) * random.standard_normal((len(n), len(noise))) + moves * np.sin(n / 50.0)[:, None] + 3.0
    return [one for first in range(0, len(n), BLOCK) for one in check.check(x[first : first + BLOCK])]


@each_row("seed", range(20))
def test_a_sensor_that_lives_has_its_noise_and_a_dead_one_has_not(seed: int) -> None:
    assert found((1.0, 2.0, 0.5), (1.0, 2.0, 0.5), seed) == []
    (one,) = found((1.0, 0.0, 0.5), (1.0, 2.0, 0.5), seed)
    assert (one.column, one.rms, one.stated) == (1, 0.0, 2.0), "once, in the first tenth of a second"
    assert [one.column for one in found((0.9 * LEFT, 1.1 * LEFT), (1.0, 1.0), seed)] == [0]


def test_of_what_nobody_has_stated_nothing_is_told() -> None:
    assert found((0.0, 0.0), (0.0, 0.0)) == []


def test_motion_only_adds() -> None:
    assert found((0.0,), (1.0,), moves=5.0) == [], "as of a converter that shows a motion: it lives"


def test_noise_that_a_converter_need_not_show_is_not_asked_for() -> None:
    assert resolved(1e-3, (-10.0, 10.0)) == 1e-3 and resolved(1e-4, (-10.0, 10.0)) == 0.0 and resolved(None, (-1.0, 1.0)) == 0.0
