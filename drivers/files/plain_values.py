"""Plain values: what JSON and TOML can hold."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence

Json = None | bool | int | float | str | datetime.date | datetime.time | Sequence["Json"] | Mapping[str, "Json"]
"""A value of a JSON or TOML file; dates and times are TOML's alone."""


def table(value: Json) -> Mapping[str, Json]:
    """`value`, which has to be a table. Raises TypeError."""
    if not isinstance(value, Mapping):
        raise TypeError(f"expected a table, got {value!r}")
    return value
