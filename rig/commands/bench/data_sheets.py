"""What the data sheets of a bench's sensors (TEDS) say, as `rig check` and `rig devices` tell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from rig.config.bench import Bench, InputChannel
from rig.hardware.data_sheets import Sheet, disagreements


class SheetRow(TypedDict):
    """What one sheet says: SI; sensitivity None: of another quantity."""

    sensor: str
    serial: int
    sensitivity: float | None
    used: bool
    disagrees: list[str]


def sheet_row(channel: InputChannel, sheet: Sheet | None) -> SheetRow | None:
    """For --json; None of a sensor without a sheet."""
    if sheet is None:
        return None
    return {
        "sensor": sheet.in_words, "serial": sheet.serial, "sensitivity": sheet.gain, "used": channel.teds,
        "disagrees": disagreements(channel, sheet),
    }  # fmt: skip


def others(bench: Bench, sheets: Mapping[str, Sheet]) -> list[str]:
    """In what the sheets are other sensors' than the records."""
    return [text for channel in bench.channels if channel.name in sheets for text in disagreements(channel, sheets[channel.name])]


def in_lines(sheets: Mapping[str, Sheet]) -> list[str]:
    """One line for each sensor that describes itself."""
    return [f"TEDS of {name}: {sheet.in_words}" for name, sheet in sheets.items()]
