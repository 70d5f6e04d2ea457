"""Lines of `rig status` on limits: the one that has acted, and those that learn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from drivers.files.plain_values import Json, table


def lines(status: Mapping[str, Json]) -> Iterator[str]:
    """Of a status, as `rig.supervision.limit_status` gives it."""
    acting, learned = status.get("acting_limit"), status.get("learned_limits")
    if isinstance(acting, Mapping):
        yield f"  {acting['text']}"
    rows = learned if isinstance(learned, list) else []
    for row in rows:
        yield f"  {table(row)['text']}"
    total = status.get("learned_limits_total")
    if isinstance(total, int) and rows and total > len(rows):
        yield f"  ... and {total - len(rows)} more that learn, farther from their bounds"
