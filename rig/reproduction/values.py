"""Values, printed or computed: what they may be, and how table and picture of `rig reproduce` show them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Value = None | bool | float | str | Sequence[float | None]
"""A number, several of them, a word."""


def numbers(value: Value) -> NDArray[np.float64]:
    """The numbers of one that is no word, (n,)."""
    return np.atleast_1d(np.asarray(value, dtype=float))


def shown_value(value: Value) -> str:
    """A value as the table and the picture show it."""
    if value is None:
        return "-"
    if isinstance(value, (list, tuple)):
        return " ".join(shown_value(item) for item in value)
    return value if isinstance(value, str) else format(value, ".4g")
