"""The frequency output of a device: one of three clocks divided by 1 to 16.

"X Series User Manual", Frequency Generator: 20 MHz, 10 MHz or 100 kHz over 1 to 16; half of the time high for 1 and even divisors, of an
odd one D the output is low for (D + 1) / 2 cycles of the clock and high for (D - 1) / 2. What is beyond answers -201443.
"""

from __future__ import annotations

from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.values import as_float
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.subsystems.counter.tick_source import Source
from drivers.simulated.daqmx.subsystems.counter.trains import Pulse
from drivers.simulated.daqmx.subsystems.counter.usages import ONBOARD

CLOCKS = {"20MHzTimebase": 20e6, "10MHzRefClock": 10e6, "100kHzTimebase": 100e3}
DIVISORS = range(1, 17)
PARTS = 4
"""Ticks of a cycle of the clock, so that half a cycle is as long as a phase of a train has to be."""


def clock_of(channel: CounterChannel) -> tuple[str, int]:
    """Clock and divisor that come nearest to the frequency of the channel. Raises DaqmxError."""
    asked, source = as_float(channel.attributes["CO_PULSE_FREQ"]), str(channel.attributes["CO_CTR_TIMEBASE_SRC"])
    chosen = source.rpartition("/")[2].lower()
    clocks = {name: rate for name, rate in CLOCKS.items() if chosen in (*ONBOARD, name.lower())}
    if not clocks:
        possible = ", ".join(CLOCKS)
        raise DaqmxError(
            -200077, Property="DAQmx_CO_CtrTimebaseSrc", Requested_Value=source, You_Can_Select=possible, Channel_Name=channel.name
        )
    if not min(clocks.values()) / DIVISORS[-1] <= asked <= max(clocks.values()):
        raise DaqmxError(-201443, Property="DAQmx_CO_Pulse_Freq", Requested_Value=asked, Channel_Name=channel.name)
    pairs = [(name, divisor) for name in clocks for divisor in DIVISORS]
    return min(pairs, key=lambda pair: abs(clocks[pair[0]] / pair[1] - asked))


def source_of(channel: CounterChannel) -> Source:
    """The clock, in parts of which the output is worked out. Raises DaqmxError."""
    name, _ = clock_of(channel)
    return Source(f"{channel.device}/{name}".lower(), PARTS * CLOCKS[name], PARTS * CLOCKS[name])


def pulse_of(channel: CounterChannel) -> Pulse:
    """Low and high in parts of the clock. Raises DaqmxError."""
    _, divisor = clock_of(channel)
    uneven = divisor % 2 if divisor > 1 else 0
    return Pulse((divisor + uneven) * PARTS // 2, (divisor - uneven) * PARTS // 2)
