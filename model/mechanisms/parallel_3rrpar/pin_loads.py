"""What the pins of R1 and R3 press with in their bushes along a path, and how fast they move there: what a step has to follow.

The force is that of ideal joints. Pins that have parted knock harder: of them a fixed step has to bear KNOCKING times as much.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from model.floats import Floats
from model.mechanisms.parallel_3rrpar import ideal
from model.mechanisms.parallel_3rrpar.config import Config, contact_stiffness
from model.paths.course import Course

GRID, POINTS = 1e3, 5000  # Hz and most points of the path that are looked at
KNOCKING = 2.0


def times(lasting: float) -> Floats:
    """At which a path that is followed for `lasting` s is looked at, s."""
    return np.linspace(0.0, lasting, int(min(max(math.ceil(lasting * GRID), 1), POINTS)) + 1)


def force(config: Config, path: Course, lasting: float) -> float:
    """Largest across a joint with clearance while the path is followed for `lasting` s, N."""
    return float(np.max(ideal.loads(config, *path.evaluate(times(lasting))).radial[..., loose(config)]))


def loose(config: Config) -> list[int]:
    """The pins that have clearance: 0 that of R1, 1 that of R3."""
    return [pin for pin, clearance in enumerate(config.clearances) if clearance > 0.0]


def lightness(config: Config) -> float:
    """Of pin against bush, 1/kg: the platform, a short bar and half of what hangs on it."""
    return float(1.0 / config.platform.mass + 1.0 / (config.short.mass + 0.5 * config.bars.mass))


def vibration(config: Config, pressed: float) -> float:
    """Of the pin with the least clearance in its bush under that force (N), rad/s."""
    n, stiffness = float(config.contact.exponent), max(contact_stiffness(config, pin) for pin in loose(config))
    slope = n * stiffness * (pressed / stiffness) ** (1.0 - 1.0 / n)
    return float(math.sqrt(slope * lightness(config)))


def rubbing(config: Config, pressed: float) -> float:
    """Rate at which friction stops a pin that slides slower than friction_whole_above, 1/s."""
    bars, short = config.bars, config.short
    turning = config.bush_radius**2 / (2.0 * short.jx + (bars.mass + short.mass) * bars.length**2)
    rising = config.friction / (config.friction_whole_above - config.friction_none_below)
    return float(rising * pressed * (lightness(config) + turning))


def modes(config: Config, pressed: float) -> NDArray[np.complex128]:
    """Eigenvalues of a pin in its bush, 1/s."""
    fastest = vibration(config, pressed)
    return np.array([1j * fastest, -1j * fastest, -rubbing(config, pressed)])


def said(config: Config, pressed: float) -> str:
    """The same in words."""
    if pressed == 0.0:
        return "nothing presses"
    period = 2.0 * math.pi / vibration(config, pressed)
    told = f"pins that press with {pressed:.3g} N vibrate in their bushes with a period of {period:.3g} s"
    if config.friction > 0.0:
        told += f", and friction stops them within {1.0 / rubbing(config, pressed):.3g} s where they slide at less than "
        told += f"{config.friction_whole_above:g} m/s"
    return told
