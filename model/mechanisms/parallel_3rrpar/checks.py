"""Whether the 3-RRPaR mechanism of a configuration can be built."""

from __future__ import annotations

import math
from typing import Any

CLEARANCES = ("clearance", "clearance_r1", "clearance_r3")
ELBOWS = ("+x", "-x")
POINTS = ("m13", "r2", "centroid")
POSITIVE = (
    ("geometry", ("motor_offset", "arm_length", "short_length", "joint_x")),
    ("arm", ("mass", "jx", "jy", "jz")),
    ("short", ("mass", "jx", "jy", "jz")),
    ("bars", ("length", "width", "density", "youngs_modulus")),
    ("platform", ("mass", "jx", "jy", "jz")),
)


def check(config: Any) -> None:
    """Raise ValueError for what cannot be built; names the quantity."""
    _check_numbers(config)
    for name in CLEARANCES:
        clearance = getattr(config, name)
        if clearance is not None and not 0.0 <= clearance < config.bush_radius:
            raise ValueError(
                f"{name}: expected at least 0 and less than the bush's radius, {config.bush_radius * 1e3:g} mm; "
                f"got {clearance * 1e3:g} mm; it is radial, the bush's minus the pin's radius"
            )
    if not config.friction_none_below < config.friction_whole_above:
        raise ValueError(
            f"friction_none_below: expected less than friction_whole_above, {config.friction_whole_above:g} m/s; "
            f"got {config.friction_none_below:g} m/s"
        )
    for name, choices in (("elbow2", ELBOWS), ("point", POINTS)):
        if getattr(config.variant, name) not in choices:
            raise ValueError(f"variant.{name}: expected one of {', '.join(choices)}; got {getattr(config.variant, name)!r}")
    if not 0.0 <= config.bars.poisson_ratio < 0.5:
        raise ValueError(f"bars.poisson_ratio: expected at least 0 and less than 0.5, got {config.bars.poisson_ratio:g}")


def _check_numbers(config: Any) -> None:
    for part, names in (("", ("bush_radius", "friction_whole_above", "condition_limit", "joint_speed_limit")), *POSITIVE):
        for name in names:
            value = getattr(getattr(config, part) if part else config, name)
            if not 0.0 < value < math.inf:
                raise ValueError(f"{part + '.' if part else ''}{name}: expected more than 0 and finite, got {value:g}")
    for name in ("friction", "friction_none_below"):
        if not 0.0 <= getattr(config, name) < math.inf:
            raise ValueError(f"{name}: expected at least 0, got {getattr(config, name):g}")
    places = [("geometry.pivot2_y", config.geometry.pivot2_y), ("geometry.pivot2_z", config.geometry.pivot2_z)]
    places += [("geometry.joint_y", config.geometry.joint_y), ("variant.a2x", config.variant.a2x), ("gravity", config.gravity)]
    for name, value in places:
        if not math.isfinite(value):
            raise ValueError(f"{name}: expected a finite number, got {value:g}")
