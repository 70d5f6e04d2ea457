"""Order conditions of a Runge-Kutta method, tree by tree, and a continuous extension that takes no stages but the step's own.

A rooted tree t with |t| vertices, density gamma and elementary weights Phi_i(t) asks of the weights b_i(x), x in [0, 1] the share of the
step, that sum b_i(x) Phi_i(t) = x^|t|/gamma(t), for all x and all trees up to the order (Hairer, Norsett, Wanner, II.2 and II.6).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.polynomial import Polynomial

from model.errors import ModelError
from model.floats import Floats

Tree = tuple["Tree", ...]  # a vertex is the tuple of the trees on it

SOLVED = 1e-9  # what may be left of the conditions


@cache
def trees(order: int) -> tuple[Tree, ...]:
    """All rooted trees with that many vertices."""
    return tuple(branches for sizes in _partitions(order - 1, order - 1) for branches in _choices(sizes))


def _partitions(total: int, largest: int) -> list[tuple[int, ...]]:
    """Ways to write `total` as a sum of numbers that do not grow, up to `largest`."""
    if total == 0:
        return [()]
    return [(first, *rest) for first in range(min(total, largest), 0, -1) for rest in _partitions(total - first, first)]


def _choices(sizes: tuple[int, ...]) -> list[Tree]:
    """Trees of these sizes, each set of them once."""
    found: list[Tree] = [()]
    for size in sorted(set(sizes)):
        alike = list(combinations_with_replacement(trees(size), sizes.count(size)))
        found = [(*some, *more) for some in found for more in alike]
    return found


def vertices(tree: Tree) -> int:
    """|t|."""
    return 1 + sum(vertices(branch) for branch in tree)


def density(tree: Tree) -> int:
    """gamma(t)."""
    product = vertices(tree)
    for branch in tree:
        product *= density(branch)
    return product


def weights(tree: Tree, a: Floats) -> Floats:
    """Phi_i(t) of all stages of the tableau a."""
    product = np.ones(len(a))
    for branch in tree:
        product = product * (a @ weights(branch, a))
    return product


def free_extension(a: Floats, order: int, terms: int) -> Floats:
    """(terms, stages) in the form of `Tableau.extension`, for a step whose last stage is the derivative at its end.

    The cubic through both ends and their derivatives and `terms` more, with the smallest coefficients of those that have the order.
    Raises ModelError where there are none.
    """
    stages = len(a)
    x = Polynomial([0.0, 1.0])
    rest = 1.0 - x
    first, last, b = np.eye(stages)[0], np.eye(stages)[-1], a[-1]
    cubic = [(x, b), (x * rest, first - b), (x**2 * rest, 2.0 * b - first - last)]
    further = [x**2 * rest**2, x**3 * rest**2, x**3 * rest**3, x**4 * rest**3][:terms]
    powers = 8
    left, right = [], []
    for tree in [tree for size in range(1, order + 1) for tree in trees(size)]:
        phi = weights(tree, a)
        wanted = np.zeros(powers)
        wanted[vertices(tree)] = 1.0 / density(tree)
        left.append(np.hstack([np.outer(_padded(shape, powers), phi) for shape in further]))
        right.append(wanted - sum(_padded(shape, powers) * (row @ phi) for shape, row in cubic))
    matrix, wanted = np.vstack(left), np.concatenate(right)
    found = np.linalg.lstsq(matrix, wanted, rcond=1e-12)[0]
    if np.max(np.abs(matrix @ found - wanted)) > SOLVED:
        raise ModelError(f"no continuous extension of order {order} with {terms} terms from the stages of the step alone")
    return np.asarray(found.reshape(terms, stages))


def _padded(shape: Polynomial, powers: int) -> Floats:
    return np.pad(shape.coef, (0, powers - len(shape.coef)))
