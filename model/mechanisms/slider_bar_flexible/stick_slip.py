"""Does the flexible slider rest, give way or slide: what is noted after a step of Newmark's method, compiled.

`came` (a place of s): direction in which it slid until nodes could stick, 0 once it has rested, LOOSE when it slips after that.
"""

from __future__ import annotations

from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, Floats, compiled
from model.friction.karnopp import BAND, STATIC
from model.mechanisms.slider_bar.kernel import CAME, FRICTION, MASS, MODE, REVERSAL, SLIP, STICK
from model.mechanisms.slider_bar_flexible.contact import FACE, HEAD, RUBBING, STATE, STICKS, TOTAL, G

# Places in clock.
STEPS, ROW, EVENTS, SOLVED, SINCE, CLOCK = range(6)
HELD = 0.0  # mode in which nodes may stick; else the direction of sliding
LOOSE = 2.0  # in place of whence it came: it has stuck, and slips
REST = 1e-3  # s: sticking for less is a reversal, in which the springs change sides


@compiled(INDEX(VECTOR, VECTOR))
def stuck(w: Floats, p: Floats) -> int:
    """How many nodes stick."""
    nodes, count = 2 * int(p[FACE]), 0
    for i in range(nodes):
        if w[HEAD + STATE * nodes + i] == STICKS:
            count += 1
    return count


@compiled(INDEX(REAL, REAL, VECTOR, TABLE))
def note(t: float, kind: float, clock: Floats, events: Floats) -> int:
    """An event."""
    place = int(clock[EVENTS])
    events[place, 0], events[place, 1], events[place, 2] = t, 0.0, kind
    clock[EVENTS] += 1.0
    return 0


@compiled(INDEX(REAL, REAL, VECTOR, VECTOR, VECTOR, VECTOR, TABLE))
def held(t: float, speed: float, s: Floats, w: Floats, p: Floats, clock: Floats, events: Floats) -> int:
    """After a step in which nodes may stick: does it stick, give way, slide."""
    count, band = stuck(w, p), p[FRICTION + BAND]
    external = p[MASS] * w[G] - w[RUBBING]
    yields = count == 0 and abs(external) > p[FRICTION + STATIC] * w[TOTAL]  # not where the springs alone swing beyond what holds them
    direction = 1.0 if speed > 0.0 else -1.0
    if yields and s[CAME] == 0.0:
        note(t, SLIP, clock, events)
        s[CAME] = LOOSE
    if count == 0:
        clock[SINCE] = t
    elif s[CAME] != 0.0 and t - clock[SINCE] >= REST:
        note(clock[SINCE], STICK, clock, events)
        s[CAME] = 0.0
    if (band > 0.0 and abs(speed) > band) or (band == 0.0 and yields and direction * external > 0.0 and speed != 0.0):
        s[MODE] = direction
        if s[CAME] == 0.0:
            note(t, SLIP, clock, events)
        elif s[CAME] == -direction:
            note(t, REVERSAL, clock, events)
    return 0
