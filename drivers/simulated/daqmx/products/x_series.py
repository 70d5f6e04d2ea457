"""Multifunction cards of the X Series.

6363: channels, bits, ranges and input rates from "NI 6363 Specifications" and the "X Series User Manual" (table of AI rates; physical
channels: port 0 takes a clock, ports 1 and 2 are the PFI lines; watchdog of 32 bits in steps of 8 ns on all DIO and PFI lines; four 32-bit
counters on 100 MHz). Highest rates of outputs and lines as the driver answers them (2.857 MS/s, 10 MS/s), from the capabilities that
labscript-devices has read from simulated devices; so the 32 lines, the counters and which inputs can be differential. Product numbers from
the configuration of NI's own tests. Rates of 6368 from the user manual's table of simultaneous devices.
A 6361 is a 6363 with 16 inputs, two outputs and 24 lines (a simulated one as ladisk/nidaqwrapper, tests/, lists it).
Not checked: output rates with several channels and the FIFO sizes; which triggers outputs and counters take; 6341 and 6368 other than
channels, lines and input rates; product numbers of the PXIe and USB forms.
"""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.products import product as p
from drivers.simulated.daqmx.products import terminals

_LOWEST = p.TIMEBASE / 2**32
_PULL_DOWN = ni.ResistorState.PULL_DOWN.value
_MODES = (p.FINITE, p.CONTINUOUS, p.HW_TIMED)
_TICK = 8e-9
# Of each sixteen inputs the first eight can be the positive one of a pair.
_MULTIPLEXED = (p.RSE | p.NRSE | p.DIFF,) * 8 + (p.RSE | p.NRSE,) * 8
_BUSES = {p.PCI_EXPRESS: "pci", p.PXI_EXPRESS: "pxi", p.USB: "usb"}
_SOURCES = tuple(f"_{name}" for name in ("aignd_vs_aignd", "ao0_vs_aognd", "ao1_vs_aognd", "calref_vs_aignd"))


def _lines(rate: float) -> p.DigitalLines:
    return p.DigitalLines(rate, clocked=(0,), detecting=(0, 1, 2), pulls=_PULL_DOWN, sets_power_up=True)


def _card(
    name: str, bus: int, number: int, inputs: p.AnalogInputs, outputs: p.AnalogOutputs, lines: int, *,
    rate: float, analog: int, multiplexed: bool = True,
) -> p.Product:  # fmt: skip
    return p.Product(
        name, p.X_SERIES, bus, inputs, outputs, ports=(lines, 8, 8), number=number, digital=_lines(rate), counting=p.Counters(4),
        terminals=terminals.multifunction(16, analog, 4, bus=_BUSES[bus], multiplexed=multiplexed), watchdog_tick=_TICK,
        analog_trigger=analog > 0, dma_channels=8,
    )  # fmt: skip


def _multiplexed(channels: int, tops: tuple[float, ...], single: float, aggregate: float) -> p.AnalogInputs:
    return p.AnalogInputs(
        channels, 16, tops, rate_single=single, rate_aggregate=aggregate, rate_min=_LOWEST, kinds=("voltage", "multifunction"),
        term_cfgs=_MULTIPLEXED, sample_modes=_MODES,
    )  # fmt: skip


def _outputs(rates: tuple[float, ...], tops: tuple[float, ...] = (5.0, 10.0)) -> p.AnalogOutputs:
    return p.AnalogOutputs(16, tops, rates, rate_min=_LOWEST, fifo=8191, sample_modes=_MODES)


def _6363(name: str, bus: int, number: int) -> p.Product:
    inputs = _multiplexed(32, (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0), 2e6, 1e6)
    outputs = _outputs((p.TIMEBASE / 35, 2.0e6, 1.54e6, 1.25e6))
    return _card(name, bus, number, inputs, outputs, 32, rate=10e6, analog=2)


_6341 = _card(
    "PXIe-6341", p.PXI_EXPRESS, 0, _multiplexed(16, (0.2, 1.0, 5.0, 10.0), 500e3, 500e3),
    _outputs((p.TIMEBASE / 109, 840e3), (10.0,)), 8, rate=1e6, analog=0,
)  # fmt: skip
_6368 = _card(
    "PXIe-6368", p.PXI_EXPRESS, 0x7439C4C4,
    p.AnalogInputs(
        16, 16, (1.0, 2.0, 5.0, 10.0), rate_single=2e6, rate_aggregate=32e6, rate_min=_LOWEST, kinds=("voltage", "multifunction"),
        simultaneous=True, sample_modes=_MODES,
    ),
    _outputs((p.TIMEBASE / 30,) * 4), 32, rate=10e6, analog=2, multiplexed=False,
)  # fmt: skip

_6361 = _card(
    "PCIe-6361", p.PCI_EXPRESS, 0, _multiplexed(16, (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0), 2e6, 1e6), _outputs((p.TIMEBASE / 35, 2.0e6)), 8,
    rate=10e6, analog=1,
)  # fmt: skip

PRODUCTS = (
    _6361,
    _6363("PCIe-6363", p.PCI_EXPRESS, 0x7435C4C4),
    _6363("PXIe-6363", p.PXI_EXPRESS, 0),
    _6363("USB-6363", p.USB, 0),
    _6341,
    _6368,
)
