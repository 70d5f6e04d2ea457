"""What was injected into a test, by its record: no verdict of such a test passes for one of a clean test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rig.comparison import Verdict, withheld
from rig.recorder.description import Event

KIND = "injected"


def injected(events: Sequence[Event]) -> list[str]:
    """In words, each once."""
    return list(dict.fromkeys(event.text for event in events if event.kind == KIND))


def with_injections(judged: Verdict, events: Sequence[Event]) -> Verdict:
    """The verdict, which says so; a test into which a fault was injected has not passed."""
    said = injected(events)
    if not said:
        return judged
    text = f"this test had a fault: {'; '.join(said)}"
    judged = withheld(judged, text)
    return judged if text in judged.reason else replace(judged, reason=f"{judged.reason}; {text}")
