"""Errors of the computation.

ModelError
├── NotConverged        the integration or an iteration failed; says time and reason
└── InconsistentStart   the initial state violates the constraints
"""

import re


class ModelError(Exception):
    """Root of the model's errors: a quantity that cannot be used, named with its value and unit."""


class NotConverged(ModelError):
    """A run that diverged or could not keep its tolerance."""


class InconsistentStart(ModelError):
    """An initial state that the mechanism cannot have."""


def in_one_line(error: Exception) -> str:
    """Kind and text of an error of anybody's program, on one line, without colours, cut where it is endless."""
    said = " ".join(re.sub(r"\x1b\[[0-9;]*m", "", str(error)).split())
    return f"{type(error).__name__}: {said[:400]}"
