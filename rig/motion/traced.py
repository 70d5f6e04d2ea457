"""Samples and states of the model along a test, from which its motion is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rig.motion.parts import Floats


@dataclass(frozen=True)
class Traced:
    """time (M,) s from sample 0 of the record on; channels: (M,) each; state (M, states), of which those in front suffice that
    `rig.motion.drawing` calls coordinates; empty where channels say it all."""

    time: Floats
    channels: Mapping[str, Floats]
    state: Floats
