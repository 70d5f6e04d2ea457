"""The table of agreement by cycle, as events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from drivers.files.plain_values import Json, table
from rig.formats.event_documents import DataKey, key_name, number

OF_THE_CHANNEL = ("peak_measured", "peak_predicted", "rms_difference", "offset")
"""Figures in the unit of the channel."""
WITHOUT_UNIT = ("error", "nrms", "gain")
CYCLE = "cycle"


def cycle_keys(name: str, result: Mapping[str, Json]) -> dict[str, DataKey]:
    """Key -> what it is, for each figure of each channel that is compared; empty without cycles."""
    source = f"clearance-rig:{result.get('run', '')}/agreement"
    keys = {
        key_name(name, f"{channel}-{figure}"): number(source, unit if figure in OF_THE_CHANNEL else "")
        for channel, unit, _ in _channels(result)
        for figure in (*OF_THE_CHANNEL, *WITHOUT_UNIT)
    }
    return {key_name(name, CYCLE): number(source, ""), **keys} if keys else {}


def cycle_events(name: str, result: Mapping[str, Json], at: float) -> Iterator[Mapping[str, Any]]:
    """One for each cycle, told at the time `at`; None for a figure that it has not got."""
    channels = [(channel, rows) for channel, _, rows in _channels(result)]
    for cycle in sorted({one for _, rows in channels for one in rows}):
        data: dict[str, Any] = {key_name(name, CYCLE): cycle}
        for channel, rows in channels:
            row = rows.get(cycle, {})
            data |= {key_name(name, f"{channel}-{figure}"): row.get(figure) for figure in (*OF_THE_CHANNEL, *WITHOUT_UNIT)}
        yield {"time": at, "data": data, "timestamps": dict.fromkeys(data, at)}


def _channels(result: Mapping[str, Json]) -> list[tuple[str, str, dict[int, Mapping[str, Json]]]]:
    """(channel, unit, cycle -> its row) of those with cycles."""
    found = []
    for channel, figures in table(result.get("agreement") or {}).items():
        rows = table(figures).get("cycles")
        by_number = {int(str(table(row)["cycle"])): table(row) for row in rows} if isinstance(rows, list) else {}
        if by_number:
            found.append((channel, str(table(figures).get("unit", "")), by_number))
    return found
