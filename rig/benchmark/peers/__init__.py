"""Other programs on the same cases. A module here has `runners(experiment, duration, quick) -> [Runner]` and raises PeerMissing."""

from __future__ import annotations


class PeerMissing(Exception):
    """The other program is not installed; says how it is."""
