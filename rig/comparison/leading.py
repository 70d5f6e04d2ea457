"""What leads a model, off by a constant e (an encoder's index, a stroke's zero): all that is predicted is shifted alike.

    late(t) = e / x'(t),    x: what leads

So it is late by a time that goes as 1/speed, and changes its sign with the speed, where a line or conditioner that is late is so by a time
that stays. A line is late alone, and a zero is wrong alone; what leads shifts every predicted channel. At one speed only the way up to it
tells an angle from a time: both are taken as they are at speed, and what they leave of the way up is compared.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
import scipy

from rig.comparison.causes import ENOUGH, Cause
from rig.comparison.evidence import Evidence
from rig.comparison.series import Floats
from rig.comparison.shapes import LATE, OFF, lateness

SLOW = 0.05
"""Share of the largest speed below which what leads is taken to stand: there an error of it is no lateness."""
STEADY = 0.2
"""Scatter of 1/speed, as a share, below which it is one speed: a shape that differs by less is no witness beside a specimen's own."""
ALIKE = 0.25
"""Share by which two channels may differ that have one cause."""
TURNS = 1.5
"""After which an encoder has met its index."""
UP = 0.85
"""Share of the speed up to which it is the way up."""
TELLING = 1.25
"""What one explanation has to leave of the way up, over what the other leaves, not to be named."""
LED_LATE = "what leads the model being read late, or early"


@dataclass(frozen=True)
class Lead:
    """The measured channel that leads the model, x (N,)."""

    name: str
    unit: str
    x: Floats

    @property
    def speed(self) -> Floats:
        """(N,), its unit a sample."""
        return np.gradient(self.x)

    @property
    def per_unit(self) -> Floats:
        """(N,) samples by which one unit too much of it makes the model early: 1/x'; 0 where it stands."""
        speed = self.speed
        least = SLOW * float(np.max(np.abs(speed), initial=0.0))
        return np.asarray(speed / (speed**2 + least**2)) if least > 0.0 else np.zeros(len(speed))

    def shape(self, part: slice) -> Floats | None:
        """`per_unit` of the samples that count, where it is not a lateness by another name."""
        basis = self.per_unit[part]
        return None if np.std(basis) < STEADY * abs(np.mean(basis)) else basis


def of_all(cause: Cause, shown: Evidence, name: str, lead: Lead) -> Cause:
    """A channel's cause, looked at beside the other predicted channels and the way up to speed, where it may be lateness."""
    words, part = list(cause.named), shown.counted
    steady = lead.shape(part) is None
    if steady:
        words = [one for word in words for one in ((word, OFF) if word == LATE else (word,))]
    if steady and OFF not in words:
        return cause
    basis = np.ones(len(lead.x)) if steady else lead.per_unit
    late, share = _shift(shown, name, basis)
    others = [_shift(shown, other, basis) for other in shown.predicted if other not in (name, lead.name) and other in shown.measured]
    alike = [share >= ENOUGH and abs(one - late) <= ALIKE * abs(late) for one, share in others]
    if not steady and any(alike) and share >= ENOUGH:  # no other fault shifts two channels by one way
        off = way(shown.measured[name][part], shown.predicted[name][part], lead.x[part], late)
        return replace(cause, words=OFF, named=(OFF,), share=share, off=off)
    if others and not any(alike):
        words = [word for word in words if word != OFF] or words
    elif others and all(alike):
        words = [LED_LATE if word == LATE else word for word in words]
    speed = float(np.median(lead.speed[part]))
    if steady and OFF in words:
        dropped = _by_way_up(shown.measured[name], shown.predicted[name], lead, (late, late * speed), part.start)
        words = [word for word in words if word not in dropped]
    if words == list(cause.named):
        return cause
    return replace(cause, words=" or ".join(words), named=tuple(words), off=late * speed if steady else cause.off)


def way(measured: Floats, predicted: Floats, x: Floats, about: float) -> float:
    """By how much x (N,), what leads, is read too far: measured is what is predicted (N,) where x was that much less, going the same way.

    about: from a lateness, which is no longer small where x turns round.
    """
    turns = np.flatnonzero(np.diff(np.sign(np.gradient(x)))) + 1
    pieces = [slice(*ends) for ends in itertools.pairwise([0, *turns.tolist(), len(x)]) if ends[1] - ends[0] > 2]

    def left(off: float) -> float:
        rest, count = 0.0, 1
        for one in pieces:
            order = np.argsort(x[one])
            there, shown = x[one][order], predicted[one][order]
            inside = (x[one] - off >= there[0]) & (x[one] - off <= there[-1])
            rest += float(np.sum((measured[one] - np.interp(x[one] - off, there, shown))[inside] ** 2))
            count += int(np.count_nonzero(inside))
        return rest / count

    low, high = sorted((0.5 * about, 2.0 * about))
    return float(scipy.optimize.minimize_scalar(left, bounds=(low, high), method="bounded").x)


def _by_way_up(measured: Floats, predicted: Floats, lead: Lead, found: tuple[float, float], end: int) -> tuple[str, ...]:
    """What the way up before sample `end` refutes; found: lateness (samples), and as a way of the lead."""
    n, (late, off) = np.arange(float(len(predicted))), found
    up = (n < end) & (np.abs(lead.speed) < UP * abs(off / late)) if late else np.zeros(len(n), bool)
    if lead.unit == "rad":
        up &= np.abs(lead.x - lead.x[0]) > TURNS * 2.0 * math.pi
    as_late, as_off = (
        float(np.sum((measured - np.interp(n - shift, n, predicted))[up] ** 2)) for shift in (np.full(len(n), late), off * lead.per_unit)
    )
    if as_late > TELLING * as_off:
        return LATE, LED_LATE
    return (OFF,) if as_off > TELLING * as_late else ()


def _shift(shown: Evidence, name: str, basis: Floats) -> tuple[float, float]:
    """(how many times `basis`, in samples, a channel is late by, share of its difference that this explains)."""
    part = shown.counted
    measured, predicted = shown.measured[name][part], shown.predicted[name][part]
    found = lateness(LATE, measured, predicted, np.zeros((len(measured), 0)), basis[part, None])
    power = float(np.sum((measured - predicted) ** 2))
    return float(found.factors[0]), 1.0 - found.left / power if power > 0.0 else 0.0
