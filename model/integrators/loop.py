"""The solver's loop, compiled once for all mechanisms: steps, located events, output samples, extremes between them.

It stops at the output samples that were asked for, but never shortens a step for them: samples are read from the continuous extension,
and a step that reaches further is remembered. So the result does not depend on how the samples are cut into calls.
"""

from __future__ import annotations

import math

from model.compiled.arrays import copy, fill, largest
from model.compiled.signatures import INDEX, REAL, Floats, compiled, template
from model.integrators import memory as at
from model.integrators.extremes import extremes, fold, trace, watch, widen
from model.integrators.graded import AGAIN, approach
from model.integrators.kernels import KernelSet, change, evaluate, judge, publish
from model.integrators.located import quiet
from model.integrators.memory import MEMORY, Memory, Method
from model.integrators.retaken import end_at_event
from model.integrators.steps import attempt, error, extend, fastest, within

SAFETY, SHRINK, GROW = 0.9, 0.2, 8.0
EXPONENT, MEMORY_EXPONENT = 0.125, 0.04  # of the present and the last error in the next step (Hairer: PI control)
SHORTEST = 1e-9  # smallest step beside what the clock can resolve, share of the longest
FIRST = 4e-3  # step tried first, and after an event; share of the longest. After a contact's begin or end: what did after the one before
LOG_SMALL = math.log(1e-4)
BEYOND, STUBBORN = 3.0, 25  # fixed step times fastest rate that cannot be stable, and for how many more steps than not
PATIENCE = 20  # switches of guards at one instant
CALL = 10_000  # evaluations after which a call returns, so that its caller hears an interruption


@template()
def switch_all(kernels: KernelSet, memory: Memory, p: Floats, s: Floats, u: Floats, events: Floats) -> int:
    """Change the discrete state until every guard holds at (TIME, Y_NEW); notes events [time, guard, what switch returned]."""
    t, y, marks = memory.clock[at.TIME], memory.states[at.Y_NEW], memory.marks
    for _ in range(PATIENCE):
        quiet = True
        for k in range(marks.shape[1]):
            if marks[at.THEN, k] > 0.0:
                noted = change(kernels, k, t, y, p, s, u)
                memory.clock[at.AFTER] = 0.0 if math.isnan(noted) else (1.0 + k if noted == 0.0 else -1.0 - k)
                memory.clock[at.DIVIDED] = 0.0
                if not math.isnan(noted):
                    memory.marks[at.CLOSED, k] = noted
                    place = int(memory.clock[at.EVENTS])
                    events[place, 0], events[place, 1], events[place, 2] = t, k, noted
                    memory.clock[at.EVENTS] += 1.0
                quiet = False
        judge(kernels, t, y, marks[at.THEN], marks[at.RATE_THEN], p, s, u)
        if quiet:
            evaluate(kernels, t, y, memory.states[at.F_NEW], p, s, u)
            memory.clock[at.LAST_ERROR] = LOG_SMALL
            return at.OK
    return at.CHATTER


@compiled(INDEX(MEMORY), built_in=True)
def learn(memory: Memory) -> int:
    """Remember the step to be tried next as what does after such an event as the one that was just left behind."""
    after = int(memory.clock[at.AFTER])
    if after > 0:
        memory.marks[at.AFTER_END, after - 1] = memory.clock[at.STEP]
    else:
        memory.marks[at.AFTER_BEGIN, -after - 1] = memory.clock[at.STEP]
    memory.clock[at.AFTER] = 0.0
    return 0


@compiled(REAL(MEMORY, REAL), built_in=True)
def restart(memory: Memory, short: float) -> float:
    """Step to be tried after the event just now: what did after the last one of its kind, else `short`."""
    after = int(memory.clock[at.AFTER])
    if after == 0:
        return short
    known = memory.marks[at.AFTER_END, after - 1] if after > 0 else memory.marks[at.AFTER_BEGIN, -after - 1]
    return float(known if known > 0.0 else short)


@template(inline=True)
def accepted(kernels: KernelSet, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats) -> int:
    """Attempt steps from (TIME, Y, F) until one keeps the tolerance; sets STEP to the one to try next."""
    clock, settings = memory.clock, method.settings
    if settings[at.FIXED] > 0.0:
        h = settings[at.LONGEST]
        attempt(kernels, method, memory, p, s, u, clock[at.TIME], h)
        clock[at.STIFF] = max(0.0, clock[at.STIFF] + (1.0 if h * fastest(method, memory) > BEYOND else -1.0))
        return at.UNSTABLE if clock[at.STIFF] > STUBBORN else at.OK
    growth = GROW
    while True:
        h = min(clock[at.STEP], settings[at.LONGEST])
        if h < SHORTEST * settings[at.LONGEST] or clock[at.TIME] + 0.01 * h == clock[at.TIME]:
            return at.TOO_SHORT
        attempt(kernels, method, memory, p, s, u, clock[at.TIME], h)
        err = error(method, memory, h)
        if err <= 1.0:
            log = math.log(max(err, 1e-10))
            factor = SAFETY * math.exp(MEMORY_EXPONENT * clock[at.LAST_ERROR] - (EXPONENT - 0.75 * MEMORY_EXPONENT) * log)
            clock[at.STEP] = h * min(growth, max(SHRINK, factor))
            clock[at.LAST_ERROR] = max(log, LOG_SMALL)
            if clock[at.AFTER] != 0.0:
                learn(memory)
            return at.OK
        clock[at.REJECTED] += 1.0
        clock[at.STEP] = h * max(SHRINK, SAFETY * err**-EXPONENT)
        growth = 1.0


@template(inline=True)
def move(kernels: KernelSet, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats) -> int:
    """From Y to Y_NEW: a step that keeps the tolerance and ends at the first event in it, with the guards there in THEN."""
    clock, states, marks = memory.clock, memory.states, memory.marks
    while True:
        status = accepted(kernels, method, memory, p, s, u)
        if status != at.OK:
            return status
        for k in range(states.shape[1]):
            if not abs(states[at.Y_NEW, k]) < states[at.LIMIT, k]:
                return at.DIVERGED
        clock[at.TIME] = clock[at.BEGAN] + clock[at.LENGTH]
        judge(kernels, clock[at.TIME], states[at.Y_NEW], marks[at.THEN], marks[at.RATE_THEN], p, s, u)
        err = approach(method, memory) if quiet(memory) else end_at_event(kernels, method, memory, p, s, u)
        if 0.0 <= err <= 1.0:
            clock[at.ACCEPTED] += 1.0
            return at.OK
        clock[at.TIME] = clock[at.BEGAN]
        clock[at.REJECTED] += 1.0
        if err != AGAIN:
            clock[at.STEP] = clock[at.LENGTH] * max(SHRINK, SAFETY * err**-EXPONENT)


@template()
def step(kernels: KernelSet, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats, events: Floats, watched: int) -> int:
    """One step, up to the first event in it, and what the event changes; extremes of the channels within only if `watched`."""
    clock, states, marks = memory.clock, memory.states, memory.marks
    copy(marks[at.NOW], marks[at.THEN])
    copy(marks[at.RATE_NOW], marks[at.RATE_THEN])
    copy(states[at.Y], states[at.Y_NEW])
    copy(states[at.F], states[at.F_NEW])
    status = move(kernels, method, memory, p, s, u)
    if status != at.OK:
        return status
    copy(memory.during, s)
    if watched:
        extremes(kernels, method, memory, p, s, u)
    if largest(marks[at.THEN]) > 0.0:
        extend(kernels, method, memory, p, s, u)  # while the derivative at the end of the step is its own
        status = switch_all(kernels, memory, p, s, u, events)
        clock[at.STEP] = restart(memory, min(clock[at.STEP], FIRST * method.settings[at.LONGEST]))
        if watched:
            trace(kernels, memory, p, s, u)
    return status


@template()
def begin(kernels: KernelSet, method: Method, memory: Memory, y: Floats, p: Floats, s: Floats, u: Floats, events: Floats) -> int:
    """Put the run at t = 0 in the state y."""
    clock, states = memory.clock, memory.states
    fill(clock, 0.0)
    clock[at.STEP], clock[at.LENGTH], clock[at.DENSE], clock[at.LAST_ERROR] = FIRST * method.settings[at.LONGEST], 1.0, 1.0, LOG_SMALL
    for k in range(memory.dense.shape[0]):
        fill(memory.dense[k], 0.0)
    copy(memory.dense[0], y)
    copy(states[at.Y], y)
    copy(states[at.Y_NEW], y)
    judge(kernels, 0.0, states[at.Y_NEW], memory.marks[at.THEN], memory.marks[at.RATE_THEN], p, s, u)
    status = switch_all(kernels, memory, p, s, u, events)
    copy(memory.during, s)
    return status


@template()
def advance(
    kernels: KernelSet, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats,
    first: int, out: Floats, low: Floats, high: Floats, events: Floats,
) -> int:  # fmt: skip
    """Fill `out` (k, channels) from row clock[ROWS] on with the samples first + row; `low`, `high`: the extremes since the one before,
    of all channels, or empty.

    u must reach from the begin of the last step to the longest step beyond the last sample. Returns a status; EVENTS_FULL asks to be
    called again after the events have been taken, as it does after CALL evaluations whatever came of them.
    """
    clock, tr, watched = memory.clock, memory.trace, low.shape[0] > 0
    until = clock[at.EVALUATIONS] + CALL
    if watched and clock[at.WATCHED] == 0.0:
        watch(kernels, memory, p, s, u)
    clock[at.WATCHED] = 1.0 if watched else 0.0
    row = int(clock[at.ROWS])
    while row < out.shape[0]:
        t = (first + row) / u[1]
        if t > clock[at.TIME]:
            if watched:
                fold(memory, clock[at.TIME])
                widen(memory, tr[at.VALUE_NEW])
            status = step(kernels, method, memory, p, s, u, events, watched)
            full = events.shape[0] - clock[at.EVENTS] < PATIENCE * memory.marks.shape[1]
            if status == at.OK and (full or clock[at.EVALUATIONS] > until):
                status = at.EVENTS_FULL
            if status != at.OK:
                clock[at.ROWS] = row
                return status
            continue
        if clock[at.DENSE] == 0.0:  # asked here: to hand over all that it may need takes as long as a right-hand side
            extend(kernels, method, memory, p, memory.during, u)
        within(memory, t, memory.states[at.SCRATCH])
        publish(kernels, t, memory.states[at.SCRATCH], tr[at.ROW], p, memory.during, u)
        for k in range(out.shape[1]):
            out[row, k] = tr[at.ROW, k]
        if watched:
            fold(memory, t)
            widen(memory, tr[at.ROW])
            copy(low[row], tr[at.LOW])
            copy(high[row], tr[at.HIGH])
            copy(tr[at.LOW], tr[at.ROW])
            copy(tr[at.HIGH], tr[at.ROW])
        row += 1
    clock[at.ROWS] = 0.0
    return at.OK
