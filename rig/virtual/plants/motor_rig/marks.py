"""What tells where an axis is by edges: an encoder with two tracks and an index, a pickup that sees a tooth once a turn."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants.motor_rig.kernel import ENCODER, PICKUP

TURN = 2.0 * math.pi


@dataclass(frozen=True)
class Encoder:
    """Quadrature A, B and Z; A before B forwards, Z rises at `index_angle` for a quarter of a line, while A and B are high."""

    lines: int = field(default=1024, metadata={"at_least": 1, "doc": "a turn of the axis"})
    index_angle: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the axis, where Z rises"})
    silent: bool = field(default=False, metadata={"doc": "a fault: it gives no pulses"})


@dataclass(frozen=True)
class Pickup:
    """One pulse a turn."""

    angle: float = field(default=math.pi, metadata={"unit": "rad", "doc": "of the axis, where it rises (zhang1995: 180 deg)"})
    width: float = field(default=0.01, metadata={"unit": "rad", "over": 0.0, "below": TURN})
    silent: bool = field(default=False, metadata={"doc": "a fault: it gives no pulses"})
    missing: int = field(default=0, metadata={"at_least": 0, "doc": "a fault: each so manieth turn gives none; 0: none is missing"})
    doubled: int = field(default=0, metadata={"at_least": 0, "doc": "a fault: each so manieth turn gives two close together; 0: none does"})


def encoder_record(encoder: Encoder, axis: int, angle: float, error: float = 0.0) -> NDArray[np.void]:
    """A (1,) record of ENCODER on an axis that stands at `angle`; `error` (rad): how far its disc was turned when it was mounted."""
    made = np.zeros(1, ENCODER)
    quarter = TURN / (4.0 * encoder.lines)
    made["axis"], made["lines"], made["silent"] = axis, encoder.lines, encoder.silent
    made["zero"] = encoder.index_angle + error - quarter
    made["quarter"] = math.floor((angle - float(made["zero"][0])) / quarter)
    return made


def encoder_levels(record: NDArray[np.void]) -> tuple[bool, bool, bool]:
    """Levels of A, B and Z."""
    quarter = int(record["quarter"][0])
    if record["silent"][0]:
        return False, False, False
    return quarter % 4 in (0, 1), quarter % 4 in (1, 2), quarter % (4 * int(record["lines"][0])) == 1


def pickup_record(pickup: Pickup, axis: int, angle: float) -> NDArray[np.void]:
    """A (1,) record of PICKUP on an axis that stands at `angle`."""
    made = np.zeros(1, PICKUP)
    made["axis"], made["silent"], made["missing"], made["doubled"] = axis, pickup.silent, pickup.missing, pickup.doubled
    made["angle"], made["width"] = pickup.angle, pickup.width
    for flank, part in (("rises", 0.0), ("drops", 0.25), ("returns", 0.5), ("falls", 1.0)):
        made[flank] = math.floor((angle - pickup.angle - part * pickup.width) / TURN)
    return made


def pickup_level(record: NDArray[np.void]) -> bool:
    """Whether the tooth is before it."""
    one = record[0]
    turn = int(one["rises"])
    gone = bool(one["silent"]) or (one["missing"] > 0 and turn % int(one["missing"]) == int(one["missing"]) - 1)
    apart = one["doubled"] > 0 and turn % int(one["doubled"]) == int(one["doubled"]) - 1 and one["drops"] != one["returns"]
    return bool(one["rises"] != one["falls"]) and not gone and not apart
