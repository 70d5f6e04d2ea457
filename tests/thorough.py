"""How often a test of chance tries: a few times in `make test`, as often as it was thought out for in `make campaign`."""

import os

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def times(few: int, thorough: int) -> int:
    """The number for this run."""
    return thorough if THOROUGH else few
