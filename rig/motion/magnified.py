"""A motion with its clearances magnified: places that are drawn, and how large pins and gaps are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rig.motion.parts import Floats, Motion, Outline

RADIUS = 0.045
"""Of a bush as it is drawn, share of the size of the mechanism."""
PLAY = 0.35
"""Share of that radius, about, that the largest clearance takes."""
MOST = 0.6
"""The same, at the most: the bush is drawn larger beyond it."""


@dataclass(frozen=True)
class Magnified:
    """factor: of all clearances; radius: of the bushes as drawn, m."""

    motion: Motion
    factor: float
    radius: float

    @classmethod
    def of(cls, motion: Motion, factor: float | None = None) -> Magnified:
        """By this factor, else by one that can be seen, a round number."""
        size = extent(motion)
        largest = max([*(pin.clearance for pin in motion.pins), *(guide.clearance for guide in motion.guides)], default=0.0)
        if factor is None:
            factor = max(1.0, rounded(PLAY * RADIUS * size / largest)) if largest > 0.0 else 1.0
        return cls(motion, factor, max(RADIUS * size, factor * largest / MOST))

    def places(self, body: Outline) -> Floats:
        """(M, k, 2) of a body: its journals stand as far off as they are drawn, the ends of a slider as well."""
        places = np.array(body.places)
        for place, number in body.journals:
            places[:, place] += (self.factor - 1.0) * self.motion.pins[number].offset
        if body.guide is not None:
            normal, guide = across(body), self.motion.guides[body.guide]
            half = places.shape[1] // 2
            for part, end in ((slice(0, half), guide.rear), (slice(half, None), guide.front)):
                places[:, part] += ((self.factor - 1.0) * end[:, None] * normal)[:, None, :]
        return places

    def faces(self, body: Outline) -> Floats:
        """(M, 2, 2, 2) lines along which a slider goes, as far from it as its clearance is drawn. Of a body with a guide."""
        assert body.guide is not None
        guide, normal = self.motion.guides[body.guide], across(body)
        along = np.column_stack((normal[:, 1], -normal[:, 0]))
        corners = body.places
        length = np.linalg.norm(corners[:, 2] - corners[:, 1], axis=1)[:, None]
        half = 0.5 * np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1) + self.factor * guide.clearance
        middle = corners.mean(axis=1) - (0.5 * (guide.rear + guide.front))[:, None] * normal
        lines = []
        for side in (-1.0, 1.0):
            face = middle + side * half[:, None] * normal
            lines.append(np.stack((face - length * along, face + length * along), axis=1))
        return np.stack(lines, axis=1)


def across(slider: Outline) -> Floats:
    """(M, 2) the direction across the guide in which its ends are counted: about that of the slider, whose tilt is small."""
    corners = slider.places
    along = corners[:, 2:].mean(axis=1) - corners[:, :2].mean(axis=1)
    along = along / np.linalg.norm(along, axis=1)[:, None]
    return np.column_stack((-along[:, 1], along[:, 0]))


def extent(motion: Motion) -> float:
    """m: the larger side of what the bodies sweep."""
    low, high = bounds(motion)
    return float(np.max(high - low)) or 1.0


def bounds(motion: Motion) -> tuple[Floats, Floats]:
    """(2,) each: the lowest and highest place of all."""
    all_of_them = [*(body.places.reshape(-1, 2) for body in motion.bodies), *motion.still]
    low = np.min([part.min(axis=0) for part in all_of_them], axis=0)
    high = np.max([part.max(axis=0) for part in all_of_them], axis=0)
    return low, high


def rounded(value: float) -> float:
    """1, 2 or 5 times a power of ten, at most the value."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= value * (1.0 + 1e-9))
