"""Functions that a campaign of a test computes: of the literature, and such that misbehave."""

from __future__ import annotations

import math
import os
import signal
import time


def ishigami(x1: float, x2: float, x3: float) -> float:
    """Ishigami and Homma 1990, a = 7, b = 0.1."""
    return math.sin(x1) + 7.0 * math.sin(x2) ** 2 + 0.1 * x3**4 * math.sin(x1)


def misbehaving(what: str) -> float:
    """As its argument says."""
    if what == "raises":
        raise ArithmeticError("no such root")
    if what == "hangs":
        time.sleep(600.0)
    if what == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "prints":
        print("not an answer")
    return math.nan if what == "nan" else 1.0


def slow(x: float) -> float:
    """A task that lasts; each time it is computed a line goes to the file that the environment names."""
    time.sleep(0.05)
    if counted := os.environ.get("SWEEP_COUNTED"):
        with open(counted, "a", encoding="ascii") as file:  # noqa: PTH123
            file.write(f"{x!r}\n")
    return x * x
