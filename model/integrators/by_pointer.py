"""The solver's loop for mechanisms whose functions take pointers (model.compiled.direct): compiled once for all of them."""

from __future__ import annotations

from model.compiled import direct
from model.compiled.direct import DirectChannels, DirectGuards, DirectRightHandSide, DirectSwitch, data
from model.compiled.signatures import INDEX, LAW, REAL, TABLE, VECTOR, ContactLaw, Floats, compiled
from model.integrators import loop
from model.integrators.kernels import Direct
from model.integrators.memory import MEMORY, METHOD, Memory, Method

FUNCTIONS = direct.RHS, direct.GUARDS, direct.SWITCH, direct.CHANNELS, LAW
BEGIN = INDEX(*FUNCTIONS, METHOD, MEMORY, VECTOR, VECTOR, VECTOR, VECTOR, TABLE)
ADVANCE = INDEX(*FUNCTIONS, METHOD, MEMORY, VECTOR, VECTOR, VECTOR, INDEX, TABLE, TABLE, TABLE, TABLE)


@compiled(BEGIN)
def begin(
    rhs: DirectRightHandSide, guards: DirectGuards, switch: DirectSwitch, channels: DirectChannels, law: ContactLaw,
    method: Method, memory: Memory, y: Floats, p: Floats, s: Floats, u: Floats, events: Floats,
) -> int:  # fmt: skip
    """See model.integrators.loop.begin."""
    return loop.begin(Direct(rhs, guards, switch, channels, law), method, memory, y, p, s, u, events)


@compiled(ADVANCE)
def advance(
    rhs: DirectRightHandSide, guards: DirectGuards, switch: DirectSwitch, channels: DirectChannels, law: ContactLaw,
    method: Method, memory: Memory, p: Floats, s: Floats, u: Floats, first: int, out: Floats, low: Floats, high: Floats, events: Floats,
) -> int:  # fmt: skip
    """See model.integrators.loop.advance."""
    return loop.advance(Direct(rhs, guards, switch, channels, law), method, memory, p, s, u, first, out, low, high, events)


@compiled(INDEX(direct.RHS, LAW, INDEX, REAL, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def repeat(rhs: DirectRightHandSide, law: ContactLaw, count: int, t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """See model.integrators.repeated.repeat."""
    for _ in range(count):
        rhs(t, data(y), data(dy), data(p), data(s), data(u), u.size)
        for k in range(y.size):
            y[k] = y[k] + 0.0 * dy[k]
    return 0
