"""Analogue signals and digital lines that fail, on their way from the plant to a terminal or from a terminal to the plant."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.config.injection import Injection

Floats = NDArray[np.float64]


class SpoiltSignal:
    """One analogue signal while an injection is there."""

    def __init__(self, injection: Injection, seed: int) -> None:
        self._injection = injection
        self._dice = np.random.default_rng([seed, 23])
        self._stays: float | None = None

    def pass_on(self, times: Floats, values: Floats) -> Floats:
        """(m,) V in place of values (m,) at times (m,), s."""
        what, value = self._injection.what, self._injection.value
        if what == "frozen":
            if self._stays is None and len(values):
                self._stays = float(values[0])
            return np.full(len(values), self._stays)
        if what == "constant":
            return np.full(len(values), value)
        if what == "nan":
            return np.full(len(values), np.nan)
        if what == "gain":
            return values * value
        if what == "noise":
            return values + value * self._dice.standard_normal(len(values))
        return values + (value if what == "offset" else value * (times - self._injection.begin))


class SpoiltLine:
    """One digital line."""

    def __init__(self, injection: Injection) -> None:
        self._injection = injection
        self._stays: bool | None = None

    def level(self, high: bool) -> bool:
        """In place of `high`."""
        if self._injection.what == "constant":
            return self._injection.value != 0.0
        self._stays = high if self._stays is None else self._stays
        return self._stays
