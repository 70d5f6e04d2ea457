"""Figures of cycles, made where they are asked for: the same as kept ones, in a hundredth of their memory."""

from __future__ import annotations

import pickle
import tracemalloc

import numpy as np

from rig.comparison.closed_cycles import COLUMNS, NUMBER, SAMPLES, Cycles, figures


def rows(count):
    found = np.random.default_rng(1).uniform(1.0, 2.0, (count, COLUMNS))
    found[:, NUMBER], found[:, SAMPLES] = np.arange(count), 100.0
    return found


def test_they_are_those_of_the_rows():
    given = rows(7)
    kept = tuple(figures(row) for row in given)
    made = Cycles(given)
    assert len(made) == 7 and tuple(made) == kept and made == kept and made[-1] == kept[-1] and tuple(made[2:5]) == kept[2:5]
    assert made == Cycles(given.copy()) and made != Cycles(given[:6]) and made != Cycles(given + 1.0)
    assert pickle.loads(pickle.dumps(made)) == made and not Cycles(given[:0])


def test_nothing_is_kept_beside_the_rows():
    given = rows(5_000)
    tracemalloc.start()
    made = Cycles(given)
    worst = max(one.error or 0.0 for one in made)
    held = tracemalloc.get_traced_memory()[0]
    kept = tuple(figures(row) for row in given)
    assert worst > 0.0 and held < 0.01 * (tracemalloc.get_traced_memory()[0] - held) and len(kept) == len(made)
    tracemalloc.stop()
