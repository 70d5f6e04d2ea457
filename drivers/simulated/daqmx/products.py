"""Devices as data: what each product has and can do.

Confirmed from NI's published material: channels, bits, ranges and input rates of the 6363 ("NI 6363 Specifications", "X Series User
Manual"); of the PXIe-4331 channels, bits and highest rate, both bridge ranges (NI's own tests of its nidaqmx package read
+-25 and +-100 mV/V back from the device); that PXIe-4331 and PXIe-4480 compensate for their group delay but deliver that much later,
lock to PXIe_Clk100 and synchronise with other modules of their kind ("NI PXIe-4330/4331 User Manual", "PXIe-4480/4481 User Manual",
Triggering and Filter Delay, Synchronization); that modules of one bus share a task ("NI-DAQmx Multidevice Task Explained"); that a 446x
does not compensate and delivers 63 samples of before the trigger (NI knowledge base, "DSA devices and filter delay").
Not yet checked against a specifications sheet, none being at hand: output rates and FIFO of the 6363; every other figure of the
PXIe-4466, PXIe-4480 and PXI-4462, which are those of modules of their family; rate grid and number of samples of the filter delay of all
modules; that dynamic-signal modules take no sample on demand. Excitation (IEPE current, bridge voltage) is taken as asked for, any value.

Ranges are symmetric and given by their top (V; V/V where bridges are measured); rates are in S/s.
"""

from __future__ import annotations

from dataclasses import dataclass

TIMEBASE = 100e6
"""Timebase that X Series devices divide by a whole number (Hz)."""


@dataclass(frozen=True)
class AnalogInputs:
    """`kinds`: what can be connected, in the words of `input_kinds`.

    `grid`: step of the sample rate (S/s) where it does not come from dividing `TIMEBASE`.
    `shares`: reference clock by which modules can be in one task with others of the same; empty: no task goes beyond the device.
    """

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
    """Group delay of the digital filters in samples; it depends on the rate, and is a nominal one here."""
    compensates: bool = True
    """A sample belongs to its clock edge, but comes late by the filter delay. Else it comes at once, and belongs to an edge before."""
    on_demand: bool = True
    shares: str = ""

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
    """`ports`: number of lines of each digital port. `watchdog`: whether a watchdog timer guards the digital lines.

    `counters`: how many, ctr0 and on.
    """

    name: str
    category: int
    bus: int
    inputs: AnalogInputs | None = None
    outputs: AnalogOutputs | None = None
    ports: tuple[int, ...] = ()
    watchdog: bool = False
    counters: int = 0
    terminals: tuple[str, ...] = ()


# Members of nidaqmx.constants.ProductCategory and BusType.
X_SERIES, DYNAMIC_SIGNAL, SC_EXPRESS = 15858, 14649, 15886
PCI_EXPRESS, PXI, PXI_EXPRESS = 13612, 12583, 14706
BACKPLANE = (PXI, PXI_EXPRESS)
"""Buses whose trigger lines carry a clock or a trigger from one device to another."""

_PFI = tuple(f"PFI{n}" for n in range(16))
_TIMING = tuple(f"{part}/{signal}" for part in ("ai", "ao", "di", "do") for signal in ("SampleClock", "StartTrigger"))

_DSA_TIMING = ("PFI0", "ai/SampleClock", "ai/StartTrigger")
_CLK100, _CLK10 = "PXIe_Clk100", "PXI_Clk10"
_GRID = 181.9e-6


def _x_series_6363(name: str, bus: int) -> Product:
    return Product(
        name, X_SERIES, bus,
        AnalogInputs(32, 16, (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0), rate_single=2e6, rate_aggregate=1e6, rate_min=TIMEBASE / 2**32,
                     kinds=("voltage", "multifunction")),
        AnalogOutputs(16, (5.0, 10.0), rates=(2.86e6, 2.0e6, 1.54e6, 1.25e6), rate_min=TIMEBASE / 2**32, fifo=8191),
        ports=(32, 8, 8), watchdog=True, counters=4, terminals=(*_PFI, *_TIMING),
    )  # fmt: skip


def _dynamic(
    name: str, category: int, bus: int, channels: int, tops: tuple[float, ...], rates: tuple[float, float], delay: int,
    kinds: tuple[str, ...], *, shares: str, compensates: bool = True,
) -> Product:  # fmt: skip
    """A module with a delta-sigma converter for each channel; `rates`: lowest and highest."""
    low, high = rates
    inputs = AnalogInputs(
        channels, 24, tops, rate_single=high, rate_aggregate=channels * high, rate_min=low, kinds=kinds, simultaneous=True, grid=_GRID,
        filter_delay=delay, compensates=compensates, on_demand=category != DYNAMIC_SIGNAL, shares=shares,
    )  # fmt: skip
    return Product(name, category, bus, inputs, terminals=_DSA_TIMING)


_IEPE = ("voltage", "accel")
PRODUCTS: dict[str, Product] = {
    p.name: p
    for p in (
        _x_series_6363("PCIe-6363", PCI_EXPRESS),
        _x_series_6363("PXIe-6363", PXI_EXPRESS),
        _dynamic(
            "PXIe-4466", DYNAMIC_SIGNAL, PXI_EXPRESS, 4, (0.316, 1.0, 3.16, 10.0, 31.6, 42.4), (100.0, 204.8e3), 63, _IEPE, shares=_CLK100
        ),
        _dynamic(
            "PXIe-4480", DYNAMIC_SIGNAL, PXI_EXPRESS, 6, (0.5, 1.0, 5.0, 10.0), (100.0, 1.25e6), 47, (*_IEPE, "charge"), shares=_CLK100
        ),
        _dynamic("PXIe-4331", SC_EXPRESS, PXI_EXPRESS, 8, (0.025, 0.1), (1.0, 102.4e3), 35, ("bridge",), shares=_CLK100),
        _dynamic(
            "PXI-4462", DYNAMIC_SIGNAL, PXI, 4, (0.316, 1.0, 3.16, 10.0, 31.6, 42.4), (1e3, 204.8e3), 63, _IEPE,
            shares=_CLK10, compensates=False,
        ),
    )
}  # fmt: skip
