"""What a running estimate has as channels: of each number its value and the ends of its interval, and how far it is to be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig.calculated.expression import ESTIMATED
from rig.config.spreads import CHANNELS, GAIN, ZERO, unit


def columns(keys: Sequence[str], units: Sequence[str]) -> list[tuple[str, str]]:
    """(name, SI unit) in the order of the stream: numbers, lower and upper ends of their intervals, numbers by the last cycle alone; share
    of what is called unexplained that it leaves, cycles since one was estimated."""
    names = [ESTIMATED + key.removeprefix(f"{CHANNELS}.").replace(".", "_") for key in keys]
    return [
        *zip(names, units, strict=True),
        *((f"{name}_{end}", one) for end in ("low", "high", "cycle") for name, one in zip(names, units, strict=True)),
        (f"{ESTIMATED}unexplained", "1"), (f"{ESTIMATED}age", "1"),
    ]  # fmt: skip


def units_of(keys: Sequence[str], mechanism: Mechanism, channels: Mapping[str, str]) -> dict[str, str]:
    """Name -> SI unit, of keys of [[identify.free]]; one that is none is left out: it is told where it stands."""
    found = []
    for key in keys:
        first, _, rest = key.partition(".")
        if first == CHANNELS:
            name, _, what = rest.rpartition(".")
            found.append((key, "1" if what == GAIN else channels.get(name, "1") if what == ZERO else "s"))
            continue
        try:
            found.append((key, unit(mechanism, key)))
        except (ModelError, LookupError, AttributeError):
            continue
    return dict(columns([key for key, _ in found], [its for _, its in found]))
