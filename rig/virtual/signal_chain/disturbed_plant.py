"""A plant whose analogue outputs pass disturbed sensors, cables and conditioners: `[[disturbances]]` of a virtual bench."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rig.config.disturbance import Disturbance
from rig.config.pairing import meant
from rig.virtual.rig_plant import RigPlant
from rig.virtual.signal_chain.chain import Chain
from rig.virtual.wrapped_plant import WrappedPlant

Floats = NDArray[np.float64]

UNDISTURBED = "_undisturbed"
"""Behind the name of a disturbed signal: that signal as the plant gives it, a further output, to be wired beside the disturbed one."""
APART = 11
"""Of the generator: other numbers than the plant draws with the bench's seed."""


class DisturbedPlant(WrappedPlant):
    """Hum has the same phases on all signals of a bench, as they have one mains; everything else is a signal's own.

    Raises ValueError for a signal that there is not, or that has two tables.
    """

    def __init__(self, plant: RigPlant, disturbances: Sequence[Disturbance], seed: int) -> None:
        super().__init__(plant)
        own = plant.analogue_outputs
        names = [one.signal for one in disturbances]
        if twice := [name for n, name in enumerate(names) if name in names[:n]]:
            raise ValueError(f"disturbances: {twice[0]} has two tables; put their keys into one")
        for n, one in enumerate(disturbances):
            asked = [("signal", one.signal), *((f"crosstalk[{k}].of", talk.of) for k, talk in enumerate(one.crosstalk))]
            if lost := [(key, name) for key, name in asked if name not in own]:
                key, name = lost[0]
                known = f"expected a signal of the plant, which has {', '.join(own) or 'none'}"
                raise ValueError(f"disturbances[{n}].{key}: {known}; got {name!r}{meant(name, own)}")
        self.analogue_outputs = (*own, *(name + UNDISTURBED for name in names))
        shifted = {one.signal for one in disturbances if one.zero or one.zero_drift}
        self.alternating = tuple(name for name in plant.alternating if name not in shifted)
        self._columns = [own.index(name) for name in names]
        self._others = [[own.index(talk.of) for talk in one.crosstalk] for one in disturbances]
        self._chains = [
            Chain(one, np.random.default_rng([seed, APART]), np.random.default_rng([seed, APART, column]))
            for one, column in zip(disturbances, self._columns, strict=True)
        ]

    def advance(self, times: Floats, volts: Floats, lines: NDArray[np.bool_]) -> Floats:
        """See `Plant`: behind the plant's outputs, the disturbed ones as they were."""
        out = self._plant.advance(times, volts, lines)
        times = np.asarray(times, dtype=np.float64)
        true = out[:, self._columns].copy()
        shown = [
            chain.pass_on(times, true[:, n], out[:, others])
            for n, (chain, others) in enumerate(zip(self._chains, self._others, strict=True))
        ]
        for column, values in zip(self._columns, shown, strict=True):
            out[:, column] = values
        return np.hstack([out, true])
