"""A picture is attempted: what is known is not lost with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def attempted(path: Path, draw: Callable[[], None], *raised: type[Exception]) -> list[str]:
    """Warnings: none where `draw` has written `path`; errors of the kinds `raised` are the caller's."""
    try:
        draw()
    except raised:
        raise
    except Exception as error:  # a library of the user's, with fonts and settings of the user's: it may raise whatever it likes
        said = (error.strerror if isinstance(error, OSError) else None) or " ".join(str(error).split()) or type(error).__name__
        return [f"{path} could not be drawn: {said}; nothing else is the worse for it"]
    return []
