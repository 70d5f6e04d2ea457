"""Numbers in the answers of instruments that write them as text."""

from __future__ import annotations


def plain_number(text: str) -> float:
    """The number of a text, which may be infinite or none (nan). Raises ValueError for anything else, and for what is a number in Python's
    source only: 1_2 is a spoilt 1.2, not 12."""
    if "_" in text:
        raise ValueError(f"not a number: {text!r}")
    return float(text)
