"""Modules of the SC Express family: bridges, isolated outputs, displacement, temperature.

PXIe-4331: channels, bits and highest rate, both bridge ranges, analogue triggers, use of triggers (start and reference), product number and
that of its terminal block from NI's own tests of its nidaqmx package; that it compensates for its group delay, locks to PXIe_Clk100 and
synchronises with others of its kind, and that its analogue triggers are reference triggers only, from the "NI PXIe-4330/4331 User
Manual". PXIe-4322: eight isolated outputs, on demand or clocked ("NI PXIe-4322 User Manual"); range of +-16 V, high impedance and 0 V at
power-up, product number from NI's tests. Product numbers of the others: as before.
Not checked: rates and bits of the PXIe-4322, its +-20 mA; amounts of excitation of the PXIe-4331, rate grid and
samples of its filter delay; PXIe-4340 and PXIe-4353 other than what they measure and the number of their channels.
"""

from __future__ import annotations

from drivers.simulated.daqmx.products import product as p
from drivers.simulated.daqmx.products import terminals

_GRID = 181.9e-6
_CLK100 = "PXIe_Clk100"
_HIGH_IMPEDANCE = 2
_EXCITATION = (0.625, 1.0, 1.5, 2.0, 2.5, 2.75, 3.3, 5.0, 7.5, 10.0)


def _inputs(name: str, number: int, inputs: p.AnalogInputs, *, analog_trigger: bool = False) -> p.Product:
    return p.Product(
        name, p.SC_EXPRESS, p.PXI_EXPRESS, inputs, terminals=terminals.dynamic_signal(), number=number, analog_trigger=analog_trigger,
        analog_start=False, reads_teds=True, dma_channels=1,
    )  # fmt: skip


_4331 = p.AnalogInputs(
    8, 24, (0.025, 0.1), rate_single=102.4e3, rate_aggregate=8 * 102.4e3, rate_min=1.0, kinds=("bridge",), simultaneous=True, grid=_GRID,
    filter_delay=35, shares=_CLK100, triggers=p.REFERENCE | p.START, excitation_volts=_EXCITATION,
    reports=("overloaded", "excitation_fault"),
)  # fmt: skip
_4340 = p.AnalogInputs(
    4, 24, (2.0, 4.0, 8.0), rate_single=25.6e3, rate_aggregate=4 * 25.6e3, rate_min=1.0, kinds=("position",), simultaneous=True,
    grid=_GRID, filter_delay=35, shares=_CLK100, triggers=p.REFERENCE | p.START,
)  # fmt: skip
_4353 = p.AnalogInputs(
    32, 24, (0.08,), rate_single=90.0, rate_aggregate=32 * 90.0, rate_min=1.0, kinds=("thermocouple",), triggers=p.START, shares=_CLK100,
    term_cfgs=(p.DIFF,), reports=("open_thermocouple", "common_mode"),
)  # fmt: skip
_4322 = p.AnalogOutputs(
    16, (16.0,), rates=(250e3,) * 8, rate_min=p.TIMEBASE / 2**32, fifo=8191, kinds=("voltage", "current"), term_cfgs=(p.DIFF,),
    current_tops=(20e-3,), powers_up=_HIGH_IMPEDANCE, sets_power_up=True, reports=("overcurrent", "overtemperature"),
)  # fmt: skip

PRODUCTS = (
    _inputs("PXIe-4331", 0x74A9C4C4, _4331, analog_trigger=True),
    _inputs("PXIe-4340", 0x7829C4C4, _4340),
    _inputs("PXIe-4353", 0x74B2C4C4, _4353),
    p.Product(
        "PXIe-4322", p.SC_EXPRESS, p.PXI_EXPRESS, outputs=_4322, terminals=terminals.dynamic_signal(outputs=True), number=0x76ABC4C4,
        dma_channels=1,
    ),
)  # fmt: skip
