"""Taken by the processes of a test whose clock is set back (`rig campaign faults`): the time of day is an hour less once the mark is there.

What the test itself waits by, and counts, is none of this: the monotonic clock and the samples.
"""

import os
import time

BACK = 3600.0
_mark, _now, _now_ns = os.environ.get("RIG_FAULT_CLOCK", ""), time.time, time.time_ns


def _back() -> float:
    return BACK if _mark and os.path.exists(_mark) else 0.0  # noqa: PTH110 - before anything is imported


if _mark:
    time.time = lambda: _now() - _back()
    time.time_ns = lambda: _now_ns() - int(_back() * 1e9)
