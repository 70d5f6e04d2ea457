"""The solver's loop, compiled once for all mechanisms: steps, located events, output samples, extremes between them.

It stops at the output samples that were asked for, but never shortens a step for them: samples are read from the continuous extension,
and a step that reaches further is remembered. So the result does not depend on how the samples are cut into calls.
"""

from __future__ import annotations

import math
from typing import Any

from model.arrays import copy, fill, largest
from model.integrators.extremes import extremes, fold, trace, watch, widen
from model.integrators.memory import (
    ACCEPTED,
    AFTER,
    BEGAN,
    CHATTER,
    DENSE,
    DIVERGED,
    EVENTS,
    EVENTS_FULL,
    F_NEW,
    FIXED,
    HIGH,
    LAST_ERROR,
    LENGTH,
    LIMIT,
    LONGEST,
    LOW,
    MEMORY,
    METHOD,
    NOW,
    OK,
    RATE_NOW,
    RATE_THEN,
    REJECTED,
    ROW,
    ROWS,
    SCRATCH,
    SMOOTH,
    STEP,
    STIFF,
    THEN,
    TIME,
    TOO_SHORT,
    UNSTABLE,
    VALUE_NEW,
    WATCHED,
    Y_NEW,
    F,
    Memory,
    Method,
    Y,
)
from model.integrators.retaken import end_at_event
from model.integrators.steps import attempt, error, extend, fastest, within
from model.signatures import CHANNELS, GUARDS, INDEX, LAW, RHS, SWITCH, TABLE, VECTOR, Floats, compiled

SAFETY, SHRINK, GROW = 0.9, 0.2, 8.0
EXPONENT, MEMORY_EXPONENT = 0.125, 0.04  # of the present and the last error in the next step (Hairer: PI control)
SHORTEST = 1e-9  # smallest step beside what the clock can resolve, share of the longest
FIRST = 4e-3  # step tried first, and after an event; share of the longest. After a contact's end: what did after the one before
LOG_SMALL = math.log(1e-4)
BEYOND, STUBBORN = 3.0, 25  # fixed step times fastest rate that cannot be stable, and for how many more steps than not
PATIENCE = 20  # switches of guards at one instant


@compiled(INDEX(RHS, GUARDS, SWITCH, LAW, MEMORY, VECTOR, VECTOR, VECTOR, TABLE))
def switch_all(rhs: Any, guards: Any, switch: Any, law: Any, memory: Memory, p: Floats, s: Floats, u: Floats, events: Floats) -> int:
    """Change the discrete state until every guard holds at (TIME, Y_NEW); notes events [time, guard, what switch returned]."""
    t, y, marks = memory.clock[TIME], memory.states[Y_NEW], memory.marks
    for _ in range(PATIENCE):
        quiet = True
        for k in range(marks.shape[1]):
            if marks[THEN, k] > 0.0:
                noted = switch(k, t, y, p, s, u)
                memory.clock[AFTER] = 1.0 + k if noted == 0.0 else 0.0
                if not math.isnan(noted):
                    place = int(memory.clock[EVENTS])
                    events[place, 0], events[place, 1], events[place, 2] = t, k, noted
                    memory.clock[EVENTS] += 1.0
                quiet = False
        guards(t, y, marks[THEN], marks[RATE_THEN], p, s, u)
        if quiet:
            rhs(t, y, memory.states[F_NEW], p, s, u, law)
            memory.clock[LAST_ERROR] = LOG_SMALL
            return OK
    return CHATTER


@compiled(INDEX(RHS, LAW, METHOD, MEMORY, VECTOR, VECTOR, VECTOR), inline=True)
def accepted(rhs: Any, law: Any, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats) -> int:
    """Attempt steps from (TIME, Y, F) until one keeps the tolerance; sets STEP to the one to try next."""
    clock, settings = memory.clock, method.settings
    if settings[FIXED] > 0.0:
        h = settings[LONGEST]
        attempt(rhs, law, method, memory, p, s, u, clock[TIME], h)
        clock[STIFF] = max(0.0, clock[STIFF] + (1.0 if h * fastest(method, memory) > BEYOND else -1.0))
        return UNSTABLE if clock[STIFF] > STUBBORN else OK
    growth = GROW
    while True:
        h = min(clock[STEP], settings[LONGEST])
        if h < SHORTEST * settings[LONGEST] or clock[TIME] + 0.01 * h == clock[TIME]:
            return TOO_SHORT
        attempt(rhs, law, method, memory, p, s, u, clock[TIME], h)
        err = error(method, memory, h)
        if err <= 1.0:
            log = math.log(max(err, 1e-10))
            factor = SAFETY * math.exp(MEMORY_EXPONENT * clock[LAST_ERROR] - (EXPONENT - 0.75 * MEMORY_EXPONENT) * log)
            clock[STEP] = h * min(growth, max(SHRINK, factor))
            clock[LAST_ERROR] = max(log, LOG_SMALL)
            if clock[AFTER] > 0.0:
                memory.marks[SMOOTH, int(clock[AFTER]) - 1] = clock[STEP]
                clock[AFTER] = 0.0
            return OK
        clock[REJECTED] += 1.0
        clock[STEP] = h * max(SHRINK, SAFETY * err**-EXPONENT)
        growth = 1.0


@compiled(INDEX(RHS, GUARDS, LAW, METHOD, MEMORY, VECTOR, VECTOR, VECTOR), inline=True)
def move(rhs: Any, guards: Any, law: Any, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats) -> int:
    """From Y to Y_NEW: a step that keeps the tolerance and ends at the first event in it, with the guards there in THEN."""
    clock, states, marks = memory.clock, memory.states, memory.marks
    while True:
        status = accepted(rhs, law, method, memory, p, s, u)
        if status != OK:
            return status
        for k in range(states.shape[1]):
            if not abs(states[Y_NEW, k]) < states[LIMIT, k]:
                return DIVERGED
        clock[TIME] = clock[BEGAN] + clock[LENGTH]
        guards(clock[TIME], states[Y_NEW], marks[THEN], marks[RATE_THEN], p, s, u)
        err = end_at_event(rhs, guards, law, method, memory, p, s, u)
        if err <= 1.0:
            clock[ACCEPTED] += 1.0
            return OK
        clock[TIME] = clock[BEGAN]
        clock[REJECTED] += 1.0
        clock[STEP] = clock[LENGTH] * max(SHRINK, SAFETY * err**-EXPONENT)


@compiled(INDEX(RHS, GUARDS, SWITCH, CHANNELS, LAW, METHOD, MEMORY, VECTOR, VECTOR, VECTOR, TABLE, INDEX))
def step(
    rhs: Any,
    guards: Any,
    switch: Any,
    channels: Any,
    law: Any,
    method: Method,
    memory: Memory,
    p: Floats,
    s: Floats,
    u: Floats,
    events: Floats,
    watched: int,
) -> int:
    """One step, up to the first event in it, and what the event changes; extremes of the channels within only if `watched`."""
    clock, states, marks = memory.clock, memory.states, memory.marks
    copy(marks[NOW], marks[THEN])
    copy(marks[RATE_NOW], marks[RATE_THEN])
    copy(states[Y], states[Y_NEW])
    copy(states[F], states[F_NEW])
    status = move(rhs, guards, law, method, memory, p, s, u)
    if status != OK:
        return status
    copy(memory.during, s)
    if watched:
        extremes(rhs, channels, law, method, memory, p, s, u)
    if largest(marks[THEN]) > 0.0:
        extend(rhs, law, method, memory, p, s, u)  # while the derivative at the end of the step is its own
        status = switch_all(rhs, guards, switch, law, memory, p, s, u, events)
        known = marks[SMOOTH, int(clock[AFTER]) - 1] if clock[AFTER] > 0.0 else 0.0
        clock[STEP] = known if known > 0.0 else min(clock[STEP], FIRST * method.settings[LONGEST])
        if watched:
            trace(channels, law, memory, p, s, u)
    return status


@compiled(INDEX(RHS, GUARDS, SWITCH, CHANNELS, LAW, METHOD, MEMORY, VECTOR, VECTOR, VECTOR, VECTOR, TABLE))
def begin(
    rhs: Any,
    guards: Any,
    switch: Any,
    channels: Any,
    law: Any,
    method: Method,
    memory: Memory,
    y: Floats,
    p: Floats,
    s: Floats,
    u: Floats,
    events: Floats,
) -> int:
    """Put the run at t = 0 in the state y."""
    clock, states = memory.clock, memory.states
    fill(clock, 0.0)
    clock[STEP], clock[LENGTH], clock[DENSE], clock[LAST_ERROR] = FIRST * method.settings[LONGEST], 1.0, 1.0, LOG_SMALL
    for k in range(memory.dense.shape[0]):
        fill(memory.dense[k], 0.0)
    copy(memory.dense[0], y)
    copy(states[Y], y)
    copy(states[Y_NEW], y)
    guards(0.0, states[Y_NEW], memory.marks[THEN], memory.marks[RATE_THEN], p, s, u)
    status = switch_all(rhs, guards, switch, law, memory, p, s, u, events)
    copy(memory.during, s)
    return status


ADVANCE = INDEX(RHS, GUARDS, SWITCH, CHANNELS, LAW, METHOD, MEMORY, VECTOR, VECTOR, VECTOR, INDEX, TABLE, TABLE, TABLE, TABLE)


@compiled(ADVANCE)
def advance(
    rhs: Any,
    guards: Any,
    switch: Any,
    channels: Any,
    law: Any,
    method: Method,
    memory: Memory,
    p: Floats,
    s: Floats,
    u: Floats,
    first: int,
    out: Floats,
    low: Floats,
    high: Floats,
    events: Floats,
) -> int:
    """Fill `out` (k, channels) from row clock[ROWS] on with the samples first + row; `low`, `high`: the extremes since the one before,
    of all channels, or empty.

    u must reach from the begin of the last step to the longest step beyond the last sample. Returns a status; EVENTS_FULL asks to be
    called again after the events have been taken.
    """
    clock, tr, watched = memory.clock, memory.trace, low.shape[0] > 0
    if watched and clock[WATCHED] == 0.0:
        watch(channels, law, memory, p, s, u)
    clock[WATCHED] = 1.0 if watched else 0.0
    row = int(clock[ROWS])
    while row < out.shape[0]:
        t = (first + row) / u[1]
        if t > clock[TIME]:
            if watched:
                fold(memory, clock[TIME])
                widen(memory, tr[VALUE_NEW])
            status = step(rhs, guards, switch, channels, law, method, memory, p, s, u, events, watched)
            if status == OK and events.shape[0] - clock[EVENTS] < PATIENCE * memory.marks.shape[1]:
                status = EVENTS_FULL
            if status != OK:
                clock[ROWS] = row
                return status
            continue
        extend(rhs, law, method, memory, p, memory.during, u)
        within(memory, t, memory.states[SCRATCH])
        channels(t, memory.states[SCRATCH], tr[ROW], p, memory.during, u, law)
        for k in range(out.shape[1]):
            out[row, k] = tr[ROW, k]
        if watched:
            fold(memory, t)
            widen(memory, tr[ROW])
            copy(low[row], tr[LOW])
            copy(high[row], tr[HIGH])
            copy(tr[LOW], tr[ROW])
            copy(tr[HIGH], tr[ROW])
        row += 1
    clock[ROWS] = 0.0
    return OK
