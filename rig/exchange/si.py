"""Units as other programs write them, in SI, by pint."""

from __future__ import annotations

from functools import lru_cache

from rig.config.units.quantities import MORE_SI, WORDS, is_unit, no_unit, registry, same_signs

SPELLED = {
    "": "1", "-": "1", "none": "1", "[-]": "1", "Nm": "N*m", "kNm": "kN*m", "Nmm": "N*mm", "mNm": "mN*m", "N.m": "N*m",
    "N·m": "N*m", "°C": "degC", "C": "degC", "°F": "degF", "°": "deg", "m/s2": "m/s^2", "m/s²": "m/s^2",
    "mm/s2": "mm/s^2", "mm/s²": "mm/s^2", "m/s/s": "m/s^2", "m/s**2": "m/s^2", "rad/s2": "rad/s^2", "rad/s²": "rad/s^2",
    "g": "standard_gravity", "G": "standard_gravity", "mg": "mstandard_gravity", "%": "percent", "µm/m": "um/m",
    "µE": "um/m", "uE": "um/m", "µepsilon": "um/m", "ustrain": "um/m", "U/min": "rpm", "sec": "s", "secs": "s",
    "msec": "ms", "usec": "us", "kn": "kN", "Volts": "V", "Volt": "V", "volts": "V", "Amps": "A", "Newton": "N",
    "Newtons": "N",
}  # fmt: skip
"""What pint reads as another unit, or not at all, is meant so in a recording: Nm is no nanometre there, g and mg are no masses."""
MORE = (
    "rad",
    "W",
    "J",
    "m^2",
    "m^3",
    "m^3/s",
    "kg/s",
    "N*s",
    "N*s/m",
    "N*m/rad",
    "Hz",
    "C",
    "T",
    "H",
    "F",
    "S",
    "lm",
    "cd",
    "mol",
    "kg/m^3",
)


class NoUnit(ValueError):
    """A text that is no unit; says why."""


@lru_cache(maxsize=1024)
def si(unit: str) -> tuple[str, float, float]:
    """(SI unit, factor, zero): value in SI = factor * value + zero. Raises NoUnit."""
    text = unit.strip()
    name = SPELLED.get(text, same_signs(text).replace("²", "^2").replace("³", "^3").replace("·", "*"))
    if name == "1":
        return "1", 1.0, 0.0
    if not is_unit(name):
        why = no_unit(name)
        raise NoUnit(f"{unit[:40]!r} is not a unit{f' ({why})' if why else ''}")
    one = registry().parse_units(name)
    angular = ("rad/s", "rad/s^2", "N*m/rad") if _is_angle(str(one)) else ()  # to pint an angle is no dimension
    for known in (*angular, *WORDS, *MORE_SI, *MORE):
        wanted = registry().parse_units("dimensionless" if known == "1" else known)
        if known != "B" and one.is_compatible_with(wanted) and (one.dimensionless == (known in ("1", "rad"))):
            if one.dimensionless:
                known = "rad" if _is_angle(str(one)) else "1"
                wanted = registry().parse_units("radian" if known == "rad" else "dimensionless")
            at = [float(registry().Quantity(x, one).to(wanted).magnitude) for x in (0.0, 1.0)]
            return known, at[1] - at[0] if at[0] else at[1], at[0]
    base = registry().Quantity(1.0, one).to_base_units()
    return f"{base.units:~C}".replace("**", "^"), float(base.magnitude), 0.0


def _is_angle(name: str) -> bool:
    return any(word in name for word in ("radian", "degree", "turn", "revolution", "grad", "arc"))
