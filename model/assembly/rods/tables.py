"""Rows of the tables that rods are made of, as the kernels read them (model.assembly.layout)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.assembly import layout as at
from model.assembly.rods.frames import Rods
from model.bodies.ancf_beam2d.beam import NODE
from model.bodies.ancf_beam2d.mass import factors
from model.compiled.parameters import packed
from model.floats import Floats


def record(rods: Rods, number: int, poses: int, own: int, gravity: tuple[float, float]) -> Floats:
    """Row of a rod. poses: place of the first body's pose in s; own: place of the first rod's own states among all; gravity in m/s^2."""
    rod, first = rods.rods[number], rods.first[number]
    beam, nodes = rod.beam, rod.nodes
    mass = beam.mass_matrix()
    picked = np.array([NODE * node + k for node in nodes for k in (0, 2)])  # the same for y
    answers = np.linalg.inv(mass)[np.ix_(picked, picked)].reshape(len(nodes), 2, len(nodes), 2)
    weight = mass @ np.tile([*gravity, 0.0, 0.0], rod.elements + 1)
    along_one = mass[::2, ::2]
    rest = [np.array(nodes) * NODE, answers.transpose(0, 2, 1, 3), weight, np.diag(mass), factors(along_one, along_one)]
    values = np.concatenate([np.ravel(part) for part in rest])
    size = at.ROD_COLUMNS + len(values)
    return packed(size, {
        at.ROD_SIZE: size, at.ROD_OWN: own + 2 * rods.places[number] + number, at.ROD_NODES: rod.elements + 1, at.ROD_FRAMES: len(nodes),
        at.ROD_POSE: poses + at.POSE_COLUMNS * first, at.ROD_TRIPLE: at.TRIPLE * first, at.ROD_BEAM: beam.parameters,
        at.ROD_COLUMNS: values,
    })  # fmt: skip


@dataclass(frozen=True)
class Bends:
    """What rows do to rods, by the bodies and frames i and j of every row."""

    rods: Rods
    rows: Sequence[tuple[int, int]]

    @property
    def spans(self) -> dict[tuple[int, int], int]:
        """Where among triples begins what a row does to the frames of a rod, by row and rod."""
        found: dict[tuple[int, int], int] = {}
        place = 0
        for row, pair in enumerate(self.rows):
            for frame in pair:
                if frame > self.rods.bodies and (row, self.rods.rod(frame)) not in found:
                    found[row, self.rods.rod(frame)] = place
                    place += at.TRIPLE * self._frames(self.rods.rod(frame))
        return found

    @property
    def size(self) -> int:
        """How much room that takes."""
        return sum(at.TRIPLE * self._frames(rod) for _, rod in self.spans)

    def _frames(self, rod: int) -> int:
        return self.rods.first[rod + 1] - self.rods.first[rod]

    def bends(self, jacobian: int, into: int, records: Sequence[int]) -> list[Floats]:
        """Rows of the table. jacobian: place of the rows' triples in s; into: of what they do; records: of the rods in p."""
        spans = self.spans
        found = []
        for row, pair in enumerate(self.rows):
            for slot, frame in enumerate(pair):
                if frame > self.rods.bodies:
                    rod = self.rods.rod(frame)
                    triple = jacobian + at.TRIPLE * (2 * row + slot)
                    found.append(packed(at.BEND_COLUMNS, {
                        at.B_TRIPLE: triple, at.B_ROW: row, at.B_ROD: records[rod], at.B_FRAME: frame - self.rods.first[rod],
                        at.B_INTO: into + spans[row, rod],
                    }))  # fmt: skip
        return found

    def table_of_spans(self, into: int) -> list[Floats]:
        """Rows of the other one."""
        return [
            packed(at.SPAN_COLUMNS, {
                at.SPAN_ROW: row, at.SPAN_FROM: into + place, at.SPAN_TRIPLE: at.TRIPLE * self.rods.first[rod],
                at.SPAN_FRAMES: self._frames(rod),
            })
            for (row, rod), place in self.spans.items()
        ]  # fmt: skip

    def pairs(self, diagonal: Sequence[int], jacobian: int, into: int) -> list[tuple[int, int, int]]:
        """(place in A's skyline, place of what a row does to a frame, place of another row's triple) for every product through a rod."""
        found = []
        for (r, rod), place in self.spans.items():
            for c, pair in enumerate(self.rows[: r + 1]):
                for slot, frame in enumerate(pair):
                    if frame > self.rods.bodies and self.rods.rod(frame) == rod:
                        answer = into + place + at.TRIPLE * (frame - self.rods.first[rod])
                        found.append((int(diagonal[r]) - (r - c), answer, jacobian + at.TRIPLE * (2 * c + slot)))
        return found

    def pulls(self, into: int) -> list[tuple[int, ...]]:
        """As model.assembly.ordering.pulls, of the ground, which nothing moves, and of all frames."""
        if not self.rods.frames:
            return []
        table: list[tuple[int, ...]] = [(0,)]
        for rod in range(len(self.rods.rods)):
            for frame in range(self._frames(rod)):
                acting = [(r, into + place + at.TRIPLE * frame) for (r, other), place in self.spans.items() if other == rod]
                table += [(len(acting),), *acting]
        return table
