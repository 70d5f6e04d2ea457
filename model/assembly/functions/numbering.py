"""Where the numbers of a function stand: pieces of polynomials, or the program of a formula."""

from __future__ import annotations

PIECES, PROGRAM = range(2)
KIND, COUNT = range(2)
# Of pieces: whether it repeats, how much it grows each time, then the ends of the pieces and six coefficients of each, the constant first.
REPEATS, GROWTH, ENDS = 2, 3, 4
COEFFICIENTS = 6
# Of a program: an operation and a number for each of COUNT steps.
STEPS = 2
