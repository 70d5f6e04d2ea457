"""TestScale chassis and modules, as far as NI's own tests of its nidaqmx package use them.

TS-15000 takes five modules and has the timing engines of a CompactDAQ chassis (NI-DAQmx user manual); TS-15100 measures voltages, TS-15200
is a power supply that measures, its channel called `power`, 4096 codes a volt (NI's tests).
Not checked: number of channels and rates of the TS-15100 (those of an NI 9215), slots.
"""

from __future__ import annotations

from drivers.simulated.daqmx.products import terminals
from drivers.simulated.daqmx.products.product import COMPACT_DAQ, TEST_SCALE_CHASSIS, TEST_SCALE_MODULE, USB, AnalogInputs, Product

_LOWEST = 80e6 / 2**32


def _inputs(channels: int, tops: tuple[float, ...], kinds: tuple[str, ...], names: tuple[str, ...] = ()) -> AnalogInputs:
    return AnalogInputs(
        channels, 16, tops, rate_single=100e3, rate_aggregate=channels * 100e3, rate_min=_LOWEST, kinds=kinds, simultaneous=True,
        timebase=80e6, names=names,
    )  # fmt: skip


PRODUCTS = (
    Product("TS-15000", TEST_SCALE_CHASSIS, USB, slots=5, terminals=terminals.chassis()),
    Product("TS-15100", TEST_SCALE_MODULE, COMPACT_DAQ, _inputs(4, (10.0,), ("voltage",)), digital_trigger=False),
    Product("TS-15200", TEST_SCALE_MODULE, COMPACT_DAQ, _inputs(1, (8.0,), ("power",), ("power",)), digital_trigger=False),
)
