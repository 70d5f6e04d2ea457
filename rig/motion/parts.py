"""What of a mechanism is drawn: pins in their bushes, sliders in their guides, bodies as outlines. M moments, lengths in m."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Pin:
    """A pin (journal) in its bush. offset (M, 2): of the pin's centre from the bush's; bush (M, 2): where that is, in the plane drawn.

    along_one_line: the model lets it move along x alone.
    """

    name: str
    clearance: float
    """Radial."""
    offset: Floats
    bush: Floats
    axes: tuple[str, str] = ("x", "y")
    along_one_line: bool = False

    @cached_property
    def distance(self) -> Floats:
        """(M,) of the centres."""
        return np.asarray(np.hypot(self.offset[:, 0], self.offset[:, 1]))

    @property
    def depth(self) -> Floats:
        """(M,) m by which they are pressed into each other, negative while apart."""
        return np.asarray(self.distance - self.clearance)

    @property
    def closed(self) -> Flags:
        """(M,) where pin and bush touch."""
        return np.asarray(self.distance > self.clearance)

    @property
    def angle(self) -> Floats:
        """(M,) rad, from the bush's centre to the place of contact."""
        return np.asarray(np.arctan2(self.offset[:, 1], self.offset[:, 0]))


@dataclass(frozen=True)
class Guide:
    """A slider in its guide. rear, front (M,): how far its ends stand from the middle; beyond the clearance they press.

    A pin in a slot has one place, which is both.
    """

    name: str
    clearance: float
    """To each side."""
    rear: Floats
    front: Floats

    @property
    def ends(self) -> Floats:
        """(M, 2)."""
        return np.column_stack((self.rear, self.front))

    @property
    def is_slot(self) -> bool:
        return self.rear is self.front

    @property
    def depth(self) -> Floats:
        """(M,) m by which the end that stands farther presses, negative while apart."""
        return np.asarray(np.max(np.abs(self.ends), axis=1) - self.clearance)

    @property
    def closed(self) -> Flags:
        """(M,) where one of its ends touches, or both."""
        return np.asarray(self.depth >= 0.0)


@dataclass(frozen=True)
class Outline:
    """A body as lines through places (M, k, 2); `journals`: place -> number of the pin whose journal that is; loop: closed and filled."""

    name: str
    places: Floats
    journals: tuple[tuple[int, int], ...] = ()
    loop: bool = False
    guide: int | None = None
    """Number of the guide whose slider it is: its first k/2 places stand to the rear."""


@dataclass(frozen=True)
class Motion:
    """time (M,) s from sample 0 of the record on, which rises; still: lines (k, 2) that do not move."""

    time: Floats
    pins: tuple[Pin, ...] = ()
    guides: tuple[Guide, ...] = ()
    bodies: tuple[Outline, ...] = ()
    still: tuple[Floats, ...] = ()
    said: str = ""
    """What whoever looks at it has to know."""


def turned(angle: Floats, x: float, y: float) -> Floats:
    """(M, 2) the place x, y in the axes of a body that is turned by `angle` (M,), from its origin."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.column_stack((x * cosine - y * sine, x * sine + y * cosine))


def slider_ends(across: Floats, tilt: Floats, length: float, height: float) -> tuple[Floats, Floats]:
    """(rear, front) of a slider whose middle stands `across` (M,) its guide, tilted by `tilt` (M,) rad.

    Of the two corners at an end that counts which is nearer to its face.
    """
    lower = 0.5 * height * (1.0 - np.cos(tilt))  # the corners of a slider that is turned come in by so much
    ends = (across - 0.5 * length * np.sin(tilt), across + 0.5 * length * np.sin(tilt))
    rear, front = (np.copysign(np.abs(end) - lower, end) for end in ends)
    return np.asarray(rear), np.asarray(front)


def box(middle: Floats, tilt: Floats, length: float, height: float) -> Floats:
    """(M, 4, 2) the corners of a slider about its middle (M, 2): rear ones first."""
    corners = ((-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5))
    return np.stack([middle + turned(tilt, u * length, v * height) for u, v in corners], axis=1)
