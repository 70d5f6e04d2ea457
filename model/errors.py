"""Errors of the computation.

ModelError
├── NotConverged        the integration or an iteration failed; says time and reason
└── InconsistentStart   the initial state violates the constraints
"""


class ModelError(Exception):
    """Root of the model's errors: a quantity that cannot be used, named with its value and unit."""


class NotConverged(ModelError):
    """A run that diverged or could not keep its tolerance."""


class InconsistentStart(ModelError):
    """An initial state that the mechanism cannot have."""
