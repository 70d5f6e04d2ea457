"""A loader on a serial line, as `serial_axis` drives one: its controller runs a waveform, and is asked to go on while it does.

What a serial axis is sent with every exchange is a setpoint; what this one is sent is leave to run for another chunk.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from drivers.axes.axis import Feedback
from drivers.clock import Clock
from drivers.errors import Refused
from drivers.loaders.loader import WaveformLoader
from drivers.protocols.instron_ascii import AT_REST, HOLDING
from rig.config.checks.waveform import Waveform
from rig.trajectory import haversine

EVERY, LEAST = 0.1, 0.05  # s between two exchanges
SLOW = 0.2  # cycles of a wave between two exchanges, below which its harmonics do not matter
GOLDEN = 0.5 * (3.0 - math.sqrt(5.0))
APPROACH = 0.5  # s of the ramp to where the test begins


@dataclass(frozen=True)
class Wave:
    """One waveform as the controller's generator takes it; `height` is its amplitude there, N or m."""

    shape: str
    frequency: float
    height: float
    cycles: int

    @classmethod
    def from_trajectory(cls, trajectory: Waveform) -> Wave:
        """That of a trajectory (its `Config`); `rig.config.checks.waveform` has seen to it that there is one."""
        shape = type(trajectory).__module__.rpartition(".")[2]
        height = trajectory.amplitude * (2.0 if isinstance(trajectory, haversine.Config) else 1.0)  # a haversine's is from valley to peak
        return cls(shape, trajectory.frequency, height, trajectory.cycles)

    def without(self, cycles: int) -> Wave:
        """The same without the cycles that were run before."""
        return replace(self, cycles=self.cycles - cycles)


def interval(frequency: float) -> float:
    """Time (s) between two exchanges while a wave of `frequency` (Hz) runs: about EVERY.

    It is a golden section of the period, or whole periods and that, so that no harmonic looks like the fundamental in the readings: the
    drift of the controller's clock is told from them.
    """
    if EVERY * frequency < SLOW:
        return EVERY
    return (max(0, math.ceil(LEAST * frequency - GOLDEN)) + GOLDEN) / frequency


class WaveformDrive:
    """`loader` is a connected `drivers.loaders.instron.Instron`; `within`: how far from where the test begins it may stand, in `unit`."""

    smoothing = 0.0

    def __init__(self, loader: WaveformLoader, wave: Wave, within: float, unit: str) -> None:
        self.loader, self._wave, self._within, self._unit = loader, wave, within, unit
        self.name = loader.name
        self.runs = False
        """Whether its waveform is not known to have ended."""
        self.counted = 0
        """Quarter cycles that its controller had counted at the last exchange."""
        self._rest: tuple[float | None, float] | None = None  # where it is to come to rest (gross), and in which time

    @property
    def stops_within(self) -> float:
        """Time (s) after the program's last word in which the waveform ends by itself."""
        return self.loader.stops_within

    def wait_by(self, clock: Clock) -> None:
        """See `drivers.axes.axis.AxisBase`."""
        self.loader.wait_by(clock)

    def come_to_rest(self, setpoint: float | None, duration: float) -> None:
        """Once the waveform is held, by its run input, end it and ramp to `setpoint` (None: stay there) within `duration` s. From another
        thread."""
        self._rest = (setpoint, duration)

    # -- what an axis is asked -----------------------------------------------------------------------------------------------------

    def enable(self) -> None:
        """Pressure on, the loop on the mode of the test."""
        self.loader.prepare()

    def move_to(self, setpoint: float) -> None:
        """Off to where the test begins. Raises Refused where that is far: nobody knows what is in the way."""
        found = self.loader.feedback()
        if abs(found - setpoint) > self._within:
            stands = f"before the test it stands at {found:.5g} {self._unit}, it begins at {setpoint:.5g} {self._unit}"
            raise Refused(f"{self.loader.where}: {stands}; zero it at its panel, take its tare (rig tare), or bring it there by hand")
        self.loader.ramp_to(setpoint, APPROACH)

    def arrived(self) -> bool:
        """Whether it is there; then the waveform is armed, and waits for its run input."""
        if self.loader.moving():
            return False
        wave = self._wave
        self.loader.start_waveform(wave.shape, wave.frequency, wave.height, wave.cycles)
        self.runs = True
        return True

    def command(self, setpoint: float, rate: float = 0.0) -> None:
        """Leave to run on. Raises Refused for what the controller says against it."""
        if (fault := self.loader.fault()) is not None:
            raise Refused(f"{self.loader.where}: {fault}")
        if self._rest is not None:
            self._end(*self._rest)
        elif self.runs:
            self.runs = self.loader.extend() > 0
            self.counted = self.loader.counted

    def feedback(self) -> Feedback:
        """What the controller reads in the mode of the test."""
        return Feedback(self.loader.feedback(), math.nan, None)

    def quick_stop(self) -> None:
        """Pressure off at once."""
        self.loader.trip()

    def _end(self, setpoint: float | None, duration: float) -> None:
        if self.runs and self.loader.waveform_state() not in (HOLDING, *AT_REST):
            self.loader.extend()
            return
        if self.runs:
            self.runs = False
            self.loader.disable()
            if setpoint is not None:
                self.loader.ramp_to(setpoint, duration)
