"""The source of a counter's ticks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """`terminal` in its canonical form. `rate` (Hz): of one whose edges need not be made, None where they are counted.

    `told` (Hz): what scaling goes by, None where nobody said; `prescaler`: edges of one tick.
    """

    terminal: str
    rate: float | None
    told: float | None
    prescaler: int = 1
