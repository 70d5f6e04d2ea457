"""The virtual frame with more instruments on it: further outputs, each a signal of the frame through a conditioner of its own.

A load cell's bare bridge, strain-gauged links, chamber pressures, second accelerometers: what a bench with many channels has beside the
frame's own monitors. Each has its own gain, offset and noise; the motion behind it is the frame's.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field

import numba
import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants import linkage_frame
from rig.virtual.plants.servo_frame.frame import LinkageFrame
from rig.virtual.plants.servo_frame.noise import NANOSECONDS, ROUNDING, mixed
from rig.virtual.rig_plant import RigPlant

NOISE_SEED = 2**40  # apart from the bench's own: the instruments' noise is not that of the frame's signals


@dataclass(frozen=True)
class Instrument:
    """One further output: volts = gain * (volts of the frame's signal `of`) + offset + noise."""

    signal: str = field(metadata={"doc": "name of the output, for the wiring"})
    of: str = field(metadata={"doc": "output of the frame that it follows"})
    gain: float = field(default=1.0, metadata={"unit": "1", "doc": "volts for one volt of the frame's output"})
    offset: float = field(default=0.0, metadata={"unit": "V"})
    noise: float = field(default=0.0, metadata={"unit": "V", "at_least": 0.0, "doc": "rms"})


@dataclass(frozen=True)
class Config(linkage_frame.Config):
    """A frame, and what is mounted on it."""

    instruments: tuple[Instrument, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        own = LinkageFrame.analogue_outputs
        names = [instrument.signal for instrument in self.instruments]
        for instrument in self.instruments:
            if instrument.of not in own:
                raise ValueError(f"instruments: {instrument.signal} follows {instrument.of!r}; the frame has {', '.join(own)}")
            if instrument.signal in own or names.count(instrument.signal) > 1:
                raise ValueError(f"instruments: there is more than one signal called {instrument.signal!r}")

    def create(self, seed: int) -> RigPlant:
        """See `PlantSettings`."""
        return InstrumentedFrame(self, seed)


_F = numba.float64
_compiled = functools.partial(numba.njit, cache=True, nogil=True)
_MASK = 0xFFFF
_MEAN, _DEVIATION = 8 * _MASK / 2, math.sqrt(8 * (2.0**32 - 1.0) / 12.0)


def _near_normal(seed: int, signal: int, time: float) -> float:
    """One value of mean 0 and deviation 1 for `signal` at `time` (s): a sum of eight uniform ones, normal to within 4.9 deviations.

    A function of its arguments alone, as `frame_noise.gaussian` is, at a sixth of its cost: there are many of these signals.
    """
    instant = np.uint64(np.int64(np.floor(time * NANOSECONDS + ROUNDING)))
    first = mixed(mixed(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * np.uint64(signal + 1)) ^ instant)
    second = mixed(first + np.uint64(0x9E3779B97F4A7C15))
    total = 0.0
    for word in (first, second):
        for shift in (0, 16, 32, 48):
            total += float((word >> np.uint64(shift)) & np.uint64(_MASK))
    return (total - _MEAN) / _DEVIATION


near_normal = _compiled(_F(numba.int64, numba.int64, _F))(_near_normal)


def _observe(
    frame: NDArray[np.float64], columns: NDArray[np.int64], scale: NDArray[np.float64], times: NDArray[np.float64], seed: int,
    out: NDArray[np.float64],
) -> None:  # fmt: skip
    """Fill out (m, frame + k): the frame's outputs (m, frame), then gain, offset and rms of scale (3, k) on its `columns` (k,)."""
    own = frame.shape[1]
    for i in range(frame.shape[0]):
        for j in range(own):
            out[i, j] = frame[i, j]
        for k in range(len(columns)):
            noise = scale[2, k] * near_normal(seed, k, times[i]) if scale[2, k] > 0.0 else 0.0
            out[i, own + k] = scale[0, k] * frame[i, columns[k]] + scale[1, k] + noise


observe = _compiled(numba.void(_F[:, ::1], numba.int64[::1], _F[:, ::1], _F[::1], numba.int64, _F[:, ::1]))(_observe)


class InstrumentedFrame(RigPlant):
    """A `LinkageFrame` with more instruments on it."""

    analogue_inputs = LinkageFrame.analogue_inputs
    digital_inputs = LinkageFrame.digital_inputs
    digital_outputs = LinkageFrame.digital_outputs

    def __init__(self, config: Config, seed: int) -> None:
        self.frame = LinkageFrame(config, seed)
        self.heartbeat_timeout = config.heartbeat_timeout
        own = self.frame.analogue_outputs
        self.analogue_outputs = (*own, *(instrument.signal for instrument in config.instruments))
        coupled = self.frame.alternating
        self.alternating = (*coupled, *(one.signal for one in config.instruments if one.of in coupled and one.offset == 0.0))
        self._columns = np.array([own.index(instrument.of) for instrument in config.instruments], dtype=np.int64)
        scale = [(instrument.gain, instrument.offset, instrument.noise) for instrument in config.instruments]
        self._scale = np.ascontiguousarray(np.array(scale).reshape(-1, 3).T)
        self._noise_seed = seed ^ NOISE_SEED

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        """See `Plant`. (m, frame's outputs + instruments) V."""
        frame = self.frame.advance(times, volts, lines)
        out = np.empty((len(times), len(self.analogue_outputs)))
        observe(frame, self._columns, self._scale, np.ascontiguousarray(times, dtype=np.float64), self._noise_seed, out)
        return out

    @property
    def armed(self) -> bool:
        """A program runs: only the heartbeat, or the client, keeps the frame from interlocking."""
        return self.frame.armed

    def read_lines(self) -> NDArray[np.bool_]:
        """As the frame's."""
        return self.frame.read_lines()

    def take_events(self) -> list[tuple[float, str, str]]:
        """As the frame's."""
        return self.frame.take_events()
