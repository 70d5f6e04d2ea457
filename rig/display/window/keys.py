"""The keys of the window: one table for the shortcuts and for the help."""

from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    """Keys as Qt writes them, the method of the window that they call, how they are written, what they do."""

    keys: tuple[str, ...]
    action: str
    written: str
    does: str
    in_replay: str | None = None  # what they do when a record is shown, where that differs; empty: nothing


KEYS = (
    Key(("Esc",), "stop_by_key", "Esc Esc", "ramped stop: twice within two seconds; again: interlock", ""),
    Key(("Ctrl+S",), "stop_at_once", "Ctrl S", "ramped stop; again: interlock", ""),
    Key(("Ctrl+H",), "hold_test", "Ctrl H", "hold the test: the command comes to a stand", ""),
    Key(("Ctrl+R",), "resume_test", "Ctrl R", "let a test that is held go on", ""),
    Key(("Space",), "toggle_pause", "Space", "hold the picture, or go on; the test is not touched", "play or pause"),
    Key(("+", "="), "longer", "+", "longer time"),
    Key(("-",), "shorter", "−", "shorter time"),
    Key(("Left",), "earlier", "←", "earlier (holds the picture)", "earlier"),
    Key(("Right",), "later", "→", "later"),
    Key(("Up",), "magnify", "↑", "magnify the value axis"),
    Key(("Down",), "reduce", "↓", "reduce the value axis"),
    Key(("Home", "0"), "whole", "Home", "back to now, value axis as it was", "to the beginning, value axis as it was"),
    Key(("PgDown",), "next_channel", "Page ↓", "next channel"),
    Key(("PgUp",), "previous_channel", "Page ↑", "channel before"),
    Key(("]",), "faster", "]", "", "play faster"),
    Key(("[",), "slower", "[", "", "play slower"),
    Key(("L",), "toggle_lowpass", "L", "curves behind the low-pass of the comparison, or as they came"),
    Key(("O",), "toggle_orbit", "O", "orbit of each pin in its clearance, or not"),
    Key(("A",), "toggle_animation", "A", "the mechanism in motion, or not"),
    Key(("T",), "toggle_theme", "T", "dark or light"),
    Key(("Ctrl+L",), "reset_layout", "Ctrl L", "panels as they were at first"),
    Key(("F11",), "toggle_full_screen", "F11", "full screen"),
    Key(("F1",), "show_help", "F1", "this list"),
    Key(("Ctrl+W", "Ctrl+Q"), "close", "Ctrl W", "close the window"),
)


def key_help(replay: bool) -> list[tuple[str, str]]:
    """(keys as written, what they do) of those that do something."""
    rows = [(key.written, key.in_replay if replay and key.in_replay is not None else key.does) for key in KEYS]
    return [(written, does) for written, does in rows if does]


def hint(replay: bool) -> str:
    """One line with the most useful ones."""
    if replay:
        return "Space play   ·   F1 keys"
    return "Esc Esc stop   ·   Space pause   ·   ← → earlier, later   ·   + − time   ·   ↑ ↓ value axis   ·   T dark or light   ·   F1 keys"
