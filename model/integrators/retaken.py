"""The step in which a guard turns positive is taken again up to there, so that no stage reaches beyond, compiled.

The continuous extension tells where that is. It is no good for the state there: its stages have been on the far side, where the
right-hand side may have a kink (a contact that ends), which leaves an error of h^2 at any order. The guard must come out positive in the
step taken again, or nothing is switched: left at zero or just below it by rounding, it is found again after a step too short to move it,
and so for ever.
"""

from __future__ import annotations

from model.compiled.signatures import INDEX, REAL, Floats, compiled, template
from model.integrators.graded import AGAIN, divide
from model.integrators.kernels import KernelSet, evaluate, judge
from model.integrators.located import crossing
from model.integrators.memory import BEGAN, F_NEW, LENGTH, MEMORY, NOW, RATE_THEN, THEN, TIME, Y_NEW, Memory, Method
from model.integrators.steps import attempt, error, extend, within

TRIES = 8  # one or two do, but for contacts that graze
LATE, RELAX = 1e-12, 10.0  # how long after the event the step is to end, share of the step; times that with each try
RESOLVED = 1e-15  # the least of it, share of the time itself
SHIFT = 1e-7  # how far the end may still be from the event, share of the step, for the state to be moved there
TOGETHER = 1e-9  # guards that pass zero within this of each other, share of the step, do so at one event
NEAR = 10.0  # how late it may come out, in units of what was aimed at


@compiled(REAL(MEMORY, INDEX, REAL, REAL, REAL))
def overshoot(memory: Memory, k: int, h: float, other_h: float, other: float) -> float:
    """How long ago guard k passed zero at the end of the step h (s): by its rate, or by the secant to its value `other` at `other_h`."""
    value, rate = memory.marks[THEN, k], memory.marks[RATE_THEN, k]
    return float(value / rate if rate > 0.0 else value * (h - other_h) / (value - other))


@template()
def retake(kernels: KernelSet, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats, k: int, h: float) -> float:
    """Shorten the step to where, at its own end, guard k has just turned positive, near h (s): Newton, kept between values of both signs.

    Returns how long it took until then, s, or 0 if that could not be found. The last bit of the way, too short for its square to count,
    is not worth a step of its own: the state is moved there along its derivative, after the extension has been made of what the step gave.
    """
    began, whole = memory.clock[BEGAN], memory.clock[LENGTH]
    early, late = 0.0, whole
    before_h, before = 0.0, memory.marks[NOW, k]
    aim = max(LATE * whole, RESOLVED * began)
    h = min(h + aim, whole)
    for _ in range(TRIES):
        attempt(kernels, method, memory, p, s, u, began, h)
        judge(kernels, began + h, memory.states[Y_NEW], memory.marks[THEN], memory.marks[RATE_THEN], p, s, u)
        value = memory.marks[THEN, k]
        past = overshoot(memory, k, h, before_h, before)
        if value > 0.0 and 0.0 <= past <= NEAR * aim:
            return h
        if abs(past) <= SHIFT * h:
            extend(kernels, method, memory, p, s, u)
            beyond = aim - past
            for i in range(memory.states.shape[1]):
                memory.states[Y_NEW, i] += beyond * memory.states[F_NEW, i]
            judge(kernels, began + h + beyond, memory.states[Y_NEW], memory.marks[THEN], memory.marks[RATE_THEN], p, s, u)
            if memory.marks[THEN, k] > 0.0:
                return float(h + beyond)
        if value > 0.0:
            late = h
        else:
            early = h
        before_h, before = h, value
        aim *= RELAX
        h = h - past + aim
        if not early < h < late:
            h = 0.5 * (early + late)
    return 0.0


@compiled(INDEX(MEMORY, INDEX, REAL))
def overtaken(memory: Memory, k: int, h: float) -> int:
    """1 if a guard other than k is positive at the end of the step h (s) and passed zero well before it, by its rate; else 0.

    The step that was too long had not shown it: it came back within it, or the guard's contact had not been located so early.
    """
    for other in range(memory.marks.shape[1]):
        if other != k and memory.marks[THEN, other] > TOGETHER * h * max(0.0, memory.marks[RATE_THEN, other]):
            return 1
    return 0


@template()
def end_at_event(kernels: KernelSet, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats) -> float:
    """End the step just attempted, with its guards in THEN, at the first event in it, if there is one.

    Returns the error of the step taken again, in units of what is allowed; 0 if there was none; AGAIN if it is to be divided. The
    estimate for the whole step does not vouch for it: with a kink at 0.8635 of the step it vanishes, whatever the error.
    """
    clock, states, marks = memory.clock, memory.states, memory.marks
    began, whole = clock[BEGAN], clock[LENGTH]
    k, cut = crossing(kernels, method, memory, p, s, u)
    if cut == clock[TIME]:
        return 0.0
    if divide(method, memory, k, cut - began) == AGAIN:
        return AGAIN
    for _ in range(marks.shape[1]):
        taken = retake(kernels, method, memory, p, s, u, k, cut - began)
        if taken == 0.0:
            break
        clock[TIME] = began + taken
        if not overtaken(memory, k, taken):
            return float(error(method, memory, clock[LENGTH]))
        earlier, before = crossing(kernels, method, memory, p, s, u)
        if before >= began + (1.0 - TOGETHER) * taken:
            return float(error(method, memory, clock[LENGTH]))
        k, cut = earlier, before
    # it grazes, less deep than the extension is wrong: only the extension has a state with the guard positive
    attempt(kernels, method, memory, p, s, u, began, whole)
    clock[TIME] = began + whole
    judge(kernels, clock[TIME], states[Y_NEW], marks[THEN], marks[RATE_THEN], p, s, u)
    k, cut = crossing(kernels, method, memory, p, s, u)
    extend(kernels, method, memory, p, s, u)
    clock[TIME] = cut
    within(memory, cut, states[Y_NEW])
    evaluate(kernels, cut, states[Y_NEW], states[F_NEW], p, s, u)
    judge(kernels, cut, states[Y_NEW], marks[THEN], marks[RATE_THEN], p, s, u)
    return 0.0
