"""CompactDAQ chassis and C Series modules.

Chassis: three timing engines for inputs (NI-DAQmx user manual, "cDAQ-91xx and TestScale Chassis Timing Engines"), four counters, terminals
as a user's listing shows them. The watchdog of the cDAQ-9185 and 9189 has 32 bits in steps of 25 ns, guards analogue, digital and counter
outputs, and needs a reset of the chassis once it has expired ("cDAQ-9185/9189 User Manual", Watchdog Timer). Modules: channels ("C Series
Physical Channels" of the NI-DAQmx help; a listing of an NI 9401 with its four counters and `freqout`), ranges of the NI 9205 ("NI 9144 User
Guide": 10, 5, 1 and 0.2 V), eight counters of 32 bits and 102.4 kHz of the NI 9361 (its data sheet).
Not checked against a data sheet, none being at hand: rates and bits of NI 9205 (250 kS/s shared, 16), 9215 (100 kS/s, 16), 9263 (100 kS/s,
16), 9234 (51.2 kS/s, 24, 2 mA), 9237 (50 kS/s, 24), 9775 (20 MS/s, 14); FIFO sizes; that chassis divide 80 MHz; product numbers (0).
"""

from __future__ import annotations

from drivers.simulated.daqmx.products import product as p
from drivers.simulated.daqmx.products import terminals

TIMEBASE = 80e6
_LOWEST = TIMEBASE / 2**32
_TICK = 25e-9


def _chassis(name: str, bus: int, slots: int, *, watchdog: bool, pins: int = 0) -> p.Product:
    return p.Product(
        name, p.COMPACT_DAQ_CHASSIS, bus, slots=slots, terminals=(*terminals.pfi(pins), *terminals.chassis()),
        counting=p.Counters(4, timebase=TIMEBASE, frequency_output=False, hidden=True), watchdog_tick=_TICK if watchdog else 0.0,
        guards=("do", "ao", "co"),
    )  # fmt: skip


def _module(
    name: str, inputs: p.AnalogInputs | None = None, outputs: p.AnalogOutputs | None = None, lines: int = 0,
    counting: p.Counters | None = None, *, clocked: bool = True, pins: int = 0, analog_trigger: bool = False, reads_teds: bool = False,
    multi_edge: bool = False,
) -> p.Product:  # fmt: skip
    # The NI 9401 (its getting started guide): lines 0 to 3 and 4 to 7 are inputs or outputs together.
    digital = p.DigitalLines(10e6, clocked=(0,), detecting=(0,), direction_of=4) if lines and clocked else p.DigitalLines()
    return p.Product(
        name, p.C_SERIES_MODULE, p.COMPACT_DAQ, inputs, outputs, ports=(lines,) if lines else (), digital=digital, counting=counting,
        terminals=terminals.pfi(pins), analog_trigger=analog_trigger, digital_trigger=pins > 0, reads_teds=reads_teds,
        multi_edge=multi_edge,
    )  # fmt: skip


def _simultaneous(channels: int, bits: int, tops: tuple[float, ...], rate: float) -> p.AnalogInputs:
    return p.AnalogInputs(
        channels, bits, tops, rate_single=rate, rate_aggregate=channels * rate, rate_min=_LOWEST, simultaneous=True,
        timebase=TIMEBASE,
    )  # fmt: skip


def _delta_sigma(channels: int, tops: tuple[float, ...], rate: float, kinds: tuple[str, ...], couplings: int, cfg: int) -> p.AnalogInputs:
    """`rate` and its whole parts down to one 31st."""
    return p.AnalogInputs(
        channels, 24, tops, rate_single=rate, rate_aggregate=channels * rate, rate_min=rate / 31, kinds=kinds, simultaneous=True,
        timebase=rate, divisors=31, term_cfgs=(cfg,), couplings=couplings,
        excitation_amps=(2e-3,) if "accel" in kinds else (), excitation_volts=(2.5, 3.3, 5.0, 10.0) if "bridge" in kinds else (),
        corner=0.5 if couplings & p.AC else 0.0, iepe_needs_ac="accel" in kinds, on_demand=False,
    )  # fmt: skip


_9205 = p.AnalogInputs(
    32, 16, (0.2, 1.0, 5.0, 10.0), rate_single=250e3, rate_aggregate=250e3, rate_min=_LOWEST, timebase=TIMEBASE,
    term_cfgs=(p.RSE | p.NRSE | p.DIFF,) * 8 + (p.RSE | p.NRSE,) * 8,
)  # fmt: skip
_9234 = _delta_sigma(4, (5.0,), 51.2e3, ("voltage", "accel"), p.AC | p.DC, p.PSEUDO_DIFF)
_9263 = p.AnalogOutputs(16, (10.0,), rates=(100e3,) * 4, rate_min=_LOWEST, fifo=8191, timebase=TIMEBASE)

PRODUCTS = (
    _chassis("cDAQ-9174", p.USB, 4, watchdog=False),
    _chassis("cDAQ-9178", p.USB, 8, watchdog=False, pins=2),
    _chassis("cDAQ-9185", p.TCP_IP, 4, watchdog=True, pins=1),
    _chassis("cDAQ-9189", p.TCP_IP, 8, watchdog=True, pins=1),
    _module("NI 9205", _9205, pins=1, analog_trigger=True),
    _module("NI 9215", _simultaneous(4, 16, (10.0,), 100e3), analog_trigger=True),
    _module("NI 9775", _simultaneous(4, 14, (10.0,), 20e6), analog_trigger=True, multi_edge=True),
    _module("NI 9234", _9234, analog_trigger=True, reads_teds=True),
    _module("NI 9237", _delta_sigma(4, (0.025,), 50e3, ("bridge",), p.DC, p.DIFF), analog_trigger=True, reads_teds=True),
    _module("NI 9263", outputs=_9263),
    _module("NI 9401", lines=8, counting=p.Counters(4, timebase=TIMEBASE), pins=8),
    _module("NI 9361", counting=p.Counters(8, timebase=100e6, outputs=False, frequency_output=False), pins=8),
)  # fmt: skip
