"""In which words the virtual bench says with which sample an injection comes, or is over; and what such words say."""

from __future__ import annotations

import re

SOURCE = "injection"
"""Of the line in the virtual bench's log, and kind of the event in the record."""
_FROM = re.compile(r", from sample (\d+) on$")


def with_sample(words: str, sample: int | None) -> str:
    """The words, and the sample (of the session) from which on they are so; None: the device does not sample."""
    return words if sample is None else f"{words}, from sample {sample} on"


def without_sample(text: str) -> tuple[str, int | None]:
    """(words, sample) of such a text; None: it names none."""
    found = _FROM.search(text)
    return (text[: found.start()], int(found[1])) if found else (text, None)
