"""How a planar mechanism rests where something in it is far stiffer than the rest: Newton's method on the balance of forces.

| symbol | unit | meaning |
|---|---|---|
| z, a | | coordinates; accelerations where nothing moves |
| M, R | | mass matrix, M = R^T R |
| N | | ways that are left free, N^T M N = 1 |
| f | | N^T M a: what is out of balance; constraint forces do no work along N |
| K | 1/s^2 | -df along N: what holds, squares of circular frequencies |
| lambda | 1/s^2 | how much a step is held back: 1/h^2 of an implicit step of h (s) from rest |

A step d along N solves (|K| + lambda) d = f, with the magnitudes of K's eigenvalues (Nocedal and Wright, Numerical Optimization, 2006,
3.4), so that it goes downhill from a hilltop too; lambda falls to nothing where f changes as K says, and rises where it does not, as at a
contact that closes (Levenberg, Marquardt). Unlike relaxation in explicit steps it takes no longer for stiffer springs; but a link that
turns about a stiff bushing would strain it in a straight step. So the balance is found with bushings that do not give way first, as
joints, and from there with those that do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import block_diag, cholesky, eigh, null_space, solve_triangular

from model.assembly import layout as at
from model.assembly.rank import DEPENDENT
from model.assembly.start import positions
from model.assembly.system import System
from model.compiled.signatures import ContactLaw
from model.errors import InconsistentStart
from model.floats import Floats
from model.mechanisms.planar.resting import NOTHING, STILL, loaded, respond

TURNS, TRIES = 200, 60  # steps, and how often one of them is shortened
FARTHEST = 0.2  # rad, or share of the mechanism's size: how far one step goes
ASIDE = 1e-8  # share of the mechanism's size: how far aside forces are looked at; some nm, less than contacts give way under weights
FOLLOWED, SPOILED = 0.1, 0.5  # of f: where it is so much off what K says lambda falls; where it is more, the step is taken back
FREER, TIGHTER = 0.1, 4.0  # what lambda is then multiplied by
LOOSEST = 1e-9  # 1/s^2: least lambda, of what falls freely
LESS = 0.5  # once it is still, it goes on while what is left falls to less than this: by squares, until there is rounding alone
CREEPING, IDLE = 1e-6, 5  # rad, or share of the size: so many steps as short, and no less is left, are rounding too


@dataclass(frozen=True)
class Balance:
    """A mechanism that is to come to rest. held: its constraints where its drives stand, on the way first with bushings as joints, last
    as they are; size: a typical length of it, m; u: the input."""

    system: System
    held: Sequence[System]
    size: float
    p: Floats
    u: Floats
    law: ContactLaw

    def rest(self, y: Floats, s: Floats, step: float) -> tuple[Floats, Floats, float]:
        """(y, s, what is left of the acceleration as a share of what the loads alone would give at the beginning) from y on.

        step: about the longest one that relaxation could take, s. y fulfils the constraints and has no speeds.
        """
        s, given = s.copy(), loaded(y, self.p, s, self.u, self.law)
        nothing = NOTHING * float(np.sqrt(np.sum(self.system.masses[: at.TRIPLE * self.system.bodies : at.TRIPLE])))
        z, left = self.system.parted(y)[0], np.inf
        for held in self.held:
            z, left = self._rested(held, y, z, s, step, max(STILL * given, nothing))
        self._accelerations(y, z, s)
        y = self.system.renewed(y, z, np.zeros_like(z))
        return y, s, 0.0 if left <= nothing else left / given

    def _rested(self, held: System, y: Floats, z: Floats, s: Floats, step: float, still: float) -> tuple[Floats, float]:
        """(z, size of f there) from z on, as far as it gets."""
        held_back, least, idle, ways = 1.0 / (step * step), np.inf, 0, self._ways(held, z)
        f = self._work(held, z, ways) @ self._accelerations(y, z, s)
        for _ in range(TURNS):
            out, before = float(np.linalg.norm(f)), z
            if not out < np.inf or idle == IDLE or (out <= still and not out < LESS * least):
                break
            hold = self._hold(held, y, z, s, ways)
            moved = self._moved(held, y, z, s, ways, f, hold, held_back)
            if moved is None:
                break
            z, held_back = moved
            far = float(np.max(np.abs((z - before) / self.system.lengths(self.size)), initial=0.0))
            idle = idle + 1 if far < CREEPING and not out < LESS * least else 0
            least = min(least, out)
            ways = self._ways(held, z)
            f = self._work(held, z, ways) @ self._accelerations(y, z, s)
        return z, float(np.linalg.norm(f))

    def _moved(
        self, held: System, y: Floats, z: Floats, s: Floats, ways: Floats, f: Floats, hold: Floats, held_back: float
    ) -> tuple[Floats, float] | None:
        """(z, lambda) after one step; None where none gets nearer: what is left is rounding, or nothing holds."""
        if not np.all(np.isfinite(hold)):
            return None
        squares, modes = eigh(hold)
        out = float(np.linalg.norm(f))
        for _ in range(TRIES):
            d = modes @ ((modes.T @ f) / (np.abs(squares) + held_back))
            d *= min(1.0, FARTHEST / max(float(np.max(np.abs(ways @ d / self.system.lengths(self.size)), initial=0.0)), 1e-300))
            try:
                new = positions(held, z + ways @ d, self.size)
            except InconsistentStart:
                held_back *= TIGHTER
                continue
            off = float(np.linalg.norm(self._work(held, new, ways) @ self._accelerations(y, new, s) - f + hold @ d))
            if off <= SPOILED * out:
                return new, max(LOOSEST, held_back * (FREER if off <= FOLLOWED * out else 1.0))
            held_back *= TIGHTER
        return None

    @cached_property
    def _root(self) -> Floats:
        """R, (coordinates, coordinates)."""
        rigid = np.diag(np.sqrt(self.system.masses[: at.TRIPLE * self.system.bodies]))
        return np.asarray(block_diag(rigid, *(cholesky(rod.beam.mass_matrix()) for rod in self.system.rods.rods)))

    def _rows(self, held: System, z: Floats) -> Floats:
        """J R^-1, (rows, coordinates)."""
        jacobian = held.violated(0.0, z, np.zeros_like(z))[2]
        return np.asarray(solve_triangular(self._root, jacobian.T, trans="T").T) if len(jacobian) else jacobian

    def _ways(self, held: System, z: Floats) -> Floats:
        """N, (coordinates, degrees of freedom)."""
        rows = self._rows(held, z)
        return np.asarray(solve_triangular(self._root, null_space(rows, rcond=DEPENDENT) if len(rows) else np.eye(len(z))))

    def _work(self, held: System, z: Floats, ways: Floats) -> Floats:
        """N^T M at z, (degrees of freedom, coordinates), from the N of a place nearby: what is left of it on the constraints."""
        free, rows = self._root @ ways, self._rows(held, z)
        if len(rows):
            free -= np.linalg.lstsq(rows, rows @ free, rcond=DEPENDENT)[0]
        return np.asarray(free.T @ self._root)

    def _hold(self, held: System, y: Floats, z: Floats, s: Floats, ways: Floats) -> Floats:
        """K by central differences, (degrees of freedom,) twice."""
        columns, lengths = [], self.system.lengths(self.size)
        for way in ways.T:
            aside = ASIDE / float(np.max(np.abs(way / lengths)))
            before, after = (self._work(held, one, ways) @ self._accelerations(y, one, s) for one in (z - aside * way, z + aside * way))
            columns.append((before - after) / (2.0 * aside))
        hold = np.array(columns).reshape(len(columns), len(columns))
        return np.asarray(0.5 * (hold + hold.T))

    def _accelerations(self, y: Floats, z: Floats, s: Floats) -> Floats:
        """a at z, (coordinates,); s follows."""
        placed = self.system.renewed(y, z, np.zeros_like(z))
        rates, guards = np.zeros_like(placed), np.zeros(int(self.p[at.CONTACTS]) + 1)
        for _ in range(len(guards)):  # each contact opens or closes where another has made another set of rows independent
            if not respond(placed, rates, guards, np.zeros_like(guards), self.p, s, self.u, self.law):
                break
        return self.system.parted(rates)[1]
