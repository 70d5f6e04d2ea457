"""Values of properties and fields of calls as the types that are asked for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from drivers.simulated.daqmx.core import values
from tests.each_row import each_row


@each_row(
    ("narrow", "value", "found"),
    [
        (values.as_int, 3, 3),
        (values.as_int, True, True),
        (values.as_int, np.int64(7), 7),
        (values.as_float, 2, 2.0),
        (values.as_float, np.float32(0.5), 0.5),
        (values.as_floats, (1, 2.5), [1.0, 2.5]),
        (values.as_ints, [1, 2], [1, 2]),
        (values.as_texts, ("a", "b"), ["a", "b"]),
        (values.as_bytes, b"\1", b"\1"),
        (values.plain, None, None),
        (values.plain, "text", "text"),
        (values.plain, (1, 2.5), [1, 2.5]),
        (values.plain, Timestamp(seconds=4), Timestamp(seconds=4)),
    ],
)
def test_a_value_as_the_type_that_is_wanted(narrow: Callable[[object], object], value: object, found: object) -> None:
    got = narrow(value)
    assert got == found
    assert type(got) is type(found)


@each_row(
    ("narrow", "value", "words"),
    [
        (values.as_int, 2.0, "2.0 is not a whole number"),
        (values.as_float, "2", "'2' is not a number"),
        (values.as_float, None, "None is not a number"),
        (values.as_sequence, "text", "'text' is not a sequence"),
        (values.as_floats, 1.0, "1.0 is not a sequence"),
        (values.as_ints, [1, "2"], "'2' is not a whole number"),
        (values.as_bytes, "text", "'text' is not bytes"),
        (values.as_time, 1.0, "1.0 is not a time of day"),
        (values.plain, object, "is not a time of day"),
    ],
)
def test_any_other_value_is_refused(narrow: Callable[[object], object], value: object, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        narrow(value)
