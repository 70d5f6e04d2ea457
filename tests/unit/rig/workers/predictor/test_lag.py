"""The lag of a prediction: weighted by samples, over the run and its windows, and small in memory."""

from __future__ import annotations

import tracemalloc

import numpy as np

from rig.signals.summary_statistics import statistics
from rig.workers.predictor.lag import WINDOW, Lag

RATE, BLOCK = 10_000.0, 100


def test_figures_are_those_of_the_samples_over_the_run_and_over_each_whole_window() -> None:
    blocks = round(2.5 * WINDOW * RATE / BLOCK)
    late = np.random.default_rng(3).exponential(0.01, blocks)
    lag = Lag(RATE)
    for number, value in enumerate(late):
        lag.add(number * BLOCK, float(value), BLOCK)
    lag.add(blocks * BLOCK, 1.0, 1)  # the last samples come by themselves
    figures = lag.figures()
    by_sample = np.append(np.repeat(late, BLOCK), 1.0)
    assert figures["lag_s"] == statistics(by_sample)
    whole = round(WINDOW * RATE)
    assert figures["lag_windows_s"] == [statistics(by_sample[n : n + whole]) for n in (0, whole)]


def test_no_block_no_figures() -> None:
    assert Lag(RATE).figures() == {"lag_s": statistics([]), "lag_windows_s": []}


def test_ten_minutes_take_less_than_two_megabytes() -> None:
    lag = Lag(RATE)
    tracemalloc.start()
    for number in range(60_000):
        lag.add(number * BLOCK, 0.001 * (number % 7), BLOCK)
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert taken < 2e6
