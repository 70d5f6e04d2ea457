"""Bench time as time of day, in the two forms of the service: protobuf timestamps, and NI's precision timestamps of waveforms."""

from __future__ import annotations

import time

from google.protobuf.timestamp_pb2 import Timestamp
from ni.protobuf.types.precision_timestamp_pb2 import PrecisionTimestamp

from drivers.simulated.daqmx.core.bench import Bench

TICKS_PER_SECOND = 10_000_000
"""The driver gives times of waveforms in steps of 100 ns."""
EPOCH_1904 = -2_082_844_800
"""Seconds from 1970 to the beginning of 1904, where precision timestamps begin, and where a time that was not set is."""


def anchored(bench: Bench) -> float:
    """Time of day (s since 1970) of bench time 0 if the bench has not fallen behind; a bench that is ahead never goes back."""
    return max(bench.epoch, time.time() - bench.time)


def stamp(bench: Bench, when: float) -> Timestamp:
    """A protobuf timestamp of a bench time (s)."""
    return timestamp(round(bench.epoch * 1e9) + round(when * 1e9))


def timestamp(nanoseconds: int) -> Timestamp:
    """A protobuf timestamp of a time of day (ns since 1970)."""
    seconds, nanos = divmod(nanoseconds, 1_000_000_000)
    return Timestamp(seconds=seconds, nanos=nanos)


def precise(bench: Bench, when: float) -> PrecisionTimestamp:
    """A precision timestamp of a bench time (s), in the steps of the driver."""
    # Each part is rounded by itself: seconds since 1904 in one float are only good to half a microsecond.
    ticks = round((bench.epoch - EPOCH_1904) * TICKS_PER_SECOND) + round(when * TICKS_PER_SECOND)
    seconds, rest = divmod(ticks, TICKS_PER_SECOND)
    return PrecisionTimestamp(seconds=seconds, fractional_seconds=(rest << 64) // TICKS_PER_SECOND)
