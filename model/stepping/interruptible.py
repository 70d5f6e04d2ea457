"""What computes in pieces, between which somebody may look at it: an interruption is heard there, and slowness seen."""

from __future__ import annotations

from collections.abc import Callable

from model.stepping.contract import Stepper


class Watched:
    """watch: called with the stepper after every piece, a small part of a second; slow_since: what would make it slow, in words;
    remarks: what its user should know."""

    watch: Callable[[Stepper], None] | None = None
    slow_since: str = ""
    remarks: tuple[str, ...] = ()

    def _looked_at(self: Stepper) -> None:
        if self.watch is not None:
            self.watch(self)
