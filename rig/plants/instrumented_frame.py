"""The virtual frame with more instruments on it: further outputs, each a signal of the frame through a conditioner of its own.

A load cell's bare bridge, strain-gauged links, chamber pressures, second accelerometers: what a bench with many channels has beside the
frame's own monitors. Each has its own gain, offset and noise; the motion behind it is the frame's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.plants import linkage_frame
from rig.plants.frame_noise import add_noise
from rig.plants.linkage_frame import LinkageFrame

NOISE_SEED = 2**32  # beyond the bench's: the instruments' noise is not that of the frame's signals


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


class InstrumentedFrame:
    """A `drivers.simulated.plant.Plant`."""

    analogue_inputs = LinkageFrame.analogue_inputs
    digital_inputs = LinkageFrame.digital_inputs
    digital_outputs = LinkageFrame.digital_outputs

    def __init__(self, config: Config, seed: int) -> None:
        self.frame = LinkageFrame(config, seed)
        self.heartbeat_timeout = config.heartbeat_timeout
        own = self.frame.analogue_outputs
        self.analogue_outputs = (*own, *(instrument.signal for instrument in config.instruments))
        self._columns = np.array([own.index(instrument.of) for instrument in config.instruments], dtype=np.intp)
        self._gains = np.array([instrument.gain for instrument in config.instruments])
        self._offsets = np.array([instrument.offset for instrument in config.instruments])
        self._rms = np.array([instrument.noise for instrument in config.instruments])
        self._ages = np.zeros(len(config.instruments))
        self._noise_seed = seed + NOISE_SEED

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        """See `Plant`. (m, frame's outputs + instruments) V."""
        frame = self.frame.advance(times, volts, lines)
        more = np.take(frame, self._columns, axis=1) * self._gains + self._offsets
        add_noise(more, np.ascontiguousarray(times, dtype=np.float64), self._rms, self._ages, self._noise_seed)
        return np.concatenate([frame, more], axis=1)

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


def create(config: Config, seed: int) -> InstrumentedFrame:
    """The individual that `seed` draws, at rest, interlocked, pressure off."""
    return InstrumentedFrame(config, seed)
