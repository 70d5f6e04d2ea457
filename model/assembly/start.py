"""A start that the constraints allow: positions by Newton from about where the bodies stand, velocities with the least change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.assembly import layout as at
from model.assembly.rank import DEPENDENT, Independence, free_directions, independent
from model.assembly.system import System
from model.errors import InconsistentStart, ModelError
from model.floats import Floats

CLOSED = 1e-13  # largest violation of a constraint, share of the mechanism's size
TURNS, TRIES = 200, 40  # Newton steps, halvings of one
FARTHEST = 0.5  # of a Newton step, share of the mechanism's size
ASIDE = 1e-3  # how far aside a position is looked at, to tell a dead point from a linkage with more constraints than it needs


@dataclass(frozen=True)
class Scaled:
    """The constraints of a system at t = 0 with every length and angle as a share of the mechanism's size (m)."""

    system: System
    size: float

    @property
    def lengths(self) -> Floats:
        """What a coordinate of 1 is in m or rad, (coordinates,)."""
        return self.system.lengths(self.size)

    @property
    def row_lengths(self) -> Floats:
        """What a violation of 1 is in m or rad, (rows,)."""
        return np.array([1.0 if c.kind == at.ANGLE else self.size for c in self.system.constraints for _ in range(c.rows)])

    def violated(self, z: Floats, rows: NDArray[np.bool_] | slice = slice(None)) -> tuple[Floats, Floats]:
        """(Phi, J) at the scaled coordinates z."""
        gap, _, jacobian = self.system.violated(0.0, z * self.lengths, np.zeros_like(z))
        return (gap / self.row_lengths)[rows], (jacobian * self.lengths / self.row_lengths[:, None])[rows]

    def closed(self, z: Floats, rows: NDArray[np.bool_] | slice = slice(None)) -> Floats:
        """The nearest coordinates at which Phi = 0, as far as they can be found: Gauss-Newton with halved steps."""
        gap, jacobian = self.violated(z, rows)
        for _ in range(TURNS):
            if np.max(np.abs(gap), initial=0.0) < 0.01 * CLOSED:
                break
            step = np.linalg.lstsq(jacobian, -gap, rcond=1e-10)[0]
            step *= min(1.0, FARTHEST / max(np.max(np.abs(step)), 1e-300))
            for _ in range(TRIES):
                new_gap, new_jacobian = self.violated(z + step, rows)
                if np.linalg.norm(new_gap) < np.linalg.norm(gap):
                    break
                step *= 0.5
            else:
                break
            z, gap, jacobian = z + step, new_gap, new_jacobian
        return z


def positions(system: System, guess: Floats, size: float) -> Floats:
    """Coordinates near `guess` (coordinates,) that close every joint.

    Raises InconsistentStart naming the joint that stays open, and by how much.
    """
    scaled = Scaled(system, size)
    z = scaled.closed(guess / scaled.lengths)
    gap = scaled.violated(z)[0]
    worst = int(np.argmax(np.abs(gap))) if len(gap) else 0
    if len(gap) and abs(gap[worst]) > CLOSED:
        _refuse_more_drives(scaled, z)
        raise InconsistentStart(f"the linkage cannot close: {_open(system, worst, gap[worst] * scaled.row_lengths[worst])}")
    return np.asarray(z * scaled.lengths)


def _refuse_more_drives(scaled: Scaled, z: Floats) -> None:
    """Raise ModelError where the joints alone can be closed, and leave less free than there are drives."""
    driven = scaled.system.driven_rows
    alone = scaled.closed(z, ~driven)
    gap, jacobian = scaled.violated(alone, ~driven)
    if np.max(np.abs(gap), initial=0.0) > CLOSED:
        return
    freedom = scaled.system.coordinates - independent(jacobian).rank
    if (drives := int(driven.sum())) > freedom:
        names = ", ".join(sorted(name for name, drives_it in zip(scaled.system.row_names, driven, strict=True) if drives_it))
        raise ModelError(
            f"drives: {_counted(drives, freedom)} ({names}); take {_number(drives - freedom)} away, "
            "or give a joint that it moves against clearance"
        )


def _number(count: int) -> str:
    return "one" if count == 1 else str(count)


def _open(system: System, row: int, gap: float) -> str:
    constraint = [c for c in system.constraints for _ in range(c.rows)][row]
    by = f"{abs(gap):.3g} rad" if constraint.kind == at.ANGLE else f"{abs(gap) * 1e3:.3g} mm"
    what = "drive" if constraint.drives else "joint"
    return (
        f"{what} {system.row_names[row]} stays {by} off where the others are closed as far as they go; "
        "check lengths and points, the drive's start, and the bodies' angles at the start"
    )


def checked(system: System, q: Floats, size: float) -> Independence:
    """The independent rows at q. Raises ModelError for a drive too many, and for a dead point, with the joints concerned."""
    scaled = Scaled(system, size)
    z = q / scaled.lengths
    jacobian = scaled.violated(z)[1]
    driven = system.driven_rows
    found = independent(jacobian, driven)
    if found.rank == found.rows:
        return found
    aside = _aside(scaled, z, ~driven)
    elsewhere = [independent(scaled.violated(other)[1], driven) for other in aside]
    best = max(elsewhere, key=lambda other: other.rank)
    if best.rank > found.rank:
        lost = [name for name, here, there in zip(system.row_names, found.chosen, best.chosen, strict=True) if there and not here]
        names = dict.fromkeys(name.split(" (")[0] for name in lost)
        raise ModelError(
            f"dead point: at the start {', '.join(names)} no longer says how the linkage moves, which can go on in more than one way; "
            "choose another angle or position to start from"
        )
    too_many = [name for name, drives, chosen in zip(system.row_names, driven, best.chosen, strict=True) if drives and not chosen]
    if not too_many:
        return found
    freedom, drives, first = system.coordinates - independent(jacobian[~driven]).rank, int(driven.sum()), too_many[0]
    drives_too, joints = _holding(system, jacobian, first)
    if freedom == 0:
        raise ModelError(
            f"drives: drive {first} can move nothing: the joints leave the linkage no degree of freedom, as {_listed(joints)} hold what it "
            "drives; take a joint away, or give one of them clearance"
        )
    if drives_too and (not joints or drives <= freedom):
        raise ModelError(
            f"drives: {_listed([first, *drives_too])} move the same, and one of them says all of it; take "
            f"{_number(len(drives_too))} away, or let it drive another body"
        )
    if drives > freedom:
        raise ModelError(
            f"drives: {_counted(drives, freedom)}; take away {' or '.join(too_many)}, or give a joint that it moves against clearance"
        )
    raise ModelError(
        f"dead point: at the start drive {first} moves nothing: {_listed(joints)} hold what it drives. "
        "Either they lie in one line there (a singular pose): choose another angle or place to start from; "
        "or they hold it everywhere: drive another body, or take a joint away"
    )


def _counted(drives: int, freedom: int) -> str:
    return f"{drives} drive{'s' * (drives != 1)} for {freedom} degree{'s' * (freedom != 1)} of freedom"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "its joints"


def _holding(system: System, jacobian: Floats, drive: str) -> tuple[list[str], list[str]]:
    """The other drives, and the joints, whose constraints together say already what the drive says."""
    row = system.row_names.index(drive)
    others = [n for n in range(len(system.row_names)) if n != row]
    shares = np.linalg.lstsq(jacobian[others].T, jacobian[row], rcond=DEPENDENT)[0]
    found: tuple[list[str], list[str]] = ([], [])
    for n, share in zip(others, shares, strict=True):
        name, of = system.row_names[n].split(" (")[0], found[0 if system.driven_rows[n] else 1]
        if abs(share) > DEPENDENT and name not in of:
            of.append(name)
    return found


def _aside(scaled: Scaled, z: Floats, joints: NDArray[np.bool_]) -> list[Floats]:
    """Positions a little to both sides, on the joints' constraints; drives stand still nowhere."""
    free = free_directions(scaled.violated(z, joints)[1])
    weights = np.cos(1.0 + np.arange(free.shape[1]))  # any direction that is not special
    moved = [scaled.closed(z + sign * ASIDE * (free @ weights), joints) for sign in (1.0, -1.0)]
    return [other for other in moved if np.max(np.abs(scaled.violated(other, joints)[0]), initial=0.0) < CLOSED] or [z]


def velocities(system: System, q: Floats, guess: Floats, masses: Floats) -> Floats:
    """Rates (coordinates,) with Phi' = 0 and the least kinetic energy in what differs from `guess`. masses: at each, kg and kg m^2.

    Raises ModelError when a drive asks for a speed that the linkage cannot have where it stands (a dead point).
    """
    _, rate, jacobian = system.violated(0.0, q, guess)
    if not len(rate):
        return guess
    root = np.sqrt(masses)
    weighted = jacobian / root
    length = np.linalg.norm(weighted, axis=1)
    change = np.linalg.lstsq(weighted / length[:, None], -rate / length, rcond=DEPENDENT)[0]
    v = np.asarray(guess + change / root)
    left = system.violated(0.0, q, v)[1]
    worst = int(np.argmax(np.abs(left)))
    if abs(left[worst]) > 1e-9 * (1.0 + np.max(np.abs(rate))):
        raise ModelError(f"dead point: at the start the linkage cannot move as {system.row_names[worst]} asks for")
    return v
