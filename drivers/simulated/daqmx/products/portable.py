"""The mioDAQ USB-6423, and the digital card PCIe-6535.

USB-6423: 32 single-ended or 16 differential inputs of 16 bits with four ranges up to +-10 V, four outputs of +-10 V, 16 lines in one port,
clocked or not, which are PFI 0..15, four 32-bit counters ("USB-6423 Theory of Operation", "NI mioDAQ Physical Channels" of the NI-DAQmx
user manual); two ID pins without memory, product number, as NI's own tests of its nidaqmx package find them on a simulated one.
Not checked: the three lower ranges, all rates and the FIFO size, which pairs are differential, that there is no watchdog; logic families.
PCIe-6535: product number from NI's tests; 32 lines at 10 MS/s, ports of 8 and the two of control lines as labscript-devices read them from
a device of its family; pins of its clocks from MAX's table of routes for a PXIe-6535, published with Linux' comedi (ni_device_routes).
"""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.products import product as p
from drivers.simulated.daqmx.products import terminals

_LOWEST = p.TIMEBASE / 2**32
_MODES = (p.FINITE, p.CONTINUOUS, p.HW_TIMED)
_THREE_POINT_THREE, _FIVE = ni.LogicFamily.THREE_POINT_THREE_V.value, ni.LogicFamily.FIVE_V.value
_PULL_DOWN = ni.ResistorState.PULL_DOWN.value

_6423 = p.Product(
    "USB-6423", p.MIO_DAQ, p.USB,
    p.AnalogInputs(
        32, 16, (0.2, 1.0, 5.0, 10.0), rate_single=250e3, rate_aggregate=250e3, rate_min=_LOWEST, kinds=("voltage", "multifunction"),
        term_cfgs=(p.RSE | p.NRSE | p.DIFF,) * 8 + (p.RSE | p.NRSE,) * 8, sample_modes=_MODES,
    ),
    p.AnalogOutputs(16, (10.0,), rates=(250e3,) * 4, rate_min=_LOWEST, fifo=8191, sample_modes=_MODES),
    ports=(16,), number=0x7B40, counting=p.Counters(4), id_pins=2, dma_channels=8,
    digital=p.DigitalLines(1e6, clocked=(0,), detecting=(0,), pulls=_PULL_DOWN, families=(_THREE_POINT_THREE, _FIVE)),
    terminals=terminals.multifunction(16, 0, 4, bus="usb"),
)  # fmt: skip
_6535 = p.Product(
    "PCIe-6535", p.DIGITAL_IO, p.PCI_EXPRESS, ports=(8, 8, 8, 8, 0, 6), number=0x719F, dma_channels=2,
    digital=p.DigitalLines(10e6, clocked=(0, 1, 2, 3), detecting=(0, 1, 2, 3), families=(_THREE_POINT_THREE, _FIVE), sets_power_up=True),
    terminals=(
        *terminals.pfi(6), *(f"RTSI{n}" for n in range(8)), "di/SampleClock", "di/StartTrigger", "do/SampleClock", "do/StartTrigger",
    ),
    clocks_from=(("di", "pfi5"), ("di", "rtsi7"), ("do", "pfi4"), ("do", "rtsi7")),
    clocks_to=(("di", "pfi5"), ("do", "pfi4"), ("do", "rtsi7")),
)  # fmt: skip

PRODUCTS = (_6423, _6535)
