"""Values as table and picture of `rig reproduce` show them."""

from __future__ import annotations

from rig.reproduction.claims import Value


def shown_value(value: Value) -> str:
    """A value as the table and the picture show it."""
    if value is None:
        return "-"
    if isinstance(value, (list, tuple)):
        return " ".join(shown_value(item) for item in value)
    return value if isinstance(value, str) else format(value, ".4g")
