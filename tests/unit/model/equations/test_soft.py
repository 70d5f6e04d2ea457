"""Forces of rows of which some follow from others: beside numpy's least squares of the least norm."""

from __future__ import annotations

import numpy as np
import pytest

from model.equations.soft import room, solve_shared, solve_softly
from tests.each_row import each_row

ROWS, RANK = 5, 3
WRONG = 1e-9
"""Of the right side, along what the matrix does not see: what is left of it by what a solver violates."""


def matrix(seed: int, rank: int) -> np.ndarray:
    by = np.random.default_rng(seed).normal(size=(ROWS, rank))
    return np.asarray(by @ by.T)


def solved(solve: object, s: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, int]:
    place = 2
    space = np.full(place + room(ROWS) + 1, np.nan)
    space[place : place + ROWS * ROWS] = s.ravel()
    space[place + ROWS * ROWS : place + ROWS * (ROWS + 1)] = right
    space[place + ROWS * (ROWS + 2) : place + ROWS * (ROWS + 3)] = 1.0  # measures alike: the least norm is numpy's
    following = int(solve(space, place, ROWS))  # type: ignore[operator]
    assert np.isnan(space[-1]) and np.isnan(space[:place]).all(), "beyond its places"
    return space[place + ROWS * ROWS : place + ROWS * (ROWS + 1)].copy(), following


@each_row("seed", range(5))
@each_row("rank", [RANK, ROWS - 1, ROWS])
def test_rows_that_follow_from_others_share(seed: int, rank: int) -> None:
    s = matrix(seed, rank)
    right = s @ np.random.default_rng(seed + 100).normal(size=ROWS)
    found, following = solved(solve_shared, s, right)
    assert following == ROWS - rank
    assert s @ found == pytest.approx(right, abs=1e-9 * np.max(np.abs(right)))
    assert found == pytest.approx(np.linalg.pinv(s, rcond=1e-9) @ right, rel=1e-5, abs=1e-5)


def test_what_the_rows_cannot_reach_makes_no_forces() -> None:
    """Softly alone, as in a singular pose, it makes 1/SOFT times as much, and more."""
    s = matrix(1, RANK)
    unseen = np.linalg.eigh(s)[1][:, 0]
    shared, softly = (solved(solve, s, WRONG * unseen)[0] for solve in (solve_shared, solve_softly))
    assert np.max(np.abs(shared)) < 100 * WRONG
    assert np.max(np.abs(softly)) > 1e6 * WRONG
