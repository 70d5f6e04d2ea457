"""In which order the constraints are solved, so that little of A = J M^-1 J^T is stored and worked on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import reverse_cuthill_mckee

from model.assembly import layout as at
from model.assembly.elements import Constraint


def ordered(constraints: Sequence[Constraint], ground: int, holder: Callable[[int], int]) -> tuple[Constraint, ...]:
    """The constraints, neighbours (which share what moves) close to each other: reverse Cuthill-McKee.

    holder: for the number of a body or frame, one of what moves as one with it.
    """
    if not constraints:
        return ()
    bodies = [{holder(end.body) for end in (c.i, c.j)} - {ground} for c in constraints]
    shared = np.array([[bool(a & b) for b in bodies] for a in bodies])
    order = reverse_cuthill_mckee(csr_matrix(shared), symmetric_mode=True)
    return tuple(constraints[int(k)] for k in order)


def row_bodies(constraints: Sequence[Constraint]) -> list[tuple[int, int]]:
    """Bodies i and j of every row."""
    return [(c.i.body, c.j.body) for c in constraints for _ in range(c.rows)]


def skyline(rows: Sequence[tuple[int, int]], ground: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(first column, place of the diagonal) of each row of A's lower triangle, stored row after row."""
    moving = [{*pair} - {ground} for pair in rows]
    first = np.array([next(c for c in range(r + 1) if c == r or moving[c] & moving[r]) for r in range(len(rows))], dtype=np.int64)
    length = np.arange(len(rows)) - first + 1
    return first, np.cumsum(length) - 1


def pairs(rows: Sequence[tuple[int, int]], diagonal: NDArray[np.int64], ground: int) -> list[tuple[int, int, int]]:
    """(place in A's skyline, place of a triple, place of another one) for every product that A is made of; places from 0."""
    found = []
    for r, of_r in enumerate(rows):
        for c, of_c in enumerate(rows[: r + 1]):
            for slot_r, body in enumerate(of_r):
                for slot_c, other in enumerate(of_c):
                    if body == other < ground:
                        triple_r, triple_c = at.TRIPLE * (2 * r + slot_r), at.TRIPLE * (2 * c + slot_c)
                        found.append((int(diagonal[r]) - (r - c), triple_r, triple_c))
    return found


def pulls(rows: Sequence[tuple[int, int]], bodies: int, triples: int) -> list[tuple[int, ...]]:
    """For every body (how many rows act on it), then (row, place of its triple) of each; the triples begin at place `triples`."""
    table: list[tuple[int, ...]] = []
    for body in range(bodies):
        acting = [(r, triples + at.TRIPLE * (2 * r + slot)) for r, pair in enumerate(rows) for slot in (0, 1) if pair[slot] == body]
        table += [(len(acting),), *acting]
    return table
