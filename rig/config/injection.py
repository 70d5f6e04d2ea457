"""A fault that comes on a virtual bench while it is sampled: `[[injections]]` of a bench file, or `rig inject` on a running one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

SIGNAL = ("frozen", "constant", "nan", "gain", "offset", "drift", "noise")
"""Of an analogue signal of the plant, or of a line (`constant`, `frozen`)."""
EDGES = ("silent",)
MACHINE = ("parameter", "state", "scale", "play", "wear", "drive")
LINE = ("cut", "garbled", "delayed", "doubled", "another_address", "mute", "unplugged")
DAQ = ("overrun", "underflow", "gone", "clock")
WHATS = (*SIGNAL, *EDGES, *MACHINE, *LINE, *DAQ)
FOR_EVER = math.inf


@dataclass(frozen=True)
class Injection:
    """What goes wrong, where, by how much, from when on; several together are one fault."""

    what: str = field(
        metadata={
            "choices": WHATS,
            "doc": "of a signal or line: frozen, constant (value: V, or 0 and 1), nan, gain (factor), offset (V), drift (V/s), "
            "noise (V rms); of edges: silent; of the plant: parameter, state (another value of that name), scale (factor), play (m more), "
            "wear (m a turn), drive (its own fault, of code value); of a serial line's answers: cut, garbled, delayed (s), doubled, "
            "another_address, mute, unplugged; of the DAQ device: overrun, underflow, gone, clock (ppm too fast)",
        }
    )
    target: str = field(default="", metadata={"doc": "signal, line, edges, parameter, or [[serial]] line; of the DAQ device none"})
    value: float = field(default=0.0, metadata={"doc": "as `what` says"})
    begin: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0, "doc": "after the device has begun to sample"})
    lasts: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0, "doc": "after so long it is over; 0: it stays"})
    fault: str = field(default="", metadata={"doc": "name of the fault that it belongs to, for log and record"})

    @property
    def end(self) -> float:
        """s, by the clock that `begin` is of; infinite where it stays."""
        return self.begin + self.lasts if self.lasts else FOR_EVER

    @property
    def words(self) -> str:
        """For the log."""
        of = f" of {self.target}" if self.target else ""
        by = f" {self.value:g}" if self.value else ""
        return f"{self.fault + ': ' if self.fault else ''}{self.what}{of}{by}"
