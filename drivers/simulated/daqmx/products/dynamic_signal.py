"""Modules for sound and vibration (IEPE, charge), with a delta-sigma converter for each channel.

Confirmed from NI's published material: PXIe-4480 and PXIe-4481 compensate for their group delay but deliver that much later, lock to
PXIe_Clk100 and synchronise with other modules of their kind; both measure differentially or pseudodifferentially, the 4480 charge, too
("PXIe-4480/4481 User Manual"; it has the three timing engines, too, and that analogue triggers do not start an acquisition); that modules
of one bus share a task ("NI-DAQmx Multidevice Task Explained"); that a 446x does not compensate and delivers 63 samples of before the
trigger (NI knowledge base, "DSA devices and filter delay"); gains of the PXIe-4466 from -20 to 30 dB ("PXIe-4466/4467 Calibration
Procedure"); that a PXIe-4480 takes a rate of 10 MS/s, product numbers, and that both take accelerometers, microphones, IEPE force and
velocity sensors (NI's own tests of its nidaqmx package).
Not yet checked against a specifications sheet, none being at hand: every other figure of the three, which are those of modules of their
family; rate grid and number of samples of the filter delay; that they take no sample on demand. The PXIe-4480 goes beyond 1.25 MS/s with
fewer bits; here it keeps its 24. The corner of AC coupling: 3.4 Hz is what the "PCI-4451/4452 User Manual" has for the family of the 4462;
0.5 Hz of the others is a nominal one, as the NI 9234 has it. Which of them watch for open current loops and reject aliases further.
"""

from __future__ import annotations

from drivers.simulated.daqmx.products import product as p
from drivers.simulated.daqmx.products import terminals

_GRID = 181.9e-6
_IEPE = ("voltage", "accel")
_CLK100, _CLK10 = "PXIe_Clk100", "PXI_Clk10"
_TOPS = (0.316, 1.0, 3.16, 10.0, 31.6, 42.4)
_GAINS = (30.0, 20.0, 10.0, 0.0, -10.0, -20.0)
_AMPS = (4e-3, 10e-3, 20e-3)
_CORNER = 0.5
_ENGINES = ("ai", "te1", "te2")
"""Of a PXIe-4480 and a 4481. The driver calls the first one te0; here it has the name that the only one of other modules has."""


def _module(
    name: str, bus: int, number: int, channels: int, tops: tuple[float, ...], rates: tuple[float, float], delay: int,
    kinds: tuple[str, ...] = _IEPE, *, shares: str, compensates: bool = True, gains: tuple[float, ...] = (),
    charge: tuple[float, ...] = (), corner: float = _CORNER, reports: tuple[str, ...] = ("overloaded", "open_current_loop"),
    engines: tuple[str, ...] = ("ai",), analog_start: bool = True,
) -> p.Product:  # fmt: skip
    """`rates`: lowest and highest."""
    low, high = rates
    inputs = p.AnalogInputs(
        channels, 24, tops, rate_single=high, rate_aggregate=channels * high, rate_min=low, kinds=kinds, simultaneous=True, grid=_GRID,
        filter_delay=delay, compensates=compensates, on_demand=False, shares=shares, term_cfgs=(p.DIFF | p.PSEUDO_DIFF,),
        couplings=p.AC | p.DC, triggers=p.REFERENCE | p.START, gains=gains, charge_tops=charge, excitation_amps=_AMPS, corner=corner,
        reports=reports, rejects_aliases=bool(gains), engines=engines,
    )  # fmt: skip
    names = terminals.dynamic_signal(express=bus == p.PXI_EXPRESS, engines=engines)
    return p.Product(
        name, p.DYNAMIC_SIGNAL, bus, inputs, terminals=names, number=number, analog_trigger=True, analog_start=analog_start,
        reads_teds=True, dma_channels=1,
    )  # fmt: skip


PRODUCTS = (
    _module("PXIe-4466", p.PXI_EXPRESS, 0x7A8DC4C4, 4, _TOPS, (100.0, 204.8e3), 63, shares=_CLK100, gains=_GAINS),
    _module(
        "PXIe-4480", p.PXI_EXPRESS, 0x7844C4C4, 6, (0.5, 1.0, 5.0, 10.0), (100.0, 20e6), 47, (*_IEPE, "charge"),
        shares=_CLK100, charge=(20e-9, 100e-9), engines=_ENGINES, analog_start=False,
    ),
    _module(
        "PXIe-4481", p.PXI_EXPRESS, 0, 6, (0.5, 1.0, 5.0, 10.0), (100.0, 20e6), 47, shares=_CLK100, engines=_ENGINES, analog_start=False,
    ),
    _module(
        "PXI-4462", p.PXI, 0, 4, _TOPS, (1e3, 204.8e3), 63, shares=_CLK10, compensates=False, gains=_GAINS, corner=3.4,
        reports=("overloaded",),
    ),
)  # fmt: skip
