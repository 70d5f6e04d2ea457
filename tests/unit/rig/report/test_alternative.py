"""Samples of a prediction that is made again."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from rig.report.alternative import Laid


def test_samples_laid_aside_are_read_by_several_threads_at_once(tmp_path):
    """Each its own: where they shared a place in the file, one read what another had asked for."""
    laid, samples = Laid(tmp_path), np.arange(200_000, dtype=np.float64)
    for part in np.array_split(samples, 7):
        laid.append(part)

    def read(first):
        return all(np.array_equal(laid[n : n + 500], samples[n : n + 500]) for n in range(first, len(samples) - 500, 997))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(read, range(40)))
