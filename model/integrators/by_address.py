"""The solver's loop for mechanisms whose functions are handed over by their addresses: compiled once for all of them."""

from __future__ import annotations

from model.compiled.signatures import (
    CHANNELS,
    GUARDS,
    INDEX,
    LAW,
    RHS,
    SWITCH,
    TABLE,
    VECTOR,
    Channels,
    ContactLaw,
    Floats,
    Guards,
    RightHandSide,
    Switch,
    compiled,
)
from model.integrators import loop
from model.integrators.kernels import Kernels
from model.integrators.memory import MEMORY, METHOD, Memory, Method

BEGIN = INDEX(RHS, GUARDS, SWITCH, CHANNELS, LAW, METHOD, MEMORY, VECTOR, VECTOR, VECTOR, VECTOR, TABLE)
ADVANCE = INDEX(RHS, GUARDS, SWITCH, CHANNELS, LAW, METHOD, MEMORY, VECTOR, VECTOR, VECTOR, INDEX, TABLE, TABLE, TABLE, TABLE)


@compiled(BEGIN)
def begin(
    rhs: RightHandSide, guards: Guards, switch: Switch, channels: Channels, law: ContactLaw, method: Method, memory: Memory,
    y: Floats, p: Floats, s: Floats, u: Floats, events: Floats,
) -> int:  # fmt: skip
    """See model.integrators.loop.begin."""
    return loop.begin(Kernels(rhs, guards, switch, channels, law), method, memory, y, p, s, u, events)


@compiled(ADVANCE)
def advance(
    rhs: RightHandSide, guards: Guards, switch: Switch, channels: Channels, law: ContactLaw, method: Method, memory: Memory,
    p: Floats, s: Floats, u: Floats, first: int, out: Floats, low: Floats, high: Floats, events: Floats,
) -> int:  # fmt: skip
    """See model.integrators.loop.advance."""
    return loop.advance(Kernels(rhs, guards, switch, channels, law), method, memory, p, s, u, first, out, low, high, events)
