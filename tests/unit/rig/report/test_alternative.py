"""Samples of a prediction that is made again."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from rig.report import alternative
from rig.report.alternative import Laid, advanced


class Summing:
    """A prediction that is the sum of all inputs before it, `ahead` of which it looks at."""

    def __init__(self, lookahead):
        self.lookahead, self.events, self.blocks = lookahead, [], []
        self._sum = 0.0

    def start(self, inputs):
        self._sum = float(np.sum(inputs))

    def advance(self, inputs):
        self.blocks.append(len(inputs))
        out = self._sum + np.cumsum(inputs)
        self._sum = float(out[-1]) if len(out) else self._sum
        return out[:, None]


@pytest.mark.parametrize("ahead", [0, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 40, 41])
def test_what_is_read_at_once_does_not_show_in_a_prediction(monkeypatch, ahead, count):
    """Read 5 samples at a time or all, with one that is none: the same blocks, the same sums, the last sample held."""
    given = np.cos(np.arange(count, dtype=np.float64))
    given[3:4] = np.nan
    held = np.concatenate((np.nan_to_num(given), np.full(ahead, np.nan_to_num(given[-1:]).sum())))
    shown, blocks = [], []
    for span in (5, 1000):
        monkeypatch.setattr(alternative, "SPAN", span)
        made = Summing(ahead)
        shown.append(np.concatenate([np.empty((0, 1)), *advanced(made, given, 4)])[:, 0])
        blocks.append(made.blocks)
    assert np.array_equal(*shown) and blocks[0] == blocks[1]
    if count >= ahead:  # a test shorter than what is looked ahead shows nothing of its own
        assert np.allclose(shown[0], np.cumsum(held)[ahead:], atol=1e-12)


def test_samples_laid_aside_are_read_by_several_threads_at_once(tmp_path):
    """Each its own: where they shared a place in the file, one read what another had asked for."""
    laid, samples = Laid(tmp_path), np.arange(200_000, dtype=np.float64)
    for part in np.array_split(samples, 7):
        laid.append(part)

    def read(first):
        return all(np.array_equal(laid[n : n + 500], samples[n : n + 500]) for n in range(first, len(samples) - 500, 997))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(read, range(40)))
