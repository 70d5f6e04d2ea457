"""A device that another program holds: which one, where it is one of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from drivers.errors import Reserved
from rig.hardware.occupancy import others


@contextmanager
def holder_named() -> Iterator[None]:
    """Add to what a driver says of a reserved device who of ours is at a bench of this machine."""
    try:
        yield
    except Reserved as error:
        told = "; ".join(others())
        who = f"on this machine are going on: {told}" if told else "none of this program's on this machine (NI MAX, a script?)"
        raise Reserved(f"{error}: {who}") from error
