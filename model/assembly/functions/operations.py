"""The operations of a formula's program, by number."""

from __future__ import annotations

NUMBER, VARIABLE, POWER, ADD, SUBTRACT, MULTIPLY, DIVIDE, MINUS = range(8)
SINE, COSINE, TANGENT, EXPONENTIAL, LOGARITHM, ROOT, HYPERBOLIC, ARC_TANGENT, RISE = range(8, 17)

OF_ONE = {
    "sin": SINE, "cos": COSINE, "tan": TANGENT, "exp": EXPONENTIAL, "log": LOGARITHM, "sqrt": ROOT, "tanh": HYPERBOLIC,
    "atan": ARC_TANGENT, "rise": RISE,
}  # fmt: skip
"""What a formula calls them. rise: from 0 at 0 to 1 at 1, with two continuous derivatives; constant before and after."""
