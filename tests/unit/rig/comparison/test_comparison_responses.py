"""Half cycles followed through pieces of any length, against the definitions applied to whole arrays."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rig.comparison.responses import Responses, response
from rig.comparison.reversals import Reversal, zeros
from rig.comparison.series import pieces

RATE, PERIOD, CYCLES = 1000.0, 83.7, 6  # Hz, samples: the windows end between samples, and 10 ms reach beyond 3T/8


def by_definition(force: np.ndarray, command: np.ndarray, r: Reversal) -> tuple[float, ...]:
    """First impact, impact peak, overshoot, reversal peak."""
    x, excess = r.sign * force, r.sign * (force - command)
    begin = math.ceil(r.zero)
    searched = x[begin : math.floor(r.zero + 3.0 / 8.0 * r.period) + 1]
    overshoot = max(excess[begin : math.floor(r.zero + r.period / 4.0) + 1])
    early = max(x[begin : math.floor(r.zero + r.period / 8.0) + 1])
    above = [i for i, value in enumerate(searched) if value > 0.1 * r.amplitude]
    if not above:
        return math.nan, math.nan, overshoot, early
    i, level = above[0], 0.1 * r.amplitude
    at = max(r.zero, begin + (0.0 if i == 0 else i - 1 + (level - searched[i - 1]) / (searched[i] - searched[i - 1])))
    return (at - r.zero) / RATE, max(x[math.ceil(at) : math.floor(at + 0.010 * RATE) + 1]), overshoot, early


@given(seed=st.integers(0, 10_000), length=st.integers(1, 60), quiet=st.floats(0.0, 33.0))
def test_followed_in_pieces_is_as_defined(seed, length, quiet):
    """The force stays small for `quiet` samples after each zero, so that impacts fall anywhere: at a cut, at the end of the search."""
    n = np.arange(int(CYCLES * PERIOD) + 60)
    command = np.where(n < CYCLES * PERIOD, np.sin(2.0 * np.pi * (n - 0.4) / PERIOD), 0.0)
    since = (n - 0.4) % (0.5 * PERIOD)
    rng = np.random.default_rng(seed)
    force = np.where(since < quiet, 0.02, 1.2) * np.sign(command) * rng.uniform(0.2, 1.0, len(n))
    rows = zeros(command, np.zeros(len(n)), 1.0, PERIOD)
    rows = rows[rows["zero"] + 0.5 * PERIOD < len(n)]
    gathered = Responses(rows, RATE)
    for part in pieces(0, len(n), length):
        gathered.add(part.start, force[part], command[part])
    found = gathered.chosen(np.ones(len(rows), dtype=bool)).rows
    assert len(rows) >= 2 * CYCLES - 1
    for row, got in zip(rows, found, strict=True):
        reversal = Reversal(*row.tolist())
        wanted = by_definition(force, command, reversal)
        one = response(force, command, reversal, RATE)
        assert np.array_equal(got.tolist(), wanted, equal_nan=True)
        assert np.array_equal([one.first_impact, one.impact_peak, one.overshoot, one.reversal_peak], wanted, equal_nan=True)
