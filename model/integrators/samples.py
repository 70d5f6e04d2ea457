"""Output samples of methods with fixed steps, compiled: rows for the present channels and for their extremes since the sample before."""

from __future__ import annotations

import numpy as np

from model.compiled.arrays import copy
from model.compiled.signatures import INDEX, TABLE, VECTOR, Floats, compiled

VALUE, LOW, HIGH, TRACE_ROWS = range(4)


def trace(channels: int) -> Floats:
    """Rows for so many channels before anything has been seen."""
    rows = np.zeros((TRACE_ROWS, channels))
    rows[LOW], rows[HIGH] = np.inf, -np.inf
    return rows


@compiled(INDEX(TABLE))
def widen(trace: Floats) -> int:
    """Take the present channels into the running extremes."""
    for k in range(trace.shape[1]):
        trace[LOW, k] = min(trace[LOW, k], trace[VALUE, k])
        trace[HIGH, k] = max(trace[HIGH, k], trace[VALUE, k])
    return 0


@compiled(INDEX(TABLE, VECTOR, VECTOR))
def hand_over(trace: Floats, low: Floats, high: Floats) -> int:
    """Put the extremes out; they begin anew with the present channels."""
    copy(low, trace[LOW])
    copy(high, trace[HIGH])
    copy(trace[LOW], trace[VALUE])
    copy(trace[HIGH], trace[VALUE])
    return 0
