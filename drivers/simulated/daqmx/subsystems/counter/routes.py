"""Which signals get to the inputs of a counter: directly, or by way of the source of another counter.

MAX's table of routes for a card with the counters of the X Series (PXIe-6738, published with Linux' comedi, ni_device_routes): gate, aux,
A, B and Z take pins, trigger lines, clocks and triggers of the other parts of the card, the 10 MHz reference clock and all that other
counters take in or put out; only a source takes timebases. "X Series User Manual", Routing a Signal to Counter n Gate: a counter's source
can be routed to a different counter's gate. So a timebase gets there through the source of a counter that has nothing else to do ("Device
Routing in MAX": routes that need a subsystem), as NI's own tests of its nidaqmx package measure 100kHzTimebase (test_stream_readers_ci.py).
"""

from __future__ import annotations

import re

from drivers.simulated.daqmx.products.product import Counters
from drivers.simulated.daqmx.subsystems.counter import usages as cu

_CLOCKS = re.compile(r"\d+[mk]hztimebase|pxi_clk10|pxie_clk100")
"""Signals that only the source of a counter takes."""
_SIGNALS = re.compile(
    r"pfi\d+|rtsi\d|pxi_trig\d|pxi_star|pxie_dstar[ab]|10mhzrefclock|frequencyoutput|analogcomparisonevent|changedetectionevent"
    r"|watchdogexpiredevent|(ai|ao|di|do|te\d)/(sampleclock|starttrigger|pausetrigger)|(ai|di|te\d)/referencetrigger|ai/convertclock"
)
_OF_COUNTER = re.compile(r"ctr(\d+)(source|gate|armstarttrigger|sampleclock|internaloutput)")
_OF_MODULE = re.compile(r"pfi\d+|rtsi\d|pxi_trig\d|pxi_star|changedetectionevent|ctr\d(internaloutput|gate|source)|frequencyoutput"
                        r"|(ai|ao|di|do|te\d)/(sampleclock|starttrigger|referencetrigger)")  # fmt: skip
"""What gets to the counters of a module with counters of its own (NI 9361), which lend each other no sources."""
_OUTSIDE = re.compile(r"pfi\d+|rtsi\d|pxi_trig\d|pxie_dstarc|ctr\d+internaloutput|frequencyoutput")
"""Where the output of a counter gets to."""


def leads(counting: Counters | None, number: int, which: str, rest: str) -> bool:
    """Whether a route leads from a terminal of the card (`rest`, in small letters) to an input of counter `number`, or out of it."""
    if which == cu.OUT:
        return _OUTSIDE.fullmatch(rest) is not None
    if counting is not None and not counting.outputs:
        return bool(_OF_MODULE.fullmatch(rest) or (which == cu.SOURCE and _CLOCKS.fullmatch(rest)))
    other = _OF_COUNTER.fullmatch(rest)
    if other is None:
        return _SIGNALS.fullmatch(rest) is not None or _CLOCKS.fullmatch(rest) is not None
    own = int(other[1]) == number
    return not own or other[2] == "internaloutput" or (which == cu.AUX and other[2] == "gate")


def needs_source(counting: Counters | None, which: str, rest: str) -> bool:
    """Whether the route goes by way of another counter's source."""
    return counting is not None and counting.outputs and which not in (cu.SOURCE, cu.OUT) and _CLOCKS.fullmatch(rest) is not None
