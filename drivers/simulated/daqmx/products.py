"""Devices as data: what each product has and can do.

Confirmed from NI's published material: channels, bits, ranges and input rates of the PCIe-6363 (rates: "X Series User Manual", Aggregate
versus Single Channel Sample Rates); of the PXIe-4331 channels, bits, highest rate and both bridge ranges (NI's own tests of its nidaqmx
package read 102.4 kS/s, +-25 and +-100 mV/V back from the module), and that it compensates for the group delay of its filters but delivers
that much later ("NI PXIe-4330/4331 User Manual", Triggering and Filter Delay). Not yet checked against a specifications sheet, none being
at hand: output rates and FIFO of the PCIe-6363; every figure of the PXIe-4466; rate grid and number of samples of the filter delay of both
PXIe modules. Excitation, IEPE current or bridge voltage, is taken as it is asked for.

Ranges are symmetric and given by their top (V; V/V where bridges are measured); rates are in S/s.
"""

from __future__ import annotations

from dataclasses import dataclass

TIMEBASE = 100e6
"""Timebase that X Series devices divide by a whole number (Hz)."""


@dataclass(frozen=True)
class AnalogInputs:
    """`kinds`: what can be connected. `grid`: step of the sample rate (S/s) where it does not come from dividing `TIMEBASE`."""

    channels: int
    bits: int
    tops: tuple[float, ...]
    rate_single: float
    rate_aggregate: float
    rate_min: float
    kinds: tuple[str, ...] = ("voltage",)
    simultaneous: bool = False
    grid: float | None = None
    filter_delay: int = 0
    """Group delay of the digital filters in samples. The module compensates for it: a sample belongs to its clock edge, but comes late.

    The manuals state the compensation; the number of samples depends on the rate and is a nominal one here.
    """

    def rate_max(self, channels: int) -> float:
        """Highest rate per channel with that many channels."""
        if self.simultaneous or channels <= 1:
            return self.rate_single
        return self.rate_aggregate / channels


@dataclass(frozen=True)
class AnalogOutputs:
    """`rates`: highest update rate with 1, 2, ... channels. `fifo`: samples on board, shared by the channels of a task."""

    bits: int
    tops: tuple[float, ...]
    rates: tuple[float, ...]
    rate_min: float
    fifo: int

    @property
    def channels(self) -> int:
        return len(self.rates)


@dataclass(frozen=True)
class Product:
    """`ports`: number of lines of each digital port. `watchdog`: whether a watchdog timer guards the digital lines."""

    name: str
    category: int
    bus: int
    inputs: AnalogInputs | None = None
    outputs: AnalogOutputs | None = None
    ports: tuple[int, ...] = ()
    watchdog: bool = False
    terminals: tuple[str, ...] = ()


# Members of nidaqmx.constants.ProductCategory and BusType.
X_SERIES, DYNAMIC_SIGNAL, SC_EXPRESS = 15858, 14649, 15886
PCI_EXPRESS, PXI_EXPRESS = 13612, 14706

_PFI = tuple(f"PFI{n}" for n in range(16))
_TIMING = tuple(f"{part}/{signal}" for part in ("ai", "ao", "di", "do") for signal in ("SampleClock", "StartTrigger"))

PRODUCTS: dict[str, Product] = {
    p.name: p
    for p in (
        Product(
            "PCIe-6363", X_SERIES, PCI_EXPRESS,
            AnalogInputs(32, 16, (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0), rate_single=2e6, rate_aggregate=1e6, rate_min=TIMEBASE / 2**32),
            AnalogOutputs(16, (5.0, 10.0), rates=(2.86e6, 2.0e6, 1.54e6, 1.25e6), rate_min=TIMEBASE / 2**32, fifo=8191),
            ports=(32, 8, 8), watchdog=True, terminals=(*_PFI, *_TIMING),
        ),
        Product(
            "PXIe-4466", DYNAMIC_SIGNAL, PXI_EXPRESS,
            AnalogInputs(
                4, 24, (0.316, 1.0, 3.16, 10.0, 31.6, 42.4), rate_single=204.8e3, rate_aggregate=4 * 204.8e3, rate_min=100.0,
                kinds=("voltage", "accel"), simultaneous=True, grid=181.9e-6, filter_delay=63,
            ),
            terminals=("PFI0", "ai/SampleClock", "ai/StartTrigger"),
        ),
        Product(
            "PXIe-4331", SC_EXPRESS, PXI_EXPRESS,
            AnalogInputs(
                8, 24, (0.025, 0.1), rate_single=102.4e3, rate_aggregate=8 * 102.4e3, rate_min=1.0,
                kinds=("bridge",), simultaneous=True, grid=181.9e-6, filter_delay=35,
            ),
            terminals=("PFI0", "ai/SampleClock", "ai/StartTrigger"),
        ),
    )
}  # fmt: skip
