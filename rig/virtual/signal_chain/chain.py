"""One signal from the sensor to the terminal: the parts of a `Disturbance` that are not 0, in the order in which they stand in it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rig.config.disturbance import Disturbance
from rig.virtual.signal_chain.coloured_noise import ColouredNoise
from rig.virtual.signal_chain.hysteresis import Hysteresis
from rig.virtual.signal_chain.lateness import Lateness

Floats = NDArray[np.float64]

BEND = 1.5 * math.sqrt(3.0)
"""1 / the largest value of u - u^3 between 0 and 1."""


class Chain:
    """Of one signal, for the individual that the generator draws."""

    def __init__(self, disturbance: Disturbance, mains: np.random.Generator, own: np.random.Generator) -> None:
        """`mains` draws the phases of the hum, `own` the rest."""
        self._d = d = disturbance
        self._hum_phases = mains.uniform(0.0, 2.0 * math.pi, 1 + len(d.hum_harmonics))
        self._tone_phase = float(own.uniform(0.0, 2.0 * math.pi))
        self._noise = ColouredNoise(d.coloured_noise, d.noise_exponent, d.noise_lowest, d.noise_highest, own) if d.coloured_noise else None
        self._hysteresis = Hysteresis(d.hysteresis, d.full_scale) if d.hysteresis else None
        self._late = Lateness(d.delay, d.skew_ppm) if d.delay or d.skew_ppm else None
        self._shares = np.array([talk.share for talk in d.crosstalk])
        self._stays: float | None = None  # at this value, once it has failed

    def pass_on(self, times: Floats, values: Floats, others: Floats) -> Floats:
        """(m,) V at the terminal at times (m,), s; values (m,): the plant's signal, others (m, k): those that talk into it, all in V."""
        out, shown = self._sensed(times, values + others @ self._shares if len(self._shares) else values), times
        if self._late is not None:
            out, shown = self._late.pass_on(times, out), self._late.shown(times)
        out = self._failed(times, self._with_pick_up(shown, out))
        return np.clip(out, -self._d.saturation, self._d.saturation) if self._d.saturation else out

    def _sensed(self, times: Floats, values: Floats) -> Floats:
        d = self._d
        if self._hysteresis is not None:
            values = self._hysteresis.pass_on(values)
        if d.nonlinearity:
            u = np.clip(values / d.full_scale, -1.0, 1.0)
            values = values + d.nonlinearity * d.full_scale * BEND * (u - u**3)
        if d.gain_error or d.gain_drift:
            values = values * (1.0 + d.gain_error + d.gain_drift * times)
        return values + (d.zero + d.zero_drift * times) if d.zero or d.zero_drift else values

    def _failed(self, times: Floats, values: Floats) -> Floats:
        """What is left of it once it has failed."""
        if self._d.fault == "none" or not len(times) or times[-1] < self._d.fault_begin:
            return values
        first = int(np.searchsorted(times, self._d.fault_begin))
        if self._stays is None:
            self._stays = 0.0 if self._d.fault == "open" else float(values[first])
        return np.concatenate([values[:first], np.full(len(values) - first, self._stays)])

    def _with_pick_up(self, times: Floats, values: Floats) -> Floats:
        d = self._d
        if d.hum:
            for n, (share, phase) in enumerate(zip((1.0, *d.hum_harmonics), self._hum_phases, strict=True), 1):
                values = values + d.hum * share * np.sin(2.0 * math.pi * n * d.hum_frequency * times + phase)
        if self._noise is not None:
            values = values + self._noise.at(times)
        if d.interference:
            values = values + d.interference * np.sin(2.0 * math.pi * d.interference_frequency * times + self._tone_phase)
        return values
