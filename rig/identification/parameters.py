"""The free numbers of a fit: of the mechanism by its keys, of a channel as `channels.NAME.gain`, `.zero` or `.delay`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from model.ensemble import changed
from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig.budget.specimens import Reading
from rig.comparison.delays.fractional_shift import Shifted
from rig.comparison.series import Series
from rig.config.bench import InputChannel
from rig.config.experiment import Free
from rig.config.spreads import DELAY, GAIN, OF_CHANNEL, ZERO, FreeNumber, free_number
from rig.config.units.quantities import QuantityError
from rig.errors import ConfigError

Floats = NDArray[np.float64]


def parameters(free: Sequence[Free], mechanism: Mechanism, channels: Sequence[InputChannel]) -> list[FreeNumber]:
    """Raises ConfigError for a key that stands for no number, bounds that are none, and a channel that there is not."""
    if not free:
        raise ConfigError(
            "identify.free: missing; expected [[identify.free]] with key, minimum and maximum, as "
            'key = "clearance", minimum = "0.1 mm", maximum = "1 mm"'
        )
    known = {channel.name: channel for channel in channels}
    found = [_parameter(one, f"identify.free[{k}]", mechanism, known) for k, one in enumerate(free)]
    if twice := {one.key for one in found if sum(other.key == one.key for other in found) > 1}:
        raise ConfigError(f"identify.free: {', '.join(sorted(twice))} twice")
    return found


def _parameter(one: Free, at: str, mechanism: Mechanism, channels: Mapping[str, InputChannel]) -> FreeNumber:
    try:
        return free_number(one, mechanism, channels)
    except (ModelError, QuantityError, LookupError) as error:
        raise ConfigError(f"{at}: {str(error.args[0]).removeprefix('ensemble: ')}") from error


def with_values(mechanism: Mechanism, free: Sequence[FreeNumber], values: Floats) -> Mechanism:
    """The mechanism with these values (SI). Raises ModelError for what it does not take."""
    given = {one.key: float(value) for one, value in zip(free, values, strict=True) if not one.channel}
    try:
        return changed(mechanism, given) if given else mechanism
    except ValueError as error:
        raise ModelError(f"{', '.join(f'{key} = {value:g}' for key, value in given.items())}: {error}") from error


def as_read(predicted: Mapping[str, Series], free: Sequence[FreeNumber], values: Floats, rate: float) -> Mapping[str, Series]:
    """What channels show whose gain, zero or delay is free."""
    read = dict(predicted)
    for name in {one.channel for one in free if one.channel}:
        own = {one.what: float(value) for one, value in zip(free, values, strict=True) if one.channel == name}
        read[name] = _Read(predicted[name], {**OF_CHANNEL, **own}, rate)
    return read


class _Read:
    """A channel (N,) as gain times value plus zero, late by delay (s)."""

    def __init__(self, x: Series, own: Mapping[str, float], rate: float) -> None:
        self._x: Series = Shifted(x, own[DELAY] * rate) if own[DELAY] else x
        self._gain, self._zero = own[GAIN], own[ZERO]

    def __len__(self) -> int:
        return len(self._x)

    def __getitem__(self, part: slice) -> Floats:
        return np.asarray(self._gain * self._x[part] + self._zero)


def unlike_its_record(reading: Reading, name: str, free: Sequence[FreeNumber]) -> Reading:
    """How a specimen's channel reads beside what is free: a free gain or zero is not spread as well."""
    own = {one.what for one in free if one.channel == name}
    return replace(reading, gain=1.0 if GAIN in own else reading.gain, zero=0.0 if ZERO in own else reading.zero)
