"""How a specimen's two surfaces press on each other, as stated, and the columns that it comes down to; nothing is compiled for it.

What the columns mean, and what is compiled of them: `rig.virtual.plants.contact`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from model.floats import Floats

FORMS = ("power", "bilinear", "recorded")
POWER, BILINEAR, RECORDED = range(3)
POINTS = 12
"""Most points of a recorded curve."""
FORM, K, EXPONENT, LOSS, STEADY, FLOOR, SHARE, MU, NONE_BELOW, WHOLE_ABOVE, COUNT, CURVE = range(12)
CONTACT_COLUMNS = CURVE + 3 * POINTS
"""LOSS: a; STEADY: the same over v0 where the speed does not matter, s/m; FLOOR: smallest v0, m/s; SHARE: e^2; then friction;
CURVE: depth, force and work of each point."""
BRANCH, DEEPEST, CONTACT_STATES = range(3)
"""State of one contact: v0 (0: apart), and the deepest since it began."""


@dataclass(frozen=True)
class Point:
    """A point of a recorded force-indentation curve."""

    depth: float = field(metadata={"unit": "m", "over": 0.0})
    force: float = field(metadata={"unit": "N", "over": 0.0})


@dataclass(frozen=True)
class Surfaces:
    """How the specimen's surfaces press on each other, as built; independent of what the experiment believes."""

    form: str = field(default="power", metadata={"choices": FORMS, "doc": "of the force over the depth"})
    restitution: float = field(default=0.9, metadata={"unit": "1", "over": 0.0, "at_most": 1.0, "doc": "what a contact really gives back"})
    exponent: float = field(default=1.5, metadata={"unit": "1", "at_least": 1.0, "at_most": 3.0, "doc": "power: n"})
    stiffness: float | None = field(
        default=None, metadata={"unit": "N/m", "over": 0.0, "doc": "bilinear: K; none: that of two elastic bodies (Hertz) at 1 kN"}
    )
    youngs_modulus: float = field(default=207e9, metadata={"unit": "Pa", "over": 0.0, "doc": "of both surfaces"})
    poisson_ratio: float = field(default=0.3, metadata={"unit": "1", "at_least": 0.0, "below": 0.5})
    approach_floor: float = field(default=1e-3, metadata={"unit": "m/s", "over": 0.0, "doc": "power: smallest v0"})
    curve: tuple[Point, ...] = field(default=(), metadata={"doc": "recorded: depth and force, from the first touch on; it begins at 0"})

    def __post_init__(self) -> None:
        if (self.form == "recorded") != bool(self.curve):
            raise ValueError(f"curve: expected points for form recorded, and none for the others; got {len(self.curve)} for {self.form}")
        if len(self.curve) > POINTS:
            raise ValueError(f"curve: expected at most {POINTS} points, got {len(self.curve)}")
        for before, after in zip(self.curve, self.curve[1:], strict=False):
            if not (before.depth < after.depth and before.force < after.force):
                raise ValueError(f"curve: expected depths and forces that rise, got {after.depth:g} m, {after.force:g} N")

    def hertz(self, bearing: float, clearance: float) -> float:
        """K in N/m^1.5 of a journal in a bearing of that radius, m."""
        return self.on_flat(bearing * (bearing - clearance) / clearance)

    def on_flat(self, radius: float) -> float:
        """The same of a ball of that radius on a flat wall."""
        modulus = self.youngs_modulus / (2.0 * (1.0 - self.poisson_ratio**2))
        return 4.0 / 3.0 * modulus * math.sqrt(radius)

    def lossy(self, error: float) -> float:
        """The restitution of a contact that differs by `error` from what is stated."""
        return min(1.0, max(0.01, self.restitution + error))

    def columns(
        self, stiffness: float, exponent: float, restitution: float, friction: Sequence[float], steady: float | None = None
    ) -> NDArray[np.float64]:
        """(CONTACT_COLUMNS,) of one contact: K d^exponent where its form is a power; friction: coefficient, and the sliding speeds below
        which there is none and above which it is whole. `steady` (s/m): a power's force is K d^n (1 + steady d'), whatever v0 was."""
        p = np.zeros(CONTACT_COLUMNS)
        p[FORM], p[K], p[EXPONENT] = FORMS.index(self.form), stiffness, exponent
        p[LOSS], p[STEADY] = (loss(restitution), 0.0) if steady is None else (0.0, steady)
        p[FLOOR], p[SHARE], p[MU:COUNT] = self.approach_floor, restitution**2, friction
        if self.form == "bilinear":
            p[K] = self.stiffness if self.stiffness is not None else secant(stiffness, exponent)
        p[COUNT] = len(self.curve)
        work, last = 0.0, (0.0, 0.0)
        for n, point in enumerate(self.curve):
            work += 0.5 * (point.force + last[1]) * (point.depth - last[0])
            last = point.depth, point.force
            p[CURVE + 3 * n : CURVE + 3 * n + 3] = point.depth, point.force, work
        return p


USUAL_FORCE = 1e3
"""N, at which a bilinear contact is as deep as the elastic one that it stands for."""


def secant(stiffness: float, exponent: float) -> float:
    """N/m of the line through 0 and the point of K d^exponent at USUAL_FORCE."""
    return float(USUAL_FORCE / (USUAL_FORCE / stiffness) ** (1.0 / exponent))


def loss(restitution: float) -> float:
    """a for which K d^n (1 + a d'/v0) gives back the speed e v0, whatever n is: a (1 + e) = ln((1 + a)/(1 - a e)).

    It is m v dv = -K d^n (1 + a v/v0) dd, integrated over the way in and the way out.
    """
    if restitution >= 1.0:
        return 0.0
    low, high = 0.0, 1.0 / restitution
    for _ in range(200):
        middle = 0.5 * (low + high)
        left = middle * (1.0 + restitution) - math.log((1.0 + middle) / max(1.0 - middle * restitution, 1e-300))
        low, high = (middle, high) if left > 0.0 else (low, middle)
    return 0.5 * (low + high)


def depth_under(force: float, p: Floats) -> float:
    """Depth (m) at which a contact that has never been deeper bears a force (N)."""
    if p[FORM] == POWER:
        return float((force / p[K]) ** (1.0 / p[EXPONENT]))
    if p[FORM] == BILINEAR:
        return float(force / p[K])
    depths, forces = (np.append(0.0, p[CURVE + n : CURVE + 3 * int(p[COUNT]) : 3]) for n in (0, 1))
    last = (force - forces[-2]) / (forces[-1] - forces[-2])
    return float(np.interp(force, forces, depths) if last <= 1.0 else depths[-2] + last * (depths[-1] - depths[-2]))
