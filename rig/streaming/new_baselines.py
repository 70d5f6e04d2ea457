"""In which words an event of a test says that limits learn anew, and what such an event says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

LEARNED_BY = "a new baseline is learned by"
_SAID = re.compile(rf"{LEARNED_BY} (.*?)(?:, from (\d+) samples later on)?$")
_NUMBER = re.compile(r"\blimits\.(\d+)\b")


class Told(Protocol):
    """An event."""

    @property
    def sample(self) -> int | None: ...
    @property
    def text(self) -> str: ...


def learned_by(reason: str, limits: Sequence[str]) -> str:
    """The reason of an act by which those limits, as `limits.0 stroke`, learn anew."""
    return f"{reason}; {LEARNED_BY} {', '.join(limits)}"


def later(reason: str, samples: int) -> str:
    """The same where they do so only that many samples behind the event, as once a change has come in. Numbers of samples begin anew in
    each session of a test; how many lie between two does not."""
    return f"{reason}, from {samples} samples later on" if samples > 0 else reason


def new_baselines(events: Iterable[Told]) -> dict[int, list[int]]:
    """By number of the limit: samples from which on it has learned anew, in order."""
    found: dict[int, list[int]] = {}
    for event in events:
        said = _SAID.search(event.text)
        if said is None or event.sample is None:
            continue
        for number in _NUMBER.findall(said[1]):
            found.setdefault(int(number), []).append(event.sample + int(said[2] or 0))
    return {number: sorted(samples) for number, samples in found.items()}
