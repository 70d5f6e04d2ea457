"""A function as numbers, which `model.assembly.functions.evaluation` reads: pieces of polynomials, or the program of a formula."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from model.assembly.functions.numbering import COUNT, ENDS, GROWTH, KIND, PIECES, REPEATS
from model.compiled.parameters import packed
from model.floats import Floats


@dataclass(frozen=True)
class Function:
    """The numbers, and how many numbers of a formula are at hand at the same time, most."""

    numbers: tuple[float, ...]
    depth: int = 0

    def __call__(self, x: float) -> tuple[float, float, float]:
        """Value, first and second derivative at x."""
        value, first, second = self.at([x])[:, 0].tolist()
        return value, first, second

    def at(self, x: ArrayLike) -> Floats:
        """The same at each of x (k,): (3, k)."""
        from model.assembly.functions.evaluation import (
            evaluate_all,
        )  # compiled code, which who only reads a configuration need not wait for

        places = np.array(x, dtype=np.float64)
        found = np.zeros((len(places), 3))
        evaluate_all(places, np.array(self.numbers), np.zeros(3 * self.depth + 1), found)
        return found.T


def pieces(ends: Floats, coefficients: Floats, repeats: bool = False) -> Function:
    """Polynomials (n, 6), the constant first, in the distance from the beginning of each of n pieces; ends: (n + 1,)."""
    last = ends[-1] - ends[-2]
    growth = float(np.polyval(coefficients[-1, ::-1], last) - coefficients[0, 0]) if repeats else 0.0
    values = np.concatenate([ends, np.ravel(coefficients)])
    numbers = packed(ENDS + len(values), {KIND: PIECES, COUNT: len(coefficients), REPEATS: repeats, GROWTH: growth, ENDS: values})
    return Function(tuple(numbers.tolist()))
