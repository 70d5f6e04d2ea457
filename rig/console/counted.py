"""Numbers of things in words."""

from __future__ import annotations


def counted(number: int, one: str, several: str = "") -> str:
    """`1 sample`, `2 samples`; `several` where it is not `one` with an s."""
    return f"{number} {one}" if number == 1 else f"{number} {several or f'{one}s'}"
