"""Values of NI's properties and fields of remote calls: what each can be, and one as the type that whoever asks needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp


class TimeOfDay(Protocol):
    """A time of day in NI's protocol, in whole seconds since 1970 and nanoseconds."""

    seconds: int
    nanos: int


Value = bool | int | float | str | Sequence[float] | Sequence[str] | TimeOfDay | None
"""What a property can be; None: nothing was set, the driver chooses."""
Values = Mapping[str, Value]
"""Values by NI's name of the property."""
Fields = Mapping[str, object]
"""Fields of a request or an answer by their names in NI's protocol: values, arrays of samples, messages within the message."""


def as_int(value: object) -> int:
    """A whole number, an enumeration's member or a truth. Raises TypeError for anything else."""
    if isinstance(value, int):
        return value
    if isinstance(value, np.integer):
        return int(value)
    raise TypeError(f"{value!r} is not a whole number")


def as_float(value: object) -> float:
    """A number. Raises TypeError for anything else."""
    if isinstance(value, (int, float, np.number)):
        return float(value)
    raise TypeError(f"{value!r} is not a number")


def as_bytes(value: object) -> bytes:
    """Bytes. Raises TypeError for anything else."""
    if isinstance(value, bytes):
        return value
    raise TypeError(f"{value!r} is not bytes")


def as_sequence(value: object) -> Sequence[object]:
    """Several values. Raises TypeError for a single one."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return value
    raise TypeError(f"{value!r} is not a sequence")


def as_floats(value: object) -> list[float]:
    """Numbers. Raises TypeError for anything else."""
    return [as_float(item) for item in as_sequence(value)]


def as_ints(value: object) -> list[int]:
    """Whole numbers. Raises TypeError for anything else."""
    return [as_int(item) for item in as_sequence(value)]


def as_time(value: object) -> TimeOfDay:
    """A time of day. Raises TypeError for anything else."""
    if not isinstance(value, Timestamp):
        raise TypeError(f"{value!r} is not a time of day")
    found: TimeOfDay = value
    return found


def as_texts(value: object) -> list[str]:
    """Texts. Raises TypeError for a single one."""
    return [str(item) for item in as_sequence(value)]


def plain(value: object) -> Value:
    """A field as the value of a property: repeated fields of the protocol become lists. Raises TypeError for any other message."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Sequence):
        return [item if isinstance(item, int) else as_float(item) for item in value]
    return as_time(value)
