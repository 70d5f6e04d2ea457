"""Limits act on net and on gross: a tare must not hide what the load cell and the frame really carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rig.checks.limits import ALWAYS, Bound, LimitCheck, Moment, Passed, like


class TaredLimitCheck:
    """A LimitCheck over net values that looks at the gross ones of tared channels as well. tares: channel -> gross minus net."""

    def __init__(
        self,
        limits: Sequence[Bound],
        names: Sequence[str],
        rate: float,
        tares: Mapping[str, float],
        ends: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        doubled = [limit for limit in limits if tares.get(limit.channel) and (limit.minimum is not None or limit.maximum is not None)]
        self._tared = list(dict.fromkeys(limit.channel for limit in doubled))
        self._columns = [list(names).index(name) for name in self._tared]
        self._tares = np.array([tares[name] for name in self._tared])
        self._real = {f"{name} (gross)": name for name in self._tared}
        # A rate is the same for both.
        gross = [like(one, f"{one.channel} (gross)", one.minimum, one.maximum) for one in doubled]
        self._check = LimitCheck([*limits, *gross], [*names, *self._real], rate, ends)

    def check(self, first: int, block: NDArray[np.float64], moment: Moment = ALWAYS) -> list[Passed]:
        """See `LimitCheck.check`; block (k, channels) holds net values."""
        if self._tared:
            block = np.column_stack([block, block[:, self._columns] + self._tares])
        passed = self._check.check(first, block, moment)
        return [replace(one, channel=self._real[one.channel], gross=True) if one.channel in self._real else one for one in passed]
