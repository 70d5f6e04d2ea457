"""Universal files by their specification, column by column, independent of any library: datasets 58 (text and binary) and 164."""

from __future__ import annotations

import struct
from collections.abc import Sequence

VALUES = [0.0, 1.5, -3.0, 4.5, 6.0, -7.5, 9.0]


def axis(kind: int, unit: str = "NONE", exponents: Sequence[int] = (0, 0, 0), name: str = "NONE") -> str:
    """Records 8 to 11, I10,3I5,2(1X,20A1)."""
    return f"{kind:10d}" + "".join(f"{one:5d}" for one in exponents) + f" {name:<20} {unit:<20}"


def header(
    count: int,
    *,
    name: str = "force",
    kind: int = 1,
    direction: int = 1,
    ordinate_type: int = 4,
    even: int = 1,
    increment: float = 0.01,
    abscissa: str = axis(17, "s", name="Time"),
    ordinate: str = axis(13, "N", name="Force"),
    denominator: str = axis(0),
) -> list[str]:
    """The eleven records before the values."""
    whose = f"{kind:5d}{1:10d}{1:5d}{0:10d} {'NONE':<10}{1:10d}{direction:4d} {'NONE':<10}{1:10d}{1:4d}"
    form = f"{ordinate_type:10d}{count:10d}{even:10d}{0.0:13.5E}{increment * even:13.5E}{0.0:13.5E}"
    return [f"{text:<80}" for text in (name, "run", "01-Jan-26 12:00:00", "NONE", "NONE")] + [
        whose,
        form,
        abscissa,
        ordinate,
        denominator,
        axis(0),
    ]


def text(values: Sequence[float] = VALUES, times: Sequence[float] | None = None, records: list[str] | None = None, **keys: object) -> str:
    """Dataset 58 in text: 6E13.5, 4E20.12, or with times 3(E13.5,E13.5), 2(E13.5,E20.12)."""
    head = records or header(len(values), even=int(times is None), **keys)  # type: ignore[arg-type]
    single = keys.get("ordinate_type") == 2
    y = "{:13.5E}" if single else "{:20.12E}"
    cells = (
        [y.format(value) for value in values] if times is None else [f"{t:13.5E}{y.format(v)}" for t, v in zip(times, values, strict=True)]
    )
    per_line = (6 if single else 4) if times is None else (3 if single else 2)
    lines = ["".join(cells[n : n + per_line]) for n in range(0, len(cells), per_line)]
    return "\n".join(["    -1", f"{58:6d}", *head, *lines, "    -1"]) + "\n"


def binary(
    values: Sequence[float] = VALUES, times: Sequence[float] | None = None, order: str = "<", form: int = 2, **keys: object
) -> bytes:
    """Dataset 58b: times in single precision, no line end behind the values."""
    y = "f" if keys.get("ordinate_type") == 2 else "d"
    pairs = [(value,) for value in values] if times is None else list(zip(times, values, strict=True))
    data = b"".join(struct.pack(f"{order}{y if times is None else 'f' + y}", *pair) for pair in pairs)
    first = f"{58:6d}b{1 if order == '<' else 2:6d}{form:6d}{11:12d}{len(data):12d}{0:6d}{0:6d}{0:12d}{0:12d}"
    head = header(len(values), even=int(times is None), **keys)  # type: ignore[arg-type]
    return "\n".join(["    -1", first, *head, ""]).encode() + data + b"    -1\n"


def units(code: int, length: float, force: float) -> str:
    """Dataset 164, with the exponents of Fortran's double precision."""
    factors = "".join(f"{one:25.17E}" for one in (length, force, 1.0)).replace("E", "D")
    return (
        "\n".join(["    -1", f"{164:6d}", f"{code:10d}{'as it is':<20}{2:10d}", factors, f"{273.15:25.17E}".replace("E", "D"), "    -1"])
        + "\n"
    )
