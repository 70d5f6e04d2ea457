"""Whole-array assignment and the like for compiled code that makes no arrays."""

from __future__ import annotations

from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled


@compiled(INDEX(VECTOR, VECTOR))
def copy(into: Floats, values: Floats) -> int:
    """into = values, of the same length."""
    for k in range(into.size):
        into[k] = values[k]
    return 0


@compiled(INDEX(VECTOR, REAL))
def fill(into: Floats, value: float) -> int:
    """Every element = value."""
    for k in range(into.size):
        into[k] = value
    return 0


@compiled(REAL(VECTOR))
def largest(values: Floats) -> float:
    """Largest of at least one element."""
    found = values[0]
    for k in range(values.size):
        found = max(found, values[k])
    return float(found)
