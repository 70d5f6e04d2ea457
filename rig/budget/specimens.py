"""Specimens that are as the drawing says: numbers within their spreads, a law that is one of several, sensors within their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.ensemble import drawn
from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig.comparison.series import Series, pieces
from rig.config.bench import InputChannel
from rig.config.experiment import Budget
from rig.config.spreads import all_in_si
from rig.sensors.uncertainty import COVERAGE, share_of_reading

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reading:
    """How one channel reads: value * gain + zero + noise (rms), zero and noise in the channel's unit."""

    gain: float
    zero: float
    noise: float
    seed: tuple[int, ...]

    def of(self, true: Series) -> Floats:
        """What is read (N,) where `true` (N,) is."""
        noise = np.random.default_rng(self.seed)
        parts = [np.empty(0)]
        for part in pieces(0, len(true)):
            value = true[part]
            parts.append(self.gain * value + self.zero + self.noise * noise.standard_normal(len(value)))
        return np.concatenate(parts)


@dataclass(frozen=True)
class Specimen:
    """One specimen on its bench. readings: by channel; offset: of the encoder's counts, as a share of one (0 to 1); late: its motion, s."""

    mechanism: Mechanism
    readings: dict[str, Reading]
    offset: float
    late: float


def specimens(mechanism: Mechanism, budget: Budget, channels: Sequence[InputChannel]) -> list[Specimen]:
    """`budget.specimens` of them, the same for the same seed, with a reading for each of the bench's channels.

    Raises ModelError for a spread or law that the mechanism does not take.
    """
    chance = np.random.default_rng([budget.seed, 2])
    made = []
    for n, one in enumerate(drawn(mechanism, all_in_si(mechanism, budget.spread), budget.specimens, budget.seed)):
        law = str(chance.choice(budget.laws)) if budget.laws else ""
        readings = {channel.name: _reading(channel, chance, (budget.seed, 3, n, k)) for k, channel in enumerate(channels)}
        made.append(Specimen(_under(one, law), readings, float(chance.random()), budget.late * float(chance.random())))
    return made


def _under(mechanism: Mechanism, law: str) -> Mechanism:
    try:
        return mechanism.with_contact_law(law) if law else mechanism
    except ValueError as error:
        raise ModelError(f"laws: {error}") from error


def _reading(channel: InputChannel, chance: np.random.Generator, seed: tuple[int, ...]) -> Reading:
    """Within the expanded uncertainty (k = 2), normally; nothing for a sensor whose record says nothing."""
    sensor = channel.sensor
    share, zero = share_of_reading(sensor) or 0.0, sensor.zero_uncertainty or 0.0
    gain_error, zero_error = (float(np.clip(chance.standard_normal(), -COVERAGE, COVERAGE)) / COVERAGE for _ in range(2))
    return Reading(1.0 + share * gain_error, zero * zero_error, sensor.noise or 0.0, seed)
