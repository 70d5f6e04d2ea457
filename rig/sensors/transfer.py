"""From a predicted quantity to what its sensor would have shown: the transfer that a sensor record describes.

In the order of the signal path: the weight's part (accelerometers that feel gravity), AC coupling (one pole), amplifier low-pass
(Butterworth, 1 or 2 poles), delay, range.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.mechanism import Mechanism
from rig.config.bench import InputChannel
from rig.signals.butterworth import Cascade, highpass, lowpass

Signal = NDArray[np.float64]


class Delay:
    """A delay by any number of samples; between samples by a third-order Lagrange interpolation."""

    def __init__(self, samples: float) -> None:
        whole = math.floor(samples)
        fraction = samples - whole
        if fraction == 0.0:
            taps = np.array([1.0])
        else:
            # Centred where possible: the interpolator itself needs one sample before the fraction.
            lead = min(whole, 1)
            whole, fraction = whole - lead, fraction + lead
            nodes = np.arange(4.0)
            taps = np.array([np.prod([(fraction - m) / (n - m) for m in nodes if m != n]) for n in nodes])
        self._taps = np.concatenate([np.zeros(whole), taps])
        self._past: Signal | None = None

    def apply(self, block: Signal) -> Signal:
        """The next (k,) samples, delayed; before the first sample the signal stood at its value."""
        if len(block) == 0 or len(self._taps) == 1:
            return block
        reach = len(self._taps) - 1
        if self._past is None:
            self._past = np.full(reach, block[0])
        longer = np.concatenate([self._past, block])
        self._past = longer[-reach:].copy()
        used = np.flatnonzero(self._taps)
        return np.asarray(sum(self._taps[j] * longer[reach - j : len(longer) - j] for j in used))


class Transfer:
    """One channel as measured."""

    def __init__(self, channel: InputChannel, rate: float) -> None:
        sensor = channel.sensor
        self._stages: list[Cascade | Delay] = []
        if sensor.coupling is not None:
            self._stages.append(Cascade(highpass(sensor.coupling, rate)))
        if sensor.bandwidth is not None and sensor.bandwidth < rate / 2:
            self._stages.append(Cascade(lowpass(sensor.bandwidth_poles, sensor.bandwidth, rate)))
        if sensor.delay > 0.0:
            self._stages.append(Delay(sensor.delay * rate))
        self._low, self._high = channel.ends

    def apply(self, block: Signal) -> Signal:
        """The next (k,) samples of the quantity, as the channel would show them."""
        for stage in self._stages:
            block = stage.apply(block)
        return np.clip(block, self._low, self._high)


class Sensed:
    """Channels of a mechanism's prediction, as the bench's inputs that show them would have. `channels`: (name of the input, unit), in the
    mechanism's order."""

    def __init__(self, mechanism: Mechanism, inputs: Mapping[str, InputChannel], rate: float, without: Collection[str] = ()) -> None:
        """`without`: channels of the mechanism that are left out although there is an input."""
        channels: Sequence[tuple[str, str]] = mechanism.channels
        shown = [
            (k, one) for k, (name, _) in enumerate(channels) for one in inputs.values() if one.quantity == name and name not in without
        ]
        self._columns = [k for k, _ in shown]
        self.channels = tuple((one.name, channels[k][1]) for k, one in shown)
        self._transfers = [Transfer(one, rate) for _, one in shown]
        self._heavy = {n: one.quantity for n, (_, one) in enumerate(shown) if one.sensor.feels_gravity}
        self._mechanism = mechanism

    def apply(self, predicted: Signal) -> Signal:
        """The next (k, all of the mechanism's channels) samples -> (k, those that are sensed)."""
        shown = predicted[:, self._columns]
        if self._heavy:
            weight = self._mechanism.shown_weight(predicted)
            for k, quantity in self._heavy.items():
                shown[:, k] += weight[quantity]
        return np.column_stack([one.apply(np.ascontiguousarray(shown[:, k])) for k, one in enumerate(self._transfers)])
