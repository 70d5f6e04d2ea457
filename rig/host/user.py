"""Who uses this computer."""

from __future__ import annotations

import getpass


def user_name() -> str:
    """The login's name; "unknown" where it has none, as in a container without users."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
